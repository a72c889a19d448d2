import { describe, expect, it } from 'vitest';
import { openRig } from '../../support/rig.ts';

describe('svc topics get', () => {
  it('prints one line per field on a terminal', async () => {
    const { svc } = await openRig();
    const { stdout, stderr, code } = await svc(['topics', 'get', 'announcements'], { tty: true });
    expect({ stdout, stderr, code }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "KEY      announcements
      NAME     Announcements
      CREATED  15 Jan 2025
      UPDATED  15 Jan 2025
      ID       677485805f56106029b959bc
      ",
      }
    `);
  });

  it('limits the output to --fields, as JSON and in a pipe', async () => {
    const { svc } = await openRig();
    const { stdout } = await svc(['topics', 'get', 'announcements', '--json', '--fields', 'key']);
    expect(JSON.parse(stdout)).toEqual({ key: 'announcements' });
    expect((await svc(['topics', 'get', 'announcements', '--fields', 'key'])).stdout).toBe(
      'key\tannouncements\n',
    );
    expect((await svc(['topics', 'get', 'announcements', '--jq', '.key'])).stdout).toBe(
      'announcements\n',
    );
  });

  it('rejects a key that cannot be part of a URL path', async () => {
    const { svc } = await openRig();
    const { stderr, code, requests } = await svc(['topics', 'get', '..']);
    expect({ stderr, code, requests }).toMatchInlineSnapshot(`
      {
        "code": 2,
        "requests": [],
        "stderr": "Error: The topic key cannot be \`..\`, because a URL path cannot contain it.
      ",
      }
    `);
  });

  it('suggests similar keys for an unknown topic', async () => {
    const { svc } = await openRig();
    const { stderr, code } = await svc(['topics', 'get', 'anouncements']);
    expect({ stderr, code }).toMatchInlineSnapshot(`
      {
        "code": 5,
        "stderr": "Error: Topic \`anouncements\` does not exist. Did you mean \`announcements\`?
        (status 404, /v2/topics/anouncements)
        svc topics list
      ",
      }
    `);
    expect((await svc(['topics', 'get', 'nope'])).stderr).toContain('Existing topics include: `');
  });
});

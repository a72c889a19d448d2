import { describe, expect, it } from 'vitest';
import { openRig } from '../../support/rig.ts';
import { words } from '../../support/words.ts';

describe('svc topics list', () => {
  it('prints a table with relative times on a terminal', async () => {
    const { svc } = await openRig();
    const { stdout, stderr, code } = await svc(['topics', 'list'], { tty: true });
    expect({ stdout, stderr, code }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "KEY            NAME           MEMBERS  CREATED      UPDATED
      announcements  Announcements        5  15 Jan 2025  15 Jan 2025
      empty-topic    Empty topic          0  15 Jan 2025  15 Jan 2025
      beta-testers   Beta testers         1  15 Jan 2025  15 Jan 2025
      ",
      }
    `);
  });

  it('counts the subscriptions of each topic on a terminal only, if the service counts them', async () => {
    const { svc, answerBy } = await openRig();
    const line = words`topics list --limit 2`;
    const inPipe = await svc(line);
    expect(inPipe.requests.map(({ line: sent }) => sent)).toEqual(['GET /v2/topics?limit=2']);
    const counts = [{ totalCount: 50_000, totalCountCapped: true }, { totalCount: -1 }];
    answerBy(({ url }) => {
      if (!url.pathname.endsWith('/subscriptions')) return undefined;
      return { status: 200, body: { data: [], next: null, previous: null, ...counts.shift() } };
    });
    const { stdout } = await svc(line, { tty: true });
    expect(stdout.split('\n').map((row) => row.slice(0, 38).trimEnd())).toEqual([
      'KEY            NAME           MEMBERS',
      'announcements  Announcements   50000+',
      'empty-topic    Empty topic',
      '',
    ]);
    answerBy(({ url }) =>
      url.pathname.endsWith('/subscriptions') ? { status: 403, body: {} } : undefined,
    );
    const refused = await svc(line, { tty: true });
    expect(refused).toMatchObject({ code: 0, stderr: inPipe.stderr });
    expect(refused.stdout).not.toContain('MEMBERS');
    const all = await svc(words`topics list --all`, { tty: true });
    expect(all.requests.map(({ line: sent }) => sent)).toEqual(['GET /v2/topics?limit=100']);
  });

  it('prints tab-separated lines in a pipe', async () => {
    const { svc } = await openRig();
    const { stdout, stderr, code } = await svc(['topics', 'list']);
    expect({ stdout, stderr, code }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "announcements	Announcements	2025-01-15T09:00:00.000Z	2025-01-15T09:00:00.000Z	677485805f56106029b959bc
      empty-topic	Empty topic	2025-01-15T09:00:00.000Z	2025-01-15T09:00:00.000Z	67748580239ccadec63c4998
      beta-testers	Beta testers	2025-01-15T09:00:00.000Z	2025-01-15T09:00:00.000Z	677485801959678ff74aa99f
      ",
      }
    `);
  });

  it('--page-info adds totals and cursors to the JSON', async () => {
    const { svc } = await openRig();
    const { stdout, requests } = await svc(words`topics list --json --page-info --limit 1`);
    expect(JSON.parse(stdout)).toMatchObject({
      items: [{ key: expect.any(String) }],
      page: { totalCount: 3, next: expect.any(String) },
    });
    expect(requests.map(({ line }) => line)).toEqual(['GET /v2/topics?limit=1']);
  });

  it('prints the command for the next page', async () => {
    const { svc } = await openRig();
    const { stderr } = await svc(['topics', 'list', '--limit', '2'], { tty: true });
    expect(stderr).toMatch(/^More items: svc topics list --after [0-9a-f]{24} --limit 2\n$/);
  });

  it('--all requests every page, and -o ids prints only the keys', async () => {
    const { svc } = await openRig();
    const { stdout, requests } = await svc(
      words`topics list --all --page-size 1 -o ids --order asc`,
    );
    expect(stdout.trim().split('\n').toSorted()).toEqual([
      'announcements',
      'beta-testers',
      'empty-topic',
    ]);
    expect(requests).toHaveLength(3);
  });

  it('prints valid JSON even if a later page fails', async () => {
    const { svc, answer } = await openRig();
    answer(
      {
        status: 200,
        body: {
          data: [{ _id: '1', key: 'a' }],
          next: '1',
          previous: null,
          totalCount: 2,
          totalCountCapped: false,
        },
      },
      { status: 500, body: { message: 'boom' } },
    );
    const { stdout, stderr, code } = await svc(words`topics list --json --all --retries 0`);
    expect(JSON.parse(stdout)).toEqual([{ _id: '1', key: 'a' }]);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 7, status: 500, message: 'boom' } });
    expect(code).toBe(7);
  });

  it('keeps unknown fields and large numbers unchanged', async () => {
    const { svc, answer } = await openRig();
    answer({
      status: 200,
      text: '{"data":[{"_id":"1","key":"a","n":12345678901234567890,"x":null}],"next":null,"previous":null,"totalCount":1,"totalCountCapped":false}',
    });
    expect((await svc(['topics', 'list', '-o', 'ndjson'])).stdout).toBe(
      '{"_id":"1","key":"a","n":12345678901234567890,"x":null}\n',
    );
  });

  it.each([
    ['--limit and --all together', ['--limit', '3', '--all']],
    ['--limit 0', ['--limit', '0']],
    ['an unknown order', ['--order', 'up']],
    ['--after and --before together', ['--after', 'a', '--before', 'b']],
    ['an unknown format', ['-o', 'xml']],
  ])('rejects %s before sending a request', async (_name, options) => {
    const { svc } = await openRig();
    const { code, requests } = await svc(['topics', 'list', ...options]);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
  });

  it('ends the error about an option with a full stop', async () => {
    const { svc } = await openRig();
    const { stderr } = await svc(['topics', 'list', '--limit', 'x']);
    expect(stderr).toMatch(/^Error: --limit: `x` is not a whole number of 1 or more\.\n/);
  });

  it('reports that the service rejects the key', async () => {
    const { svc } = await openRig();
    const { stderr, stdout, code } = await svc(
      ['topics', 'list', '--order-by', 'nonsense', '--page-size', '100', '--after', 'x'.repeat(3)],
      { env: { SVC_API_KEY: 'f'.repeat(32) } },
    );
    expect({ stdout, stderr, code }).toMatchInlineSnapshot(`
      {
        "code": 4,
        "stderr": "Error: The service rejected the API key (API Key not found).
        (status 401, /v2/topics)
      Log in again, or check SVC_API_KEY and which key is active.
        svc login
        svc whoami
      ",
        "stdout": "",
      }
    `);
  });
});

// `--dry-run` prints requests without sending them.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { profileOfRig, storeProfiles } from '../support/assistant.ts';
import { openRig } from '../support/rig.ts';
import { words } from '../support/words.ts';

describe('--dry-run', () => {
  it('prints the exact request of a write without sending it', async () => {
    const { svc } = await openRig();
    const { code, stdout, stderr, requests } = await svc(
      ['topics', 'rename', 'announcements', 'News', '--dry-run'],
      { tty: true },
    );
    expect({ code, stdout, stderr, requests }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "requests": [],
        "stderr": "Dry run: nothing was sent.
      ",
        "stdout": "PATCH http://sandbox.localhost/v2/topics/announcements
      accept: application/json
      accept-encoding: gzip
      user-agent: svc/0.0.0-test
      content-type: application/json
      idempotency-key: 00000000-0000-4000-8000-000000000001
      authorization: ApiKey ********

      {
        "name": "News"
      }
      ",
      }
    `);
  });

  it('prints the requests as JSON with --json', async () => {
    const { svc } = await openRig();
    const { stdout, requests } = await svc(words`events cancel txn_a txn_b --dry-run --json`);
    const shown = JSON.parse(stdout) as { method: string; url: string }[];
    expect(shown.map(({ method, url }) => `${method} ${url}`)).toMatchInlineSnapshot(`
      [
        "DELETE http://sandbox.localhost/v1/events/trigger/txn_a",
        "DELETE http://sandbox.localhost/v1/events/trigger/txn_b",
      ]
    `);
    expect(requests).toEqual([]);
  });

  it('prints a curl command that reads the key from the environment', async () => {
    const { svc } = await openRig();
    const { stdout } = await svc(words`topics rename announcements ${"It's new"} --dry-run=curl`);
    expect(stdout).toMatchInlineSnapshot(`
      "printf 'Authorization: ApiKey %s\\n' "$SVC_API_KEY" | curl --request PATCH 'http://sandbox.localhost/v2/topics/announcements' \\
        --header @- \\
        --header 'content-type: application/json' \\
        --header 'idempotency-key: 00000000-0000-4000-8000-000000000001' \\
        --data-raw '{"name":"It'\\''s new"}'
      "
    `);
  });

  it('masks secrets unless --reveal is given', async () => {
    const { svc } = await openRig();
    const line = ['subscribers', 'credentials', 'set', 'u1', '--provider', 'slack'];
    const argv = [...line, '--webhook-url', 'https://hooks.example.com/s3cret', '--dry-run=curl'];
    expect((await svc(argv)).stdout).not.toContain('s3cret');
    expect((await svc([...argv, '--reveal'])).stdout).toContain('s3cret');
  });

  it('sends the reads that a write needs', async () => {
    const { svc } = await openRig();
    const { code, requests } = await svc(words`topics subscribe announcements u1 --dry-run`);
    expect(requests.map(({ line }) => line)).toEqual(['GET /v2/topics/announcements']);
    expect(code).toBe(0);
  });

  it('prints the first request of a bulk run and the totals', async () => {
    const { svc, folder } = await openRig();
    const file = path.join(folder, 'users.csv');
    const rows = Array.from({ length: 1200 }, (_unused, index) => `r${index}`);
    writeFileSync(file, ['subscriberId', ...rows, ''].join('\n'));
    const { stdout, stderr, requests } = await svc(
      words`subscribers bulk-import ${file} --dry-run --json`,
    );
    const shown = JSON.parse(stdout) as {
      requests: { body: { subscribers: unknown[] } }[];
      total: unknown;
    };
    expect(shown.requests).toHaveLength(1);
    expect(shown.requests[0]?.body.subscribers).toHaveLength(500);
    expect(shown.total).toEqual({ requests: 3, items: 1200 });
    expect({ requests, stderr }).toEqual({ requests: [], stderr: '' });
  });

  it('needs no confirmation, even on a protected profile', async () => {
    const rig = await openRig({ bare: true });
    storeProfiles(rig, { live: { ...profileOfRig, protected: true } });
    const line = ['topics', 'delete', 'announcements'];
    expect((await rig.svc([...line, '--yes'])).code).toBe(2);
    const { code, stdout, requests } = await rig.svc([...line, '--dry-run']);
    expect({ code, requests }).toEqual({ code: 0, requests: [] });
    expect(stdout).toBe('DELETE\thttp://sandbox.localhost/v2/topics/announcements\t\n');
  });

  it('is rejected for a command that changes only local data', async () => {
    const { svc } = await openRig();
    const { code, stderr } = await svc(['config', 'set', 'output', 'json', '--dry-run']);
    expect({ code, stderr }).toMatchInlineSnapshot(`
      {
        "code": 2,
        "stderr": "Error: \`svc config set\` does not support --dry-run.
      The command has no write request that could be printed. Run it without --dry-run.
      ",
      }
    `);
  });
});

import { describe, expect, it } from 'vitest';
import { openRig } from '../../support/rig.ts';
import { words } from '../../support/words.ts';

describe('svc contexts list', () => {
  it('prints a table', async () => {
    const { svc } = await openRig();
    const { stdout, stderr, code } = await svc(['contexts', 'list', '--order', 'asc'], {
      tty: true,
      columns: 100,
    });
    expect({ stdout, stderr, code }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "TYPE    ID          DATA                                 CREATED      UPDATED
      tenant  org-globex  {"name":"Globex","plan":"free"}      15 Jan 2025  15 Jan 2025
      tenant  org-acme    {"name":"Acme","plan":"enterprise"}  15 Jan 2025  15 Jan 2025
      app     jira        {"name":"Jira","color":"#0052cc"}    15 Jan 2025  15 Jan 2025
      ",
      }
    `);
  });

  it('filters by type and prints type:id for -o ids', async () => {
    const { svc } = await openRig();
    const { stdout, requests } = await svc(words`contexts list --type tenant -o ids --order asc`);
    expect(stdout.trim().split('\n').toSorted()).toEqual(['tenant:org-acme', 'tenant:org-globex']);
    expect(requests[0]?.line).toBe('GET /v2/contexts?type=tenant&orderDirection=ASC&limit=50');
  });

  it('prints JSON, and tab-separated columns in a pipe', async () => {
    const { svc } = await openRig();
    expect(
      JSON.parse((await svc(['contexts', 'list', '--search', 'jira', '--json'])).stdout),
    ).toMatchObject([{ type: 'app', id: 'jira' }]);
    expect(
      (await svc(['contexts', 'list', '--search', 'jira', '--fields', 'type,id'])).stdout,
    ).toBe('app\tjira\n');
  });

  it('exits with 2 for an invalid --limit and with 4 for a wrong key', async () => {
    const { svc } = await openRig();
    expect(await svc(['contexts', 'list', '--limit', 'many'])).toMatchObject({
      code: 2,
      requests: [],
    });
    expect((await svc(['contexts', 'list'], { env: { SVC_API_KEY: 'f'.repeat(32) } })).code).toBe(
      4,
    );
  });
});

describe('svc contexts get', () => {
  it.each([[['tenant', 'org-acme']], [['tenant:org-acme']]])('accepts %j', async (words) => {
    const { svc } = await openRig();
    const { stdout, requests } = await svc(['contexts', 'get', ...words, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ type: 'tenant', id: 'org-acme' });
    expect(requests[0]?.line).toBe('GET /v2/contexts/tenant/org-acme');
  });

  it('prints fields on a terminal and tab-separated lines in a pipe', async () => {
    const { svc } = await openRig();
    expect(
      (await svc(['contexts', 'get', 'app:jira'], { tty: true })).stdout,
    ).toMatchInlineSnapshot(`
      "TYPE     app
      ID       jira
      DATA     {"name":"Jira","color":"#0052cc"}
      CREATED  15 Jan 2025
      UPDATED  15 Jan 2025
      "
    `);
    expect((await svc(['contexts', 'get', 'app:jira'])).stdout).toContain('type\tapp\n');
  });

  it('exits with 2 without an id and with 5 for an unknown context', async () => {
    const { svc } = await openRig();
    expect(await svc(['contexts', 'get', 'tenant'])).toMatchObject({ code: 2, requests: [] });
    expect((await svc(['contexts', 'get', 'tenant', 'unknown'])).code).toBe(5);
  });
});

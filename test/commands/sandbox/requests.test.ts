// `svc sandbox requests`: what applications sent to the sandbox.
import { describe, expect, it } from 'vitest';
import { testKey } from '../../support/fixed.ts';
import type { Rig } from '../../support/rig.ts';
import { words } from '../../support/words.ts';
import { openSandboxRig } from './sandbox-rig.ts';

const list = ['sandbox', 'requests'];

/** Sends requests that succeed, fail, and are not emulated, an hour later. */
async function openUsedRig() {
  const rig = await openSandboxRig();
  await rig.svc(['topics', 'list']);
  await rig.svc(['sandbox', 'clock', 'advance', '1h']);
  expect(await rig.svc(['subscribers', 'get', 'unknown'])).toMatchObject({ code: 5 });
  expect(await rig.svc(['api', 'GET', '/v1/blueprints/x'])).toMatchObject({ code: 5 });
  await rig.svc(['subscribers', 'create', 'ユーザー', '--email', 'a@example.com']);
  return rig;
}

const idsOf = async ({ svc }: Rig, ...options: string[]) =>
  (await svc([...list, ...options, '-o', 'ids'])).stdout.split('\n').filter(Boolean);

describe('svc sandbox requests', () => {
  it('without a request of an application says where they go', async () => {
    const { svc } = await openSandboxRig();
    const { stdout, stderr, code } = await svc(list, { tty: true });
    expect([stdout, code]).toEqual(['', 0]);
    expect(stderr).toMatch(/^No requests\. Applications send them to http:\S+\.\n$/);
    expect((await svc([...list, '--json'])).stdout).toBe('[]\n');
    const filtered = await svc([...list, '--failed'], { tty: true });
    expect(filtered.stderr).toBe('No requests match.\n');
  });

  it('shows time, status, method, path and error at 80 columns', async () => {
    const { svc } = await openUsedRig();
    const { stdout } = await svc(list, { tty: true, columns: 80 });
    expect(stdout).toMatchInlineSnapshot(`
      "ID  WHEN      STATUS  METHOD  PATH                     ERROR
       4  13:00:00  201     POST    /v1/subscribers/bulk
       3  13:00:00  404     GET     /v1/blueprints/x         GET /v1/blueprints/{temp…
       2  13:00:00  404     GET     /v2/subscribers/unknown  Subscriber: unknown was …
       1  12:00:00  200     GET     /v2/topics?limit=50
      "
    `);
    const narrow = await svc(list, { tty: true, columns: 50 });
    expect(narrow.stdout).toMatchInlineSnapshot(`
      "WHEN      STATUS  METHOD  PATH
      13:00:00  201     POST    /v1/subscribers/bulk
      13:00:00  404     GET     /v1/blueprints/x
      13:00:00  404     GET     /v2/subscribers/unknown
      12:00:00  200     GET     /v2/topics?limit=50
      "
    `);
  });

  it('prints one line for each request in a pipe', async () => {
    const { svc } = await openUsedRig();
    const { stdout } = await svc([...list, '--limit', '2']);
    expect(stdout).toMatchInlineSnapshot(`
      "4	2026-01-15T13:00:00.000Z	201	POST	/v1/subscribers/bulk	
      3	2026-01-15T13:00:00.000Z	404	GET	/v1/blueprints/x	GET /v1/blueprints/{templateIdOrIdentifier} exists in the service, not in the sandbox
      "
    `);
  });

  it('filters by time, method, path, status and outcome', async () => {
    const rig = await openUsedRig();
    expect(await idsOf(rig)).toEqual(['4', '3', '2', '1']);
    expect(await idsOf(rig, '--since', '30m')).toEqual(['4', '3', '2']);
    expect(await idsOf(rig, '--since', '2099-01-01')).toEqual([]);
    expect(await idsOf(rig, '--method', 'POST')).toEqual(['4']);
    expect(await idsOf(rig, '--path', '/v*/subscribers/*')).toEqual(['4', '2']);
    expect(await idsOf(rig, '--path', '/v1/subscribers/bulk')).toEqual(['4']);
    expect(await idsOf(rig, '--path', '/v1/subscribers')).toEqual([]);
    expect(await idsOf(rig, '--status', '404')).toEqual(['3', '2']);
    expect(await idsOf(rig, '--failed')).toEqual(['3', '2']);
    expect(await idsOf(rig, '--not-emulated')).toEqual(['3']);
    expect(await idsOf(rig, '--failed', '--path', '/v2/*', '--since', '1m')).toEqual(['2']);
  });

  it('pages, and prints the command for more', async () => {
    const rig = await openUsedRig();
    const limited = await rig.svc([...list, '--limit', '1', '--failed'], { tty: true });
    expect(limited.stderr).toBe('More items: svc sandbox requests --failed --all\n');
    expect(await idsOf(rig, '--page-size', '1', '--all')).toEqual(['4', '3', '2', '1']);
    expect(await idsOf(rig, '--page-size', '3', '--page', '1')).toEqual(['1']);
  });

  it('masks secrets', async () => {
    const { svc } = await openSandboxRig();
    const body = { providerId: 'sendgrid', channel: 'email', credentials: { apiKey: 'hidden' } };
    const stdin = JSON.stringify(body);
    expect(await svc(words`api POST /v1/integrations --body -`, { stdin })).toMatchObject({
      code: 0,
    });
    expect(await svc(['api', 'GET', `/v1/blueprints/x?apiKey=${testKey}`])).toMatchObject({
      code: 5,
    });
    for (const format of ['json', 'ndjson', 'tsv', 'table'])
      expect((await svc([...list, '-o', format])).stdout).not.toMatch(/hidden|[0-9a-f]{32}/);
    const [created] = JSON.parse((await svc([...list, '--status', '201', '--json'])).stdout);
    expect(created.body).toMatchObject({ channel: 'email', credentials: expect.anything() });
  });

  it('names a connection that a fault closed', async () => {
    const { svc } = await openSandboxRig();
    await svc(words`sandbox faults set --reset 1`);
    expect(await svc(words`topics list --retries 0`)).toMatchObject({ code: 7 });
    await svc(['sandbox', 'faults', 'clear']);
    const { stdout } = await svc(list, { tty: true });
    expect(stdout).toMatch(/ closed {2}GET .*The connection was closed by/);
    expect(JSON.parse((await svc([...list, '--json'])).stdout)).toMatchObject([{ status: null }]);
  });

  it.each([
    [['--failed', '--not-emulated'], 'cannot be used with'],
    [['--status', '99'], '--status'],
    [['--method', 'LOAD'], '--method'],
    [['--since', 'yesterday'], '--since'],
  ])('rejects %j', async (options, message) => {
    const { svc } = await openSandboxRig();
    const { code, stderr, stdout } = await svc([...list, ...options]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });

  it('writes a log that `svc upgrade check --requests` reads', async () => {
    const rig = await openSandboxRig();
    await rig.svc(['api', 'GET', '/v1/subscribers?page=1']);
    const { stdout } = await rig.svc([...list, '-o', 'ndjson']);
    const checked = await rig.svc(words`upgrade check --from 3.18 --requests - --json`, {
      stdin: stdout,
    });
    const findings: { id: string; thing: string }[] = JSON.parse(checked.stdout);
    expect(findings.filter(({ id }) => id === 'deprecated-route')).toMatchObject([
      { thing: 'GET /v1/subscribers', message: expect.stringMatching(/^1 request\./) },
    ]);
  });
});

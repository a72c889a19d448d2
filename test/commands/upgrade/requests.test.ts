// `svc upgrade check --requests`: the routes in a log that a version advises against or refuses.
import { expect, it } from 'vitest';
import { operationIds, record } from '../../../src/service/operations/index.ts';
import { openRig, type RunOptions, writeInput } from '../../support/rig.ts';

const read = { method: 'GET', path: '/v1/subscribers', status: 200 };

/** Checks the requests of these lines alone. */
async function check(
  lines: readonly (string | object)[],
  more: string[] = [],
  options?: RunOptions,
) {
  const rig = await openRig({ bare: true });
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  writeInput(rig, 'requests.ndjson', text.map((line) => `${line}\n`).join(''));
  const line = ['upgrade', 'check', '--requests', 'requests.ndjson', '--json', ...more];
  const ran = await rig.svc(line, options);
  if (ran.stdout === '') throw new Error(ran.stderr);
  const findings = JSON.parse(ran.stdout) as Record<string, string>[];
  return { ...ran, findings, things: findings.map(({ thing }) => thing) };
}

it('finds nothing in an empty log, and in one of current routes', async () => {
  for (const lines of [[], [{ method: 'GET', path: '/v2/subscribers' }]]) {
    const { code, findings, stderr } = await check(lines);
    expect([code, findings]).toEqual([0, []]);
    expect(stderr).toBe('');
  }
});

it('names a deprecated route once, with its requests, the new route and its operation', async () => {
  const { code, findings } = await check([read, read, { method: 'GET', path: '/v2/topics' }]);
  expect(code).toBe(0);
  expect(findings).toEqual([
    {
      id: 'deprecated-route',
      severity: 'should',
      thing: 'GET /v1/subscribers',
      message: '2 requests. The route is deprecated. Use GET /v2/subscribers.',
      next: 'svc schema listSubscribers',
    },
  ]);
});

it.each([
  ['a log of a sandbox', { id: 1, query: { page: '1' }, ...read }],
  [
    'a log with addresses',
    { method: 'get', url: 'https://api.example.com/api/v1/subscribers?page=1' },
  ],
  ['a log with the request as an object', { request: { method: 'GET', uri: '/v1/subscribers' } }],
  ['a log with the first line', { request: 'GET /v1/subscribers?page=1 HTTP/1.1', status: 200 }],
  [
    'a web server',
    '10.0.0.7 - - [01/Aug/2026:10:00:00 +0000] "GET /v1/subscribers HTTP/1.1" 200 5',
  ],
  ['a server behind a prefix', '"GET /api/v1/subscribers/ HTTP/1.1"'],
])('reads %s', async (_name, line) => {
  expect((await check([line])).things).toEqual(['GET /v1/subscribers']);
});

it('finds many routes, with parameters, aliases and paths that cannot be decoded', async () => {
  const { things } = await check([
    { method: 'POST', path: '/v1/subscribers/u%201/messages/mark-as' },
    { method: 'GET', path: '/v1/notification-templates' },
    { method: 'GET', path: '/v1/subscribers/%zz' },
    { method: 'POST', path: '/v1/integrations/chat/oauth' },
  ]);
  expect(things).toEqual([
    'POST /v1/subscribers/{subscriberId}/messages/mark-as',
    'GET /v1/notification-templates',
    'POST /v1/integrations/chat/oauth',
  ]);
});

it('knows since when a route is deprecated', async () => {
  const feed = { method: 'GET', path: '/v1/subscribers/u1/notifications/feed' };
  expect((await check([feed, read], ['--to', '3.14'])).things).toEqual(['GET /v1/subscribers']);
  expect((await check([feed], ['--to', '3.15'])).things).toEqual([
    'GET /v1/subscribers/{subscriberId}/notifications/feed',
  ]);
});

it('exits with 10 for a route that refuses keys in the new version', async () => {
  const publish = { method: 'POST', path: '/v2/environments/67748580715b67c40eeeb148/publish' };
  const { code, findings } = await check([read, publish]);
  expect([code, findings.map(({ id }) => id)]).toEqual([10, ['refused-route', 'deprecated-route']]);
  expect(findings[0]?.next).toBe('svc workflows promote --help');
  expect((await check([publish], ['--to', '3.17'])).findings).toEqual([]);
});

it('counts lines without a request, and says that no environment was checked', async () => {
  const { code, stderr, things } = await check(['hello', '{"a":1}', read], [], { tty: 'stderr' });
  expect([code, things]).toEqual([0, ['GET /v1/subscribers']]);
  expect(stderr).toContain('No service is selected, so no environment is checked.');
  expect(stderr).toContain('2 lines of requests.ndjson without a request.');
});

it('reads standard input, and reports a file that does not exist', async () => {
  const rig = await openRig({ bare: true });
  const line = ['upgrade', 'check', '--requests'];
  const stdin = `${JSON.stringify(read)}\n`;
  expect((await rig.svc([...line, '-', '-o', 'ids'], { stdin })).stdout).toBe('deprecated-route\n');
  const { code, stderr } = await rig.svc([...line, 'missing.log']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('missing.log')]);
});

it('every operation that replaces another one exists, or is a later route of the service', () => {
  const known = new Set(operationIds.map((id) => `${record(id).method} ${record(id).path}`));
  const replacements = operationIds.flatMap((id) => record(id).deprecated ?? []);
  expect(replacements.length).toBeGreaterThan(30);
  const unknown = replacements.filter(({ by, since }) => since === undefined && !known.has(by));
  expect(unknown).toEqual([]);
  for (const { by } of replacements) expect(by).toMatch(/^(GET|POST|PUT|PATCH|DELETE) \/v2\//);
});

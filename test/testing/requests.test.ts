// `requests` of `svc-cli/testing`: what the application has sent.
import { expect, it } from 'vitest';
import { authorized, openTestSandbox, state, trigger } from './open.ts';

it('returns the requests that match, newest first, with body and status', async () => {
  const sandbox = await openTestSandbox({
    seed: state,
    time: '2026-01-15T12:00:00Z',
    frozen: true,
  });
  await trigger(sandbox, 'sign-up', 'u1', { plan: 'pro' });
  await sandbox.fetch('/v2/subscribers/u1?x=1', { headers: authorized(sandbox) });
  await sandbox.fetch('/v2/subscribers/u9', { headers: authorized(sandbox) });
  await sandbox.messages();
  expect(await sandbox.requests()).toMatchObject([
    { id: 3, path: '/v2/subscribers/u9', status: 404 },
    { id: 2, path: '/v2/subscribers/u1', query: { x: '1' }, body: null },
    { id: 1, method: 'POST', status: 201, time: '2026-01-15T12:00:00.000Z' },
  ]);
  const [sent] = await sandbox.requests({ method: 'POST', path: '/v1/events/*', status: 201 });
  expect(sent?.body).toEqual({ name: 'sign-up', to: 'u1', payload: { plan: 'pro' } });
  expect(await sandbox.requests({ status: 500 })).toEqual([]);
  await sandbox.reset();
  expect(await sandbox.requests()).toEqual([]);
});

it('returns those since a time or within a duration, and those that failed or are not emulated', async () => {
  const sandbox = await openTestSandbox({ time: '2026-01-15T12:00:00Z', frozen: true });
  const get = (path: string) => sandbox.fetch(path, { headers: authorized(sandbox) });
  await get('/v2/topics');
  await sandbox.clock.advance('1h');
  await get('/v2/topics/nope');
  await get('/v1/channel-endpoints');
  const paths = async (filter: Parameters<typeof sandbox.requests>[0]) =>
    (await sandbox.requests(filter)).map(({ path }) => path);
  expect(await paths({ since: '2026-01-15T12:30:00Z' })).toHaveLength(2);
  expect(await paths({ since: new Date('2026-01-15T12:30:00Z') })).toHaveLength(2);
  expect(await paths({ since: '30m' })).toHaveLength(2);
  expect(await paths({ since: '2h' })).toHaveLength(3);
  expect(await paths({ outcome: 'notEmulated' })).toEqual(['/v1/channel-endpoints']);
  expect(await paths({ outcome: 'failed', path: '/v2/*' })).toEqual(['/v2/topics/nope']);
  await expect(sandbox.requests({ since: 'yesterday' })).rejects.toThrow('`yesterday` is not');
});

it('returns more than one page', async () => {
  const sandbox = await openTestSandbox();
  for (let count = 0; count < 120; count += 1)
    await sandbox.fetch('/v2/topics', { headers: authorized(sandbox) });
  expect(await sandbox.requests({ path: '/v2/topics' })).toHaveLength(120);
});

it('rejects an unknown filter, which would match every request', async () => {
  const sandbox = await openTestSandbox();
  await expect(sandbox.requests({ url: '/v2/topics' } as never)).rejects.toThrow(
    'Unknown filter: url. The filters are: method, path, status, since, outcome.',
  );
});

it('has the requests that came through the port', async () => {
  const sandbox = await openTestSandbox({ listen: true });
  await fetch(`${sandbox.url}/v1/events/trigger`, {
    method: 'POST',
    headers: { authorization: 'ApiKey wrong', 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'welcome', to: 'u1' }),
  });
  expect(await sandbox.requests()).toMatchObject([
    { path: '/v1/events/trigger', body: { name: 'welcome', to: 'u1' }, status: 401 },
  ]);
});

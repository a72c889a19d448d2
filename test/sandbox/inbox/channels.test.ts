// The channel connections and endpoints of the subscriber of a session, since 3.17.
import { expect, it } from 'vitest';
import { serveInbox } from './served-inbox.ts';

const context = { tenant: 'acme' };

/** Ada has a connection and an endpoint, and one more connection for a context, which a shared one has, too. */
async function open() {
  const inbox = await serveInbox({ service: '3.19' });
  const { ask, openSession } = inbox;
  const create = async (line: string, body: object) =>
    expect([line, (await ask(`POST ${line}`, body)).status]).toEqual([line, 201]);
  const ada = await openSession('ada', {});
  const acme = await openSession('ada', { context });
  await create('/v1/integrations', {
    ...{ providerId: 'slack', channel: 'chat', name: 'Slack', identifier: 'slack' },
    credentials: {},
  });
  const connection = (identifier: string, more: object) =>
    create('/v1/channel-connections', {
      ...{ identifier, integrationIdentifier: 'slack', auth: { accessToken: 'secret' } },
      ...{ workspace: { id: 'T1', name: '工作区', extra: 1 }, ...more },
    });
  await connection('own', { subscriberId: 'ada' });
  await connection('own-acme', { subscriberId: 'ada', context });
  await connection('shared-acme', { connectionMode: 'shared', context });
  await create('/v1/channel-endpoints', {
    ...{ identifier: 'endpoint', subscriberId: 'ada', integrationIdentifier: 'slack' },
    ...{ type: 'slack_user', endpoint: { userId: 'U1' } },
  });
  return { ...inbox, ada, acme };
}

type Session = Awaited<ReturnType<Awaited<ReturnType<typeof open>>['openSession']>>;

const identifiers = async ({ ask }: Session, path: string): Promise<string[]> =>
  (await ask(`GET ${path}`)).body.data.map(({ identifier }: { identifier: string }) => identifier);

it('a session sees its own connections and the shared ones of its contexts, without tokens', async () => {
  const { ada, acme, openSession } = await open();
  const { body } = await ada.ask('GET /channel-connections');
  const workspace = { id: 'T1', name: '工作区' };
  const own = { identifier: 'own', workspace, createdAt: expect.any(String) };
  expect(body).toEqual({ data: [own], next: null, previous: null });
  expect((await ada.ask('GET /channel-connections/own')).body.data).toEqual(own);
  const list = (query = '') => identifiers(acme, `/channel-connections${query}`);
  expect(await list()).toEqual(['shared-acme', 'own-acme']);
  expect(await list('?connectionMode=shared')).toEqual(['shared-acme']);
  expect(await list('?connectionMode=subscriber')).toEqual(['own-acme']);
  expect(await list('?providerId=msteams')).toEqual([]);
  const eve = await openSession('eve');
  // The filters of the request do not replace the session.
  for (const query of ['', '?subscriberId=ada', '?contextKeys=tenant:acme'])
    expect(await identifiers(eve, `/channel-connections${query}`)).toEqual([]);
});

it('a session finds a connection in the mode of the request', async () => {
  const { ada, acme, openSession } = await open();
  const status = async ({ ask }: Session, target: string) =>
    (await ask(`GET /channel-connections/${target}`)).status;
  expect(await status(acme, 'shared-acme')).toBe(200);
  expect(await status(acme, 'shared-acme?connectionMode=shared')).toBe(200);
  expect(await status(acme, 'shared-acme?connectionMode=subscriber')).toBe(404);
  expect(await status(acme, 'own-acme?connectionMode=shared')).toBe(404);
  expect(await status(acme, 'own-acme?connectionMode=other')).toBe(422);
  expect(await status(acme, 'own')).toBe(404);
  expect(await status(ada, 'shared-acme')).toBe(404);
  expect(await status(await openSession('eve'), 'own')).toBe(404);
});

it('a listing has pages', async () => {
  const { acme, ask } = await open();
  const first = (await acme.ask('GET /channel-connections?limit=1')).body;
  expect(first.data).toHaveLength(1);
  const second = (await acme.ask(`GET /channel-connections?limit=1&after=${first.next}`)).body;
  expect([second.data[0].identifier, second.next]).toEqual(['own-acme', null]);
  const { status, body } = await acme.ask('GET /channel-endpoints?limit=101');
  expect([status, body.errors.general.messages]).toEqual([
    422,
    ['limit must not be greater than 100'],
  ]);
  expect((await ask('GET /v1/channel-connections')).body.data).toHaveLength(3);
});

it('a session deletes its own connection and endpoint, not those of others', async () => {
  const { ada, acme, ask, openSession } = await open();
  const eve = await openSession('eve');
  for (const { ask } of [eve, acme]) {
    const { status, body } = await ask('DELETE /channel-connections/own');
    expect([status, body.message]).toEqual([404, 'Channel connection not found: own']);
    const endpoint = await ask('DELETE /channel-endpoints/endpoint');
    expect([endpoint.status, endpoint.body.message]).toEqual([
      404,
      'Channel endpoint not found: endpoint',
    ]);
  }
  expect((await ada.ask('GET /channel-endpoints')).body).toEqual({
    data: [{ identifier: 'endpoint', type: 'slack_user' }],
    ...{ next: null, previous: null },
  });
  expect((await ada.ask('DELETE /channel-endpoints/endpoint')).status).toBe(204);
  expect((await ada.ask('DELETE /channel-connections/own')).status).toBe(204);
  expect((await ada.ask('DELETE /channel-connections/own')).status).toBe(404);
  expect((await ask('GET /v1/channel-endpoints')).body.data).toEqual([]);
  expect(await identifiers(ada, '/channel-connections')).toEqual([]);
});

it('a session cannot create them, and the pages of providers are not emulated', async () => {
  const { ada } = await open();
  const ask = async (line: string) => {
    const { body, headers } = await ada.ask(line, line.startsWith('POST') ? {} : undefined);
    return [body.message, headers.get('x-sandbox-not-emulated')];
  };
  for (const line of ['POST channel-connections', 'POST channel-endpoints'])
    expect(await ask(line.replace(' ', ' /'))).toEqual([
      `Cannot ${line.replace(' ', ' /v1/inbox/')}`,
      null,
    ]);
  for (const path of [
    'channel-connections/oauth',
    'channel-endpoints/oauth',
    'channel-endpoints/link',
  ])
    expect(await ask(`POST /${path}`)).toEqual([
      `POST /v1/inbox/${path} exists in the service, not in the sandbox`,
      '1',
    ]);
});

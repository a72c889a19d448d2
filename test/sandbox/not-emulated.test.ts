// Routes that exist in the service and not in the sandbox.
import { describe, expect, it } from 'vitest';
import { emulatedIds, record } from '../../src/service/operations/index.ts';
import { otherRoutes } from '../../src/service/routes.ts';
import { openSandbox } from './open.ts';
import { openPage, toText } from './page/open-page.ts';

const shape = (path: string) => path.replace(/\{\w+\}/g, '{}');

describe('the other routes of the service', () => {
  it('contain no operation of the sandbox', () => {
    const routes = Object.entries(otherRoutes).flatMap(([path, methods]) =>
      methods.split(' ').map((method) => `${method} ${shape(path)}`),
    );
    const emulated = emulatedIds
      .map((id) => `${record(id).method} ${shape(record(id).path)}`)
      .filter((route) => routes.includes(route));
    expect(emulated).toEqual([]);
  });
});

describe('a route that only the service has', () => {
  it('is a 404 with a header that names the route', async () => {
    const { ask } = await openSandbox();
    const { status, headers, body } = await ask('DELETE /v1/channel-endpoints/abc');
    expect([status, headers.get('x-sandbox-not-emulated')]).toEqual([404, '1']);
    expect(body).toMatchObject({
      statusCode: 404,
      path: '/v1/channel-endpoints/abc',
      message:
        'DELETE /v1/channel-endpoints/{identifier} exists in the service, not in the sandbox',
    });
  });

  it('is recognized in any letter case, with a slash at its end, and without a key', async () => {
    const { ask } = await openSandbox();
    for (const path of [
      '/V1/Channel-Endpoints',
      '/v1/channel-endpoints/',
      '/v1/channel-endpoints?page=1',
    ])
      expect((await ask(`GET ${path}`)).body.message).toContain('GET /v1/channel-endpoints exists');
    const { body } = await ask('GET /v1/channel-endpoints', undefined, {
      authorization: 'Bearer none',
    });
    expect(body.message).toContain('GET /v1/channel-endpoints exists');
  });

  it('differs from an unknown path and from another method', async () => {
    const { ask } = await openSandbox();
    for (const line of [
      'GET /v1/chanel-endpoints',
      'PUT /v1/channel-endpoints',
      'GET /v1/channel-endpoints/abc/more',
    ]) {
      const { status, headers, body } = await ask(line);
      expect([status, body.message]).toEqual([404, `Cannot ${line}`]);
      expect(headers.has('x-sandbox-not-emulated')).toBe(false);
    }
  });

  it('prefers a fixed path to one with parameters', async () => {
    const { ask } = await openSandbox();
    expect((await ask('GET /v1/integrations/chat/oauth/callback')).body.message).toContain(
      'GET /v1/integrations/chat/oauth/callback exists',
    );
  });

  it('is counted in the status until a reset', async () => {
    const { ask, control } = await openSandbox();
    await ask('GET /v1/channel-endpoints');
    await ask('GET /v1/channel-endpoints');
    await ask('DELETE /v1/channel-endpoints/abc');
    await ask('GET /v1/chanel-endpoints');
    expect((await control.status()).notEmulated).toEqual([
      { method: 'GET', path: '/v1/channel-endpoints', requests: 2 },
      { method: 'DELETE', path: '/v1/channel-endpoints/{identifier}', requests: 1 },
    ]);
    await control.reset();
    expect((await control.status()).notEmulated).toEqual([]);
  });

  it('is shown on the page', async () => {
    const { ask, get } = await openPage();
    expect(toText((await get('/')).text)).not.toContain('not in the sandbox');
    await ask('GET /v1/channel-endpoints');
    for (const view of ['/', '/page/inbox', '/page/activity'])
      expect(toText((await get(view)).text)).toContain(
        'Requests for routes that exist in the service, not in the sandbox: GET /v1/channel-endpoints (1)',
      );
  });
});

// The built program sends no requests of its own. test/cli/no-other-requests.test.ts has more commands.
import { expect, it } from 'vitest';
import { openHome } from '../support/built.ts';
import { nothing, openService } from '../support/service.ts';

it('the built program sends only the requests that a command needs', async () => {
  const home = openHome();
  const service = await openService(nothing);
  // All requests to other hosts would use this proxy.
  const elsewhere = await openService(nothing);
  const proxied = { HTTP_PROXY: elsewhere.baseUrl, HTTPS_PROXY: elsewhere.baseUrl };
  const env = { ...proxied, ...service.env };
  const lines = [
    ['--version'],
    ['__complete', '--', 'topics', 'get', ''],
    ['topcs'],
    ['topics', 'list'],
  ];
  const results = await Promise.all(lines.map((line) => home.svc(line, { env })));
  expect(results.map(({ code }) => code)).toEqual([0, 0, 2, 0]);
  expect(service.seen.map(({ target }) => target.split('?')[0])).toEqual(['/v2/topics']);
  expect(elsewhere.seen).toEqual([]);
});

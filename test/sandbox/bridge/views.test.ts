// How the page and the log show steps that code of an application defines.
import { expect, it, onTestFinished } from 'vitest';
import { testKey } from '../../support/fixed.ts';
import { startSandbox } from '../../support/sandbox-311.ts';
import { openPage, toText } from '../page/open-page.ts';
import { startApplication } from './application.ts';

async function openWithCode() {
  const { url } = await startApplication();
  const page = await openPage({ now: Date.now });
  await page.ask('POST /v1/bridge/sync', { bridgeUrl: url });
  return page;
}

it('the page previews the steps by the endpoint', async () => {
  const { get, post, token } = await openWithCode();
  const path = '/page/workflows/comments';
  await post(path, { token, payload: '{"text":"Preview me"}', subscriber: 'u1' });
  const { text } = await get(path);
  expect(toText(text)).toContain('1 comments for');
  expect(toText(text)).toContain('Preview me');
  expect((await get(`${path}/mail`)).text).toContain('<p>Preview me</p>');
});

it('the page shows why the code of a step failed', async () => {
  const { get, ask, control } = await openWithCode();
  expect(toText((await get('/page/workflows/broken')).text)).toContain('No database');
  const event = { name: 'broken', to: 'u1', payload: {}, transactionId: 'tx' };
  await ask('POST /v1/events/trigger', event);
  await control.clock();
  expect(toText((await get('/page/activity/tx')).text)).toContain('No database');
});

it('the page moves the clock over steps of the endpoint', async () => {
  const { get, post, token, ask, control } = await openWithCode();
  const event = { name: 'comments', to: 'u1', payload: { text: 'A' } };
  await ask('POST /v1/events/trigger', event);
  await control.clock();
  await post('/page/clock', { token, advance: 'next', back: '/' });
  expect(toText((await get('/')).text)).toContain('1 waiting step ended, 2 messages captured.');
});

it('the log has a line for each message', async () => {
  const { url } = await startApplication();
  const lines: string[] = [];
  const log = (line: string) => void lines.push(line);
  const sandbox = await startSandbox({ key: testKey, bridge: url, log, listen: false });
  onTestFinished(() => sandbox.stop());
  await sandbox.fetch('/v1/events/trigger', {
    method: 'POST',
    headers: { authorization: `ApiKey ${testKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'comments', to: 'u1', payload: { text: 'A' } }),
  });
  await sandbox.clock.advance('10m');
  expect(lines.slice(-2)).toEqual([
    expect.stringMatching(/ email to u1 .* 1 comments for Ada$/),
    expect.stringMatching(/ in_app to u1 {2}A$/),
  ]);
});

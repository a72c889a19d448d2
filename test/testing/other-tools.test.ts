// The advice of docs/testing.md about other test tools.
import { readFileSync } from 'node:fs';
import { Novu } from '@novu/api';
import { afterEach, expect, it, vi } from 'vitest';
import { startSandbox } from '../support/sandbox-311.ts';

const page = readFileSync('docs/testing.md', 'utf8');
const realFetch = globalThis.fetch;

afterEach(() => {
  vi.useRealTimers();
  globalThis.fetch = realFetch;
});

const trial = { workflowId: 'trial-ending', to: { subscriberId: 'u1' }, payload: {} };

it('fake timers neither move nor stop the sandbox; its own clock does', async () => {
  vi.useFakeTimers();
  const sandbox = await startSandbox();
  const novu = new Novu({ serverURL: sandbox.url, secretKey: sandbox.key });
  await novu.trigger(trial);
  const waiting = async () =>
    (await sandbox.activity({ workflow: 'trial-ending' }))[0]?.steps[0]?.verdict;
  vi.advanceTimersByTime(4 * 86_400_000);
  expect(await waiting()).toBe('waiting');
  await sandbox.clock.advance('3d');
  expect(await waiting()).not.toBe('waiting');
  await sandbox.stop();
});

it('the replaced fetch sends the requests of an application with a fixed address to the sandbox', async () => {
  const [, recipe = ''] = /```ts\n(const realFetch[\s\S]*?)```/.exec(page) ?? [];
  const sandbox = await startSandbox({ listen: false });
  new Function('sandbox', recipe)(sandbox);
  const novu = new Novu({ secretKey: sandbox.key });
  await novu.trigger({ ...trial, workflowId: 'welcome', payload: { product: 'Tea' } });
  expect(await sandbox.messages({ workflow: 'welcome' })).not.toEqual([]);
  await sandbox.stop();
});

it('a page on loopback, as jsdom and happy-dom make it, can send requests; one without an origin cannot', async () => {
  const sandbox = await startSandbox();
  const statusFor = async (origin: string) => {
    const headers = { authorization: `ApiKey ${sandbox.key}`, origin };
    return (await fetch(`${sandbox.url}/v2/topics`, { headers })).status;
  };
  expect(await statusFor('http://localhost:3000')).toBe(200);
  expect(await statusFor('null')).toBe(403);
  await sandbox.stop();
});

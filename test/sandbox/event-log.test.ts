// The events of a sandbox, as `svc sandbox start --log` prints them.
import { expect, it, onTestFinished } from 'vitest';
import { eventLine } from '../../src/sandbox/control/recorder.ts';
import { openSandbox } from '../support/sandbox-311.ts';
import { key, noon } from './open.ts';

async function openLogged() {
  const lines: string[] = [];
  const { store, handle } = await openSandbox({
    key,
    clock: { now: () => noon },
    onEvent: (event) => lines.push(eventLine(event, noon)),
  });
  onTestFinished(() => store.close());
  const ask = (line: string, body?: object) => {
    const [method = '', target = ''] = line.split(' ');
    return handle(
      new Request(`http://localhost${target}`, {
        method,
        headers: { authorization: `ApiKey ${key}`, 'content-type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      }),
    );
  };
  const logged = () => lines.splice(0);
  return { ask, logged };
}

it('are requests and their messages, but not control requests', async () => {
  const { ask, logged } = await openLogged();
  await ask('POST /v1/events/trigger', { name: 'welcome', to: 'u2', payload: { product: 'Svc' } });
  await ask('GET /v2/topics?limit=1');
  await ask('GET /v2/topics/none');
  await ask('GET /v1/channel-endpoints');
  await ask('GET /__sandbox/status');
  expect(logged()).toEqual([
    '12:00:00  POST /v1/events/trigger  201  0 ms',
    '12:00:00  in_app to u2  Welcome, Bruno!',
    '12:00:00  email to u2  Welcome to Svc  warning: Subscriber does not have an email address',
    '12:00:00  GET /v2/topics?limit=1  200  0 ms',
    '12:00:00  GET /v2/topics/none  404  0 ms',
    '12:00:00  GET /v1/channel-endpoints  404  0 ms  not emulated by the sandbox',
  ]);
});

it('include messages of jobs that come due, but not those of a seed', async () => {
  const { ask, logged } = await openLogged();
  const post = { id: 1, title: 'Hello' };
  const payload = { post, author: 'Ada', comment: 'Nice!' };
  await ask('POST /v1/events/trigger', { name: 'comment-digest', to: 'u1', payload });
  await ask('POST /__sandbox/clock', { advance: 600_000 });
  expect(logged()).toEqual([
    '12:00:00  POST /v1/events/trigger  201  0 ms',
    '12:00:00  in_app to u1  1 new comments',
    '12:00:00  email to u1 <ada@example.com>  New comments on Hello',
  ]);
  await ask('POST /__sandbox/reset');
  expect(logged()).toEqual([]);
  await ask('POST /v1/events/trigger', { name: 'welcome', to: 'u1', payload: { product: 'Svc' } });
  expect(logged()).toHaveLength(3);
});

it('include requests whose connection a fault closed', async () => {
  const { ask, logged } = await openLogged();
  await ask('POST /__sandbox/faults', { reset: 1 });
  await expect(ask('GET /v2/topics')).rejects.toThrow('closed the connection');
  expect(logged()).toEqual(['12:00:00  GET /v2/topics  connection closed by a fault  0 ms']);
});

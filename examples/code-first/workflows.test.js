import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { Novu } from '@novu/api';
import { startSandbox } from 'svc-cli/testing';
import { startServer } from './server.js';

const key = '0123456789abcdef0123456789abcdef';
const ada = { subscriberId: 'ada', email: 'ada@example.com' };
let server;
let sandbox;
let novu;

before(async () => {
  server = await startServer(key);
  sandbox = await startSandbox({ key, bridge: server.url });
  novu = new Novu({ serverURL: sandbox.url, secretKey: key });
});
beforeEach(() => sandbox.reset());
after(async () => {
  await sandbox?.stop();
  server?.close();
});

const comment = (text) => novu.trigger({ workflowId: 'comments', to: ada, payload: { text } });
const subjects = async () =>
  (await sandbox.messages({ subscriber: 'ada', channel: 'email' })).map(({ subject }) => subject);

test('one e-mail for all comments within ten minutes', async () => {
  await comment('Nice!');
  await comment('Me too!');
  assert.deepEqual(await subjects(), []);
  await sandbox.clock.advance('10m');
  assert.deepEqual(await subjects(), ['2 new comments']);
  assert.deepEqual(await sandbox.messages({ subscriber: 'ada', channel: 'in_app' }), []);
});

test('a single comment is in the inbox, too', async () => {
  await comment('Nice!');
  await sandbox.clock.advance('10m');
  const [message] = await sandbox.messages({ subscriber: 'ada', channel: 'in_app' });
  assert.equal(message.body, 'New comment: Nice!');
});

test('a reminder after thirteen days', async () => {
  await novu.trigger({ workflowId: 'trial', to: ada, payload: {} });
  await sandbox.clock.advance('12d');
  assert.deepEqual(await subjects(), []);
  await sandbox.clock.advance('1d');
  assert.deepEqual(await subjects(), ['Your trial ends tomorrow']);
});

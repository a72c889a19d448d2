import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { HTTPClient, Novu } from '@novu/api';
import { startSandbox } from 'svc-cli/testing';
import { addComment } from './comments.js';

let sandbox;
let novu;

before(async () => {
  // Without a port: the client sends its requests by the `fetch` of the sandbox.
  sandbox = await startSandbox({ seed: 'state.yaml', listen: false });
  const httpClient = new HTTPClient({ fetcher: sandbox.fetch });
  novu = new Novu({ serverURL: sandbox.url, secretKey: sandbox.key, httpClient });
});
after(() => sandbox?.stop());

test('one notification for all comments within ten minutes', async () => {
  await addComment(novu, { author: 'ada', commenter: 'Efua', text: 'Nice!' });
  await addComment(novu, { author: 'ada', commenter: 'Bruno', text: 'Me too!' });
  assert.deepEqual(await sandbox.messages({ subscriber: 'ada' }), []);
  await sandbox.clock.advance('10m');
  const messages = await sandbox.messages({ subscriber: 'ada', channel: 'in_app' });
  assert.deepEqual(
    messages.map(({ body }) => body),
    ['2 new comments'],
  );
});

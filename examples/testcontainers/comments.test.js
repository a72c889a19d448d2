// Tests with a sandbox in a container of their own. Build its image first: docker build --tag svc-sandbox .
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { GenericContainer, Wait } from 'testcontainers';

const key = '0123456789abcdef0123456789abcdef';
let container;
let url;

before(async () => {
  container = await new GenericContainer(process.env.SVC_SANDBOX_IMAGE ?? 'svc-sandbox')
    .withEnvironment({ SVC_SANDBOX_KEY: key })
    .withExposedPorts(4400)
    .withWaitStrategy(Wait.forHealthCheck())
    .start();
  url = `http://${container.getHost()}:${container.getMappedPort(4400)}`;
});

after(() => container?.stop());

const request = async (path, body) => {
  const response = await fetch(url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `ApiKey ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  assert.ok(response.ok, `${path}: ${response.status}`);
  return response.json();
};

test('the comments of ten minutes are one message', async () => {
  for (const author of ['Ada', 'Efua'])
    await request('/v1/events/trigger', {
      name: 'comment-digest',
      to: { subscriberId: 'bob', email: 'bob@example.com' },
      payload: { author, post: { id: 1, title: 'Hello' } },
    });
  // Moving the clock runs everything that is due until then, without waiting for it.
  await request('/__sandbox/clock', { advance: 10 * 60 * 1000 });
  const { data: messages } = await request('/__sandbox/messages?subscriberId=bob&channel=in_app');
  assert.equal(messages.length, 1);
  assert.match(messages[0].body, /Ada, Efua/);
});

const { Novu } = require('@novu/api');
const { startSandbox } = require('svc-cli/testing');
const { signUp } = require('./sign-up.js');

let sandbox;
let novu;

beforeAll(async () => {
  sandbox = await startSandbox({ seed: 'workflows' });
  novu = new Novu({ serverURL: sandbox.url, secretKey: sandbox.key });
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox?.stop());

test('sends a link that confirms the address', async () => {
  await signUp(novu, 'ada@example.com', 't0ken');
  const [message] = await sandbox.messages({ channel: 'email' });
  expect(message).toMatchObject({ recipient: 'ada@example.com', subject: 'Confirm your address' });
  expect(message.links[0].url).toBe('https://app.example.com/confirm?token=t0ken');
});

test('fails if the service is down', async () => {
  await sandbox.faults.set({ fail: 1, status: 503 });
  const noRetries = new Novu({
    serverURL: sandbox.url,
    secretKey: sandbox.key,
    retryConfig: { strategy: 'none' },
  });
  await expect(signUp(noRetries, 'ada@example.com', 't0ken')).rejects.toMatchObject({
    statusCode: 503,
  });
  await sandbox.faults.clear();
  expect(await sandbox.messages()).toEqual([]);
});

// GET /__sandbox/messages?wait=4s&count=1 responds as soon as enough messages match.
import { describe, expect, it } from 'vitest';
import { openTestSandbox, state, trigger } from '../testing/open.ts';

type Opened = Awaited<ReturnType<typeof openTestSandbox>>;

const get = async (sandbox: Opened, query: string) => {
  const response = await sandbox.fetch(`/__sandbox/messages?${query}`, {
    headers: { authorization: `ApiKey ${sandbox.key}` },
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests read JSON of any shape
  return { status: response.status, body: (await response.json()) as any };
};

describe('waiting for messages', () => {
  it('responds at once if there are enough', async () => {
    const sandbox = await openTestSandbox({ seed: state });
    await trigger(sandbox, 'sign-up', 'u1');
    const { status, body } = await get(sandbox, 'wait=1m&channel=email');
    expect(status).toBe(200);
    expect(body.data).toMatchObject([{ subject: 'Confirm' }]);
  });

  it('responds as soon as they are captured', async () => {
    const sandbox = await openTestSandbox({ seed: state });
    const waiting = get(sandbox, 'wait=1m&count=2&subscriberId=u1');
    await trigger(sandbox, 'sign-up', 'u1');
    await trigger(sandbox, 'sign-up', 'u2');
    await trigger(sandbox, 'reminder', 'u1');
    await sandbox.clock.advance('10m');
    const { status, body } = await waiting;
    expect(status).toBe(200);
    expect(body.data.map(({ subject }: { subject: string }) => subject)).toEqual([
      'Reminder',
      'Confirm',
    ]);
  });

  it('responds when a job is due', async () => {
    const sandbox = await openTestSandbox({ seed: state, time: '2026-01-15T12:00:00Z' });
    await trigger(sandbox, 'reminder', 'u1');
    await sandbox.clock.set('2026-01-15T12:09:59.900Z');
    expect(await get(sandbox, 'wait=1m')).toMatchObject({ status: 200 });
  });

  it('responds with 408 and the reasons when the time is over', async () => {
    const sandbox = await openTestSandbox({ seed: state });
    await trigger(sandbox, 'sign-up', 'u2');
    const { status, body } = await get(sandbox, 'wait=20ms&count=1&delivered=true');
    expect(status).toBe(408);
    expect(body).toMatchObject({
      statusCode: 408,
      message: expect.stringMatching(/^0 of 1 messages match after 20ms\. sign-up to u2, email: /),
    });
  });

  it('ends when the sandbox stops', async () => {
    const sandbox = await openTestSandbox({ seed: state, listen: true });
    const headers = { authorization: `ApiKey ${sandbox.key}` };
    const waiting = fetch(`${sandbox.url}/__sandbox/messages?wait=1m`, { headers });
    // The request must have arrived.
    await fetch(`${sandbox.url}/__sandbox/status`, { headers });
    await sandbox.stop();
    expect((await waiting).status).toBe(408);
  });

  it.each([
    ['wait=soon', /wait/],
    ['wait=2m', 'wait must be at most 1m'],
    ['wait=1s&count=0', 'count must be a whole number'],
    ['count=2', 'count is only for wait'],
  ])('%s is rejected', async (query, message) => {
    const sandbox = await openTestSandbox({ seed: state });
    const { status, body } = await get(sandbox, query);
    expect(status).toBe(422);
    expect(body.message).toMatch(message);
  });
});

// Deliveries that fail as a provider fails them: faults for one channel or provider.
import { describe, expect, it } from 'vitest';
import {
  email,
  inbox,
  openEngine,
  push,
  sms,
  type TestStep,
  triggerTestWorkflow,
} from './engine-fixture.ts';

async function opened(steps: readonly TestStep[], fault: object) {
  const engine = await openEngine();
  engine.defineWorkflow({ steps });
  expect(await engine.ask('POST /__sandbox/faults', fault)).toMatchObject({ status: 200 });
  const run = async (transactionId: string) => {
    await triggerTestWorkflow(engine, 'u1', { transactionId });
    const messages = await engine.messages(`transactionId=${transactionId}`);
    return messages.map(({ channel, status, errorText }) => [channel, status, errorText]);
  };
  return { ...engine, run };
}

const full = ['email', 'error', 'Mailbox full'];
const sent = ['email', 'sent', undefined];

describe('a fault of a channel', () => {
  it('fails the next deliveries, and no others', async () => {
    const fault = { channel: 'email', failNext: 1, error: 'Mailbox full' };
    const { run, ask } = await opened([email, sms], fault);
    expect(await run('a')).toEqual([['sms', 'sent', undefined], full]);
    expect((await ask('GET /__sandbox/faults')).body).toEqual({});
    expect(await run('b')).toEqual([['sms', 'sent', undefined], sent]);
  });

  it('is written as the service writes the error of a provider', async () => {
    const { run, getActivity, ask } = await opened([email], {
      ...{ channel: 'email', failNext: 1, error: 'Mailbox full' },
    });
    await run('a');
    const { statuses, details, item } = await getActivity('a');
    expect(statuses).toEqual(['failed']);
    expect(details[0]?.at(-1)).toBe('Failed: Unexpected provider error');
    expect(JSON.parse(item.jobs[0].executionDetails.at(-1).raw)).toEqual({
      message: 'Mailbox full',
    });
    const { data } = (await ask('GET /v1/messages?transactionId=a')).body;
    expect(data).toMatchObject([
      { status: 'error', errorId: 'mail_unexpected_error', errorText: 'Mailbox full' },
    ]);
  });

  it('has a text of its own without error, and lasts with fail: 1 until it is cleared', async () => {
    const { run, control } = await opened([email], { channel: 'email', fail: 1 });
    const failed = ['email', 'error', 'Fault injected by the sandbox'];
    expect([await run('a'), await run('b')]).toEqual([[failed], [failed]]);
    await control.clearFaults();
    expect(await run('c')).toEqual([sent]);
  });

  it('counts each device of a push message', async () => {
    const { ask, run } = await opened([push], { channel: 'push', failNext: 1 });
    const credentials = { deviceTokens: ['one', 'two'] };
    await ask('PUT /v1/subscribers/u1/credentials', { providerId: 'fcm', credentials });
    const statuses = (await run('a')).map(([, status]) => status);
    expect(statuses.filter((status) => status === 'error')).toHaveLength(1);
    expect(statuses).toContain('sent');
  });

  it('fails the same deliveries for the same seed', async () => {
    const results = async (faultSeed: number) => {
      const { run } = await opened([email], { channel: 'email', fail: 0.5, faultSeed });
      const all: unknown[] = [];
      for (let event = 0; event < 20; event += 1) all.push((await run(String(event)))[0]?.[1]);
      return all;
    };
    const [first, second, other] = [await results(1), await results(1), await results(2)];
    expect(second).toEqual(first);
    expect(other).not.toEqual(first);
  });
});

describe('a fault of a provider', () => {
  it('fails only its deliveries; the ids of the service and of the specification are accepted', async () => {
    const { run } = await opened([email], { provider: 'sendgrid', failNext: 1, error: 'Down' });
    expect(await run('a')).toEqual([['email', 'error', 'Down']]);
    const other = await opened([email], { provider: 'mailgun', failNext: 1 });
    expect(await other.run('a')).toEqual([sent]);
    expect(
      (await other.ask('POST /__sandbox/faults', { provider: 'novu-email', fail: 1 })).body,
    ).toEqual({
      deliveries: [
        { provider: 'mailgun', failNext: 1 },
        { provider: 'svc-email', fail: 1 },
      ],
    });
  });

  it('is kept beside faults of requests and replaced by one for the same provider', async () => {
    const { ask } = await opened([inbox], { provider: 'sendgrid', failNext: 3 });
    await ask('POST /__sandbox/faults', { latency: 0, failNext: 0 });
    await ask('POST /__sandbox/faults', { provider: 'sendgrid', fail: 0.2, error: 'x' });
    const deliveries = [{ provider: 'sendgrid', failNext: 3, fail: 0.2, error: 'x' }];
    expect((await ask('GET /__sandbox/faults')).body).toEqual({
      latency: 0,
      failNext: 0,
      deliveries,
    });
    const off = { provider: 'sendgrid', failNext: 0, fail: 0 };
    expect((await ask('POST /__sandbox/faults', off)).body).toEqual({ latency: 0, failNext: 0 });
  });
});

it.each([
  [{ channel: 'fax', failNext: 1 }, /channel must be one of/],
  [{ channel: 'in_app', failNext: 1 }, /channel must be one of/],
  [{ provider: 'sendgird', failNext: 1 }, 'Unknown provider: sendgird.'],
  [{ channel: 'email', latency: 5 }, 'latency is for requests, not for a channel or provider.'],
  [{ channel: 'email', error: 'x' }, 'Give failNext or fail for a channel or provider.'],
  [{ failNext: 1, error: 'x' }, 'error is only for a channel or provider.'],
])('%j is rejected', async (fault, message) => {
  const { ask } = await openEngine();
  const { status, body } = await ask('POST /__sandbox/faults', fault);
  expect(status).toBe(422);
  expect(body.message).toMatch(message);
});

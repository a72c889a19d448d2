// Clock, messages, faults and state of a sandbox of `svc-cli/testing`.
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { MessageFilter } from '../../src/testing/types.ts';
import { authorized, openTestSandbox, state, trigger } from './open.ts';

const time = '2026-01-15T12:00:00.000Z';

describe('clock', () => {
  it('starts at the given time and runs the jobs that come due', async () => {
    const { clock, ...sandbox } = await openTestSandbox({ seed: state, time, frozen: true });
    expect(await clock.show()).toMatchObject({ now: time, frozen: true });
    await trigger({ clock, ...sandbox }, 'reminder', 'u1');
    expect(await sandbox.messages()).toEqual([]);
    expect(await clock.advance('9m59s')).toMatchObject({ jobsRun: 0 });
    expect(await clock.advance(1000)).toMatchObject({
      now: '2026-01-15T12:10:00.000Z',
      jobsRun: 1,
      movedMs: 1000,
    });
    expect(await sandbox.messages()).toMatchObject([
      { subject: 'Reminder', createdAt: '2026-01-15T12:10:00.000Z' },
    ]);
    expect((await clock.set(new Date(time))).now).toBe(time);
    expect((await clock.set('2026-02-01')).now).toBe('2026-02-01T00:00:00.000Z');
  });

  it('continues from the given time unless it is frozen', async () => {
    const { clock } = await openTestSandbox({ time });
    const { now, frozen } = await clock.show();
    expect(frozen).toBe(false);
    expect(Date.parse(now)).toBeGreaterThanOrEqual(Date.parse(time));
    expect(Date.parse(now)).toBeLessThan(Date.parse(time) + 60_000);
  });

  it('rejects a duration without unit and an unknown time', async () => {
    const { clock } = await openTestSandbox();
    await expect(clock.advance('10')).rejects.toThrow('`10` has no unit: write 10ms or 10s');
    await expect(clock.advance(-1)).rejects.toThrow('advance must be a number of milliseconds');
    await expect(clock.set('noon')).rejects.toThrow('`noon` is not an ISO time');
  });
});

describe('messages', () => {
  it('returns the messages that match, newest first', async () => {
    const sandbox = await openTestSandbox({ seed: state, time, frozen: true });
    const first = await trigger(sandbox, 'sign-up', 'u1');
    await trigger(sandbox, 'reminder', 'u1');
    await trigger(sandbox, 'sign-up', 'u2');
    await sandbox.clock.advance('10m');
    const findMessages = async (filter: MessageFilter) =>
      (await sandbox.messages(filter)).map(({ subscriberId, subject }) => [subscriberId, subject]);
    const [reminder, second, oldest] = [
      ['u1', 'Reminder'],
      ['u2', 'Confirm'],
      ['u1', 'Confirm'],
    ];
    expect(await findMessages({})).toEqual([reminder, second, oldest]);
    expect(await findMessages({ subscriber: 'u1' })).toEqual([reminder, oldest]);
    expect(await findMessages({ workflow: 'sign-up' })).toEqual([second, oldest]);
    expect(await findMessages({ transaction: first })).toEqual([oldest]);
    expect(await findMessages({ channel: 'sms' })).toEqual([]);
    expect(await findMessages({ subscriber: 'u2', channel: 'email' })).toEqual([second]);
  });

  it('contains recipient, content and links', async () => {
    const sandbox = await openTestSandbox({ seed: state });
    await trigger(sandbox, 'sign-up', 'u1', { plan: 'pro' });
    expect(await sandbox.messages()).toMatchObject([
      {
        channel: 'email',
        subscriberId: 'u1',
        recipient: 'ada@example.com',
        status: 'sent',
        workflow: 'sign-up',
        payload: { plan: 'pro' },
        links: [{ url: 'https://example.com/confirm?t=1&u=2', text: 'Confirm' }],
      },
    ]);
  });

  it('contains the redirect and the buttons of an in-app message as links', async () => {
    const target = '_blank';
    const controlValues = {
      body: 'See https://example.com/help.',
      redirect: { url: 'https://example.com/all', target: '_self' },
      primaryAction: {
        label: 'Open',
        redirect: { url: 'https://example.com/{{payload.id}}', target },
      },
      secondaryAction: { label: 'Mute', redirect: { url: 'https://example.com/mute', target } },
    };
    const steps = [{ stepId: 'inbox', type: 'in_app' as const, controlValues }];
    const workflows = [{ workflowId: 'news', steps }];
    const seed = { version: 1 as const, environments: [{ name: 'Development', workflows }] };
    const sandbox = await openTestSandbox({ seed });
    await trigger(sandbox, 'news', 'u1', { id: 7 });
    expect((await sandbox.messages())[0]?.links).toEqual([
      { url: 'https://example.com/help', text: '' },
      { url: 'https://example.com/all', text: '' },
      { url: 'https://example.com/7', text: 'Open' },
      { url: 'https://example.com/mute', text: 'Mute' },
    ]);
  });

  it('returns more messages than fit on a page', async () => {
    const sandbox = await openTestSandbox({ seed: state });
    for (let count = 0; count < 101; count += 1) await trigger(sandbox, 'sign-up', 'u1');
    expect(await sandbox.messages()).toHaveLength(101);
  });

  it('rejects an unknown filter', async () => {
    const { messages } = await openTestSandbox();
    await expect(messages({ subscriberId: 'u1' } as never)).rejects.toThrow(
      'Unknown filter: subscriberId. The filters are: subscriber, channel, workflow, transaction.',
    );
  });

  it('rejects an unknown channel, with which nothing would ever match', async () => {
    const { messages } = await openTestSandbox();
    await expect(messages({ channel: 'mail' as never })).rejects.toThrow(
      'channel must be one of: in_app, email, sms, chat, push',
    );
  });
});

describe('waitForMessages', () => {
  it('resolves when enough messages were captured', async () => {
    const sandbox = await openTestSandbox({ seed: state });
    const waiting = sandbox.waitForMessages({ subscriber: 'u1', count: 2, timeout: '20s' });
    await trigger(sandbox, 'sign-up', 'u2');
    await trigger(sandbox, 'sign-up', 'u1');
    await trigger(sandbox, 'sign-up', 'u1');
    expect(await waiting).toMatchObject([{ subscriberId: 'u1' }, { subscriberId: 'u1' }]);
  });

  it('rejects when the time is over, and names the pending jobs', async () => {
    const sandbox = await openTestSandbox({ seed: state, time, frozen: true });
    await expect(sandbox.waitForMessages({ channel: 'email', timeout: 0 })).rejects.toThrow(
      new Error('0 of 1 messages channel=email after 0 ms.\n  No matching event was triggered.'),
    );
    await trigger(sandbox, 'reminder', 'u1');
    await expect(sandbox.waitForMessages({ timeout: 1 })).rejects.toThrow(
      new Error(
        [
          '0 of 1 messages after 1 ms.',
          '  reminder to u1, email: The event waits in a delay until 2026-01-15T12:10:00.000Z. (Step delayed)',
          "  1 job is pending, such as delays and digests. The next one is due at 2026-01-15T12:10:00.000Z by the clock of the sandbox. Move the clock: sandbox.clock.set('2026-01-15T12:10:00.000Z').",
        ].join('\n'),
      ),
    );
  });

  it('rejects at once if the steps of a transaction are not due within the timeout', async () => {
    const sandbox = await openTestSandbox({ seed: state, time });
    const transaction = await trigger(sandbox, 'reminder', 'u1');
    await expect(sandbox.waitForMessages({ transaction, timeout: '9m' })).rejects.toThrow(
      /^0 of 1 messages transaction=\S+; the other steps of the transaction are due after the timeout\.\n.* waits in a delay until .*\n.* Move the clock: sandbox\.clock\.set\('2026-01-15T12:10:0/,
    );
    await sandbox.clock.advance('10m');
    expect(await sandbox.waitForMessages({ transaction })).toHaveLength(1);
  });

  it('rejects at once if the steps of a transaction wait for a frozen clock', async () => {
    const sandbox = await openTestSandbox({ seed: state, time, frozen: true });
    const transaction = await trigger(sandbox, 'reminder', 'u1');
    await expect(sandbox.waitForMessages({ transaction, timeout: '1h' })).rejects.toThrow(
      /; the other steps of the transaction wait for the clock, which is frozen\.\n.*\n.* Move the clock: sandbox\.clock\.set\('2026-01-15T12:10:00\.000Z'\)\.$/,
    );
  });

  it('waits while the timers and the date of the test are fake', async () => {
    vi.useFakeTimers({ now: 0 });
    onTestFinished(() => void vi.useRealTimers());
    const sandbox = await openTestSandbox({ seed: state });
    await expect(sandbox.waitForMessages({ timeout: 30 })).rejects.toThrow('0 of 1 messages');
    expect(Date.parse((await sandbox.clock.show()).now)).toBeGreaterThan(Date.parse('2025-01-01'));
  });

  it('rejects an invalid count', async () => {
    const { waitForMessages } = await openTestSandbox();
    await expect(waitForMessages({ count: 0 })).rejects.toThrow('count must be a whole number');
  });
});

describe('faults', () => {
  it('fail, cut and delay requests until they are cleared', async () => {
    const { faults, fetch, ...sandbox } = await openTestSandbox();
    const list = (init: RequestInit = {}) =>
      fetch('/v2/topics', { headers: authorized(sandbox), ...init });
    expect(await faults.set({ fail: 1, status: 502 })).toEqual({ fail: 1, status: 502 });
    expect((await list()).status).toBe(502);
    await faults.set({ fail: 0, reset: 1 });
    await expect(list()).rejects.toThrow(new TypeError('fetch failed'));
    await faults.set({ reset: 0, truncate: 1 });
    const response = await list();
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow('terminated');
    expect(await faults.show()).toMatchObject({ truncate: 1 });
    await faults.clear();
    await faults.set({ latency: 60_000 });
    await expect(list({ signal: AbortSignal.timeout(1) })).rejects.toMatchObject({
      name: 'TimeoutError',
    });
    await faults.clear();
    expect(await faults.show()).toEqual({});
    expect((await list()).status).toBe(200);
  });

  it('fail the next requests, then no more', async () => {
    const sandbox = await openTestSandbox({ seed: state });
    expect(await sandbox.faults.set({ failNext: 2, status: 500 })).toEqual({
      ...{ failNext: 2, status: 500 },
    });
    const list = async () =>
      (await sandbox.fetch('/v2/topics', { headers: authorized(sandbox) })).status;
    expect([await list(), await sandbox.faults.show()]).toEqual([
      500,
      { failNext: 1, status: 500 },
    ]);
    await trigger(sandbox, 'sign-up', 'u1');
    expect(await sandbox.messages()).toEqual([]);
    expect([await list(), await list()]).toEqual([200, 200]);
    expect(await sandbox.faults.show()).toEqual({ status: 500 });
  });

  it('rejects settings that are not valid', async () => {
    const { faults } = await openTestSandbox();
    await expect(faults.set({ failRate: 1 } as never)).rejects.toThrow(
      'Unknown member: failRate. The members are: latency, failNext, fail, status, rateLimit, reset, truncate, afterCommit, httpStep, loseJobs, repeatEvents, faultSeed, channel, provider, error.',
    );
    await expect(faults.set({ failNext: 0.5 })).rejects.toThrow('failNext must be a whole number');
    await expect(faults.set({ fail: 2 })).rejects.toThrow('fail must be at most 1');
  });
});

describe('log', () => {
  it('is a line for each request and message', async () => {
    const lines: string[] = [];
    const sandbox = await openTestSandbox({ seed: state, log: (line) => void lines.push(line) });
    await trigger(sandbox, 'sign-up', 'u1');
    await sandbox.messages();
    expect(lines.map((line) => line.replace(/^[\d:]{8}| \d+ ms$/g, ''))).toEqual([
      '  POST /v1/events/trigger  201 ',
      '  email to u1 <ada@example.com>  Confirm',
    ]);
  });

  it('is printed with true', async () => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    onTestFinished(() => log.mockRestore());
    const sandbox = await openTestSandbox({ seed: state, log: true });
    await sandbox.fetch('/v2/topics', { headers: authorized(sandbox) });
    expect(log.mock.calls).toEqual([[expect.stringMatching(/ {2}GET \/v2\/topics {2}200 {2}/)]]);
  });

  it('must be true, false or a function', async () => {
    await expect(openTestSandbox({ log: 'yes' as never })).rejects.toThrow(
      'The option log must be true, false or a function.',
    );
  });
});

describe('fetch', () => {
  it('accepts text, URLs and requests, and no other host', async () => {
    const { fetch, url, key } = await openTestSandbox();
    const headers = authorized({ key });
    const address = new URL('/v2/topics', url);
    for (const input of ['/v2/topics', String(address), address])
      expect((await fetch(input, { headers })).status).toBe(200);
    expect((await fetch(new Request(address, { headers }))).status).toBe(200);
    await expect(fetch('https://api.novu.co/v2/topics')).rejects.toThrow(
      'sandbox.fetch sends requests only to http://sandbox.invalid, not to https://api.novu.co/v2/topics',
    );
  });
});

describe('state', () => {
  it('is restored by reset, and the key stays', async () => {
    const sandbox = await openTestSandbox({ seed: state, time, frozen: true });
    await trigger(sandbox, 'sign-up', 'u2');
    await sandbox.clock.advance('1d');
    await sandbox.faults.set({ fail: 1 });
    await sandbox.reset();
    expect(await sandbox.faults.show()).toEqual({});
    expect(await sandbox.messages()).toEqual([]);
    expect((await sandbox.clock.show()).now).toBe(time);
    await trigger(sandbox, 'sign-up', 'u1');
    expect(await sandbox.messages()).toHaveLength(1);
  });

  it('is exported as a seed for another sandbox', async () => {
    const sandbox = await openTestSandbox({ seed: state });
    await trigger(sandbox, 'sign-up', 'u2');
    const exported = await sandbox.export();
    expect(exported.environments[0]?.subscribers?.map(({ subscriberId }) => subscriberId)).toEqual([
      'u1',
      'u2',
    ]);
    expect(await (await openTestSandbox({ seed: exported })).export()).toEqual(exported);
  });
});

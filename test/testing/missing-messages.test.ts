// Missing messages: the reasons of steps that did not deliver, unknown workflows, and the activity.
import { describe, expect, it } from 'vitest';
import type { SandboxState } from '../../src/testing/types.ts';
import { authorized, openTestSandbox, state, trigger } from './open.ts';

const [environment] = state.environments;

const withoutIntegrations: SandboxState = {
  ...state,
  environments: [{ ...environment, name: 'Development', integrations: [] }],
};

describe('waitForMessages', () => {
  it('reports why a step was not delivered', async () => {
    const sandbox = await openTestSandbox({ seed: withoutIntegrations });
    await trigger(sandbox, 'sign-up', 'u1');
    await expect(sandbox.waitForMessages({ channel: 'email', timeout: 0 })).rejects.toThrow(
      new Error(
        [
          '0 of 1 messages channel=email after 0 ms.',
          '  sign-up to u1, email: No active integration could deliver e-mail. (Subscriber does not have an active integration)',
        ].join('\n'),
      ),
    );
  });

  it('reports five different reasons, with counts', async () => {
    const sandbox = await openTestSandbox({ seed: withoutIntegrations });
    for (const to of ['u1', 'a', 'b', 'c', 'd', 'e', 'u1']) await trigger(sandbox, 'sign-up', to);
    const error = await sandbox.waitForMessages({ timeout: 0 }).catch((thrown: Error) => thrown);
    const lines = String(error).split('\n');
    expect(lines).toHaveLength(7);
    expect(lines[1]).toMatch(/^ {2}sign-up to u1, email \(2 times\): No active integration/);
    expect(lines.at(-1)).toBe('  1 other reason not shown.');
  });

  it('reports an event without a step of the channel, and the absence of events', async () => {
    const sandbox = await openTestSandbox({ seed: state });
    await expect(sandbox.waitForMessages({ subscriber: 'u1', timeout: 0 })).rejects.toThrow(
      '0 of 1 messages subscriber=u1 after 0 ms.\n  No matching event was triggered.',
    );
    await trigger(sandbox, 'sign-up', 'u1');
    await expect(sandbox.waitForMessages({ channel: 'sms', timeout: 0 })).rejects.toThrow(
      '0 of 1 messages channel=sms after 0 ms.\n  sign-up to u1: The workflow has no SMS step.',
    );
  });

  it('ends before the timeout if all steps of the transaction have finished', async () => {
    const sandbox = await openTestSandbox({ seed: withoutIntegrations });
    const transaction = await trigger(sandbox, 'sign-up', 'u1');
    await expect(sandbox.waitForMessages({ transaction, timeout: '1h' })).rejects.toThrow(
      `0 of 1 messages transaction=${transaction}; all steps of the transaction have finished.`,
    );
  });

  it('does not count a message to a subscriber without an address', async () => {
    const sandbox = await openTestSandbox({ seed: state });
    const transaction = await trigger(sandbox, 'sign-up', 'u2');
    expect(await sandbox.messages({ transaction })).toMatchObject([
      { recipient: null, status: 'warning' },
    ]);
    await expect(sandbox.waitForMessages({ transaction, channel: 'email' })).rejects.toThrow(
      new Error(
        [
          `0 of 1 messages transaction=${transaction} channel=email; all steps of the transaction have finished.`,
          '  sign-up to u2, email: The subscriber had no e-mail address. (Subscriber missing email address)',
        ].join('\n'),
      ),
    );
    await trigger(sandbox, 'sign-up', 'u1');
    expect(await sandbox.messages()).toHaveLength(2);
    expect(await sandbox.waitForMessages()).toMatchObject([{ subscriberId: 'u1' }]);
  });

  it('does not count a message that the provider rejects', async () => {
    const sandbox = await openTestSandbox({ seed: state });
    const to = { subscriberId: 'u1', email: 'ada@example.invalid' };
    const transaction = await trigger(sandbox, 'sign-up', to);
    await expect(sandbox.waitForMessages({ transaction })).rejects.toThrow(
      'sign-up to u1, email: The provider returned an error',
    );
  });

  it('lists the events that delivered, if there are too few', async () => {
    const sandbox = await openTestSandbox({ seed: state });
    const transaction = await trigger(sandbox, 'sign-up', 'u1');
    await expect(sandbox.waitForMessages({ transaction, count: 2 })).rejects.toThrow(
      [
        `1 of 2 messages transaction=${transaction}; all steps of the transaction have finished.`,
        '  sign-up to u1, email: The e-mail was sent.',
      ].join('\n'),
    );
  });

  it('reports triggers that were rejected since the last reset', async () => {
    const sandbox = await openTestSandbox({ seed: state });
    await trigger(sandbox, 'sign-upp', 'u1');
    await trigger(sandbox, 'sign-upp', 'u1');
    await sandbox.fetch('/v1/events/trigger/bulk', {
      method: 'POST',
      headers: { ...authorized(sandbox), 'content-type': 'application/json' },
      body: JSON.stringify({ events: [{ name: 'other', to: 'u1', payload: {} }] }),
    });
    await expect(sandbox.waitForMessages({ workflow: 'sign-up', timeout: 0 })).rejects.toThrow(
      new Error(
        [
          '0 of 1 messages workflow=sign-up after 0 ms.',
          '  No matching event was triggered.',
          '  A trigger was rejected: workflow_not_found `other`',
          '  A trigger was rejected: workflow_not_found `sign-upp`',
        ].join('\n'),
      ),
    );
    await sandbox.reset();
    await expect(sandbox.waitForMessages({ timeout: 0 })).rejects.toThrow(/triggered\.$/);
  });

  it.each([
    ['without a recipient', { name: 'sign-up' }, /A trigger was rejected: .*to.* `sign-up`$/],
    ['without a name', { to: 'u1' }, /A trigger was rejected: .*name/],
  ])('reports a trigger %s', async (_name, body, message) => {
    const sandbox = await openTestSandbox({ seed: state });
    await sandbox.fetch('/v1/events/trigger', {
      method: 'POST',
      headers: { ...authorized(sandbox), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    await expect(sandbox.waitForMessages({ timeout: 0 })).rejects.toThrow(message);
  });

  it('names an unknown workflow, which can still be created while it waits', async () => {
    const sandbox = await openTestSandbox({ seed: state });
    await expect(sandbox.waitForMessages({ workflow: 'signup', timeout: 0 })).rejects.toThrow(
      '0 of 1 messages workflow=signup after 0 ms.\n  Unknown workflow "signup". Did you mean "sign-up"?',
    );
  });
});

describe('messages', () => {
  it('rejects an unknown workflow, and lists the workflows if none is similar', async () => {
    const { messages } = await openTestSandbox({ seed: state });
    await expect(messages({ workflow: 'signup' })).rejects.toThrow(
      new Error('Unknown workflow "signup". Did you mean "sign-up"?'),
    );
    await expect(messages({ workflow: 'invoice-paid' })).rejects.toThrow(
      new Error('Unknown workflow "invoice-paid". The workflows are: sign-up, reminder.'),
    );
    expect(await messages({ workflow: 'sign-up' })).toEqual([]);
  });

  it('returns the messages of a deleted workflow', async () => {
    const sandbox = await openTestSandbox({ seed: state });
    await trigger(sandbox, 'sign-up', 'u1');
    const { status } = await sandbox.fetch('/v2/workflows/sign-up', {
      method: 'DELETE',
      headers: { authorization: `ApiKey ${sandbox.key}` },
    });
    expect(status).toBe(204);
    expect(await sandbox.messages({ workflow: 'sign-up' })).toHaveLength(1);
  });
});

describe('activity', () => {
  it('returns the result of each channel step, newest event first', async () => {
    const sandbox = await openTestSandbox({
      seed: state,
      time: '2026-01-15T12:00:00Z',
      frozen: true,
    });
    const signUp = await trigger(sandbox, 'sign-up', 'u2');
    await trigger(sandbox, 'reminder', 'u1');
    const waiting = 'The event waits in a delay until 2026-01-15T12:10:00.000Z.';
    const items = await sandbox.activity();
    expect(items).toMatchObject([
      {
        ...{ workflow: 'reminder', subscriberId: 'u1', createdAt: '2026-01-15T12:00:00.000Z' },
        steps: [{ channel: 'email', verdict: 'waiting', cause: 'delayed_until', message: waiting }],
      },
      {
        ...{ workflow: 'sign-up', subscriberId: 'u2', transactionId: signUp },
        steps: [
          {
            ...{ channel: 'email', verdict: 'skipped', cause: 'missing_email' },
            message: 'The subscriber had no e-mail address.',
            detail: 'Subscriber missing email address',
          },
        ],
      },
    ]);
    expect(await sandbox.activity({ transaction: signUp })).toEqual([items[1]]);
    expect(await sandbox.activity({ subscriber: 'u1', channel: 'email' })).toEqual([items[0]]);
    expect(await sandbox.activity({ channel: 'sms' })).toEqual([]);
    expect(await sandbox.activity({ workflow: 'sign-up' })).toEqual([items[1]]);
  });

  it('has the result of the digest for an event that was merged into it', async () => {
    const [signUp] = environment?.workflows ?? [];
    const digest = { stepId: 'collect', name: 'Collect', type: 'digest' as const };
    if (!signUp) throw new Error('no workflow');
    const collected = {
      ...signUp,
      workflowId: 'collected',
      steps: [
        { ...digest, controlValues: { amount: 10, unit: 'minutes' } },
        ...(signUp.steps ?? []),
      ],
    };
    const sandbox = await openTestSandbox({
      seed: {
        ...state,
        environments: [{ ...environment, name: 'Development', workflows: [collected] }],
      },
      time: '2026-01-15T12:00:00Z',
      frozen: true,
    });
    await trigger(sandbox, 'collected', 'u1');
    const transaction = await trigger(sandbox, 'collected', 'u1');
    const firstResult = async () => (await sandbox.activity({ transaction }))[0]?.steps[0];
    expect(await firstResult()).toMatchObject({ verdict: 'waiting', cause: 'digest_waiting' });
    await sandbox.clock.advance('10m');
    expect(await firstResult()).toMatchObject({
      ...{ verdict: 'delivered', cause: null },
      message: 'In the digest of 2026-01-15T12:00:00.000Z, delivered.',
    });
  });
});

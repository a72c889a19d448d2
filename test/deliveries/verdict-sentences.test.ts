// The sentence of each verdict, and the names of channels.
import { describe, expect, it } from 'vitest';
import {
  causeSentence,
  channelAdjective,
  channelName,
  type StepVerdict,
  verdictMessage,
} from '../../src/deliveries/verdict.ts';
import { type ChannelCause, channelCauses } from '../../src/service/job-outcomes.ts';

const at = '2026-01-15T12:00:00.000Z';
const later = '2026-01-15T13:00:00.000Z';

describe('the sentence', () => {
  const of = (cause: ChannelCause | null, more: Partial<StepVerdict> = {}) =>
    verdictMessage({ channel: 'email', verdict: 'skipped', cause, ...more });
  const expected: Record<ChannelCause, [string, string?]> = {
    workflow_preference: ['The subscriber turned off e-mail for this workflow.'],
    global_preference: ['The subscriber turned off e-mail for all workflows.'],
    workflow_default: ['The workflow had e-mail turned off.'],
    schedule: [
      "The step ran outside the subscriber's schedule.",
      "The step ran outside the subscriber's schedule: why.",
    ],
    condition: ['The conditions of the step skipped it.'],
    missing_email: ['The subscriber had no e-mail address.'],
    missing_phone: ['The subscriber had no phone number.'],
    missing_channel: ['The subscriber had no email channel.'],
    no_integration: ['No integration existed for e-mail.'],
    inactive_integration: ['Every integration for e-mail was inactive.'],
    no_primary_integration: ['No integration for e-mail was primary.'],
    no_active_integration: [
      'No active integration could deliver e-mail.',
      'No active integration could deliver e-mail: why.',
    ],
    provider_error: ['The provider returned an error.', 'The provider returned an error: why.'],
    template_error: [
      'The content could not be rendered.',
      'The content could not be rendered: why.',
    ],
    digest_waiting: ['The event waits in a digest.'],
    digest_merged: [
      'The event was merged into the digest of an earlier event.',
      'The event was merged into the digest of why.',
    ],
    delayed_until: ['The event waits in a delay.'],
    canceled: ['The event was canceled before this step ran.'],
    throttled: ['The workflow is throttled.'],
    halted: [
      'An earlier step failed and stopped the workflow.',
      'An earlier step failed and stopped the workflow: why.',
    ],
    http_request_failed: ['The HTTP request failed.', 'The HTTP request failed: why.'],
    response_invalid: [
      'The response to the HTTP request does not match the schema of the step.',
      'The response to the HTTP request does not match the schema of the step: why.',
    ],
  };

  it.each(channelCauses)('for %s', (cause) => {
    const [plain, withReason = plain] = expected[cause];
    expect(of(cause)).toBe(plain);
    expect(of(cause, { reason: 'why' })).toBe(withReason);
    expect(of(cause, { reason: 'why?' })).toBe(withReason.replace('why.', 'why?'));
  });

  it('has the time of a wait, the channel and the state', () => {
    expect(of('digest_waiting', { until: later })).toBe(
      `The event waits in a digest until ${later}.`,
    );
    expect(of('delayed_until', { until: later })).toBe(
      `The event waits in a delay until ${later}.`,
    );
    expect(of('throttled', { until: later })).toBe(
      `The workflow is throttled: no more events pass until ${later}.`,
    );
    expect(of('missing_channel', { channel: 'push' })).toBe(
      'The subscriber had no device token for push.',
    );
    expect(of('no_integration', { channel: 'in_app' })).toBe('No integration existed for in-app.');
    expect(of(null, { verdict: 'delivered' })).toBe('The e-mail was sent.');
    expect(of(null, { verdict: 'delivered', reason: 'late' })).toBe(
      'The e-mail was sent, but late.',
    );
    expect(of(null, { verdict: 'waiting' })).toBe('The step has not run yet.');
    expect(of(null, { verdict: 'waiting', reason: 'queued' })).toBe(
      'The step has not run yet (queued).',
    );
  });

  it('names the digest', () => {
    const digest = { transactionId: 't9', at };
    const where = `In the digest of ${at}`;
    expect(of(null, { digest, verdict: 'delivered' })).toBe(`${where}, delivered.`);
    expect(of('provider_error', { digest, verdict: 'failed', reason: 'full' })).toBe(
      `${where}, failed. The provider returned an error: full.`,
    );
    expect(of('delayed_until', { digest, verdict: 'waiting', until: later })).toBe(
      `${where}, waiting until ${later}.`,
    );
    expect(of(null, { digest, verdict: 'waiting' })).toBe(`${where}, waiting.`);
    expect(of(null, { digest: { transactionId: 't9', at: '' }, verdict: 'delivered' })).toBe(
      'In the digest of t9, delivered.',
    );
  });

  it('of a cause alone is about any channel', () => {
    expect(causeSentence('workflow_preference')).toBe(
      'The subscriber turned off the channel for this workflow.',
    );
    expect(causeSentence('missing_channel')).toBe('The subscriber had no such channel.');
    expect(['queued', 'rejected', 'no_steps', 'new_cause'].map(causeSentence)).toEqual([
      'The step has not run yet.',
      'The service rejected the event.',
      'The workflow has no active step.',
      'new_cause',
    ]);
  });
});

it('channels have names and adjectives', () => {
  const channels = ['in_app', 'email', 'sms', 'chat', 'push', 'tool', 'toString'];
  expect(channels.map(channelName)).toEqual([
    ...['in-app notification', 'e-mail', 'SMS', 'chat message', 'push notification'],
    ...['message to a tool', 'toString'],
  ]);
  expect(channels.map(channelAdjective)).toEqual([
    ...['in-app', 'e-mail', 'SMS', 'chat', 'push', 'tool', 'toString'],
  ]);
});

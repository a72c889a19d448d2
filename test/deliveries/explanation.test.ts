// The words of `svc activity explain`: for an event, and for one that was not found.
import { describe, expect, it } from 'vitest';
import {
  chosenVerdicts,
  conditionLines,
  explainEvent,
  explainNoEvent,
  type Search,
} from '../../src/deliveries/explanation.ts';
import type { StepVerdict } from '../../src/deliveries/verdict.ts';
import { type ChannelCause, channelCauses } from '../../src/service/job-outcomes.ts';
import type { ActivityItem } from '../../src/service/schemas/activity.ts';

const at = '2026-01-15T12:00:00.000Z';
const item = (more: object = {}) =>
  ({
    ...{ _id: 'e1', transactionId: 't 1', createdAt: at },
    template: { _id: 'w', name: 'Welcome', triggers: [{ identifier: 'welcome' }] },
    jobs: [{ _id: 'j', type: 'email', status: 'completed', executionDetails: [] }],
    ...more,
  }) as unknown as ActivityItem;
const verdict = (
  channel: string,
  word: StepVerdict['verdict'],
  more: object = {},
): StepVerdict => ({ ...{ channel, verdict: word, cause: null }, ...more });
const delivered = verdict('in_app', 'delivered');
const failed = verdict('email', 'failed', { cause: 'provider_error', reason: 'full' });
const explain = (verdicts: StepVerdict[], event = item(), now: string[] = []) =>
  explainEvent({ subscriberId: 'u 1', item: event }, verdicts, () => now);

describe('the message', () => {
  it.each<[string, StepVerdict[], string]>([
    ['all', [delivered], 'Every message of welcome for u 1 was delivered.'],
    ['one of one', [failed], 'The e-mail of welcome for u 1 failed. '],
    ['one of two', [delivered, failed], 'The e-mail of welcome for u 1 failed. '],
    [
      'skipped',
      [verdict('sms', 'skipped', { cause: 'missing_phone' })],
      'The SMS of welcome for u 1 was skipped. The subscriber had no phone number.',
    ],
    ['waiting', [verdict('email', 'waiting')], 'The e-mail of welcome for u 1 is waiting. '],
    [
      'two of three',
      [delivered, failed, failed],
      '1 of 3 messages of welcome for u 1 were delivered. The provider',
    ],
    [
      'for different reasons',
      [failed, verdict('sms', 'skipped', { cause: 'missing_phone' })],
      '0 of 2 messages of welcome for u 1 were delivered.',
    ],
  ])('of %s', (_name, verdicts, message) => {
    expect(explain(verdicts).message).toContain(message);
  });

  it('ends after the counts if the reasons differ', () => {
    const other = verdict('sms', 'skipped', { cause: 'missing_phone' });
    for (const verdicts of [
      [failed, other],
      [failed, failed, other],
    ])
      expect(explain(verdicts).message).toMatch(/were delivered\.$/);
  });

  it('of an event without messages', () => {
    expect(explain([], item({ jobs: [] })).message).toBe(
      'The event of welcome for u 1 has not been processed yet.',
    );
    expect(explain([], item({ jobs: undefined })).message).toContain('has not been processed yet');
    expect(explain([], item({ jobs: [], channels: [] }))).toMatchObject({
      cause: 'no_steps',
      message: 'Workflow welcome had no active step, so the event for u 1 sent nothing.',
    });
    const delay = { _id: 'j', type: 'delay', status: 'completed', executionDetails: [] };
    expect(explain([], item({ jobs: [delay] }))).toMatchObject({
      cause: null,
      message: 'The event of welcome for u 1 has no step that sends a message.',
    });
    const request = {
      ...{ _id: 'j', type: 'http_request', status: 'failed' },
      executionDetails: [{ status: 'Failed', detail: 'Action step execution failed', raw: null }],
    };
    const { message, cause } = explain([], item({ jobs: [request] }));
    expect(cause).toBe('http_request_failed');
    expect(message).toMatch(/has no step that sends a message\. \S/);
  });
});

describe('an explanation', () => {
  it('has the event and the cause of the first channel that did not deliver', () => {
    expect(explain([delivered, failed])).toMatchObject({
      ...{ transactionId: 't 1', workflow: 'welcome', at, cause: 'provider_error' },
      channels: [
        { channel: 'in_app', verdict: 'delivered', cause: null },
        { channel: 'email', verdict: 'failed', cause: 'provider_error' },
      ],
    });
    expect(explain([delivered]).cause).toBeNull();
    const bare = explain([failed], item({ createdAt: undefined, template: undefined }));
    expect(bare).toMatchObject({ workflow: null, at: null });
    expect(bare.message).toContain('The e-mail of the workflow for u 1 failed.');
  });

  it('has the evidence of the details, the conditions and of today', () => {
    const detail = { status: 'Failed', detail: 'Mailbox full', raw: null };
    const evidence = (more: object, event = item()) =>
      explain([{ ...failed, ...more }], event, ['now: x']).channels[0]?.evidence;
    expect(evidence({})).toEqual(['now: x']);
    expect(evidence({ detail })).toEqual(['Mailbox full', 'now: x']);
    expect(evidence({ detail: { ...detail, createdAt: at } })).toEqual([
      ...[`${at} Mailbox full`, 'now: x'],
    ]);
    const topics = [
      {
        preferenceEvaluation: {
          ...{ result: false, subscriptionIdentifier: 's1', condition: { '==': [1, 2] } },
        },
      },
    ];
    expect(evidence({}, item({ critical: true, topics }))).toEqual([
      'the condition of the subscription `s1` was not met',
      'critical: this workflow ignores preferences and the schedule of subscribers',
      'now: x',
    ]);
    expect(evidence({}, item({ critical: false }))).toEqual(['now: x']);
  });

  it('has only the channels that were asked about', () => {
    const jobs = ['in_app', 'email'].map((type) => ({
      ...{ _id: type, type, status: 'completed', executionDetails: [] },
    }));
    const chosen = (channels?: string[]) =>
      chosenVerdicts({ subscriberId: 'u1', item: item({ jobs }), channels }).map(
        ({ channel }) => channel,
      );
    expect(chosen()).toEqual(['in_app', 'email']);
    expect(chosen(['email'])).toEqual(['email']);
    expect(chosen(['sms'])).toEqual([]);
  });
});

it('conditions of subscriptions are listed if there is one', () => {
  const topic = (preferenceEvaluation?: object) => ({ preferenceEvaluation });
  const of = (...topics: unknown[]) => conditionLines(item({ topics }));
  const met = { result: true, subscriptionIdentifier: 's', condition: false };
  expect(of(topic(met))).toEqual(['the condition of the subscription `s` was met']);
  expect(of(topic({ ...met, condition: null }), topic({ ...met, condition: undefined }))).toEqual(
    [],
  );
  expect(of(null, topic())).toEqual([]);
  expect(conditionLines(item())).toEqual([]);
});

describe('the next commands', () => {
  const next = (cause: ChannelCause | null, more: object = {}, event = item()) =>
    explain([verdict('email', 'failed', { cause, ...more })], event).channels[0]?.next;
  const preferences = ["svc subscribers preferences get 'u 1'"];
  const workflow = ['svc workflows get welcome'];
  const timeline = ["svc activity get 't 1'"];
  const follow = ["svc activity get 't 1' --follow"];
  const integrations = ['svc integrations list'];

  const expected: Record<ChannelCause, string[]> = {
    ...{ workflow_preference: preferences, global_preference: preferences, schedule: preferences },
    ...{ workflow_default: workflow, condition: workflow, throttled: workflow },
    missing_email: ["svc subscribers update 'u 1' --email ADDRESS"],
    missing_phone: ["svc subscribers update 'u 1' --phone NUMBER"],
    missing_channel: ["svc subscribers credentials set 'u 1' --provider slack --webhook-url URL"],
    ...{ no_integration: integrations, inactive_integration: integrations },
    ...{ no_primary_integration: integrations, no_active_integration: integrations },
    ...{ provider_error: timeline, digest_merged: timeline, canceled: timeline, halted: timeline },
    ...{ digest_waiting: follow, delayed_until: follow },
    template_error: [...workflow, ...timeline],
    http_request_failed: [...workflow, ...timeline],
    response_invalid: [...workflow, ...timeline],
  };

  it.each(channelCauses)('for %s', (cause) => {
    expect(next(cause)).toEqual(expected[cause]);
  });

  it('depend on the channel, the integration and the digest', () => {
    expect(next('missing_channel', { channel: 'push' })).toEqual([
      "svc subscribers credentials set 'u 1' --provider fcm --device-token TOKEN",
    ]);
    expect(next('missing_channel', { channel: 'tool' })).toEqual([
      "svc subscribers channels list 'u 1'",
    ]);
    expect(next('no_primary_integration', { integrationId: 'i 1' })).toEqual([
      "svc integrations set-primary 'i 1'",
    ]);
    expect(next('condition', {}, item({ template: undefined }))).toEqual(timeline);
    const digest = { transactionId: 't 2', at };
    expect(next('provider_error', { digest })).toEqual([
      "svc activity explain 'u 1' --transaction 't 2'",
    ]);
    expect(next(null, { verdict: 'delivered', digest })).toEqual([]);
    expect(next(null, { verdict: 'waiting' })).toEqual(follow);
    expect(next(null)).toEqual([]);
  });
});

describe('an event that was not found', () => {
  const why = (search: Partial<Search>) => explainNoEvent({ subscriberId: 'u 1', ...search });
  const workflow = (more: object = {}) => ({ workflowId: 'w 1', workflow: more as never });
  const event = (more: object = {}) =>
    item({ subscriber: { subscriberId: 'u2' }, topics: [{ topicKey: 'news' }], ...more });

  it('of an unknown or inactive workflow', () => {
    expect(why({ workflowId: 'w 1', workflow: null })).toEqual({
      cause: 'workflow_unknown',
      message: 'Workflow `w 1` does not exist, so the service rejects its events.',
      next: ['svc workflows list'],
    });
    const similar = ['w-1', 'w-2'];
    expect(why({ workflowId: 'w 1', workflow: null, similar }).message).toMatch(
      /events\. Did you mean `w-1`\?$/,
    );
    expect(why(workflow({ active: false }))).toEqual({
      cause: 'workflow_inactive',
      message: 'Workflow `w 1` is inactive, so the service does not run its events.',
      next: ["svc workflows get 'w 1'"],
    });
    for (const search of [workflow({ active: true }), { workflowId: 'w 1' }, { workflow: null }])
      expect(why(search).cause).toBe('no_event');
  });

  it('of an unknown subscriber', () => {
    expect(why({ isSubscriberKnown: false })).toEqual({
      cause: 'subscriber_unknown',
      message: 'Subscriber `u 1` does not exist, so no event was triggered for this id.',
      next: ['svc subscribers list'],
    });
    for (const isSubscriberKnown of [true, undefined])
      expect(why({ isSubscriberKnown }).cause).toBe('no_event');
  });

  const subscribe = ["svc topics subscribe news 'u 1'"];

  it('of a topic that is unknown, or without the subscriber', () => {
    const topicKey = 'news';
    expect(why({ topicKey, isTopicKnown: false, similar: ['new'] })).toEqual({
      cause: 'not_subscribed',
      message: 'Topic `news` does not exist, so it has no subscribers. Did you mean `new`?',
      next: ['svc topics list'],
    });
    expect(why({ topicKey, isTopicKnown: false }).message).toMatch(/so it has no subscribers\.$/);
    expect(why({ topicKey, isSubscribed: false })).toEqual({
      cause: 'not_subscribed',
      message: 'Subscriber `u 1` is not subscribed to topic `news`.',
      next: subscribe,
    });
    for (const isSubscribed of [true, undefined])
      expect(why({ topicKey, isSubscribed }).cause).toBe('no_event');
  });

  it.each<[boolean | undefined, string]>([
    [undefined, 'the subscriber was not subscribed.'],
    [false, 'the subscriber was not subscribed. now: not subscribed.'],
    [
      true,
      'the subscriber was not subscribed, or a condition of the subscription was not met. now: subscribed.',
    ],
  ])('to a topic, for a subscriber who is subscribed now: %s', (isSubscribed, end) => {
    const expected = {
      cause: 'not_subscribed',
      message: `The event t 1 to topic \`news\` had no recipient \`u 1\`: ${end}`,
      next: subscribe,
    };
    expect(why({ topicKey: 'news', topicEvent: event(), isSubscribed })).toEqual(expected);
    expect(why({ transactionEvent: event(), isSubscribed })).toEqual(expected);
    expect(why({ topicKey: 'news', transactionEvent: event(), isSubscribed })).toEqual(expected);
  });

  it('of a transaction that belongs to another event', () => {
    const others = [{ topicKey: 'other' }];
    expect(why({ topicKey: 'news', transactionEvent: event({ topics: others }) })).toEqual({
      cause: 'transaction_reused',
      message: `Transaction t 1 belongs to an event of welcome for u2 at ${at}. The service drops later events with the same transaction id, also those for u 1.`,
      next: ["svc activity get 't 1'"],
    });
    const bare = { topics: undefined, template: undefined, subscriber: undefined };
    expect(why({ transactionEvent: event({ ...bare, createdAt: undefined }) }).message).toMatch(
      /^Transaction t 1 belongs to an event\. The service/,
    );
    expect(why({ transactionEvent: event({ topics: [] }) }).cause).toBe('transaction_reused');
    for (const topics of [undefined, []])
      expect(why({ topicEvent: event({ topics }) }).cause).toBe('no_event');
    const several = event({ topics: [...others, { topicKey: 'news' }] });
    expect(why({ topicKey: 'news', transactionEvent: several }).cause).toBe('not_subscribed');
  });

  it('of the event of the subscriber that another filter excludes', () => {
    const own = event({ subscriber: { subscriberId: 'u 1' } });
    const next = ["svc activity explain 'u 1' --transaction 't 1'"];
    const excluded = (why: string) => ({
      ...{ cause: 'no_event', message: `The event t 1 for u 1 ${why}.`, next },
    });
    const search = { transactionEvent: own, isSubscribed: true };
    expect(why({ ...search, channels: ['push', 'sms'] })).toEqual(
      excluded('has no push or SMS step'),
    );
    expect(why({ ...search, topicKey: 'other' })).toEqual(
      excluded('was not sent through topic `other`'),
    );
    const jobs = [...(own.jobs ?? []), { ...own.jobs?.[0], type: 'in_app' }];
    for (const more of [
      {},
      ...[{ channels: ['email'] }, { channels: ['push', 'email'] }, { topicKey: 'news' }],
      {
        transactionEvent: { ...own, jobs, topics: [] } as unknown as ActivityItem,
        channels: ['email'],
      },
    ])
      expect(why({ ...search, ...more })).toEqual(excluded('is older than --since'));
    expect(why({ ...search, workflowId: 'welcome' }).cause).toBe('no_event');
    expect(why({ transactionEvent: { ...own, topics: [] }, workflowId: 'other' }).cause).toBe(
      'transaction_reused',
    );
    const noJobs = { ...own, jobs: undefined } as unknown as ActivityItem;
    expect(why({ transactionEvent: noJobs, channels: ['email'] })).toEqual(
      excluded('has no e-mail step'),
    );
  });

  const usual =
    ' It was not triggered, is older than the retention period of the plan, or was triggered a moment ago.';

  it('for another reason names what was searched', () => {
    expect(why({})).toEqual({
      cause: 'no_event',
      message: `Subscriber \`u 1\` has no event.${usual}`,
      next: ["svc activity list --subscriber 'u 1'"],
    });
    const search = { workflowId: 'w', topicKey: 'news', transactionId: 't' };
    expect(why(search).message).toBe(
      `Subscriber \`u 1\` has no event with workflow w, topic news, transaction t.${usual}`,
    );
    expect(why({ transactionId: 't' }).message).toContain('has no event with transaction t.');
  });

  it('names the channels that the workflow does not have', () => {
    const steps = [{ type: 'email' }, { type: 'in_app' }];
    const message = (channels: string[], more: object = workflow({ steps })) =>
      why({ channels, ...more }).message;
    expect(message(['sms'])).toMatch(/\. The workflow has no SMS step\.$/);
    expect(message(['sms', 'email', 'push'])).toMatch(/has no SMS or push step\.$/);
    expect(message(['email'])).toContain(usual);
    expect(message(['sms'], {})).toContain(usual);
    expect(message(['sms'], workflow({}))).toMatch(/has no SMS step\.$/);
  });

  it('names inactive workflows', () => {
    expect(why({ inactiveWorkflows: ['a', 'b'] })).toMatchObject({
      message: `Subscriber \`u 1\` has no event.${usual} The service does not run events of inactive workflows: a and b.`,
      next: ["svc activity list --subscriber 'u 1'", 'svc workflows list'],
    });
    const many = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    expect(why({ inactiveWorkflows: many }).message).toMatch(/: a, b, c, d, e and 2 others\.$/);
  });
});

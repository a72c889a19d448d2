// `svc subscribers story`
import type { Context } from '../../app/context.ts';
import { command } from '../../cli/command.ts';
import { integer, text } from '../../cli/options.ts';
import { collectItems } from '../../core/async.ts';
import { ifFound, ifPresent, SvcError } from '../../core/errors.ts';
import { counted } from '../../core/text.ts';
import { scheduleText } from '../../deliveries/details.ts';
import { eventOutcome } from '../../deliveries/outcome.ts';
import { eventTones, outcomeSpan } from '../../deliveries/outcome-tokens.ts';
import { chosenPreferences } from '../../deliveries/preferences-text.ts';
import { createDigestEvents, requireRecipient } from '../../deliveries/read.ts';
import { stepVerdicts, verdictMessage, workflowIdentifier } from '../../deliveries/verdict.ts';
import type { Column, Span } from '../../output/result.ts';
import * as result from '../../output/result.ts';
import type { StepOutcome } from '../../service/job-outcomes.ts';
import type { Preferences } from '../../service/schemas/preferences.ts';
import type { Subscriber } from '../../service/schemas/subscribers.ts';
import { subscriberArgument } from '../shared/arguments.ts';
import { createServiceTime, resolveTime } from '../shared/server-facts.ts';

const newestEvents = 200;

export const story = command({
  summary: 'Show what happened to one person, in the order of time',
  details:
    'Every event, message, skipped step and wait of a subscriber, oldest first, with the addresses and preferences of today beside them. The verdicts are those of `svc activity explain`. Subjects are those of the newest 100 messages.',
  arguments: { subscriberId: subscriberArgument },
  options: {
    since: text('--since <30d|ISO>', 'Only events after this time', { defaultText: '30d' }),
    limit: integer('--limit <n>', 'The n newest events', {
      min: 1,
      defaultText: String(newestEvents),
    }),
  },
  output:
    'The person and the steps by time. As JSON, {subscriberId, since, subscriber, preferences, events: [{at, transactionId, workflow, outcome, steps: [{channel, verdict, cause, message, subject}]}]}; subscriber and preferences are null if the service has none. In a pipe, CSV and TSV: one line per step. With -o ids, the transaction ids.',
  fields: ['subscriberId', 'since', 'subscriber', 'preferences', 'events'],
  exitCodes: ['notFound'],
  examples: {
    'svc subscribers story u1': 'The last 30 days of a person',
    'svc subscribers story u1 --since 7d -o csv': 'Each step of the last week as a row',
  },
  operations: [
    'listActivity',
    'getActivity',
    'listMessages',
    'getSubscriber',
    'getSubscriberPreferences',
  ],
  skipsMissingOperations: true,
  writes: false,
  tool: 'read',
  async run(context, { args: { subscriberId }, options: { since = '30d', limit = newestEvents } }) {
    const after = await resolveTime(since, '--since', createServiceTime(context));
    const client = await context.client();
    const path = { subscriberId };
    const [subscriber, preferences, events] = await Promise.all([
      ifPresent(client.call('getSubscriber', { path })),
      ifPresent(client.call('getSubscriberPreferences', { path, query: { criticality: 'all' } })),
      readEvents(context, { subscriberId, after, limit }),
    ]);
    if (!subscriber && events.length === 0)
      throw new SvcError('notFound', `Subscriber \`${subscriberId}\` does not exist.`, {
        next: ['svc subscribers list'],
      });
    const person = { subscriber: subscriber ?? null, preferences: preferences ?? null };
    return result.one({
      value: { subscriberId, since: after, ...person, events },
      fields: personFields(subscriberId, person),
      parts: [
        {
          title: `Since ${since}`,
          rows: events.flatMap(shownRows),
          columns: shownColumns,
          empty: 'No events. Choose an earlier time with --since.',
        },
      ],
      rows: {
        items: events.flatMap(({ steps, ...event }) =>
          (steps.length > 0 ? steps : [{}]).map((step) => ({ ...event, ...step })),
        ),
        columns: result.fieldColumns([
          ...['at', 'transactionId', 'workflow', 'outcome'],
          ...['channel', 'verdict', 'cause', 'message', 'subject'],
        ]),
        id: ({ transactionId }: StoryEvent) => transactionId,
      },
      id: () => subscriberId,
    });
  },
});

interface StoryStep {
  channel: string;
  verdict: StepOutcome;
  cause: string | null;
  message: string;
  /** Of the message, if the service has it. */
  subject: string | null;
}

interface StoryEvent {
  at: string | null;
  transactionId: string;
  workflow: string | null;
  outcome: ReturnType<typeof eventOutcome>;
  steps: StoryStep[];
}

/** Oldest first. */
async function readEvents(
  context: Context,
  {
    subscriberId,
    after,
    limit,
  }: { subscriberId: string; after: string | undefined; limit: number },
): Promise<StoryEvent[]> {
  const digests = createDigestEvents(context);
  const query = { subscriberIds: [subscriberId], after };
  // One more shows whether there are more.
  const pages = context.pages('listActivity', { query }, { limit: limit + 1 });
  const items = await collectItems(digests.follow(pages));
  requireRecipient(items, subscriberId);
  if (items.length > limit)
    context.warn(`Only the newest ${counted(limit, 'event')} are read; see --limit.`);
  items.length = Math.min(items.length, limit);
  const messages =
    items.length === 0
      ? undefined
      : await ifFound(
          (await context.client()).call('listMessages', { query: { subscriberId, limit: 100 } }),
        );
  return items.toReversed().map((item): StoryEvent => {
    const verdicts = stepVerdicts(item, digests.find);
    const subjectOf = (channel: string) => {
      const message = messages?.data?.find(
        (sent) => sent.transactionId === item.transactionId && sent.channel === channel,
      );
      return message?.subject || message?.title || null;
    };
    return {
      at: item.createdAt ?? null,
      transactionId: item.transactionId,
      workflow: workflowIdentifier(item) ?? null,
      outcome: eventOutcome(item, verdicts),
      steps: verdicts.map((verdict) => ({
        channel: verdict.channel,
        verdict: verdict.verdict,
        cause: verdict.cause,
        message: verdictMessage(verdict),
        subject: subjectOf(verdict.channel),
      })),
    };
  });
}

// The table: a row a step, with the event in the first one.

interface Row {
  at: string | null;
  workflow: string | null;
  transactionId: string;
  token: (unicode: boolean) => Span;
  what: string;
}

const shownColumns: readonly Column<Row>[] = [
  { field: 'at', header: 'WHEN', time: true },
  { field: 'workflow', header: 'WORKFLOW', squeeze: true, tone: () => 'strong' },
  { field: 'token', header: 'STEP', spans: ({ token }, unicode) => [token(unicode)] },
  { field: 'what', header: 'WHAT', shrink: 24, wrap: true, time: true, tone: () => 'plain' },
  { field: 'transactionId', header: 'TRANSACTION', drop: 1, tone: () => 'muted' },
];

function shownRows({ at, workflow, transactionId, outcome, steps }: StoryEvent): Row[] {
  const event = { at, workflow, transactionId };
  if (steps.length === 0)
    return [
      {
        ...event,
        token: () => ({ text: outcome, tone: eventTones[outcome] }),
        what: 'No messages.',
      },
    ];
  return steps.map(({ channel, verdict, message, subject }, index) => ({
    ...(index === 0 ? event : { at: null, workflow: null, transactionId: '' }),
    token: (unicode) => outcomeSpan(verdict, channel, unicode),
    what: verdict === 'delivered' && subject !== null ? subject : message,
  }));
}

function personFields(
  subscriberId: string,
  { subscriber, preferences }: { subscriber: Subscriber | null; preferences: Preferences | null },
): Column<object>[] {
  const name = [subscriber?.firstName, subscriber?.lastName].filter(Boolean).join(' ');
  const field = (header: string, value: unknown): Column<object> => ({
    field: header.toLowerCase(),
    header,
    value: () => value,
  });
  return [
    field('SUBSCRIBER', name === '' ? subscriberId : `${subscriberId}, ${name}`),
    field('EMAIL', subscriber ? (subscriber.email ?? 'none') : 'the subscriber does not exist now'),
    field('PHONE', subscriber?.phone),
    field(
      'DEVICES',
      subscriber?.channels?.map(({ providerId }) => providerId),
    ),
    field('TIME ZONE', subscriber?.timezone),
    field(
      'PREFERENCES',
      preferences && (chosenPreferences(preferences).join(', ') || 'everything on'),
    ),
    field(
      'SCHEDULE',
      preferences?.global.schedule?.isEnabled ? scheduleText(preferences.global.schedule) : '',
    ),
  ];
}

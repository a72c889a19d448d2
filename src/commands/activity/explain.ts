import { readOptional } from '../../api/read-optional.ts';
import type { Context } from '../../app/context.ts';
import { command } from '../../cli/command.ts';
import { optional, severalOf, text } from '../../cli/options.ts';
import { type ExitReason, usageError } from '../../core/errors.ts';
import {
  type ChannelExplanation,
  chosenVerdicts,
  type Explanation,
  explainEvent,
} from '../../deliveries/explanation.ts';
import {
  type FactName,
  type Facts,
  neededFacts,
  nowEvidence,
  recordedValues,
  refineVerdict,
} from '../../deliveries/now.ts';
import { outcomeSpan } from '../../deliveries/outcome-tokens.ts';
import { findTransactionId } from '../../deliveries/read.ts';
import type { Column, Tone } from '../../output/result.ts';
import * as result from '../../output/result.ts';
import type { StepOutcome } from '../../service/job-outcomes.ts';
import type { ActivityItem } from '../../service/schemas/activity.ts';
import { allChannels } from '../../service/schemas/vocabulary.ts';
import { subscriberArgument } from '../shared/arguments.ts';
import { createServiceTime, resolveTime } from '../shared/server-facts.ts';
import {
  type Address,
  findEvent,
  findSubscriber,
  findWorkflow,
  type Question,
  searchReasons,
} from './find-event.ts';

const maxRequests = 6;

export const explain = command({
  summary: 'Explain why a subscriber did or did not get a message',
  details: `Explains the newest event that matches. The verdict comes from the jobs and execution details of that event, which show what happened at the time. Evidence that begins with \`now:\` shows the current settings, which may have changed since. For a condition, svc also shows the values of its variables in the payload of the event.

Each step that sends a message is delivered, failed, skipped or waiting; a step merged into a digest has the verdict of that digest. Sends at most ${maxRequests} requests, plus one to find the subscriber of --email or --phone, and one to read the clock of a sandbox. If several subscribers have the address, svc lists them and exits with 2.`,
  arguments: {
    subscriberId: optional('[subscriber-id]', subscriberArgument.summary, 'subscribers'),
  },
  options: {
    email: text('--email <address>', 'The subscriber with this e-mail address'),
    phone: text('--phone <number>', 'The subscriber with this phone number'),
    phoneRegion: text(
      '--phone-region <country>',
      'The country of a phone number without a country code, such as DE',
    ),
    workflow: text('--workflow <workflow-id>', 'Only events of this workflow', {
      complete: 'workflows',
    }),
    channel: severalOf('--channel <channel>', allChannels, 'Only steps of this channel'),
    transaction: text(
      '--transaction <id>',
      'Only the event with this transaction id, or a unique beginning or end of it',
      { complete: 'transactions' },
    ),
    topic: text('--topic <topic-key>', 'Only events sent through this topic', {
      complete: 'topics',
    }),
    since: text('--since <2h|ISO>', 'Only events after this time'),
  },
  output:
    'The verdict of each channel with its cause, evidence and next commands. As JSON, {transactionId, workflow, at, cause, message, channels: [{channel, verdict, cause, message, evidence, next}]}; without an event, `channels` is empty and `cause` says why. With -o ids, the transaction id.',
  fields: ['transactionId', 'workflow', 'at', 'cause', 'message', 'channels'],
  exitCodes: ['undelivered', 'notFound'],
  examples: {
    'svc activity explain u1 --workflow welcome':
      'Explain the newest event of a workflow for a subscriber',
    'svc activity explain u1 --channel email --jq .cause':
      'Print why the newest e-mail did not arrive; null if it did',
    'svc activity explain --email ada@example.com --workflow welcome':
      'The subscriber with an e-mail address',
  },
  operations: [
    'listActivity',
    'listSubscribers',
    'getWorkflow',
    'listWorkflows',
    'getSubscriberPreferences',
    'listInboxNotifications',
    'getTopic',
    'listTopics',
    'listTopicSubscriptions',
    'listIntegrations',
    'getSubscriber',
    'listChannelEndpoints',
  ],
  skipsMissingOperations: true,
  writes: false,
  tool: 'read',
  async run(context, { args, options }) {
    const { workflow, channel, transaction, topic, since, email, phone, phoneRegion } = options;
    const { explanation, next } = await answer(context, {
      subscriberId: await readSubscriberId(context, args.subscriberId, {
        email,
        phone,
        phoneRegion,
      }),
      workflowId: workflow,
      channels: channel,
      transactionId: transaction,
      topicKey: topic,
      after: await resolveTime(since, '--since', createServiceTime(context)),
    });
    const completed = (lines: readonly string[]) => lines.map((line) => context.propose(line));
    const channels = explanation.channels.map((channel) => ({
      ...channel,
      next: completed(channel.next),
    }));
    return explanationResult(
      { explanation: { ...explanation, channels }, next: completed(next) },
      context.settings.output === 'wide',
    );
  },
});

async function readSubscriberId(
  context: Context,
  subscriberId: string | undefined,
  address: Address,
): Promise<string> {
  if (address.phone === undefined && address.phoneRegion !== undefined)
    throw usageError('--phone-region is only for --phone.');
  const hasAddress = address.email !== undefined || address.phone !== undefined;
  if (!hasAddress && subscriberId === undefined && !context.prompt.isPossible)
    throw usageError('Missing <subscriber-id>, --email or --phone.', {
      next: ['svc activity explain --help'],
    });
  if (!hasAddress) return subscriberId ?? context.prompt.resource('subscribers', 'subscriber-id');
  if (subscriberId === undefined) return findSubscriber(context, address);
  throw usageError('A subscriber id cannot be combined with --email or --phone.');
}

async function answer(
  context: Context,
  question: Question,
): Promise<{ explanation: Explanation; next: readonly string[] }> {
  const { subscriberId, workflowId, transactionId = null, channels } = question;
  const workflow = workflowId === undefined ? undefined : await findWorkflow(context, workflowId);
  const item = workflow === null ? undefined : await findEvent(context, question, workflow);
  if (!item && transactionId !== null && question.topicKey === undefined) {
    const found = await findTransactionId(context, transactionId);
    if (found !== undefined && found !== transactionId)
      return answer(context, { ...question, transactionId: found });
  }
  if (!item) {
    const { cause, message, next } = await searchReasons(context, question, workflow);
    const none = { transactionId, workflow: workflowId ?? null, at: null };
    return { explanation: { ...none, cause, message, channels: [] }, next };
  }
  const subject = { subscriberId, item, channels };
  const own = chosenVerdicts(subject);
  const isMerged = own.some(({ cause }) => cause === 'digest_merged');
  const main = isMerged ? await readDigestEvent(context, subscriberId, item) : undefined;
  const verdicts = main
    ? chosenVerdicts(subject, (id) => (id === main._id ? main : undefined))
    : own;
  const requests = 1 + Number(workflow !== undefined) + Number(isMerged);
  const needed = [...neededFacts(verdicts)].filter((name) => name !== 'workflow' || !workflow);
  const facts = {
    ...(workflow ? { workflow } : {}),
    ...(await readFacts(context, subscriberId, item, needed.slice(0, maxRequests - requests))),
  };
  const refined = verdicts.map((verdict) => refineVerdict(item, facts, verdict));
  return {
    explanation: explainEvent(subject, refined, (verdict) => [
      ...recordedValues(item, facts, verdict),
      ...nowEvidence(item, facts, verdict),
    ]),
    next: [],
  };
}

// The result of `svc activity explain`: on a terminal, one row per channel with its evidence below, then the next commands.

interface Row {
  channel: string;
  verdict: StepOutcome | '';
  why: string;
  whyTone: Tone;
}

const columns: readonly Column<Row>[] = [
  { field: 'channel', header: 'CHANNEL', tone: () => 'strong' },
  {
    field: 'verdict',
    header: 'VERDICT',
    spans: ({ verdict }, unicode) =>
      verdict === '' ? [] : [outcomeSpan(verdict, verdict, unicode)],
  },
  {
    field: 'why',
    header: 'WHY',
    shrink: 24,
    wrap: true,
    time: true,
    tone: ({ whyTone }) => whyTone,
  },
];

function toRows(
  { channel, verdict, cause, message, evidence }: ChannelExplanation,
  showsCause: boolean,
): Row[] {
  const below = (why: string, whyTone: Tone): Row => ({ channel: '', verdict: '', why, whyTone });
  return [
    {
      channel,
      verdict,
      why: showsCause && cause !== null ? `${message} (${cause})` : message,
      whyTone: 'plain',
    },
    ...evidence.map((line) => below(withoutRepetition(line, message), 'muted')),
  ];
}

/** Evidence is a time and a text of the service. Only the time is shown if the message has the text already. */
function withoutRepetition(evidence: string, message: string): string {
  const [, time, text] = /^(\d\S+Z) (.+)$/s.exec(evidence) ?? [];
  return time !== undefined && text !== undefined && message.includes(text) ? time : evidence;
}

/** `isWide`: with the codes of the causes. */
function explanationResult(
  { explanation, next }: { explanation: Explanation; next: readonly string[] },
  isWide: boolean,
) {
  const { channels, message } = explanation;
  // The worst outcome has the last place.
  const verdict = (['delivered', 'waiting', 'skipped', 'failed'] as const).findLast((outcome) =>
    channels.some((channel) => channel.verdict === outcome),
  );
  const nextOfChannels = [...new Set(channels.flatMap((channel) => channel.next))];
  return result.one({
    value: explanation,
    fields: [
      {
        field: 'message',
        header: 'ANSWER',
        time: true,
        spans: (_explanation, unicode) => [
          outcomeSpan(verdict ?? 'skipped', '', unicode),
          { text: message, tone: 'strong' },
        ],
      },
      { field: 'workflow', header: 'WORKFLOW' },
      { field: 'transactionId', header: 'TRANSACTION' },
      { field: 'at', header: 'WHEN', time: true },
      {
        field: 'cause',
        header: 'CAUSE',
        value: ({ cause }) => (isWide && channels.length === 0 ? cause : ''),
      },
      { field: 'next', header: 'NEXT', value: () => next[0] },
    ],
    parts:
      channels.length === 0
        ? []
        : [
            {
              title: 'Channels',
              rows: channels.flatMap((channel) => toRows(channel, isWide)),
              columns: columns,
              empty: '',
            },
            ...(nextOfChannels.length === 0 ? [] : [{ title: 'Next', commands: nextOfChannels }]),
          ],
    id: ({ transactionId }) => transactionId ?? '',
    end: {
      type: 'exit',
      exitReason: chooseExitReason(explanation),
      failure: { message, next: [...next, ...nextOfChannels] },
    },
  });
}

function chooseExitReason({ cause, channels }: Explanation): ExitReason {
  if (cause === 'no_event') return 'notFound';
  const isDelivered =
    channels.length > 0 && channels.every(({ verdict }) => verdict === 'delivered');
  return isDelivered ? 'ok' : 'undelivered';
}

// Reads what adds evidence to an explanation. Without a usable response there is only less evidence.

/** Reads facts in parallel, one request each. */
async function readFacts(
  context: Context,
  subscriberId: string,
  item: ActivityItem,
  names: readonly FactName[],
): Promise<Facts> {
  const client = await context.client();
  const path = { subscriberId };
  const reads: Record<FactName, () => Promise<Facts>> = {
    preferences: async () => ({
      preferences: await readOptional(client, 'getSubscriberPreferences', {
        path,
        query: { criticality: 'all' },
      }),
    }),
    workflow: async () => ({
      workflow: await readOptional(client, 'getWorkflow', {
        path: { workflowId: item._templateId ?? '' },
      }),
    }),
    feed: async () => {
      const page = await readOptional(client, 'listInboxNotifications', {
        path,
        query: { limit: 100 },
      });
      return { feed: page?.data };
    },
    integrations: async () => ({
      integrations: listOrNothing(await readOptional(client, 'listIntegrations', {})),
    }),
    subscriber: async () => ({ subscriber: await readOptional(client, 'getSubscriber', { path }) }),
    endpoints: async () => {
      const query = { subscriberId, limit: 100 };
      const page = await readOptional(client, 'listChannelEndpoints', { query });
      return { endpoints: listOrNothing(page?.data) };
    },
  };
  const facts = await Promise.all(names.map((name) => reads[name]()));
  return Object.assign({}, ...facts);
}

const listOrNothing = <T>(value: T[] | undefined) => (Array.isArray(value) ? value : undefined);

/** The event whose digest carries an event. Searches the listing, because not every server can return one event. */
async function readDigestEvent(
  context: Context,
  subscriberId: string,
  { createdAt: before, _templateId, _digestedNotificationId }: ActivityItem,
): Promise<ActivityItem | undefined> {
  const page = await readOptional(await context.client(), 'listActivity', {
    query: {
      subscriberIds: [subscriberId],
      templates: _templateId === undefined ? undefined : [_templateId],
      before,
      limit: 50,
      page: 0,
    },
  });
  return page?.data?.find(({ _id }) => _id === _digestedNotificationId);
}

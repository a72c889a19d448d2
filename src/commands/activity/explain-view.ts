// The result of `svc activity explain`: on a terminal, one row per channel with its evidence below, then the next commands.

import { readOptional } from '../../api/read-optional.ts';
import type { Context } from '../../app/context.ts';
import type { ExitReason } from '../../core/errors.ts';
import type { ChannelExplanation, Explanation } from '../../deliveries/explanation.ts';
import type { FactName, Facts } from '../../deliveries/now.ts';
import { outcomeSpan } from '../../deliveries/outcome-tokens.ts';
import type { Column, Tone } from '../../output/result.ts';
import * as result from '../../output/result.ts';
import type { StepOutcome } from '../../service/job-outcomes.ts';
import type { ActivityItem } from '../../service/schemas/activity.ts';

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
  { field: 'why', header: 'WHY', shrink: 24, wrap: true, tone: ({ whyTone }) => whyTone },
];

function toRows({ channel, verdict, cause, message, evidence }: ChannelExplanation): Row[] {
  const below = (why: string, whyTone: Tone): Row => ({ channel: '', verdict: '', why, whyTone });
  return [
    { channel, verdict, why: cause === null ? message : `${message} (${cause})`, whyTone: 'plain' },
    ...evidence.map((line) => below(withoutRepetition(line, message), 'muted')),
  ];
}

/** Evidence is a time and a text of the service. Only the time is shown if the message has the text already. */
function withoutRepetition(evidence: string, message: string): string {
  const [, time, text] = /^(\d\S+Z) (.+)$/s.exec(evidence) ?? [];
  return time !== undefined && text !== undefined && message.includes(text) ? time : evidence;
}

export function explanationResult({
  explanation,
  next,
}: {
  explanation: Explanation;
  next: readonly string[];
}) {
  const { channels, message } = explanation;
  const isDelivered = chooseExitReason(explanation) === 'ok';
  const nextOfChannels = [...new Set(channels.flatMap((channel) => channel.next))];
  return result.one({
    value: explanation,
    fields: [
      {
        field: 'message',
        header: 'ANSWER',
        wrap: true,
        tone: () => (isDelivered ? 'good' : 'warn'),
      },
      { field: 'workflow', header: 'WORKFLOW' },
      { field: 'transactionId', header: 'TRANSACTION' },
      { field: 'at', header: 'WHEN', time: true },
      {
        field: 'cause',
        header: 'CAUSE',
        value: ({ cause }) => (channels.length === 0 ? cause : ''),
      },
      { field: 'next', header: 'NEXT', value: () => next[0] },
    ],
    parts:
      channels.length === 0
        ? []
        : [
            {
              title: 'Channels',
              rows: channels.flatMap(toRows),
              columns: columns as never,
              empty: '',
            },
            ...(nextOfChannels.length === 0 ? [] : [{ title: 'Next', commands: nextOfChannels }]),
          ],
    id: ({ transactionId }) => transactionId ?? '',
    end: {
      kind: 'exit',
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
export async function readFacts(
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
  };
  const facts = await Promise.all(names.map((name) => reads[name]()));
  return Object.assign({}, ...facts);
}

const listOrNothing = <T>(value: T[] | undefined) => (Array.isArray(value) ? value : undefined);

/** The event whose digest carries an event. Searches the listing, because not every server can return one event. */
export async function readDigestEvent(
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

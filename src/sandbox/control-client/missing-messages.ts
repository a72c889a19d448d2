// Explains why too few messages match a filter: an unknown workflow, no event, or steps that did not deliver.

import { counted } from '../../core/counts.ts';
import { channelAdjective } from '../../explain/messages.ts';
import type { ActivityPage, ControlClient, MessageQuery, TriggeredEvent } from './client.ts';

export interface MissingMessages {
  /** All workflows, if the one of the filter does not exist. */
  knownWorkflows?: readonly string[] | undefined;
  /** One line for each step, first those that did not deliver. `field` is empty or names event and channel. */
  reasons: { field: string; message: string }[];
}

const maxReasons = 5;

export async function explainMissingMessages(
  { activity }: Pick<ControlClient, 'activity'>,
  query: MessageQuery,
): Promise<MissingMessages> {
  const { channel, ...filter } = query;
  const { data, hasMore, knownWorkflows, rejectedTriggers } = await activity({
    ...filter,
    limit: 100,
  });
  if (data.length === 0) {
    const rejected = rejectedReasons(rejectedTriggers);
    if (knownWorkflows) return { knownWorkflows, reasons: rejected };
    return { reasons: [{ field: '', message: 'No matching event was triggered.' }, ...rejected] };
  }
  const given = data.flatMap((event) => listReasons(event, channel));
  const isMissing = ({ isDelivered }: StepReason) => !isDelivered;
  const all = withoutDuplicates([
    ...given.filter(isMissing),
    ...given.filter((reason) => !isMissing(reason)),
  ]);
  if (all.length <= maxReasons) return { reasons: all };
  const others = counted(all.length - maxReasons, 'other reason');
  const message = `${others}${hasMore ? ' or more' : ''} not shown.`;
  return { reasons: [...all.slice(0, maxReasons), { field: '', message }] };
}

/** An application may ignore the error of a trigger. A sandbox of an earlier version does not list them. */
function rejectedReasons(triggers: ActivityPage['rejectedTriggers'] = []) {
  const texts = triggers.map(({ workflow, error }) =>
    workflow === null ? error : `${error} \`${workflow}\``,
  );
  return [...new Set(texts)]
    .slice(0, maxReasons)
    .map((text) => ({ field: '', message: `A trigger was rejected: ${text}` }));
}

interface StepReason {
  field: string;
  message: string;
  isDelivered: boolean;
}

/** Counts equal reasons, such as several for one subscriber without an address. */
function withoutDuplicates(all: StepReason[]): MissingMessages['reasons'] {
  const counts = new Map<string, StepReason & { count: number }>();
  for (const reason of all) {
    const key = JSON.stringify(reason);
    counts.set(key, { ...reason, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()].map(({ field, message, count }) => ({
    field: count === 1 ? field : `${field} (${count} times)`,
    message,
  }));
}

function listReasons(
  { workflow, subscriberId, steps }: TriggeredEvent,
  channel: MessageQuery['channel'],
): StepReason[] {
  const event = `${workflow} to ${subscriberId}`;
  const wanted = steps.filter((step) => channel === undefined || step.channel === channel);
  if (wanted.length === 0) {
    const kind = channel === undefined ? 'channel' : channelAdjective(String(channel));
    const message = `The workflow has no ${kind} step.`;
    return [{ field: event, message, isDelivered: false }];
  }
  return wanted.map(({ channel: of, verdict, message, detail }) => {
    const isDelivered = verdict === 'delivered';
    const suffix = isDelivered || detail === null ? '' : ` (${detail})`;
    return { field: `${event}, ${of}`, message: `${message}${suffix}`, isDelivered };
  });
}

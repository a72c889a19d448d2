// Explains why no messages match a filter: an unknown workflow, no event, or steps that did not deliver.

import { counted } from '../../core/counts.ts';
import { channelAdjective } from '../../explain/messages.ts';
import type { ControlClient, MessageQuery, TriggeredEvent } from './client.ts';

export interface MissingMessages {
  /** All workflows, if the one of the filter does not exist. */
  knownWorkflows?: readonly string[] | undefined;
  /** One line for each step that did not deliver. `field` is empty or names event and channel. */
  reasons: { field: string; message: string }[];
}

const maxReasons = 5;

/** Returns no reasons if all steps that could match have delivered. */
export async function explainMissingMessages(
  { activity }: ControlClient,
  query: MessageQuery,
): Promise<MissingMessages> {
  const { channel, ...filter } = query;
  const { data, hasMore, knownWorkflows } = await activity({ ...filter, limit: 100 });
  if (data.length === 0 && knownWorkflows) return { knownWorkflows, reasons: [] };
  if (data.length === 0)
    return { reasons: [{ field: '', message: 'No matching event was triggered.' }] };
  const all = withoutDuplicates(data.flatMap((event) => reasonsOf(event, channel)));
  if (all.length <= maxReasons) return { reasons: all };
  const others = counted(all.length - maxReasons, 'other reason');
  const message = `${others}${hasMore ? ' or more' : ''} not shown.`;
  return { reasons: [...all.slice(0, maxReasons), { field: '', message }] };
}

/** Counts equal reasons, such as those of a subscriber without an address. */
function withoutDuplicates(all: MissingMessages['reasons']): MissingMessages['reasons'] {
  const counts = new Map<string, { field: string; message: string; count: number }>();
  for (const reason of all) {
    const key = JSON.stringify(reason);
    counts.set(key, { ...reason, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()].map(({ field, message, count }) => ({
    field: count === 1 ? field : `${field} (${count} times)`,
    message,
  }));
}

function reasonsOf(
  { workflow, subscriberId, steps }: TriggeredEvent,
  channel: MessageQuery['channel'],
): MissingMessages['reasons'] {
  const event = `${workflow} to ${subscriberId}`;
  const wanted = steps.filter((step) => channel === undefined || step.channel === channel);
  if (wanted.length === 0) {
    const kind = channel === undefined ? 'channel' : channelAdjective(String(channel));
    return [{ field: event, message: `The workflow has no ${kind} step.` }];
  }
  return wanted
    .filter(({ verdict }) => verdict !== 'delivered')
    .map(({ channel: of, message, detail }) => ({
      field: `${event}, ${of}`,
      message: detail === null ? message : `${message} (${detail})`,
    }));
}

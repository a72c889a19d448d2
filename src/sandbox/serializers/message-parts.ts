// The parts of a message that depend on its channel.
import type { MessageCta } from '../../service/schemas/message.ts';
import type { StoredMessage } from '../store/messages.ts';
import { derivedId } from '../values/ids.ts';

/** The action of an in-app message. Other messages have an empty one. */
export function serializeCta({ id, cta }: StoredMessage): MessageCta {
  const { type, data, action } = cta;
  const buttons = (action?.buttons ?? []).map((button, index) => {
    const buttonId = derivedId(`${id}:${index}`);
    return { ...button, _id: buttonId, id: buttonId };
  });
  return {
    action: { ...action, buttons },
    ...(type === undefined ? {} : { type }),
    ...(data === undefined ? {} : { data }),
  };
}

const dateNames = [
  'lastSeenDate',
  'lastReadDate',
  'firstSeenDate',
  'archivedAt',
  'snoozedUntil',
] as const;

/** The dates that marks and the inbox have set. */
export const inboxDates = (message: StoredMessage) =>
  Object.fromEntries(
    dateNames.flatMap((name) => (message[name] === undefined ? [] : [[name, message[name]]])),
  );

/** In-app messages alone have a feed and are delivered when they are created. */
export const inAppParts = ({ channel, deliveredAt }: StoredMessage) =>
  channel === 'in_app' ? { _feedId: null, deliveredAt } : {};

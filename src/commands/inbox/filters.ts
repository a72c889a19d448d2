// The filters of a subscriber's inbox, for listing and for marking all that match.
import type { Values } from '../../cli/command.ts';
import { flag, text } from '../../cli/options.ts';
import { exactText } from '../../core/lossless-json.ts';
import { readJsonObject } from '../../input/values.ts';

const filters = 'Filters';

export const inboxFilters = {
  read: flag('--read', 'Only those that were read', { group: filters, conflicts: ['unread'] }),
  unread: flag('--unread', 'Only those that were not', { group: filters }),
  seen: flag('--seen', 'Only those that were seen', { group: filters, conflicts: ['unseen'] }),
  unseen: flag('--unseen', 'Only those that were not', { group: filters }),
  payload: text('--payload <json|@file>', 'Only those whose payload holds these members', {
    group: filters,
  }),
};

/** The query parameters for these filters; the payload travels as base64. */
export async function feedFilter({
  read,
  unread,
  seen,
  unseen,
  payload,
}: Partial<Values<typeof inboxFilters>>) {
  const json =
    payload === undefined ? undefined : exactText(await readJsonObject(payload, '--payload'));
  return {
    read: read ? true : unread ? false : undefined,
    seen: seen ? true : unseen ? false : undefined,
    payload: json === undefined ? undefined : Buffer.from(json).toString('base64'),
  };
}

// Filters for the inbox of a subscriber, for listing notifications and for marking all that match.
import type { Values } from '../../cli/command.ts';
import { flag, text } from '../../cli/options.ts';
import { stringifyExact } from '../../core/lossless-json.ts';
import { readJsonObject, type WorkingFolder } from '../../input/values.ts';

const filters = 'Filters';

export const inboxFilters = {
  read: flag('--read', 'Only notifications that are read', {
    group: filters,
    conflicts: ['unread'],
  }),
  unread: flag('--unread', 'Only notifications that are unread', { group: filters }),
  seen: flag('--seen', 'Only notifications that are seen', {
    group: filters,
    conflicts: ['unseen'],
  }),
  unseen: flag('--unseen', 'Only notifications that are unseen', { group: filters }),
  payload: text(
    '--payload <json|@file>',
    'Only notifications whose payload contains these fields',
    {
      group: filters,
    },
  ),
};

/** Returns the query parameters of these filters. The service takes the payload as base64. */
export async function feedFilter(
  { read, unread, seen, unseen, payload }: Partial<Values<typeof inboxFilters>>,
  folder: WorkingFolder,
) {
  const json =
    payload === undefined
      ? undefined
      : stringifyExact(await readJsonObject(payload, '--payload', folder));
  return {
    read: read ? true : unread ? false : undefined,
    seen: seen ? true : unseen ? false : undefined,
    payload: json === undefined ? undefined : Buffer.from(json).toString('base64'),
  };
}

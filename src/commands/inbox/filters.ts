// Filters for the inbox of a subscriber, for listing notifications and for marking all that match.
import type { Values } from '../../cli/command.ts';
import { flag, several, severalOf, text } from '../../cli/options.ts';
import { stringifyExact } from '../../core/lossless-json.ts';
import { readJsonObject, type WorkingFolder } from '../../input/values.ts';
import { severities } from '../../service/schemas/vocabulary.ts';

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
    { group: filters, conflicts: ['archived', 'snoozed', 'severity', 'tag', 'since'] },
  ),
};

const since = ', on servers since 3.15';

/** Filters that only servers with the newer routes have. */
export const newerInboxFilters = {
  archived: flag('--archived', `Only notifications that are archived${since}`, { group: filters }),
  snoozed: flag('--snoozed', `Only notifications that are snoozed${since}`, { group: filters }),
  severity: severalOf('--severity <severity>', severities, `Only with this severity${since}`, {
    group: filters,
  }),
  tag: several('--tag <tag>', `Only with this tag of their workflow${since}`, { group: filters }),
};

export const sinceFilter = {
  since: text('--since <2h|ISO>', `Only notifications after this time${since}`, { group: filters }),
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

// Preferences of subscribers: one global record each, and one for each workflow with different preferences.
import { channelSwitches, type Schedule } from '../../service/schemas/preferences.ts';
import type { Channel } from '../../service/schemas/vocabulary.ts';
import type { Scope } from './scope.ts';
import { fromJson, toJson } from './sql.ts';
import { insertRow } from './table.ts';

/** In the order of the API. */
export const channels: readonly Channel[] = channelSwitches.keyof().options;

export { isChannel } from '../../service/schemas/vocabulary.ts';

export type ChannelSwitches = { [Name in Channel]?: boolean | undefined };

export interface StoredPreference {
  channels: ChannelSwitches;
  schedule?: Schedule;
}

/** The value of the column `workflow` in the global record. */
export const globalPreferenceKey = '';

/** Returns the preferences of a subscriber, keyed by workflow id. */
export function findPreferences({ sql }: Scope, subscriber: string): Map<string, StoredPreference> {
  const rows = sql.all<{ workflow: string; body: string }>(
    'SELECT workflow, body FROM preferences WHERE subscriber = ?',
    subscriber,
  );
  return new Map(rows.map(({ workflow, body }) => [workflow, fromJson<StoredPreference>(body)]));
}

export function savePreference(
  { sql, environmentId }: Scope,
  subscriber: string,
  workflow: string,
  preference: StoredPreference,
): void {
  const row = { env: environmentId, subscriber, workflow, body: toJson(preference) };
  const conflict = 'ON CONFLICT (subscriber, workflow) DO UPDATE SET body = excluded.body';
  insertRow(sql, 'preferences', row, conflict);
}

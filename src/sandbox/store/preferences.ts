// Preferences of subscribers: one global record each, and one for each workflow with different preferences.
import { channelSwitches, type Schedule } from '../../service/schemas/preferences.ts';
import type { Channel } from '../../service/schemas/vocabulary.ts';
import type { Dialect } from './dialect.ts';
import type { Scope } from './scope.ts';
import { fromJson, toJson } from './sql.ts';
import { insertRow } from './table.ts';

/** The channels of the version, in the order of the API. */
export const channelsOf = ({ hasLaterSteps }: Dialect): readonly Channel[] =>
  hasLaterSteps ? [...channels, 'tool'] : channels;
const channels: readonly Channel[] = channelSwitches.keyof().options;

export { isChannel } from '../../service/schemas/vocabulary.ts';

/** Null turns a channel off like false, and is shown as it is. */
export type ChannelSwitch = boolean | null;
export type ChannelSwitches = { [Name in Channel]?: ChannelSwitch | undefined };

export interface StoredPreference {
  channels: ChannelSwitches;
  /** Null if it was removed. */
  schedule?: Schedule | null;
  /** When the subscriber last set it. */
  updatedAt?: string;
}

/** The value of the column `workflow` in the global record. */
export const globalPreferenceKey = '';

/** Of several sets of contexts, each has preferences of its own. */
const ofContexts = ({ dialect }: Scope, contextKeys: readonly string[]): string =>
  dialect.hasContextPreferences && contextKeys.length > 0
    ? ` ${contextKeys.toSorted().join()}`
    : '';

/** Returns the preferences of a subscriber for events with these contexts, keyed by workflow id. */
export function findPreferences(
  scope: Scope,
  subscriber: string,
  contextKeys: readonly string[] = [],
): Map<string, StoredPreference> {
  const rows = scope.sql.all<{ workflow: string; body: string }>(
    'SELECT workflow, body FROM preferences WHERE subscriber = ?',
    subscriber,
  );
  const suffix = ofContexts(scope, contextKeys);
  return new Map(
    rows.flatMap(({ workflow: key, body }) => {
      const [workflow = ''] = key.split(' ');
      return key === workflow + suffix ? [[workflow, fromJson<StoredPreference>(body)]] : [];
    }),
  );
}

export function savePreference(
  scope: Scope,
  subscriber: string,
  workflow: string,
  preference: StoredPreference,
  contextKeys: readonly string[] = [],
): void {
  const { sql, environmentId: env } = scope;
  const key = workflow + ofContexts(scope, contextKeys);
  const row = { env, subscriber, workflow: key, body: toJson(preference) };
  const conflict = 'ON CONFLICT (subscriber, workflow) DO UPDATE SET body = excluded.body';
  insertRow(sql, 'preferences', row, conflict);
}

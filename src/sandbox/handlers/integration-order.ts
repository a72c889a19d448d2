// The order of the active integrations of a channel with a primary one: the primary one has the highest number.
import { hasPrimary } from '../../service/schemas/vocabulary.ts';
import {
  listIntegrations,
  type StoredIntegration,
  saveIntegration,
} from '../store/integrations.ts';
import type { Scope } from '../store/scope.ts';

type Place = Pick<StoredIntegration, 'primary'> & { priority: number };

const activeOf = (scope: Scope, channel: string): StoredIntegration[] =>
  listIntegrations(scope)
    .filter((integration) => integration.channel === channel && integration.active)
    .sort((a, b) => (b.priority ?? 0) - (a.priority ?? 0));

/** Returns the place of one more active integration: right below the primary one, else above all others. */
export function nextPlace(scope: Scope, channel: string): Place | undefined {
  if (!hasPrimary(channel)) return undefined;
  const [highest] = activeOf(scope, channel);
  const priority = highest?.priority ?? 0;
  if (!highest?.primary) return { primary: true, priority: priority + 1 };
  saveIntegration(scope, { ...highest, priority: priority + 1 });
  return { primary: false, priority };
}

/** Numbers the active integrations of the channel again, after a given one. */
export function renumber(scope: Scope, channel: string, first?: StoredIntegration): void {
  if (!hasPrimary(channel)) return;
  const others = activeOf(scope, channel).filter(({ id }) => id !== first?.id);
  const all = first ? [first, ...others] : others;
  for (const [index, integration] of all.entries())
    saveIntegration(scope, { ...integration, priority: all.length - index });
}

// The numbers of integrations. Of the active integrations of a channel with a primary one, that one has the highest
// number.
import { hasPrimary } from '../../service/schemas/vocabulary.ts';
import { listIntegrations, type StoredIntegration, saveIntegration } from './integrations.ts';
import type { Scope } from './scope.ts';

type Place = Pick<StoredIntegration, 'primary'> & { priority: number };

const listActive = (scope: Scope, channel: string): StoredIntegration[] =>
  listIntegrations(scope).filter((each) => each.channel === channel && each.active);

const highestFirst = (integrations: readonly StoredIntegration[]): StoredIntegration[] =>
  integrations.toSorted((a, b) => (b.priority ?? 0) - (a.priority ?? 0));

/** Returns the place of one more active integration: right below the primary one, else above all others. */
export function nextPlace(scope: Scope, channel: string): Place | undefined {
  if (!hasPrimary(channel)) return undefined;
  const [highest] = highestFirst(listActive(scope, channel));
  const priority = highest?.priority ?? 0;
  if (!highest?.primary) return { primary: true, priority: priority + 1 };
  saveIntegration(scope, { ...highest, priority: priority + 1 });
  return { primary: false, priority };
}

/** Numbers the active integrations of the channel again, after a given one. */
export function renumber(scope: Scope, channel: string, first?: StoredIntegration): void {
  if (!hasPrimary(channel)) return;
  const others = listActive(scope, channel).filter(({ id }) => id !== first?.id);
  saveNumbered(scope, [...(first ? [first] : []), ...highestFirst(others)]);
}

/**
 * Numbers the active integrations of e-mail and SMS as if they were created in this order. The oldest one becomes
 * primary if the channel has no primary one.
 */
export function ensurePrimaries(scope: Scope): void {
  for (const channel of new Set(listIntegrations(scope).map((each) => each.channel))) {
    if (!hasPrimary(channel)) continue;
    const active = listActive(scope, channel);
    const primary = active.find((each) => each.primary) ?? active[0];
    const others = active.filter((each) => each !== primary).reverse();
    const ordered = [...(primary ? [primary] : []), ...others];
    saveNumbered(
      scope,
      ordered.map((each) => ({ ...each, primary: each === primary })),
    );
  }
}

/** The first one gets the highest number. */
function saveNumbered(scope: Scope, integrations: readonly StoredIntegration[]): void {
  for (const [index, integration] of integrations.entries())
    saveIntegration(scope, { ...integration, priority: integrations.length - index });
}

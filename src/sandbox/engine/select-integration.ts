// Selects the integration that delivers a channel: the one that the event names, one whose conditions match the
// event's tenant, the primary one, or the newest active one.
import type { Channel } from '../../service/schemas/vocabulary.ts';
import { findContext } from '../store/contexts.ts';
import type { StoredIntegration } from '../store/integrations.ts';
import type { Scope } from '../store/scope.ts';
import { fromJson } from '../store/sql.ts';
import { passesFilters } from './conditions.ts';
import type { FanOutChannel } from './fan-out.ts';
import { readIntegrations } from './read-once.ts';
import type { Run } from './run.ts';

/** Channels with one address for each subscriber. */
export type DirectChannel = Exclude<Channel, FanOutChannel>;

export function selectIntegration(
  scope: Scope,
  { notification: { tenant } }: Run,
  channel: DirectChannel,
  identifier?: unknown,
): StoredIntegration | undefined {
  const active = readIntegrations(scope, channel);
  if (typeof identifier === 'string')
    return active.find((integration) => integration.identifier === identifier);
  const matching =
    tenant === undefined
      ? undefined
      : active.find((candidate) => matchesTenant(scope, candidate, tenant));
  if (matching) return matching;
  return channel === 'in_app' ? active[0] : active.find(({ primary }) => primary);
}

function matchesTenant(scope: Scope, { conditions }: StoredIntegration, identifier: string) {
  if (!conditions || conditions.length === 0) return false;
  const context = findContext(scope, 'tenant', identifier);
  const data = context ? fromJson<object>(context.body) : {};
  return passesFilters(conditions, { tenant: { identifier, data, ...data } });
}

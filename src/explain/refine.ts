// Completes verdicts with what only further reads show: why no integration was active.
import type { ActivityItem } from '../service/schemas/activity.ts';
import { channelIntegrations, integrationCause } from './integrations.ts';
import type { Facts } from './now.ts';
import type { StepVerdict } from './verdict.ts';

export function refineVerdict(item: ActivityItem, facts: Facts, verdict: StepVerdict): StepVerdict {
  if (verdict.cause !== 'no_active_integration' || !facts.integrations) return verdict;
  const candidates = channelIntegrations(facts.integrations, verdict, item);
  const cause = integrationCause(candidates, verdict);
  if (cause !== 'no_primary_integration') return { ...verdict, cause };
  return { ...verdict, cause, integrationId: candidates.find(({ active }) => active)?._id };
}

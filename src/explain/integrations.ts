// Finds out why no integration delivered a channel, from the integrations of today if none has changed since: the
// execution details say only that none was active.

import type { ChannelCause } from '../service/job-outcomes.ts';
import type { ActivityItem } from '../service/schemas/activity.ts';
import { hasPrimary } from '../service/schemas/vocabulary.ts';
import { rawObject } from './causes.ts';
import type { StepVerdict } from './verdict.ts';

/** The part of an integration that matters here. */
export interface IntegrationView {
  _id?: string | undefined;
  _environmentId?: string;
  channel?: string | undefined;
  providerId?: string;
  identifier?: string;
  active?: boolean;
  primary?: boolean;
  updatedAt?: string | undefined;
}

/** The integrations of the step's channel, in the environment of the event. The service lists all environments. */
export const channelIntegrations = (
  all: readonly IntegrationView[],
  { channel }: StepVerdict,
  { _environmentId }: ActivityItem,
) =>
  all.filter(
    (integration) =>
      integration.channel === channel &&
      (integration._environmentId === undefined || integration._environmentId === _environmentId),
  );

/** The clocks of the machines of a service differ. */
const clockMarginMs = 1_000;

/** The more exact cause, if the integrations still are as they were. */
export function integrationCause(
  candidates: readonly IntegrationView[],
  { channel, detail }: StepVerdict,
): ChannelCause {
  const { integrationIdentifier: wanted } = detail ? rawObject(detail) : {};
  const usable =
    typeof wanted === 'string'
      ? candidates.filter(({ identifier }) => identifier === wanted)
      : candidates;
  const eventTime = Date.parse(detail?.createdAt ?? '');
  const isLater = (time: string | undefined) => Date.parse(time ?? '') > eventTime + clockMarginMs;
  if (candidates.some(({ updatedAt }) => isLater(updatedAt))) return 'no_active_integration';
  if (usable.length === 0) return 'no_integration';
  if (!usable.some(({ active }) => active)) return 'inactive_integration';
  const needsPrimary = wanted === undefined && hasPrimary(channel);
  if (needsPrimary && !usable.some(({ active, primary }) => active && primary))
    return 'no_primary_integration';
  return 'no_active_integration';
}

// Evidence from settings of today, marked `now:`. Settings may have changed since the event, so they decide no verdict.
import { asObject, valueAt } from '../core/objects.ts';
import { counted, listText, shorten } from '../core/text.ts';
import type { ChannelCause } from '../service/job-outcomes.ts';
import type { ActivityItem } from '../service/schemas/activity.ts';
import type { ChannelEndpoint } from '../service/schemas/channels.ts';
import type { FeedItem } from '../service/schemas/inbox.ts';
import type { Preferences } from '../service/schemas/preferences.ts';
import { hasPrimary, isInactive } from '../service/schemas/vocabulary.ts';
import type { Workflow } from '../service/schemas/workflows.ts';
import { rawObject, scheduleText } from './details.ts';
import { channelAdjective, type StepVerdict, workflowIdentifier } from './verdict.ts';

/** Facts that were read besides the event. A member is absent if it was not needed or could not be read. */
export interface Facts {
  preferences?: Preferences | undefined;
  workflow?: Workflow | undefined;
  integrations?: readonly IntegrationView[] | undefined;
  subscriber?: SubscriberView | undefined;
  /** Servers before 3.12 have none. */
  endpoints?: readonly ChannelEndpoint[] | undefined;
  feed?: readonly FeedItem[] | undefined;
}

interface SubscriberView {
  email?: string | null | undefined;
  phone?: string | null | undefined;
  channels?: { providerId?: string }[] | null | undefined;
}

export type FactName = keyof Facts;

const readsByCause: Partial<Record<ChannelCause, FactName | readonly FactName[]>> = {
  workflow_preference: 'preferences',
  global_preference: 'preferences',
  schedule: 'preferences',
  workflow_default: 'workflow',
  condition: ['workflow', 'subscriber'],
  missing_email: 'subscriber',
  missing_phone: 'subscriber',
  missing_channel: ['subscriber', 'endpoints'],
  no_active_integration: 'integrations',
};

/** The facts that add evidence to the verdicts, at most one request each. */
export function neededFacts(verdicts: readonly StepVerdict[]): Set<FactName> {
  return new Set(
    verdicts.flatMap(({ cause, verdict, channel }) => {
      if (verdict === 'delivered') return channel === 'in_app' ? ['feed' as const] : [];
      const names = (cause === null ? undefined : readsByCause[cause]) ?? [];
      return channel === 'push' ? [names].flat().filter((name) => name !== 'endpoints') : names;
    }),
  );
}

export function nowEvidence(item: ActivityItem, facts: Facts, verdict: StepVerdict): string[] {
  const { workflow } = facts;
  const inactive = workflow && isInactive(workflow) ? ['the workflow is inactive'] : [];
  return [...lines(item, facts, verdict), ...inactive].map((line) => `now: ${line}`);
}

function lines(item: ActivityItem, facts: Facts, verdict: StepVerdict): string[] {
  const { preferences, workflow, feed } = facts;
  const name = channelAdjective(verdict.channel);
  switch (verdict.cause) {
    case null:
      return verdict.verdict === 'delivered' ? readState(item, verdict, feed) : [];
    case 'workflow_preference': {
      const current = preferences?.workflows?.find(
        (preference) => preference.workflow?.identifier === workflowIdentifier(item),
      );
      return switchLine(current?.channels, verdict, `${name} for this workflow`);
    }
    case 'global_preference':
      return switchLine(preferences?.global?.channels, verdict, `${name} for all workflows`);
    case 'schedule':
      return preferences ? [scheduleLine(preferences)] : [];
    case 'workflow_default': {
      const { user, default: defaults } = workflow?.preferences ?? {};
      const levels = { ...defaults?.channels, ...user?.channels };
      const isOn = levels[verdict.channel]?.enabled ?? user?.all?.enabled ?? defaults?.all?.enabled;
      return isOn === undefined ? [] : [`the workflow has ${name} ${isOn ? 'on' : 'off'}`];
    }
    case 'condition':
      return conditionLines(item, facts, verdict);
    case 'missing_email':
      return addressLine(facts.subscriber ?? item.subscriber, 'email', 'e-mail address');
    case 'missing_phone':
      return addressLine(facts.subscriber ?? item.subscriber, 'phone', 'phone number');
    case 'missing_channel':
      return [...credentialLine(facts, verdict), ...endpointLines(facts, verdict)];
    case 'no_integration':
    case 'inactive_integration':
    case 'no_primary_integration':
    case 'no_active_integration':
      return facts.integrations
        ? integrationLines(channelIntegrations(facts.integrations, verdict, item), name)
        : [];
    default:
      return [];
  }
}

function readState(
  { _id, transactionId }: ActivityItem,
  { channel }: StepVerdict,
  feed: readonly FeedItem[] | undefined,
): string[] {
  const message = feed?.find((candidate) =>
    _id === undefined
      ? candidate.transactionId === transactionId
      : candidate._notificationId === _id,
  );
  if (channel !== 'in_app' || !message) return [];
  if (message.read) return ['read'];
  return [message.seen ? 'seen, but unread' : 'unread'];
}

function switchLine(
  channels: Partial<Record<string, unknown>> | undefined,
  { channel }: StepVerdict,
  text: string,
): string[] {
  const value = channels?.[channel];
  return typeof value === 'boolean' ? [`${text} is ${value ? 'on' : 'off'}`] : [];
}

function scheduleLine({ global }: Preferences): string {
  if (!global?.schedule?.isEnabled) return 'the schedule is off';
  return `the schedule is ${scheduleText(global.schedule) ?? 'on'}`;
}

function addressLine(
  subscriber: SubscriberView | undefined,
  field: 'email' | 'phone',
  noun: string,
): string[] {
  if (!subscriber) return [];
  const value = subscriber[field];
  return [value ? `the subscriber has the ${noun} ${value}` : `the subscriber has no ${noun}`];
}

function credentialLine({ subscriber }: Facts, { channel }: StepVerdict): string[] {
  // Tools are reached through endpoints alone.
  if (!subscriber || channel === 'tool') return [];
  const providers = subscriber.channels?.flatMap(({ providerId }) => providerId ?? []) ?? [];
  return [
    providers.length === 0
      ? 'the subscriber has no credentials for chat or push'
      : `the subscriber has credentials for ${listText([...new Set(providers)])}`,
  ];
}

/** Endpoints are used only for events with the same contexts. */
function endpointLines({ endpoints }: Facts, { channel }: StepVerdict): string[] {
  if (!endpoints || channel === 'push') return [];
  const own = endpoints.filter((endpoint) => endpoint.channel === channel);
  if (own.length === 0) return [`the subscriber has no channel endpoint for ${channel}`];
  const lines = own.slice(0, maxValues).map(({ identifier, providerId, contextKeys = [] }) => {
    const contexts = contextKeys.length === 0 ? '' : `, for ${listText(contextKeys)}`;
    return `the subscriber has the channel endpoint ${identifier} (${providerId})${contexts}`;
  });
  const more = own.length - lines.length;
  return more === 0 ? lines : [...lines, counted(more, 'more channel endpoint')];
}

function integrationLines(all: readonly IntegrationView[], name: string): string[] {
  if (all.length === 0) return [`no integration exists for ${name}`];
  return all.slice(0, 5).map(({ identifier, providerId, active, primary }) => {
    const states = [active ? 'active' : 'inactive', ...(primary ? ['primary'] : [])];
    return `integration ${identifier ?? providerId} is ${states.join(' and ')}`;
  });
}

// The condition of a step and the values of its variables: those of the payload are recorded in the event, those of the
// subscriber are of today.

const maxLength = 160;
const maxValues = 5;

const valueText = (value: unknown) => shorten(JSON.stringify(value) ?? 'missing', maxLength);

/** The `skip` conditions of today of the step, or of all steps of its channel if it is gone. */
function listConditions({ workflow }: Facts, { channel, stepId }: StepVerdict) {
  const steps = workflow?.steps?.filter(({ type }) => type === channel);
  if (!steps) return [];
  const matching = steps.filter(({ _id }) => _id === stepId);
  return (matching.length > 0 ? matching : steps).flatMap((step) => {
    const skip = (step.controls?.values ?? step.controlValues)?.skip;
    return skip === undefined || skip === null ? [] : [{ id: step.stepId, skip }];
  });
}

function conditionLines(item: ActivityItem, facts: Facts, verdict: StepVerdict): string[] {
  const conditions = listConditions(facts, verdict);
  const subscriber = facts.subscriber ?? item.subscriber;
  const paths = new Set(conditions.flatMap(({ skip }) => listVariables(skip)));
  const values = [...paths]
    .filter((path) => path.startsWith('subscriber.') && subscriber)
    .map((path) => `${path} is ${valueText(valueAt({ subscriber }, path))}`);
  return [
    ...conditions.map(({ id, skip }) => `step ${id} has the condition ${valueText(skip)}`),
    ...values.slice(0, maxValues),
  ];
}

/** The values of the payload that the condition compared. */
export function recordedValues(item: ActivityItem, facts: Facts, verdict: StepVerdict): string[] {
  if (verdict.cause !== 'condition' || item.payload === undefined) return [];
  const paths = new Set(listConditions(facts, verdict).flatMap(({ skip }) => listVariables(skip)));
  return [...paths]
    .filter((path) => path.startsWith('payload.'))
    .slice(0, maxValues)
    .map((path) => `${path} was ${valueText(valueAt(item, path))}`);
}

/** The paths of `{"var": "payload.plan"}`, in any place. */
function listVariables(condition: unknown): string[] {
  if (Array.isArray(condition)) return condition.flatMap(listVariables);
  return Object.entries(asObject(condition)).flatMap(([name, value]) => {
    const [path] = [value].flat();
    return name === 'var' && typeof path === 'string' ? [path] : listVariables(value);
  });
}

// Finds out why no integration delivered a channel, from the integrations of today if none has changed since: the
// execution details say only that none was active.

/** The part of an integration that matters here. */
interface IntegrationView {
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
const channelIntegrations = (
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
function integrationCause(
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

// Completes verdicts with what only further reads show: why no integration was active.

export function refineVerdict(item: ActivityItem, facts: Facts, verdict: StepVerdict): StepVerdict {
  if (verdict.cause !== 'no_active_integration' || !facts.integrations) return verdict;
  const candidates = channelIntegrations(facts.integrations, verdict, item);
  const cause = integrationCause(candidates, verdict);
  if (cause !== 'no_primary_integration') return { ...verdict, cause };
  return { ...verdict, cause, integrationId: candidates.find(({ active }) => active)?._id };
}

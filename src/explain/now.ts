// Evidence from settings of today, marked `now:`. They may have changed since the event, so they decide no verdict.

import { listText } from '../core/text.ts';
import type { ChannelCause } from '../service/job-outcomes.ts';
import type { ActivityItem } from '../service/schemas/activity.ts';
import type { FeedItem } from '../service/schemas/inbox.ts';
import type { Preferences } from '../service/schemas/preferences.ts';
import type { Workflow } from '../service/schemas/workflows.ts';
import { conditionLines } from './condition-values.ts';
import { channelIntegrations, type IntegrationView } from './integrations.ts';
import { channelAdjective } from './messages.ts';
import { scheduleText } from './schedule-text.ts';
import { workflowIdentifier } from './subject.ts';
import type { StepVerdict } from './verdict.ts';

/** Facts that were read besides the event. A member is absent if it was not needed or could not be read. */
export interface Facts {
  preferences?: Preferences | undefined;
  workflow?: Workflow | undefined;
  integrations?: readonly IntegrationView[] | undefined;
  subscriber?: SubscriberView | undefined;
  feed?: readonly FeedItem[] | undefined;
}

export interface SubscriberView {
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
  missing_channel: 'subscriber',
  no_active_integration: 'integrations',
};

/** The facts that add evidence to the verdicts, at most one request each. */
export function neededFacts(verdicts: readonly StepVerdict[]): Set<FactName> {
  return new Set(
    verdicts.flatMap(({ cause, verdict, channel }) => {
      if (verdict === 'delivered') return channel === 'in_app' ? ['feed' as const] : [];
      return (cause === null ? undefined : readsByCause[cause]) ?? [];
    }),
  );
}

/** The lines for one verdict. */
export function nowEvidence(item: ActivityItem, facts: Facts, verdict: StepVerdict): string[] {
  const { active, status } = facts.workflow ?? {};
  const isInactive = active === false || status === 'INACTIVE';
  return [...lines(item, facts, verdict), ...(isInactive ? ['the workflow is inactive'] : [])].map(
    (line) => `now: ${line}`,
  );
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
      return channelLines(facts.subscriber);
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
  feed: readonly FeedItem[] = [],
): string[] {
  const message = feed.find((candidate) =>
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

function channelLines(subscriber: SubscriberView | undefined): string[] {
  if (!subscriber) return [];
  const providers = (subscriber.channels ?? []).flatMap(({ providerId }) => providerId ?? []);
  return [
    providers.length === 0
      ? 'the subscriber has no credentials for chat or push'
      : `the subscriber has credentials for ${listText([...new Set(providers)])}`,
  ];
}

function integrationLines(all: readonly IntegrationView[], name: string): string[] {
  if (all.length === 0) return [`no integration exists for ${name}`];
  return all.slice(0, 5).map(({ identifier, providerId, active, primary }) => {
    const states = [active ? 'active' : 'inactive', ...(primary ? ['primary'] : [])];
    return `integration ${identifier ?? providerId} is ${states.join(' and ')}`;
  });
}

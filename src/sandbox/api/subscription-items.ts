// The subscriptions of topics in responses, and the choices that they carry.
import type {
  ListedSubscription,
  SubscribeResponse,
  SubscriptionChoice,
} from '../../service/schemas/topics.ts';
import { isCritical } from '../engine/skip-rules.ts';
import type { Scope } from '../store/scope.ts';
import type { StoredSubscriber } from '../store/subscribers.ts';
import type { StoredSubscription, StoredTopic, SubscriptionPreference } from '../store/topics.ts';
import { allWorkflows, type StoredWorkflow } from '../store/workflows.ts';

export function subscribedItem(
  scope: Scope,
  topic: StoredTopic,
  subscription: StoredSubscription,
  {
    subscriber,
    workflows,
  }: {
    /** Undefined if the identifier belongs to another subscriber. */
    subscriber: StoredSubscriber | undefined;
    /** Those whose choices the response shows. */
    workflows?: readonly StoredWorkflow[] | undefined;
  },
): SubscribeResponse['data'][number] {
  const { id: _id, key, name } = topic;
  return {
    _id: subscription.id,
    topic: { _id, key, ...(name === null ? {} : { name }) },
    subscriber: subscriber ? { ...personOf(subscriber), ...timesOf(subscriber) } : null,
    ...laterMembers(scope, subscription),
    ...(scope.dialect.hasNamedSubscriptions && subscription.name !== undefined
      ? { name: subscription.name }
      : {}),
    ...shownPreferences(subscription, workflows ?? []),
    createdAt: subscription.createdAt,
    updatedAt: subscription.updatedAt,
  };
}

const personOf = ({ id: _id, subscriberId, profile }: StoredSubscriber) => {
  const { avatar, firstName, lastName, email } = profile;
  return { _id, subscriberId, avatar, firstName, lastName, email };
};

const timesOf = ({ createdAt, updatedAt }: StoredSubscriber) => ({ createdAt, updatedAt });

const laterMembers = (
  { dialect }: Scope,
  { identifier, contextKeys }: StoredSubscription,
): { identifier?: string; contextKeys?: string[] } =>
  dialect.hasNamedSubscriptions ? { identifier, contextKeys } : {};

/** In a listing. */
export const serializeSubscription = (
  scope: Scope,
  row: StoredSubscription,
  { id: _id, key, name, ...times }: StoredTopic,
  subscriber: StoredSubscriber,
): ListedSubscription => ({
  _id: row.id,
  topic: { _id, key, ...(name === null ? {} : { name }), ...times },
  createdAt: row.createdAt,
  ...laterMembers(scope, row),
  subscriber: personOf(subscriber),
});

// The choices of a subscription: which workflows reach the subscriber through it.

interface Choice {
  workflow: StoredWorkflow;
  enabled: boolean;
  condition: Record<string, unknown> | undefined;
}

/** The first entry for a workflow counts. Unknown workflows and tags are ignored. */
export function chooseWorkflows(
  scope: Scope,
  entries: readonly SubscriptionChoice[] | undefined,
): Choice[] | undefined {
  const chosen = new Map<string, Choice>();
  for (const { workflowId, filter, enabled, condition } of entries ?? []) {
    const { workflowIds = [workflowId], tags = [] } = filter ?? {};
    const found = allWorkflows(scope).filter(
      ({ id, identifier, tags: own, active }) =>
        workflowIds.includes(id) ||
        workflowIds.includes(identifier) ||
        (active && own.some((tag) => tags.includes(tag))),
    );
    for (const workflow of found)
      if (!chosen.has(workflow.id))
        chosen.set(workflow.id, {
          workflow,
          enabled: enabled ?? isOnByDefault(workflow),
          condition,
        });
  }
  return entries && [...chosen.values()];
}

const isOnByDefault = ({ preferences: { user, default: defaults } }: StoredWorkflow): boolean =>
  user?.all?.enabled ?? defaults?.all?.enabled ?? true;

export const toPreference = ({
  workflow: { id },
  enabled,
  condition,
}: Choice): SubscriptionPreference => ({
  workflow: id,
  enabled,
  ...(condition ? { condition } : {}),
});

/** No member if there are none. */
export function shownPreferences(
  { identifier: subscriptionId, preferences = [] }: StoredSubscription,
  workflows: readonly StoredWorkflow[],
) {
  const items = preferences.flatMap(({ workflow: id, enabled, condition }) => {
    const workflow = workflows.find((candidate) => candidate.id === id);
    if (!workflow) return [];
    const { identifier, name, tags, severity } = workflow;
    return [
      {
        workflow: { id, identifier, name, critical: isCritical(workflow), tags, severity },
        subscriptionId,
        enabled,
        ...(condition ? { condition } : {}),
      },
    ];
  });
  return items.length === 0 ? {} : { preferences: items };
}

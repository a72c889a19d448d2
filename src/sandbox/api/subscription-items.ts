// The subscriptions of topics in responses, and the choices that they carry.
import type {
  ChoiceCondition,
  ListedSubscription,
  SubscribeResponse,
  SubscriptionChoice,
} from '../../service/schemas/topics.ts';
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

/** A single subscription. It also shows what applies to the workflows of a filter that it has no choice for. */
export function subscriptionDetails(
  scope: Scope,
  subscription: StoredSubscription,
  filter: SubscriptionChoice['filter'] = {},
) {
  const { id, identifier, name, preferences = [], contextKeys } = subscription;
  const defaults = findWorkflows(scope, filter)
    .map((workflow) => ({ workflow: workflow.id, enabled: isOnByDefault(workflow) }))
    .filter(({ workflow }) => !preferences.some((own) => own.workflow === workflow));
  const all = [...preferences, ...defaults];
  return {
    id,
    identifier,
    ...(name === undefined ? {} : { name }),
    ...(all.length === 0
      ? {}
      : shownPreferences({ ...subscription, preferences: all }, allWorkflows(scope))),
    contextKeys,
  };
}

// The choices of a subscription: which workflows reach the subscriber through it.

interface Choice {
  workflow: StoredWorkflow;
  enabled: boolean;
  condition: ChoiceCondition | undefined;
}

/** A text is the id of a workflow. The first entry for a workflow counts. Unknown workflows and tags are ignored. */
export function chooseWorkflows(
  scope: Scope,
  entries: readonly (string | SubscriptionChoice)[] | undefined,
): Choice[] | undefined {
  const chosen = new Map<string, Choice>();
  for (const entry of entries ?? []) {
    const { workflowId, filter, enabled, condition }: SubscriptionChoice =
      typeof entry === 'string' ? { workflowId: entry } : entry;
    // An inactive workflow is found by its id alone.
    const { workflowIds = [workflowId], tags } = filter ?? {};
    const named = findWorkflows(scope, { workflowIds });
    const tagged = findWorkflows(scope, { tags }).filter(({ active }) => active);
    for (const workflow of [...named, ...tagged])
      if (!chosen.has(workflow.id))
        chosen.set(workflow.id, {
          workflow,
          enabled: enabled ?? isOnByDefault(workflow),
          condition: condition ?? undefined,
        });
  }
  return entries && [...chosen.values()];
}

const findWorkflows = (
  scope: Scope,
  { workflowIds = [], tags = [] }: NonNullable<SubscriptionChoice['filter']>,
): StoredWorkflow[] =>
  workflowIds.length + tags.length === 0
    ? []
    : allWorkflows(scope).filter(
        ({ id, identifier, tags: own }) =>
          workflowIds.includes(id) ||
          workflowIds.includes(identifier) ||
          own.some((tag) => tags.includes(tag)),
      );

const isOnByDefault = ({ preferences: { user, default: defaults } }: StoredWorkflow): boolean =>
  user?.all?.enabled ?? defaults?.all?.enabled ?? true;

export const toPreference = ({
  workflow: { id },
  enabled,
  condition,
}: Choice): SubscriptionPreference => ({
  workflow: id,
  enabled,
  ...(condition === undefined ? {} : { condition }),
});

/** The service says only in the list of preferences that a workflow is critical. */
export const toWorkflow = (
  { id, identifier, name, tags, severity }: StoredWorkflow,
  critical = false,
) => ({ id, identifier, name, critical, tags, severity: severity ?? 'none' });

/** No member if there are none. */
export function shownPreferences(
  { identifier: subscriptionId, preferences = [] }: StoredSubscription,
  workflows: readonly StoredWorkflow[],
) {
  const items = preferences.flatMap(({ workflow: id, enabled, condition }) => {
    const workflow = workflows.find((candidate) => candidate.id === id);
    if (!workflow) return [];
    return [
      {
        workflow: toWorkflow(workflow),
        subscriptionId,
        enabled,
        ...(condition === undefined ? {} : { condition }),
      },
    ];
  });
  return items.length === 0 ? {} : { preferences: items };
}

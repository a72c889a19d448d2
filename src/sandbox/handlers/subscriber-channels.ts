// Changes preferences for several workflows, and counts and marks the inbox.

import { isCritical, mergePreferences } from '../engine/channel-preferences.ts';
import { markMessage } from '../engine/mark-message.ts';
import { inbox } from '../store/messages.ts';
import {
  channels as allChannels,
  globalPreferenceKey,
  preferencesOf,
} from '../store/preferences.ts';
import type { Scope } from '../store/scope.ts';
import { findSubscriber } from '../store/subscribers.ts';
import { findWorkflow, type StoredWorkflow } from '../store/workflows.ts';
import { badRequest, notFound } from '../values/http-error.ts';
import { idInSlug } from '../values/slugs.ts';
import type { Call, Handler } from './handler.ts';
import { updateForWorkflow } from './preferences.ts';

/** Changes nothing if a workflow does not exist. Of several entries for a workflow, the last one counts. */
export const updateManyPreferences: Handler<'updateManyPreferences'> = ({
  path: { subscriberId },
  body: { preferences },
  scope,
}) => {
  const subscriber = findSubscriber(scope, subscriberId);
  if (!subscriber) throw notFound(`Subscriber with id: ${subscriberId} is not found`);
  if (preferences.length === 0) throw badRequest('No preferences provided for bulk update');
  const found = preferences.map((one) => ({ one, workflow: workflowOf(scope, one.workflowId) }));
  const unknown = found.filter(({ workflow }) => !workflow).map(({ one }) => one.workflowId);
  if (unknown.length > 0) throw notFound(`Workflows with ids: ${unknown.join(', ')} not found`);
  const changes = new Map<string, (typeof found)[number]>();
  for (const entry of found) changes.set(entry.workflow?.id ?? '', entry);
  return [...changes.values()].flatMap(({ one, workflow }) => {
    if (!workflow) return [];
    if (!isCritical(workflow))
      updateForWorkflow(scope, subscriber.id, workflow.id, knownChannels(one.channels));
    return [changedPreference(scope, subscriber.id, workflow)];
  });
};

type Channels = Call<'updateManyPreferences'>['body']['preferences'][number]['channels'];

const knownChannels = (channels: Channels): Channels =>
  Object.fromEntries(
    Object.entries(channels).filter(([name]) => (allChannels as readonly string[]).includes(name)),
  );

function workflowOf(scope: Scope, id: string): StoredWorkflow | undefined {
  const internalId = idInSlug(id, 'wf') ?? id;
  return findWorkflow(scope, 'identifier', id) ?? findWorkflow(scope, 'id', internalId);
}

/** The preference has the channels of the workflow's active steps. */
function changedPreference(scope: Scope, subscriber: string, workflow: StoredWorkflow) {
  const stored = preferencesOf(scope, subscriber);
  const { enabled, channels } = mergePreferences(
    workflow,
    stored.get(globalPreferenceKey)?.channels,
    stored.get(workflow.id)?.channels,
  );
  const used = new Set(workflow.steps.filter(({ active }) => active).map(({ type }) => type));
  const { id, identifier, name, tags, severity } = workflow;
  return {
    level: 'template',
    enabled,
    channels: Object.fromEntries(
      allChannels.filter((one) => used.has(one)).map((one) => [one, channels[one]]),
    ),
    workflow: { id, identifier, name, critical: isCritical(workflow), tags, severity },
  };
}

/** Counts up to the limit. */
export const countInboxNotifications: Handler<'countInboxNotifications'> = ({
  path: { subscriberId },
  query: { seen = false, limit = 100 },
  scope,
}) => {
  const subscriber = findSubscriber(scope, subscriberId);
  if (!subscriber) {
    throw badRequest(
      `Subscriber ${subscriberId} is not exist in environment ${scope.environmentId}, please provide a valid subscriber identifier`,
    );
  }
  // The service fails with 500 for another text.
  if (typeof seen !== 'boolean') throw badRequest('seen must be true or false');
  return { count: inbox(scope, subscriber.id, { seen, limit }).length };
};

/** Returns the number of changed notifications; an unknown state counts all of them and changes none. */
export const markAllInboxNotifications: Handler<'markAllInboxNotifications'> = ({
  path: { subscriberId },
  body: { markAs, feedIdentifier },
  scope,
}) => {
  const subscriber = findSubscriber(scope, subscriberId);
  if (!subscriber) {
    throw notFound(
      `Subscriber ${subscriberId} does not exist in environment ${scope.environmentId}, please provide a valid subscriber identifier`,
    );
  }
  // The sandbox has no feeds.
  if (feedIdentifier !== undefined) return 0;
  const filter = filters[markAs as string] ?? {};
  const messages = inbox(scope, subscriber.id, filter);
  if (!(markAs in filters)) return messages.length;
  for (const message of messages) markMessage(scope, message, markAs);
  return messages.length;
};

const filters: Record<string, { read?: boolean; seen?: boolean }> = {
  read: { read: false },
  unread: { read: true },
  seen: { seen: false },
  unseen: { seen: true },
};

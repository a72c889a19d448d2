// The variables for templates and conditions of a run: payload, subscriber, context, earlier steps.

import type { JsonObject } from '../../core/objects.ts';
import { findContext } from '../store/contexts.ts';
import { messageOfJob } from '../store/messages.ts';
import type { Scope } from '../store/scope.ts';
import { findSubscriber, type StoredSubscriber } from '../store/subscribers.ts';
import { type Run, readEnvironmentValues } from './run.ts';

export const readVariables = (scope: Scope, run: Run): JsonObject => ({
  // Templates of the older editor name the members of the payload alone.
  ...(run.workflow.origin === 'novu-cloud-v1' ? run.notification.payload : {}),
  workflow: workflowVariables(run),
  payload: run.notification.payload,
  subscriber: subscriberVariables(run.subscriber),
  ...laterVariables(scope, run),
  context: readContexts(scope, run.notification.contextKeys),
  // Few templates use it.
  get steps() {
    return readOutputs(scope, run);
  },
});

function outputOfSkipped(scope: Scope, { notification }: Run, id: string, type: string) {
  const { createdAt: time } = notification;
  if (type === 'digest')
    return { events: [{ id, time, payload: notification.payload }], eventCount: 1 };
  if (type === 'delay') return { duration: Date.parse(scope.now) - Date.parse(time) };
  return type === 'throttle' ? { throttled: false } : {};
}

const workflowVariables = ({ workflow }: Run) => ({
  workflowId: workflow.identifier,
  name: workflow.name,
  description: workflow.description,
  tags: workflow.tags,
  severity: workflow.severity,
});

export const subscriberVariables = (subscriber: StoredSubscriber | undefined): JsonObject =>
  subscriber ? { subscriberId: subscriber.subscriberId, ...subscriber.profile } : {};

/** The variables that later versions have. */
function laterVariables(scope: Scope, { notification: { actor } }: Run): JsonObject {
  const env = readEnvironmentValues(scope);
  if (!env) return {};
  const found = actor === undefined ? undefined : findSubscriber(scope, actor);
  return { env, ...(found ? { actor: subscriberVariables(found) } : {}) };
}

export const readContexts = (scope: Scope, contextKeys: readonly string[]): JsonObject =>
  Object.fromEntries(
    contextKeys.flatMap((key) => {
      const [type = '', ...id] = key.split(':');
      const context = findContext(scope, type, id.join(':'));
      if (!context) return [];
      return [[type, { id: context.contextId, data: context.data }]];
    }),
  );

/**
 * The output of an in-app step is the current read and seen state of its message, if there is one. Skipped digests
 * and delays have an output, too.
 */
const readOutputs = (scope: Scope, run: Run) =>
  Object.fromEntries(
    run.jobs.flatMap(({ id, type, status, stepId, output }) => {
      if (output) return [[stepId, output]];
      if (status === 'skipped') return [[stepId, outputOfSkipped(scope, run, id, type)]];
      if (type !== 'in_app' || status === 'pending') return [];
      const message = status === 'completed' ? messageOfJob(scope, id) : undefined;
      const {
        read = false,
        seen = false,
        lastReadDate = null,
        lastSeenDate = null,
      } = message ?? {};
      return [[stepId, { read, seen, lastReadDate, lastSeenDate }]];
    }),
  );

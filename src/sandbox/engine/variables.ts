// The variables for templates and conditions of a run: payload, subscriber, context, earlier steps.

import { type JsonObject, valueAt } from '../../core/objects.ts';
import { findContext } from '../store/contexts.ts';
import { messageOfJob } from '../store/messages.ts';
import { findNotification } from '../store/notifications.ts';
import type { Scope } from '../store/scope.ts';
import type { Run } from './run.ts';

export const readVariables = (scope: Scope, run: Run): JsonObject => ({
  // Templates of the older editor name the members of the payload alone.
  ...(run.workflow.origin === 'novu-cloud-v1' ? run.notification.payload : {}),
  workflow: workflowVariables(run),
  payload: run.notification.payload,
  subscriber: { subscriberId: run.subscriber.subscriberId, ...run.subscriber.profile },
  context: readContexts(scope, run),
  // Few templates use it.
  get steps() {
    return readOutputs(scope, run);
  },
});

function outputOfSkipped(scope: Scope, { notification }: Run, id: string, type: string) {
  const { createdAt: time = scope.now } = findNotification(scope, notification.id) ?? {};
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

const readContexts = (scope: Scope, { notification }: Run) =>
  Object.fromEntries(
    notification.contextKeys.flatMap((key) => {
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

/**
 * Resolves the key of a step control, with or without `{{ }}`: first among all variables, then in
 * the payload.
 */
export function resolveKey(variables: Record<string, unknown>, key: string): unknown {
  const path = key.replace(/^\s*\{\{\s*|\s*\}\}\s*$/g, '').trim();
  return valueAt(variables, path) ?? valueAt(variables.payload, path);
}

// The variables for templates and conditions of a run: payload, subscriber, context, earlier steps.
import type { Variables } from '../rendering/liquid.ts';
import { findContext } from '../store/contexts.ts';
import { messageOfJob } from '../store/messages.ts';
import type { Scope } from '../store/scope.ts';
import { fromJson } from '../store/sql.ts';
import type { Run } from './run.ts';

export const variablesOf = (scope: Scope, run: Run): Variables => ({
  workflow: workflowVariables(run),
  payload: run.notification.payload,
  subscriber: { subscriberId: run.subscriber.subscriberId, ...run.subscriber.profile },
  context: contextsOf(scope, run),
  // Few templates use it.
  get steps() {
    return outputsOf(scope, run);
  },
});

const workflowVariables = ({ workflow }: Run) => ({
  workflowId: workflow.identifier,
  name: workflow.name,
  description: workflow.description,
  tags: workflow.tags,
  severity: workflow.severity,
});

const contextsOf = (scope: Scope, { notification }: Run) =>
  Object.fromEntries(
    notification.contextKeys.flatMap((key) => {
      const [type = '', ...id] = key.split(':');
      const found = findContext(scope, type, id.join(':'));
      if (!found) return [];
      return [[type, { id: found.context_id, data: fromJson<unknown>(found.body) }]];
    }),
  );

/** The output of an in-app step is the current read and seen state of its message, if there is one. */
const outputsOf = (scope: Scope, { jobs }: Run) =>
  Object.fromEntries(
    jobs.flatMap(({ id, type, status, stepId, output }) => {
      if (output) return [[stepId, output]];
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

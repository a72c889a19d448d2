// Creates the jobs of queued events, in the order in which the events were accepted.
import { firstQueuedEvent, removeQueuedEvent } from '../store/queued-events.ts';
import type { Scope } from '../store/scope.ts';
import { workflowOf } from './definitions.ts';
import type { DueSource } from './run-due.ts';
import { type AcceptedEvent, startEvent } from './start-event.ts';

/** `until` is a time of the machine in milliseconds. */
export function runQueue(
  { sql, scope: open, onInternalError }: Omit<DueSource, 'clock'>,
  until: number,
): void {
  // The same scope for all events of an environment, so that definitions are read once.
  const scopes = new Map<string, Scope>();
  for (
    let queued = firstQueuedEvent(sql);
    queued && queued.runAt <= until;
    queued = firstQueuedEvent(sql)
  ) {
    removeQueuedEvent(sql, queued.id);
    const scope = scopes.get(queued.environmentId) ?? open(queued.environmentId);
    scopes.set(queued.environmentId, scope);
    try {
      const { workflow: id, ...event } = queued.read<AcceptedEvent & { workflow: string }>();
      const workflow = workflowOf(scope, 'id', id);
      if (workflow) startEvent(scope, workflow, event);
    } catch (error) {
      // An error in one event must not stop the other events.
      onInternalError(error);
    }
  }
}

// Starts an accepted event: stores one run per subscriber and executes each run until it waits or finishes.
import type { z } from 'zod';
import { isObject } from '../../core/objects.ts';
import type { Recipient, triggerEvent } from '../../service/schemas/events.ts';
import { ensureContext } from '../store/contexts.ts';
import { insertEvent } from '../store/events.ts';
import type { Scope } from '../store/scope.ts';
import type { StoredWorkflow } from '../store/workflows.ts';
import { isCritical } from './channel-preferences.ts';
import { isSeverityKnown } from './overrides.ts';
import { markTriggered } from './read-once.ts';
import { resolveRecipients, saveActor, saveRecipient } from './recipients.ts';
import { createJobTemplates, type RunTemplate, startRun } from './start-run.ts';

export type EventFields = Omit<z.output<typeof triggerEvent>, 'to'>;

export const tenantIdentifier = (tenant: NonNullable<EventFields['tenant']>) =>
  typeof tenant === 'string' ? tenant : tenant.identifier;

export interface AcceptedEvent {
  event: EventFields;
  transactionId: string;
  recipients: readonly Recipient[];
  /** The event as it was sent. */
  submitted: unknown;
  /** Sent to all subscribers, whose internal ids the activity shows. */
  isBroadcast?: boolean;
}

export function startEvent(
  scope: Scope,
  workflow: StoredWorkflow,
  { event, transactionId, recipients, submitted, isBroadcast = false }: AcceptedEvent,
): void {
  // The payload has the defaults of its schema.
  const stored = isObject(submitted) ? { ...submitted, payload: event.payload ?? {} } : submitted;
  insertEvent(scope, { transactionId, workflow: workflow.id, event: stored });
  markTriggered(scope, workflow.id);
  const actor = saveActor(scope, event.actor);
  const template: RunTemplate = {
    workflow,
    transactionId,
    jobs: createJobTemplates(scope, workflow),
    contextKeys: saveContexts(scope, event.context ?? {}),
    critical: isCritical(workflow),
    payload: event.payload ?? {},
    overrides: event.overrides ?? {},
    isBroadcast,
    ...(actor === undefined ? {} : { actor }),
    ...(event.tenant === undefined ? {} : { tenant: tenantIdentifier(event.tenant) }),
  };
  for (const recipient of resolveRecipients(scope, recipients, actor)) {
    const subscriber = saveRecipient(scope, recipient);
    // The service creates no run with an unknown severity.
    if (isSeverityKnown(template.overrides)) startRun(scope, template, recipient, subscriber);
  }
}

/** Creates missing contexts and returns the keys of all contexts. */
function saveContexts(scope: Scope, contexts: NonNullable<EventFields['context']>): string[] {
  return Object.entries(contexts).map(([type, value]) => {
    const { id, data = {} } = typeof value === 'string' ? { id: value } : value;
    ensureContext(scope, type, id, data);
    return `${type}:${id}`;
  });
}

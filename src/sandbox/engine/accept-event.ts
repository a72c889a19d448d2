// Accepts a triggered event: validates it as the service does, then stores one run per subscriber
// and executes each run until it waits or finishes.
import type { z } from 'zod';
import { type TriggerResult, triggerEvent } from '../../api/schemas/events.ts';
import type { TriggerStatus } from '../../api/schemas/vocabulary.ts';
import { ensureContext, findContext } from '../store/contexts.ts';
import { insertEvent, isTransactionUsed } from '../store/events.ts';
import type { Scope } from '../store/scope.ts';
import { findWorkflow, recordTriggered, type StoredWorkflow } from '../store/workflows.ts';
import { isCritical } from './channel-preferences.ts';
import { payloadErrors } from './payload-schema.ts';
import {
  readableRecipients,
  readRecipients,
  resolveRecipients,
  saveActor,
  saveRecipient,
} from './recipients.ts';
import { createJobTemplates, type RunTemplate, startRun } from './start-run.ts';

export const eventFields = triggerEvent.omit({ to: true });
export type EventFields = z.output<typeof eventFields>;

type SkipReason = Exclude<TriggerStatus, 'error' | 'processed'>;

const rejectedEvent = (error: string[]): TriggerResult => ({
  acknowledged: true,
  status: 'error',
  error,
});
export const skippedEvent = (status: SkipReason): TriggerResult => ({ acknowledged: true, status });

export function acceptEvent(scope: Scope, submitted: unknown): TriggerResult {
  if (typeof submitted !== 'object' || submitted === null)
    return rejectedEvent(['event is not an object']);
  const { to, ...rest } = submitted as { to?: unknown; payload?: unknown };
  const fields = eventFields.safeParse(withoutUnknown(rest));
  if (!fields.success) {
    return rejectedEvent(
      scope.compat ? [serviceError(fields.error)] : fields.error.issues.map(issueMessage),
    );
  }
  // The service requires `to` and `payload`, and skips recipients that it cannot read.
  if (scope.compat && (to === undefined || rest.payload === undefined))
    return rejectedEvent(['Validation failed']);
  const recipients = scope.compat ? { all: readableRecipients(to) } : readRecipients(to);
  if ('errors' in recipients) return rejectedEvent(recipients.errors);

  const event = fields.data;
  const workflow = findWorkflow(scope, 'identifier', event.name);
  if (!workflow) return rejectedEvent(['workflow_not_found']);
  const errors = payloadErrors(workflow, event.payload ?? {});
  if (errors.length > 0) return rejectedEvent(errors);
  const skipReason = findSkipReason(scope, event, workflow);
  if (skipReason) return skippedEvent(skipReason);
  if ('invalid' in recipients) return skippedEvent('invalid_recipients');

  const transactionId = event.transactionId ?? scope.ids.transactionId();
  // Like the service, reports a reused transaction id as processed but drops the event.
  if (!isTransactionUsed(scope, transactionId)) {
    insertEvent(scope, { transactionId, workflow: workflow.id, event: submitted });
    startRuns(scope, { event, workflow, transactionId }, recipients.all);
  }
  return { acknowledged: true, status: 'processed', transactionId };
}

export function findSkipReason(
  scope: Scope,
  { tenant }: EventFields,
  { active, steps }: StoredWorkflow,
): SkipReason | undefined {
  if (tenant !== undefined) {
    const identifier = tenantOf(tenant);
    // The sandbox stores tenants as contexts of type `tenant`: the specification defines no other
    // resource for them.
    if (!findContext(scope, 'tenant', identifier)) return 'no_tenant_found';
  }
  if (!active) return 'trigger_not_active';
  if (steps.length === 0) return 'no_workflow_steps_defined';
  return steps.some((step) => step.active) ? undefined : 'no_workflow_active_steps_defined';
}

const tenantOf = (tenant: NonNullable<EventFields['tenant']>) =>
  typeof tenant === 'string' ? tenant : tenant.identifier;

interface AcceptedEvent {
  event: EventFields;
  workflow: StoredWorkflow;
  transactionId: string;
}

export function startRuns(
  scope: Scope,
  { event, workflow, transactionId }: AcceptedEvent,
  recipients: Parameters<typeof resolveRecipients>[1],
): void {
  recordTriggered(scope, workflow.id);
  const actor = saveActor(scope, event.actor);
  const template: RunTemplate = {
    workflow,
    transactionId,
    jobs: createJobTemplates(scope, workflow),
    contextKeys: saveContexts(scope, event.context ?? {}),
    critical: isCritical(workflow),
    payload: event.payload ?? {},
    overrides: event.overrides ?? {},
    ...(actor === undefined ? {} : { actor }),
    ...(event.tenant === undefined ? {} : { tenant: tenantOf(event.tenant) }),
  };
  for (const recipient of resolveRecipients(scope, recipients, actor)) {
    startRun(scope, template, recipient, saveRecipient(scope, recipient));
  }
}

/** The service checks the payload on its own, after all other members. */
const serviceError = ({ issues }: z.ZodError): string =>
  issues.every(({ path }) => path[0] === 'payload')
    ? 'Payload validation failed: root: must be object'
    : 'Validation failed';

/** The service ignores members that it does not know. */
export const withoutUnknown = (event: object) =>
  Object.fromEntries(Object.entries(event).filter(([name]) => name in eventFields.shape));

/** Creates missing contexts and returns the keys of all contexts. */
function saveContexts(scope: Scope, contexts: NonNullable<EventFields['context']>): string[] {
  return Object.entries(contexts).map(([type, value]) => {
    const { id, data = {} } = typeof value === 'string' ? { id: value } : value;
    ensureContext(scope, type, id, data);
    return `${type}:${id}`;
  });
}

const issueMessage = ({ path, message }: z.core.$ZodIssue) =>
  [path.join('.'), message].filter(Boolean).join(' ');

// Accepts a triggered event: validates it as the service does, then starts it at once or a moment later.
import { z } from 'zod';
import { asObject, isObject } from '../../core/objects.ts';
import { payloadErrors } from '../../service/payload-schema.ts';
import { contextMessage } from '../../service/rules/event-contexts.ts';
import { type TriggerResult, triggerEvent } from '../../service/schemas/events.ts';
import { jsonObject } from '../../service/schemas/values.ts';
import type { TriggerStatus } from '../../service/schemas/vocabulary.ts';
import { findContext } from '../store/contexts.ts';
import { isTransactionUsed } from '../store/events.ts';
import { queueEvent } from '../store/queued-events.ts';
import type { Scope } from '../store/scope.ts';
import type { StoredWorkflow } from '../store/workflows.ts';
import { readWorkflow } from './read-once.ts';
import { readableRecipients, readRecipients } from './recipients.ts';
import { type AcceptedEvent, startEvent, tenantIdentifier } from './start-event.ts';

const eventFields = triggerEvent.omit({ to: true });
/** The service ignores other members of a context. */
const contextValue = z.union([
  z.string(),
  z.object({ id: z.string(), data: jsonObject.optional() }),
]);
/** An empty name is accepted here; no workflow has it. The payload is checked on its own, after all other members. */
export const serviceFields = eventFields
  .extend({
    name: z.string(),
    context: z
      .record(z.string(), contextValue)
      .refine((contexts) => contextMessage(contexts) === undefined)
      .optional(),
  })
  .omit({ payload: true });

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
  const { to, payload: given, ...rest } = submitted as { to?: unknown; payload?: unknown };
  const { checksRecipients, requiresPayload } = scope.dialect;
  const fields = serviceFields.safeParse(asServiceReads(rest));
  if (!fields.success || (requiresPayload && isAbsent(given)))
    return rejectedEvent(['Validation failed']);
  if (!checksRecipients && isAbsent(to)) return rejectedEvent(['Validation failed']);
  const recipients = checksRecipients ? readRecipients(to) : { all: readableRecipients(to) };
  if ('errors' in recipients) return rejectedEvent(recipients.errors);

  // A copy, because the defaults of the schema are filled in.
  const payload: unknown = isAbsent(given) ? {} : structuredClone(given);
  const event = { ...fields.data, payload: asObject(payload) };
  const workflow = readWorkflow(scope, 'identifier', event.name);
  if (!workflow) return rejectedEvent(['workflow_not_found']);
  // The service takes a payload of another type if the workflow does not validate it.
  const errors = payloadErrors(workflow, payload);
  if (errors.length > 0) return rejectedEvent(errors);
  const skipReason = findSkipReason(scope, event, workflow);
  if (skipReason) return skippedEvent(skipReason);
  if ('invalid' in recipients) return skippedEvent('invalid_recipients');

  const transactionId = event.transactionId ?? scope.ids.transactionId();
  const accepted = { event, transactionId, recipients: recipients.all, submitted };
  startOrQueue(scope, workflow, accepted);
  return { acknowledged: true, status: 'processed', transactionId };
}

/** Like the service, accepts an event with a transaction id that was used before, but drops it. */
export function startOrQueue(
  scope: Scope,
  workflow: StoredWorkflow,
  accepted: AcceptedEvent,
): void {
  if (isTransactionUsed(scope, accepted.transactionId)) return;
  if (scope.jobsAt === undefined) startEvent(scope, workflow, accepted);
  else queueEvent(scope, { ...accepted, workflow: workflow.id }, scope.jobsAt);
}

export function findSkipReason(
  scope: Scope,
  { tenant }: z.output<typeof eventFields>,
  { active, steps }: StoredWorkflow,
): SkipReason | undefined {
  if (tenant !== undefined) {
    const identifier = tenantIdentifier(tenant);
    // The sandbox stores tenants as contexts of type `tenant`: the specification defines no other
    // resource for them.
    if (!findContext(scope, 'tenant', identifier)) return 'no_tenant_found';
  }
  if (!active) return 'trigger_not_active';
  if (steps.length === 0) return 'no_workflow_steps_defined';
  return steps.some((step) => step.active) ? undefined : 'no_workflow_active_steps_defined';
}

const isAbsent = (value: unknown) => value === undefined || value === null;

/** The service takes null as absent, and also empty texts and overrides that are not an object. */
export const asServiceReads = (event: object) =>
  Object.fromEntries(
    Object.entries(withoutUnknown(event)).filter(
      ([name, value]) =>
        !isAbsent(value) &&
        (value !== '' || name === 'name') &&
        (name !== 'overrides' || isObject(value)),
    ),
  );

/** The service ignores members that it does not know. */
const withoutUnknown = (event: object) =>
  Object.fromEntries(Object.entries(event).filter(([name]) => name in eventFields.shape));

// Accepts a triggered event: validates it as the service does, then starts it at once or a moment later.

import { z } from 'zod';
import { asObject, isObject, type JsonObject } from '../../core/objects.ts';
import { payloadErrors, schemaErrors } from '../../service/payload-schema.ts';
import { contextMessage } from '../../service/rules/event-contexts.ts';
import { type TriggerResult, triggerEvent } from '../../service/schemas/events.ts';
import { jsonObject } from '../../service/schemas/values.ts';
import type { TriggerStatus } from '../../service/schemas/vocabulary.ts';
import { badRequest, unprocessable } from '../http/http-error.ts';
import { findContext } from '../store/contexts.ts';
import { isTransactionUsed, queueEvent } from '../store/events.ts';
import { derivedUuid } from '../store/ids.ts';
import type { Scope } from '../store/scope.ts';
import { allSubscriberIds } from '../store/subscribers.ts';
import { findWorkflow, type StoredWorkflow } from '../store/workflows.ts';
import { readableRecipients, readRecipients } from './recipients.ts';
import { readWorkflow } from './run.ts';
import {
  type AcceptedEvent,
  type EventFields,
  startEvent,
  tenantIdentifier,
} from './start-event.ts';

const eventFields = triggerEvent.omit({ to: true });
/** The service ignores other members of a context. */
const contextValue = z.union([
  z.string(),
  z.object({ id: z.string(), data: jsonObject.optional() }),
]);
/** An empty name is accepted here; no workflow has it. The payload is checked on its own, after all other members. */
const serviceFields = eventFields
  .extend({
    name: z.string(),
    context: z
      .record(z.string(), contextValue)
      .refine((contexts) => contextMessage(contexts) === undefined)
      .optional(),
  })
  .omit({ payload: true });

type SkipReason = Exclude<TriggerStatus, 'error' | 'processed'>;

const rejectedEvent = (error: string[], transactionId?: string): TriggerResult => ({
  acknowledged: true,
  status: 'error',
  error,
  ...(transactionId === undefined ? {} : { transactionId }),
});

function skippedEvent(
  { dialect, ids }: Scope,
  status: SkipReason,
  { transactionId = ids.transactionId() }: { transactionId?: string | undefined },
): TriggerResult {
  return { acknowledged: true, status, ...(dialect.showsTransactions ? { transactionId } : {}) };
}

/** The sandbox has no agents. */
const agentMessage = (
  { dialect }: Scope,
  { agentId }: { agentId?: unknown },
): string | undefined =>
  dialect.hasLaterSteps && typeof agentId === 'string'
    ? `Agent with identifier "${agentId}" was not found.`
    : undefined;

export function acceptEvent(scope: Scope, submitted: unknown): TriggerResult {
  if (typeof submitted !== 'object' || submitted === null)
    return rejectedEvent(['event is not an object']);
  const { to, payload: content, ...rest } = submitted as { to?: unknown; payload?: unknown };
  const { checksRecipients, requiresPayload } = scope.dialect;
  const fields = serviceFields.safeParse(asServiceReads(rest));
  if (!fields.success || (requiresPayload && isAbsent(content)))
    return rejectedEvent(['Validation failed']);
  if (!checksRecipients && isAbsent(to)) return rejectedEvent(['Validation failed']);
  const recipients = checksRecipients ? readRecipients(to) : { all: readableRecipients(to) };
  if ('errors' in recipients) return rejectedEvent(recipients.errors);

  // A copy, because the defaults of the schema are filled in.
  const payload: unknown = isAbsent(content) ? {} : structuredClone(content);
  const event = { ...fields.data, payload: asObject(payload) };
  const workflow = readWorkflow(scope, 'identifier', event.name);
  const ownTransaction = scope.dialect.showsTransactions ? event.transactionId : undefined;
  if (!workflow) return rejectedEvent(['workflow_not_found'], ownTransaction);
  // The service takes a payload of another type if the workflow does not validate it.
  const errors = payloadErrors(workflow, payload);
  const missingFiles = scope.dialect.hasLaterLimits ? filesMissingIn(event.payload) : [];
  if (missingFiles.length > 0) errors.push(payloadText(missingFiles));
  const unknownAgent = agentMessage(scope, submitted);
  if (unknownAgent) errors.push(unknownAgent);
  if (errors.length > 0) return rejectedEvent(errors, ownTransaction);
  const skipReason = findSkipReason(scope, event, workflow);
  if (skipReason) return skippedEvent(scope, skipReason, event);
  if ('invalid' in recipients) return skippedEvent(scope, 'invalid_recipients', event);

  const transactionId = event.transactionId ?? scope.ids.transactionId();
  const accepted = { event, transactionId, recipients: recipients.all, submitted };
  startOrQueue(scope, workflow, accepted);
  return { acknowledged: true, status: 'processed', transactionId };
}

/** Like the service, accepts an event with a transaction id that was used before, but drops it. */
function startOrQueue(scope: Scope, workflow: StoredWorkflow, accepted: AcceptedEvent): void {
  if (isTransactionUsed(scope, accepted.transactionId)) return;
  if (scope.jobsAt === undefined) startEvent(scope, workflow, accepted);
  else queueEvent(scope, { ...accepted, workflow: workflow.id }, scope.jobsAt);
}

function findSkipReason(
  scope: Scope,
  { tenant }: EventFields,
  { active, steps }: StoredWorkflow,
): SkipReason | undefined {
  if (tenant !== undefined) {
    const identifier = tenantIdentifier(tenant);
    // The sandbox stores tenants as contexts of type `tenant`: the specification defines no other
    // resource for them.
    if (!findContext(scope, 'tenant', identifier)) return 'no_tenant_found';
  }
  if (!active) return 'trigger_not_active';
  if (scope.dialect.acceptsEmptyWorkflows) return undefined;
  if (steps.length === 0) return 'no_workflow_steps_defined';
  return steps.some((step) => step.active) ? undefined : 'no_workflow_active_steps_defined';
}

const isAbsent = (value: unknown) => value === undefined || value === null;

/** The service takes null as absent, and also empty texts and overrides that are not an object. */
const asServiceReads = (event: object) =>
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

// Accepts a single event or a broadcast. Unlike in a list of events, an error is the status of the response.

/** Throws if the workflow does not exist or rejects the payload. */
export function acceptSingle(
  scope: Scope,
  submitted: { to?: unknown; agentId?: unknown },
): TriggerResult {
  const { to, ...rest } = submitted;
  const event = readEvent(rest);
  const workflow = requireWorkflowFor(scope, event);
  const skipReason = findSkipReason(scope, event, workflow);
  if (skipReason) return skippedEvent(scope, skipReason, event);
  const unknownAgent = agentMessage(scope, submitted);
  if (unknownAgent) throw badRequest(unknownAgent);
  const transactionId = event.transactionId ?? scope.ids.transactionId();
  const recipients = readableRecipients(to);
  startOrQueue(scope, workflow, { event, transactionId, recipients, submitted });
  return { acknowledged: true, status: 'processed', transactionId };
}

/** An inactive workflow, and one without steps, is reported as processed, too. */
export function acceptBroadcast(scope: Scope, submitted: object): TriggerResult {
  const event = readEvent(submitted);
  const workflow = requireWorkflowFor(scope, event);
  const transactionId = event.transactionId ?? derivedUuid(scope.ids.objectId());
  const recipients = allSubscriberIds(scope);
  if (findSkipReason(scope, event, workflow) === undefined)
    startOrQueue(scope, workflow, {
      event,
      transactionId,
      recipients,
      submitted,
      isBroadcast: true,
    });
  return { acknowledged: true, status: 'processed', transactionId };
}

const singleFields = serviceFields.extend({ payload: jsonObject.optional() });

function readEvent(submitted: object): EventFields {
  const fields = singleFields.safeParse(asServiceReads(submitted));
  if (fields.success) return fields.data;
  const [issue] = fields.error.issues;
  throw badRequest(`${issue?.path.join('.')} ${issue?.message}`);
}

function requireWorkflowFor(scope: Scope, { name, payload = {} }: EventFields): StoredWorkflow {
  const workflow = findWorkflow(scope, 'identifier', name);
  if (!workflow) throw unprocessable('workflow_not_found');
  const missingFiles = scope.dialect.hasLaterLimits ? filesMissingIn(payload) : [];
  if (missingFiles.length > 0)
    throw badRequest(payloadText(missingFiles), {
      context: { errors: missingFiles, type: 'PAYLOAD_VALIDATION_ERROR' },
    });
  const original: unknown = structuredClone(payload);
  // Fills in the defaults of the schema.
  if (payloadErrors(workflow, payload).length > 0) throw payloadError(workflow, original);
  return workflow;
}

interface FieldError {
  field: string;
  message: string;
}

/** The attachments without content: text in Base64, or a buffer, also as JSON. */
function filesMissingIn({ attachments }: JsonObject): FieldError[] {
  const message = 'Each attachment must include file content as a base64-encoded string or Buffer';
  const hasFile = (attachment: unknown) => {
    const { file } = asObject(attachment);
    return typeof file === 'string' || Array.isArray(asObject(file).data);
  };
  return (Array.isArray(attachments) ? attachments : []).flatMap((attachment, index) =>
    hasFile(attachment) ? [] : [{ field: `attachments.${index}.file`, message }],
  );
}

const payloadText = (errors: readonly FieldError[]) =>
  `Payload validation failed: ${errors.map(({ field, message }) => `${field}: ${message}`).join('; ')}`;

function payloadError({ payloadSchema: schema }: StoredWorkflow, payload: unknown) {
  const errors = schemaErrors(schema ?? {}, payload).map(
    ({ instancePath, message = 'Validation failed', params, schemaPath }) => {
      const path = instancePath === '' ? 'root' : instancePath.slice(1).replaceAll('/', '.');
      const { missingProperty } = params as { missingProperty?: string };
      const field = missingProperty === undefined ? path : `${path}.${missingProperty}`;
      return { field, message, value: valueAt(payload, instancePath), schemaPath };
    },
  );
  return badRequest(payloadText(errors), {
    context: { errors, schema, type: 'PAYLOAD_VALIDATION_ERROR' },
  });
}

const valueAt = (value: unknown, instancePath: string): unknown =>
  instancePath
    .split('/')
    .slice(1)
    .reduce<unknown>(
      (at, name) => (typeof at === 'object' && at !== null ? Reflect.get(at, name) : undefined),
      value,
    );

// Accepts a triggered event: validates it as the service does, then starts it at once or a moment later.

import { z } from 'zod';
import { asObject, isObject, type JsonObject } from '../../core/objects.ts';
import { type PayloadProblem, payloadProblems, payloadText } from '../../service/payload-schema.ts';
import { contextMessage } from '../../service/rules/event-contexts.ts';
import { type Recipient, type TriggerResult, triggerEvent } from '../../service/schemas/events.ts';
import { jsonObject } from '../../service/schemas/values.ts';
import type { TriggerStatus } from '../../service/schemas/vocabulary.ts';
import { badRequest, HttpError, unprocessable } from '../http/http-error.ts';
import { findContext } from '../store/contexts.ts';
import { isTransactionUsed, queueEvent } from '../store/events.ts';
import { derivedUuid } from '../store/ids.ts';
import type { Scope } from '../store/scope.ts';
import { allSubscriberIds } from '../store/subscribers.ts';
import type { StoredWorkflow } from '../store/workflows.ts';
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

function skippedEvent(
  { dialect, ids }: Scope,
  status: SkipReason,
  { transactionId = ids.transactionId() }: { transactionId?: string | undefined },
): TriggerResult {
  return { acknowledged: true, status, ...(dialect.showsTransactions ? { transactionId } : {}) };
}

/** The sandbox has no agents. */
function checkAgent({ dialect }: Scope, submitted: unknown): void {
  const { agentId } = asObject(submitted);
  if (dialect.hasLaterSteps && typeof agentId === 'string')
    throw badRequest(`Agent with identifier "${agentId}" was not found.`);
}

/** An event of a list. Its error is its result, and the others are accepted anyway. */
export function acceptEvent(
  scope: Scope,
  submitted: unknown,
  bridgeProblem?: HttpError,
): TriggerResult {
  const { checksRecipients, requiresPayload, showsTransactions } = scope.dialect;
  const { to, payload: content, ...rest } = asObject(submitted);
  const fields = serviceFields.safeParse(asServiceReads(rest));
  const { transactionId } = fields.data ?? {};
  const rejectedEvent = (error: string[]): TriggerResult => ({
    acknowledged: true,
    status: 'error',
    error,
    ...(showsTransactions && transactionId !== undefined ? { transactionId } : {}),
  });
  if (typeof submitted !== 'object' || submitted === null)
    return rejectedEvent(['event is not an object']);
  if (!fields.success || (!checksRecipients && isAbsent(to)))
    return rejectedEvent(['Validation failed']);
  if (requiresPayload && isAbsent(content)) return rejectedEvent([missingPayload(scope)]);
  const recipients = checksRecipients ? readRecipients(to) : { all: readableRecipients(to) };
  if ('errors' in recipients) return rejectedEvent(recipients.errors);
  // A copy, because the defaults of the schema are filled in.
  const payload: unknown = isAbsent(content) ? {} : structuredClone(content);
  try {
    return accept(scope, {
      event: { ...fields.data, payload: asObject(payload) },
      payload,
      recipients: 'all' in recipients ? recipients.all : undefined,
      submitted,
      bridgeProblem,
    });
  } catch (error) {
    if (error instanceof HttpError) return rejectedEvent([error.message]);
    throw error;
  }
}

const missingPayload = ({ dialect }: Scope) =>
  dialect.namesCommands
    ? 'Validation failed for ParseEventRequestMulticastCommand: payload: payload should not be null or undefined'
    : 'Validation failed';

interface CheckedEvent extends Pick<AcceptedEvent, 'event' | 'submitted' | 'isBroadcast'> {
  /** As it was sent: without a schema, the service takes a payload of any type. */
  payload?: unknown;
  /** Undefined if the only one has no id. */
  recipients: readonly Recipient[] | undefined;
  /** Why the endpoint that the event names cannot run the workflow. */
  bridgeProblem: HttpError | undefined;
}

/** Throws the error with which the service rejects a single event. */
function accept(
  scope: Scope,
  { recipients, bridgeProblem, payload: sentPayload, ...sent }: CheckedEvent,
): TriggerResult {
  const { event, isBroadcast } = sent;
  const payload = sentPayload ?? event.payload;
  checkAgent(scope, sent.submitted);
  if (bridgeProblem) throw bridgeProblem;
  const workflow = readWorkflow(scope, 'identifier', event.name);
  if (!workflow) throw unprocessable('workflow_not_found');
  const errors = payloadProblems(workflow, payload);
  if (errors.length > 0) throw payloadError(errors, { schema: workflow.payloadSchema });
  const skipReason = findSkipReason(scope, event, workflow);
  if (skipReason) return skippedEvent(scope, skipReason, event);
  const missingFiles = scope.dialect.hasLaterLimits ? filesMissingIn(asObject(payload)) : [];
  if (missingFiles.length > 0) throw payloadError(missingFiles);
  if (!recipients) return skippedEvent(scope, 'invalid_recipients', event);
  const transactionId =
    event.transactionId ??
    (isBroadcast ? derivedUuid(scope.ids.objectId()) : scope.ids.transactionId());
  startOrQueue(scope, workflow, { ...sent, recipients, transactionId });
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

/** Throws if the service rejects the event. */
export function acceptSingle(
  scope: Scope,
  submitted: { to?: unknown },
  bridgeProblem?: HttpError,
): TriggerResult {
  const { to, ...rest } = submitted;
  const event = readEvent(rest);
  return accept(scope, { event, recipients: readableRecipients(to), submitted, bridgeProblem });
}

/** Older versions report an event that they skip as processed, too. */
export function acceptBroadcast(
  scope: Scope,
  submitted: object,
  bridgeProblem?: HttpError,
): TriggerResult {
  const event = readEvent(submitted);
  const recipients = allSubscriberIds(scope);
  const sent = { event, recipients, submitted, isBroadcast: true };
  const result = accept(scope, { ...sent, bridgeProblem });
  if (scope.dialect.showsTransactions || result.status === 'processed') return result;
  const { transactionId = derivedUuid(scope.ids.objectId()) } = event;
  return { ...result, status: 'processed', transactionId };
}

const singleFields = serviceFields.extend({ payload: jsonObject.optional() });

function readEvent(submitted: object): EventFields & { payload: JsonObject } {
  const fields = singleFields.safeParse(asServiceReads(submitted));
  if (fields.success) return { ...fields.data, payload: fields.data.payload ?? {} };
  const [issue] = fields.error.issues;
  throw badRequest(`${issue?.path.join('.')} ${issue?.message}`);
}

/** The attachments without content: text in Base64, or a buffer, also as JSON. */
function filesMissingIn({ attachments }: JsonObject): PayloadProblem[] {
  const message = 'Each attachment must include file content as a base64-encoded string or Buffer';
  const hasFile = (attachment: unknown) => {
    const { file } = asObject(attachment);
    const { type, data } = asObject(file);
    return typeof file === 'string' || (type === 'Buffer' && Array.isArray(data));
  };
  return (Array.isArray(attachments) ? attachments : []).flatMap((attachment, index) =>
    hasFile(attachment) ? [] : [{ field: `attachments.${index}.file`, message }],
  );
}

const payloadError = (errors: readonly PayloadProblem[], more: { schema?: unknown } = {}) =>
  badRequest(payloadText(errors), {
    context: {
      errors: errors.map(({ unexpected: _, ...error }) => error),
      ...more,
      type: 'PAYLOAD_VALIDATION_ERROR',
    },
  });

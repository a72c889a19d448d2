// Accepts a single event or a broadcast. Unlike in a list of events, an error is the status of the response.

import { payloadErrors, schemaErrors } from '../../service/payload-schema.ts';
import type { TriggerResult } from '../../service/schemas/events.ts';
import { jsonObject } from '../../service/schemas/values.ts';
import type { Scope } from '../store/scope.ts';
import { allSubscriberIds } from '../store/subscribers.ts';
import { findWorkflow, type StoredWorkflow } from '../store/workflows.ts';
import { badRequest, unprocessable } from '../values/http-error.ts';
import { derivedUuid } from '../values/ids.ts';
import {
  asServiceReads,
  findSkipReason,
  serviceFields,
  skippedEvent,
  startOrQueue,
} from './accept-event.ts';
import { readableRecipients } from './recipients.ts';
import type { EventFields } from './start-event.ts';

/** Throws if the workflow does not exist or rejects the payload. */
export function acceptSingle(scope: Scope, submitted: { to?: unknown }): TriggerResult {
  const { to, ...rest } = submitted;
  const event = readEvent(rest);
  const workflow = requireWorkflowFor(scope, event);
  const skipReason = findSkipReason(scope, event, workflow);
  if (skipReason) return skippedEvent(skipReason);
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
      ...{ event, transactionId, recipients, submitted },
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
  const original: unknown = structuredClone(payload);
  // Fills in the defaults of the schema.
  if (payloadErrors(workflow, payload).length > 0) throw payloadError(workflow, original);
  return workflow;
}

function payloadError({ payloadSchema: schema }: StoredWorkflow, payload: unknown) {
  const errors = schemaErrors(schema ?? {}, payload).map(
    ({ instancePath, message = 'Validation failed', params, schemaPath }) => {
      const path = instancePath === '' ? 'root' : instancePath.slice(1).replaceAll('/', '.');
      const { missingProperty } = params as { missingProperty?: string };
      const field = missingProperty === undefined ? path : `${path}.${missingProperty}`;
      return { field, message, value: valueAt(payload, instancePath), schemaPath };
    },
  );
  const texts = errors.map(({ field, message }) => `${field}: ${message}`);
  return badRequest(`Payload validation failed: ${texts.join('; ')}`, {
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

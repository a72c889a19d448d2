// The call of @novu/api that sends a request, as code. A test runs the calls with the client.

import { asObject, type JsonObject } from '../../core/objects.ts';
import type { Operation } from '../../service/operation.ts';
import { operationIds, record } from '../../service/operations/index.ts';
import { createRouter } from '../http/router.ts';

export interface SentRequest {
  method: string;
  path: string;
  query: Record<string, string>;
  body: unknown;
}

const find = createRouter(operationIds.map(record).filter(({ sdk }) => sdk !== undefined));

/** The client cannot send a path with an invalid escape. */
function findCall(method: string, path: string) {
  try {
    return find(method, path);
  } catch {
    return undefined;
  }
}

/** Undefined if the record of the operation names no method. */
export function sdkCall({ method, path, query, body }: SentRequest): string | undefined {
  const { route, parameters } = findCall(method, path) ?? {};
  // The client has other names for the parameters of a query.
  if (!route || (!route.paging && Object.keys(query).length > 0)) return undefined;
  const values = [...argumentsOf(route, query, body), ...Object.values(parameters ?? {})];
  return `await novu.${route.sdk}(${values.map(codeOf).join(', ')});`;
}

/** The body or the query. */
function argumentsOf({ sdk = '', paging }: Operation, query: SentRequest['query'], body: unknown) {
  if (/^trigger(Bulk)?$/.test(sdk)) return [toSdkEvents(asObject(body))];
  if (body !== null && body !== undefined) return [body];
  return paging
    ? [Object.fromEntries(Object.entries(query).map(([key, text]) => [key, readValue(text)]))]
    : [];
}

/** The client has another name for the workflow of an event. */
const toSdkEvents = ({ name, events, ...rest }: JsonObject): JsonObject => ({
  ...(name === undefined ? {} : { workflowId: name }),
  ...rest,
  ...(Array.isArray(events) ? { events: events.map((event) => toSdkEvents(asObject(event))) } : {}),
});

const readValue = (text: string): unknown =>
  /^(?:\d{1,9}|true|false)$/.test(text) ? JSON.parse(text) : text;

/** A value as code, with the names of members quoted only if necessary. */
export const codeOf = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(/^(\s*)"([A-Za-z_$][\w$]*)":/gm, '$1$2:');

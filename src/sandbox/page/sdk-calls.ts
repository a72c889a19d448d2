// The call of @novu/api that sends a request, as code. A test runs the calls with the client.

import { asObject, type JsonObject } from '../../core/objects.ts';

export interface SentRequest {
  method: string;
  path: string;
  query: Record<string, string>;
  body: unknown;
}

/** The methods of the client whose arguments are the body or the query, then the parameters of the path. */
const methods: Record<string, string> = {
  'POST /v1/events/trigger': 'trigger',
  'POST /v1/events/trigger/bulk': 'triggerBulk',
  'POST /v1/events/trigger/broadcast': 'triggerBroadcast',
  'DELETE /v1/events/trigger/*': 'cancel',
  'GET /v2/subscribers': 'subscribers.search',
  'POST /v2/subscribers': 'subscribers.create',
  'POST /v1/subscribers/bulk': 'subscribers.createBulk',
  'GET /v2/subscribers/*': 'subscribers.retrieve',
  'PATCH /v2/subscribers/*': 'subscribers.patch',
  'DELETE /v2/subscribers/*': 'subscribers.delete',
  'PUT /v1/subscribers/*/credentials': 'subscribers.credentials.update',
  'PATCH /v1/subscribers/*/credentials': 'subscribers.credentials.append',
  'GET /v2/topics': 'topics.list',
  'POST /v2/topics': 'topics.create',
  'GET /v2/topics/*': 'topics.get',
  'PATCH /v2/topics/*': 'topics.update',
  'DELETE /v2/topics/*': 'topics.delete',
  'POST /v2/topics/*/subscriptions': 'topics.subscriptions.create',
  'DELETE /v2/topics/*/subscriptions': 'topics.subscriptions.delete',
  'GET /v2/workflows': 'workflows.list',
  'GET /v2/workflows/*': 'workflows.get',
  'GET /v1/integrations': 'integrations.list',
  'POST /v1/integrations': 'integrations.create',
};

const patterns = Object.entries(methods).map(([route, name]) => ({
  name,
  pattern: new RegExp(`^${route.replaceAll('/*', '/([^/]+)')}$`),
}));

/** Undefined for a request that is not in the table. */
export function sdkCall({ method, path, query, body }: SentRequest): string | undefined {
  for (const { name, pattern } of patterns) {
    const match = pattern.exec(`${method} ${path}`);
    // The client has other names for the parameters of a query.
    if (!match || (!takesQuery(name) && Object.keys(query).length > 0)) continue;
    const parameters = match.slice(1).map(decodeURIComponent);
    const values = [...argumentsOf(name, query, body), ...parameters];
    return `await novu.${name}(${values.map(codeOf).join(', ')});`;
  }
  return undefined;
}

function argumentsOf(name: string, query: SentRequest['query'], body: unknown): unknown[] {
  if (name === 'trigger' || name === 'triggerBulk') return [toSdkEvents(asObject(body))];
  if (body !== null && body !== undefined) return [body];
  return takesQuery(name)
    ? [Object.fromEntries(Object.entries(query).map(([key, text]) => [key, readValue(text)]))]
    : [];
}

const takesQuery = (name: string) => /s\.(list|search)$/.test(name) && name !== 'integrations.list';

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

// Creates or changes the connections and endpoints of many subscribers: a row for each, such as
// `svc subscribers export --with channels` writes.

import type { z } from 'zod';
import { ifPresent } from '../../core/errors.ts';
import type { JsonObject } from '../../core/objects.ts';
import type { InputRecord, RecordSource } from '../../input/records.ts';
import { contextsOfKeys } from '../../service/rules/event-contexts.ts';
import type { ChannelConnection, ChannelEndpoint } from '../../service/schemas/channels.ts';
import { withPlainMessages } from '../../service/schemas/plain-messages.ts';
import type { Outcome, RowRequests, Sender } from '../engine/sender.ts';
import { createFieldReader, jsonCell, toList } from './field-reader.ts';
import { failMissing } from './id-list.ts';
import { formatIssues } from './responses.ts';

export const channelFields = [
  ...(['subscriberId', 'kind', 'identifier', 'integration', 'connection', 'type'] as const),
  ...(['contextKeys', 'workspace', 'auth', 'endpoint'] as const),
] as const;

export type ChannelRow = Partial<Record<(typeof channelFields)[number], unknown>>;

export const toChannelRow = (
  item: ChannelConnection | (ChannelEndpoint & { workspace?: undefined; auth?: undefined }),
): ChannelRow => ({
  subscriberId: item.subscriberId,
  kind: 'endpoint' in item ? 'endpoint' : 'connection',
  identifier: item.identifier,
  integration: item.integrationIdentifier,
  connection: item.connectionIdentifier,
  type: item.type,
  contextKeys: item.contextKeys?.length ? item.contextKeys : undefined,
  workspace: item.workspace,
  auth: item.auth,
  endpoint: item.endpoint,
});

interface ChannelBody extends JsonObject {
  subscriberId: string;
  identifier: string;
}

interface ChannelRequest {
  kind: string;
  body: ChannelBody;
}

/** Throws a usage error for unknown columns. */
export async function openChannelSender(source: RecordSource): Promise<Sender> {
  const { createConnectionBody, createEndpointBody } = await import(
    '../../service/schemas/channels.ts'
  );
  const read = createFieldReader(source, channelFields, 'subscriberId');
  const schemas: Record<string, z.ZodType> = {
    connection: createConnectionBody,
    endpoint: createEndpointBody,
  };
  const readRequest = (record: InputRecord): ChannelRequest | { error: string } => {
    const row = read(record);
    if ('error' in row) return { error: String(row.error) };
    const kind = String(row.kind);
    const schema = schemas[kind];
    if (!schema) return { error: 'kind: must be connection or endpoint' };
    if (!row.identifier) return { error: 'identifier: is required' };
    const body = toBody(row);
    const checked = schema.safeParse(body, withPlainMessages);
    return checked.success
      ? { kind, body: body as ChannelBody }
      : { error: formatIssues(checked.error) };
  };
  return {
    operation: 'createChannelEndpoint',
    successStates: ['created', 'updated'],
    // An endpoint follows the connection that it is in.
    isOrdered: true,
    toItem(record) {
      const request = readRequest(record);
      return 'error' in request
        ? request
        : { id: request.body.subscriberId, json: JSON.stringify(request.body) };
    },
    readOutcomes: () => [],
    async sendRow({ record }, { call }) {
      const request = record && readRequest(record);
      return request && 'body' in request ? send(call, request) : { state: 'unknown' };
    },
    readRejection: failMissing,
  };
}

function toBody(row: ChannelRow): JsonObject {
  const keys = toList(row.contextKeys);
  const body = {
    subscriberId: row.subscriberId,
    identifier: row.identifier,
    integrationIdentifier: row.integration,
    context: Array.isArray(keys) && keys.length > 0 ? contextsOfKeys(keys.map(String)) : undefined,
    connectionIdentifier: row.connection,
    type: row.type,
    workspace: jsonCell(row.workspace),
    auth: jsonCell(row.auth),
    endpoint: jsonCell(row.endpoint),
  };
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

/** Changes the one with the identifier, or creates it. */
async function send(call: RowRequests['call'], { kind, body }: ChannelRequest): Promise<Outcome> {
  const path = { identifier: body.identifier };
  const { workspace, auth, endpoint } = body;
  const [find, create, change] =
    kind === 'connection'
      ? [
          call('getChannelConnection', { path }),
          () => call('createChannelConnection', { body: body as never }),
          () => call('updateChannelConnection', { path, body: { workspace, auth } as never }),
        ]
      : [
          call('getChannelEndpoint', { path }),
          () => call('createChannelEndpoint', { body: body as never }),
          () => call('updateChannelEndpoint', { path, body: { endpoint } as never }),
        ];
  const found = await ifPresent<{ subscriberId?: string | null | undefined }>(find);
  if (found && found.subscriberId !== body.subscriberId)
    return { state: 'failed', reason: 'the identifier belongs to another subscriber' };
  await (found ? change() : create());
  return { state: found ? 'updated' : 'created' };
}

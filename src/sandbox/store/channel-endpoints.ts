// The connections of subscribers and contexts to channels, and the addresses of subscribers in them, since 3.12.
import { hasSameItems } from '../../core/objects.ts';
import type { Scope } from './scope.ts';
import { createRecordKind, type StoredRecord } from './table.ts';

export interface InChannel {
  /** Of the integration. */
  channel: string;
  providerId: string;
  integrationIdentifier: string;
  /** The public id; absent if shared. */
  subscriberId?: string | undefined;
  contextKeys: string[];
}

export interface Connection extends InChannel {
  workspace: { id: string; name?: string | undefined; botUserId?: unknown };
  auth: { accessToken: string; [member: string]: unknown };
}

export const connections = createRecordKind<Connection>('channel-connection');

interface Endpoint extends InChannel {
  connectionIdentifier?: string | undefined;
  type: string;
  endpoint: Record<string, unknown>;
}

export type StoredEndpoint = StoredRecord<Endpoint>;

export const endpoints = createRecordKind<Endpoint>('channel-endpoint');

type Contexts = Pick<InChannel, 'contextKeys'>;

/** Returns those that a subscriber has in a channel, for exactly these contexts. Oldest first. */
export const endpointsOf = (
  scope: Scope,
  { subscriberId, channel, contextKeys }: Contexts & { subscriberId: string; channel: string },
): StoredEndpoint[] =>
  endpoints
    .where(scope, { subscriberId, channel })
    .filter((endpoint) => hasSameItems(endpoint.contextKeys, contextKeys));

/** Returns the connection that an endpoint is in, if it has exactly these contexts. */
export function connectionOf(
  scope: Scope,
  { connectionIdentifier }: StoredEndpoint,
  contextKeys: readonly string[],
): Connection | undefined {
  if (connectionIdentifier === undefined) return undefined;
  const connection = connections.findByKey(scope, connectionIdentifier);
  return connection && hasSameItems(connection.contextKeys, contextKeys) ? connection : undefined;
}

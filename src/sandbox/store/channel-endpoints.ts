// The addresses of subscribers in channels, since 3.12.
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

interface Endpoint extends InChannel {
  connectionIdentifier?: string | undefined;
  type: string;
  endpoint: Record<string, unknown>;
}

export type StoredEndpoint = StoredRecord<Endpoint>;

export const endpoints = createRecordKind<Endpoint>('channel-endpoint');

/** Returns those that a subscriber has through an integration, for exactly these contexts. */
export const endpointsOf = (
  scope: Scope,
  { subscriberId, integrationIdentifier, contextKeys }: Omit<InChannel, 'channel' | 'providerId'>,
): StoredEndpoint[] =>
  endpoints
    .all(scope)
    .filter(
      (endpoint) =>
        endpoint.subscriberId === subscriberId &&
        endpoint.integrationIdentifier === integrationIdentifier &&
        endpoint.contextKeys.toSorted().join() === contextKeys.toSorted().join(),
    );

// The connections and endpoints of a subscriber, with the operations of both kinds.
import type { Client } from '../../../api/client.ts';
import type { Context } from '../../../app/context.ts';
import type { ChannelConnection, ChannelEndpoint } from '../../../service/schemas/channels.ts';

/** Endpoints are in connections. */
export const channelKinds = ['connection', 'endpoint'] as const;
export type ChannelKind = (typeof channelKinds)[number];

type Connection = { kind: 'connection' } & ChannelConnection;
type Endpoint = { kind: 'endpoint' } & ChannelEndpoint;
export type Channel = Connection | Endpoint;

export const toConnection = (connection: ChannelConnection): Connection => ({
  kind: 'connection',
  ...connection,
});
export const toEndpoint = (endpoint: ChannelEndpoint): Endpoint => ({
  kind: 'endpoint',
  ...endpoint,
});

export const pathOf = ({ identifier }: { identifier: string }) => ({ path: { identifier } });

export const ofKind = {
  connection: {
    listing: 'listChannelConnections',
    deletion: 'deleteChannelConnection',
    get: async ({ call }: Client, identifier: string): Promise<Channel> =>
      toConnection(await call('getChannelConnection', pathOf({ identifier }))),
  },
  endpoint: {
    listing: 'listChannelEndpoints',
    deletion: 'deleteChannelEndpoint',
    get: async ({ call }: Client, identifier: string): Promise<Channel> =>
      toEndpoint(await call('getChannelEndpoint', pathOf({ identifier }))),
  },
} as const;

/** Throws if the service lists those of another subscriber. */
export async function readChannels(
  context: Context,
  subscriberId: string,
  kinds: readonly ChannelKind[] = channelKinds,
): Promise<Channel[]> {
  const { listOwn } = await import('../../../bulk/operations/person-channels.ts');
  const { call } = await context.client();
  const channels: Channel[] = [];
  for (const kind of kinds)
    for (const item of await listOwn(call, ofKind[kind].listing, subscriberId))
      channels.push(
        kind === 'connection'
          ? toConnection(item as ChannelConnection)
          : toEndpoint(item as ChannelEndpoint),
      );
  return channels;
}

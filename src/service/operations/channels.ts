// Connections and endpoints of channels. The specification does not have them.
import { limits } from '../limits.ts';
import { laterOperation, schemasIn } from '../operation.ts';

const load = schemasIn(() => import('../schemas/channels.ts'));

const listing = {
  method: 'GET',
  section: 'Channels',
  hasDataField: true,
  paging: { style: 'cursor', items: 'data', cap: limits.page.default },
  schemas: load((s) => ({ query: s.listChannelsQuery, response: s.channelPage })),
} as const;

const deletion = {
  method: 'DELETE',
  section: 'Channels',
  success: 204,
  schemas: load((s) => ({ response: s.emptyResponse })),
} as const;

export const channels = {
  listChannelConnections: laterOperation('3.12', {
    ...listing,
    path: '/v1/channel-connections',
    summary: 'List the connections to channels, such as workspaces of Slack',
  }),

  deleteChannelConnection: laterOperation('3.12', {
    ...deletion,
    path: '/v1/channel-connections/{identifier}',
    summary: 'Delete a connection to a channel with its tokens',
  }),

  listChannelEndpoints: laterOperation('3.12', {
    ...listing,
    path: '/v1/channel-endpoints',
    summary: 'List the endpoints of subscribers in channels',
  }),

  deleteChannelEndpoint: laterOperation('3.12', {
    ...deletion,
    path: '/v1/channel-endpoints/{identifier}',
    summary: 'Delete the endpoint of a subscriber in a channel',
  }),
};

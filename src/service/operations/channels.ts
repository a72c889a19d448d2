// Connections and endpoints of channels. The specification does not have them.
import { limits } from '../limits.ts';
import { operationsWith, schemasIn } from '../operation.ts';

const load = schemasIn(() => import('../schemas/channels.ts'));

const channelOperation = operationsWith({ section: 'Channels' }).operationSince('3.12');

const listing = { paging: { style: 'cursor', items: 'data', cap: limits.page.default } } as const;
const deletion = { success: 204, schemas: load((s) => ({ response: s.emptyResponse })) } as const;

export const channels = {
  listChannelConnections: channelOperation('GET /v1/channel-connections', {
    ...listing,
    summary: 'List the connections to channels, such as workspaces of Slack',
    schemas: load((s) => ({ query: s.listConnectionsQuery, response: s.connectionPage })),
  }),

  createChannelConnection: channelOperation('POST /v1/channel-connections', {
    summary: 'Connect a subscriber or a context to a channel',
    schemas: load((s) => ({ body: s.createConnectionBody, response: s.connection })),
  }),

  getChannelConnection: channelOperation('GET /v1/channel-connections/{identifier}', {
    summary: 'Retrieve a connection to a channel with its tokens',
    schemas: load((s) => ({ response: s.connection })),
  }),

  updateChannelConnection: channelOperation('PATCH /v1/channel-connections/{identifier}', {
    summary: 'Replace the workspace and the tokens of a connection to a channel',
    schemas: load((s) => ({ body: s.updateConnectionBody, response: s.connection })),
  }),

  deleteChannelConnection: channelOperation('DELETE /v1/channel-connections/{identifier}', {
    ...deletion,
    summary: 'Delete a connection to a channel with its tokens',
  }),

  listChannelEndpoints: channelOperation('GET /v1/channel-endpoints', {
    ...listing,
    summary: 'List the endpoints of subscribers in channels',
    schemas: load((s) => ({ query: s.listEndpointsQuery, response: s.endpointPage })),
  }),

  createChannelEndpoint: channelOperation('POST /v1/channel-endpoints', {
    summary: 'Create an endpoint of a subscriber in a channel',
    schemas: load((s) => ({ body: s.createEndpointBody, response: s.endpoint })),
  }),

  getChannelEndpoint: channelOperation('GET /v1/channel-endpoints/{identifier}', {
    summary: 'Retrieve the endpoint of a subscriber in a channel',
    schemas: load((s) => ({ response: s.endpoint })),
  }),

  updateChannelEndpoint: channelOperation('PATCH /v1/channel-endpoints/{identifier}', {
    summary: 'Replace the address of an endpoint in a channel',
    schemas: load((s) => ({ body: s.updateEndpointBody, response: s.endpoint })),
  }),

  deleteChannelEndpoint: channelOperation('DELETE /v1/channel-endpoints/{identifier}', {
    ...deletion,
    summary: 'Delete the endpoint of a subscriber in a channel',
  }),
};

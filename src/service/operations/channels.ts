// Connections and endpoints of channels. The specification does not have them.
import { limits } from '../limits.ts';
import { laterOperation, schemasIn } from '../operation.ts';

const load = schemasIn(() => import('../schemas/channels.ts'));

const section = 'Channels';

const listing = {
  section,
  hasDataField: true,
  paging: { style: 'cursor', items: 'data', cap: limits.page.default },
} as const;

const deletion = {
  section,
  success: 204,
  schemas: load((s) => ({ response: s.emptyResponse })),
} as const;

export const channels = {
  listChannelConnections: laterOperation('3.12', {
    ...listing,
    route: 'GET /v1/channel-connections',
    summary: 'List the connections to channels, such as workspaces of Slack',
    schemas: load((s) => ({ query: s.listConnectionsQuery, response: s.connectionPage })),
  }),

  createChannelConnection: laterOperation('3.12', {
    route: 'POST /v1/channel-connections',
    summary: 'Connect a subscriber or a context to a channel',
    section,
    success: 201,
    schemas: load((s) => ({ body: s.createConnectionBody, response: s.connection })),
  }),

  getChannelConnection: laterOperation('3.12', {
    route: 'GET /v1/channel-connections/{identifier}',
    summary: 'Retrieve a connection to a channel with its tokens',
    section,
    schemas: load((s) => ({ response: s.connection })),
  }),

  updateChannelConnection: laterOperation('3.12', {
    route: 'PATCH /v1/channel-connections/{identifier}',
    summary: 'Replace the workspace and the tokens of a connection to a channel',
    section,
    idempotent: () => true,
    schemas: load((s) => ({ body: s.updateConnectionBody, response: s.connection })),
  }),

  deleteChannelConnection: laterOperation('3.12', {
    ...deletion,
    route: 'DELETE /v1/channel-connections/{identifier}',
    summary: 'Delete a connection to a channel with its tokens',
  }),

  listChannelEndpoints: laterOperation('3.12', {
    ...listing,
    route: 'GET /v1/channel-endpoints',
    summary: 'List the endpoints of subscribers in channels',
    schemas: load((s) => ({ query: s.listEndpointsQuery, response: s.endpointPage })),
  }),

  createChannelEndpoint: laterOperation('3.12', {
    route: 'POST /v1/channel-endpoints',
    summary: 'Create an endpoint of a subscriber in a channel',
    section,
    success: 201,
    schemas: load((s) => ({ body: s.createEndpointBody, response: s.endpoint })),
  }),

  getChannelEndpoint: laterOperation('3.12', {
    route: 'GET /v1/channel-endpoints/{identifier}',
    summary: 'Retrieve the endpoint of a subscriber in a channel',
    section,
    schemas: load((s) => ({ response: s.endpoint })),
  }),

  updateChannelEndpoint: laterOperation('3.12', {
    route: 'PATCH /v1/channel-endpoints/{identifier}',
    summary: 'Replace the address of an endpoint in a channel',
    section,
    idempotent: () => true,
    schemas: load((s) => ({ body: s.updateEndpointBody, response: s.endpoint })),
  }),

  deleteChannelEndpoint: laterOperation('3.12', {
    ...deletion,
    route: 'DELETE /v1/channel-endpoints/{identifier}',
    summary: 'Delete the endpoint of a subscriber in a channel',
  }),
};

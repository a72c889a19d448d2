// The connections and endpoints of the subscriber of a session, since 3.17. The pages of providers create them, which the
// sandbox does not have.
import { connectionsPage, endpointsPage } from '../api/channels.ts';
import { notFound } from '../http/http-error.ts';
import { type Connection, connections, endpoints } from '../store/channel-endpoints.ts';
import type { StoredRecord } from '../store/table.ts';
import type { AnyInboxCall, InboxCall, InboxHandlers } from './session-token.ts';

/** The tokens stay in the service. */
const toConnection = ({ key: identifier, workspace, createdAt }: StoredRecord<Connection>) => ({
  identifier,
  workspace,
  createdAt,
});

/** Whatever subscriber and contexts a request names. Without a mode, the own connections and the shared ones. */
const ofSession = ({ subscriber: { subscriberId }, contextKeys }: AnyInboxCall) => ({
  subscriberId,
  contextKeys,
});

function findConnection(
  call: InboxCall<'getOwnConnection' | 'deleteOwnConnection'>,
): StoredRecord<Connection> {
  const { identifier } = call.path;
  const query = { ...call.query, ...ofSession(call) };
  const [stored] = connectionsPage(call.scope, query, identifier).rows;
  if (stored) return stored;
  throw notFound(`Channel connection not found: ${identifier}`);
}

export const channelHandlers = {
  listOwnConnections(call) {
    const query = { ...call.query, ...ofSession(call) };
    const { rows, next, previous } = connectionsPage(call.scope, query);
    return { data: rows.map(toConnection), next, previous };
  },
  getOwnConnection: (call) => toConnection(findConnection(call)),
  deleteOwnConnection: (call) => connections.remove(call.scope, findConnection(call).id),
  listOwnEndpoints(call) {
    const query = { ...call.query, ...ofSession(call) };
    const { rows, next, previous } = endpointsPage(call.scope, query);
    return {
      data: rows.map(({ key: identifier, type }) => ({ identifier, type })),
      next,
      previous,
    };
  },
  deleteOwnEndpoint(call) {
    const { identifier } = call.path;
    const [stored] = endpointsPage(call.scope, ofSession(call), identifier).rows;
    if (!stored) throw notFound(`Channel endpoint not found: ${identifier}`);
    endpoints.remove(call.scope, stored.id);
  },
} satisfies Partial<InboxHandlers>;

// A call of an inbox client, and the handlers of its routes.
import type { z } from 'zod';
import type { InboxRouteId, inboxRoutes } from '../../service/inbox-routes.ts';
import type { Scope } from '../store/scope.ts';
import type { StoredSubscriber } from '../store/subscribers.ts';
import type { SessionClaims } from './session-token.ts';

export interface InboxCall<Query = unknown, Body = unknown> {
  /** The parameter of the path; empty if the path has none. */
  id: string;
  query: Query;
  body: Body;
  scope: Scope;
  subscriber: StoredSubscriber;
  contextKeys: SessionClaims['contextKeys'];
}

type Output<Id extends InboxRouteId, Part extends 'query' | 'body'> =
  (typeof inboxRoutes)[Id] extends Record<Part, infer Schema extends z.ZodType>
    ? z.output<Schema>
    : undefined;

/** In a transaction, except for GET. Each returns the body of the response; undefined: a response with status 204. */
export type InboxHandlers = {
  [Id in InboxRouteId]: (call: InboxCall<Output<Id, 'query'>, Output<Id, 'body'>>) => unknown;
};

// A route of an inbox client: its schemas and its handler.
import type { z } from 'zod';
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

export interface InboxRoute {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Relative to /v1/inbox. A parameter is `{id}`. */
  path: string;
  query?: z.ZodObject;
  body?: z.ZodObject;
  /** Reads the query before it is checked. */
  readQuery?: (query: Record<string, unknown>) => Record<string, unknown>;
  /** In a transaction. Returns the body of the response; undefined: a response with status 204. */
  handle(call: InboxCall): unknown;
}

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** Declares a route and keeps the types of its schemas for the handler. */
export const route = <
  Query extends z.ZodObject | undefined = undefined,
  Body extends z.ZodObject | undefined = undefined,
>(
  declaration: Pick<InboxRoute, 'method' | 'path' | 'readQuery'> & {
    query?: Query;
    body?: Body;
    handle(call: InboxCall<Output<Query>, Output<Body>>): unknown;
  },
): InboxRoute => declaration as InboxRoute;

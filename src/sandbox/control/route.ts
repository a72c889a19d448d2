// The type of a control route.
import type { z } from 'zod';
import { withPlainMessages } from '../../service/schemas/plain-messages.ts';
import type { Scheduler } from '../engine/scheduler.ts';
import { unprocessable } from '../http/http-error.ts';
import type { Scope, Store } from '../store/scope.ts';
import type { FaultPlans } from './faults.ts';
import type { NotEmulatedRoutes, RejectedTriggers } from './refusals.ts';
import type { RequestLog } from './request-log.ts';
import type { SchemaName } from './schemas.ts';
import type { PageSessions } from './sessions.ts';
import type { WriteWaiters } from './write-waiters.ts';

export interface ControlOptions {
  store: Store;
  scheduler: Scheduler;
  faults: FaultPlans;
  rejectedTriggers: RejectedTriggers;
  notEmulated: NotEmulatedRoutes;
  requestLog: RequestLog;
  waiters: WriteWaiters;
  startedAt: string;
  isEnveloped: () => boolean;
  pid?: number;
  /** Start of that process, because process ids are reused. */
  processStart?: string;
  onStop?: () => void;
  bridgeProblem?: () => string | undefined;
  /** Undefined if the sandbox has no page. */
  page?: { baseUrl: string; sessions: PageSessions } | undefined;
}

export interface ControlCall<Query = unknown> {
  /** The environment of the API key. */
  environmentId: string;
  /** Its data. Reading it first runs the jobs that are due. */
  scope(): Scope;
  parameter(name: string): string;
  /** By the schema of the route. */
  query: Query;
  /** Reads a JSON body of at most this many bytes. */
  body(limit: number): Promise<unknown>;
}

/** Describes a route for programs. The OpenAPI document and the help are made from it. */
export interface RouteDescription {
  /** A name for generated clients. */
  id: string;
  summary: string;
  query?: z.ZodObject;
  body?: SchemaName;
  isBodyOptional?: true;
  response: SchemaName;
  /** The statuses of errors besides 401. */
  errors?: readonly (404 | 408 | 409 | 413 | 422)[];
}

/** Bytes of the body of most routes. */
export const bodyLimit = 1_000;

export interface ControlRoute {
  method: 'GET' | 'POST' | 'DELETE';
  /** Relative to /__sandbox. A parameter is `{name}`. */
  path: string;
  description: RouteDescription;
  /** Returns the body of the response. */
  handle(call: ControlCall): unknown;
}

/** Declares a route whose handler gets the query that its schema describes. */
export const withQuery = <Query extends z.ZodObject>(
  query: Query,
  {
    description,
    handle,
    ...route
  }: Omit<ControlRoute, 'description' | 'handle'> & {
    description: RouteDescription;
    handle(call: ControlCall<z.output<Query>>): unknown;
  },
): ControlRoute => ({
  ...route,
  description: { ...description, query },
  handle: (call) => handle({ ...call, query: parse(query, call.query) }),
});

/** Throws an error with status 422 that says what is not valid. */
export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const { data, error } = schema.safeParse(value, withPlainMessages);
  if (error) throw unprocessable(error.issues.map(issueText).join('; '));
  return data as z.output<Schema>;
}

export const issueText = ({ path, message }: z.core.$ZodIssue): string =>
  [path.join('.'), message].join(' ').trim();

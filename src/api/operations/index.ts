// The registry: every operation of the service by its name. The only statement of paths, caps and limits.
import type { AnswerOf, InputOf, Operation } from '../operation.ts';
import * as activity from './activity.ts';
import * as contexts from './contexts.ts';
import * as environments from './environments.ts';
import * as events from './events.ts';
import * as inbox from './inbox.ts';
import * as integrations from './integrations.ts';
import * as subscribers from './subscribers.ts';
import * as topics from './topics.ts';
import * as workflows from './workflows.ts';

export const operations = {
  ...integrations,
  ...subscribers,
  ...inbox,
  ...topics,
  ...contexts,
  ...environments,
  ...workflows,
  ...events,
  ...activity,
} as const;

export type Operations = typeof operations;
export type OperationId = keyof Operations;
export const operationIds = Object.keys(operations) as OperationId[];

/** What a caller gives: path parameters, query and body. */
export type Input<Id extends OperationId> = InputOf<Operations[Id]>;
/** What the service answers. */
export type Answer<Id extends OperationId> = AnswerOf<Operations[Id]>;

/** Operations that answer a page of a longer listing. */
export type ListingId = {
  [Id in OperationId]: Operations[Id] extends { paging?: infer P }
    ? undefined extends P
      ? never
      : Id
    : never;
}[OperationId];

/** The record of an operation without its literal types, for code that treats all alike. */
export const record = (id: OperationId): Operation => operations[id] as unknown as Operation;

// The registry: every operation of the service by name. Paths and limits are defined only here.
import type { Batch, InputOf, Operation, ResponseOf } from '../operation.ts';
import { activity } from './activity.ts';
import { serviceContexts } from './beyond/contexts.ts';
import { serviceEnvironments } from './beyond/environments.ts';
import { serviceEvents } from './beyond/events.ts';
import { serviceIntegrations } from './beyond/integrations.ts';
import { serviceLayouts } from './beyond/layouts.ts';
import { serviceMessages } from './beyond/messages.ts';
import { serviceSubscribers } from './beyond/subscribers.ts';
import { serviceSubscribersV1 } from './beyond/subscribers-v1.ts';
import { serviceTopics } from './beyond/topics.ts';
import { serviceWorkflows } from './beyond/workflows.ts';
import { contexts } from './contexts.ts';
import { environments } from './environments.ts';
import { events } from './events.ts';
import { inbox } from './inbox.ts';
import { integrations } from './integrations.ts';
import { subscribers } from './subscribers.ts';
import { topics } from './topics.ts';
import { workflows } from './workflows.ts';

const specified = {
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

/** Operations of the public service that the specification does not have. */
const additional = {
  ...serviceIntegrations,
  ...serviceSubscribers,
  ...serviceSubscribersV1,
  ...serviceTopics,
  ...serviceContexts,
  ...serviceEnvironments,
  ...serviceWorkflows,
  ...serviceLayouts,
  ...serviceEvents,
  ...serviceMessages,
} as const;

export const operations = { ...specified, ...additional } as const;

export type Operations = typeof operations;
export type OperationId = keyof Operations;
export const operationIds = Object.keys(operations) as OperationId[];

/** The operations of the specification. */
export type SpecifiedId = keyof typeof specified;
export const specifiedIds = Object.keys(specified) as SpecifiedId[];

/** The path parameters, query and body of a call. */
export type Input<Id extends OperationId> = InputOf<Operations[Id]>;
/** The response body. */
export type ResponseBody<Id extends OperationId> = ResponseOf<Operations[Id]>;

/** Operations that return one page of a listing. */
export type ListingId = {
  [Id in OperationId]: Operations[Id] extends { paging?: infer P }
    ? undefined extends P
      ? never
      : Id
    : never;
}[OperationId];

/** Returns the record of an operation without its literal types, for code that handles all operations. */
export const record = (id: OperationId): Operation => operations[id] as unknown as Operation;

/** Returns the maximum items and bytes of one request of an operation that takes several items. */
export function batchLimits(id: OperationId): Batch {
  const { batch } = record(id);
  if (!batch) throw new Error(`${id} accepts one item only`);
  return batch;
}

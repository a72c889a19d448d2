// The registry: every operation of the service by name. Paths and limits are defined only here.
import type { InputOf, Operation, ResponseOf } from '../operation.ts';
import { activity, messages } from './activity.ts';
import { channels } from './channels.ts';
import { contexts, tenants } from './contexts.ts';
import { environments, organizations, publishing } from './environments.ts';
import { events } from './events.ts';
import { groups } from './groups.ts';
import { inbox } from './inbox.ts';
import { integrations } from './integrations.ts';
import { layouts, layoutsV1 } from './layouts.ts';
import { preferencesV1, subscribers, subscribersV1 } from './subscribers.ts';
import { topics, topicsV1 } from './topics.ts';
import { bridge, workflows, workflowsV1 } from './workflows.ts';

/** Operations that only older clients and the command line of the service call: no command needs them. */
const olderOperations = {
  ...bridge,
  ...subscribersV1,
  ...topicsV1,
  ...preferencesV1,
  ...workflowsV1,
  ...layoutsV1,
  ...groups,
  ...tenants,
  ...organizations,
  ...publishing,
} as const;

export const operations = {
  ...integrations,
  ...subscribers,
  ...inbox,
  ...topics,
  ...contexts,
  ...environments,
  ...workflows,
  ...layouts,
  ...events,
  ...channels,
  ...messages,
  ...activity,
  ...olderOperations,
} as const;

export type Operations = typeof operations;
export type OperationId = keyof Operations;
export const operationIds = Object.keys(operations) as OperationId[];
/** The operations that svc lists: all but the ones for older clients. */
export const currentIds = operationIds.filter((id) => !Object.hasOwn(olderOperations, id));

/** Returns the record of an operation without its literal types, for code that handles all operations. */
export const record = (id: OperationId): Operation => operations[id] as unknown as Operation;

type LaterId = {
  [Id in OperationId]: Operations[Id] extends { since: string } ? Id : never;
}[OperationId];
/** The operations of version 3.11, which the sandbox has. */
export type EmulatedId = Exclude<OperationId, LaterId>;
export const emulatedIds = operationIds.filter(
  (id): id is EmulatedId => record(id).since === undefined,
);

/** The path parameters, query and body of a call. */
export type Input<Id extends OperationId> = InputOf<Operations[Id]>;
/** The response body. */
export type ResponseBody<Id extends OperationId> = ResponseOf<Operations[Id]>;

type SpecifiedId = {
  [Id in OperationId]: Operations[Id]['source'] extends 'specification' ? Id : never;
}[OperationId];

/** The operations of the specification. */
export const specifiedIds = operationIds.filter(
  (id): id is SpecifiedId => record(id).source === 'specification',
);

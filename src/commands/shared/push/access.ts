// How each kind of resource is read from an environment and written to it. The engine of a push, the pull and the diff
// know nothing else about a kind.

import type { Client } from '../../../api/client.ts';
import type { Service } from '../../../app/context.ts';
import type { JsonObject } from '../../../core/objects.ts';
import type { Resource, ResourceKind } from '../../../environment-files/resource.ts';
import type { FoundResource, RemoteReader, Separated } from '../remote-workflows.ts';
import { contextAccess } from './context-access.ts';
import { definitionAccess } from './definition-access.ts';
import { integrationAccess } from './integration-access.ts';
import { topicAccess } from './topic-access.ts';

export interface ResourceToWrite {
  wanted: Resource;
  /** As the environment has it now; undefined if it does not exist. */
  latest: FoundResource | undefined;
  /** The credentials to send; undefined if they are not written. */
  credentials: JsonObject | undefined;
}

export interface KindAccess {
  /** All that can be files, and the others with the reason. */
  readAll(): Promise<Separated<FoundResource>>;
  /** The resources with these ids that exist. */
  read(ids: readonly string[]): Promise<FoundResource[]>;
  /** The latest state; undefined if it does not exist. */
  find(id: string): Promise<FoundResource | undefined>;
  /** The state that the plan expects: of `current`, or after own writes that changed it, too. */
  expected(current: FoundResource): FoundResource;
  /** Whether the state counts as unchanged since the plan. */
  isSame(current: FoundResource, latest: FoundResource): boolean;
  /** Returns why nothing was written; undefined if it was. */
  write(client: Client, resource: ResourceToWrite): Promise<string | undefined>;
  delete(client: Client, latest: FoundResource): Promise<unknown>;
  /** The ids of resources that were read and cannot be in files; it is not an error. */
  leftOut?(): readonly string[];
}

export type Access = Record<ResourceKind, KindAccess>;

export const createAccess = (service: Service, reader: RemoteReader): Access => ({
  layout: definitionAccess(reader, 'layout'),
  integration: integrationAccess(service, reader),
  context: contextAccess(service),
  topic: topicAccess(service),
  workflow: definitionAccess(reader, 'workflow'),
});

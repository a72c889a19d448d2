// How each kind of resource is read from an environment and written to it. The engine of a push, the pull and the diff
// know nothing else about a kind.

import type { Service } from '../../../app/context.ts';
import type { ResourceKind } from '../../../environment-files/resource.ts';
import type { RemoteReader } from '../remote-workflows.ts';
import { contextAccess } from './context-access.ts';
import { definitionAccess } from './definition-access.ts';
import { integrationAccess } from './integration-access.ts';
import type { KindAccess } from './kind-access.ts';
import { topicAccess } from './topic-access.ts';

export type Access = Record<ResourceKind, KindAccess>;

export const createAccess = (service: Service, reader: RemoteReader): Access => ({
  layout: definitionAccess(reader, 'layout'),
  integration: integrationAccess(service, reader),
  context: contextAccess(service),
  topic: topicAccess(service),
  workflow: definitionAccess(reader, 'workflow'),
});

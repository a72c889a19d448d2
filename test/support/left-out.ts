// The members of responses that the files of svc leave out, with the reasons.
import type { z } from 'zod';
import { context } from '../../src/service/schemas/contexts.ts';
import { environment } from '../../src/service/schemas/environments.ts';
import { integration } from '../../src/service/schemas/integrations.ts';
import { layout } from '../../src/service/schemas/layouts.ts';
import { preferences } from '../../src/service/schemas/preferences.ts';
import { subscriber } from '../../src/service/schemas/subscribers.ts';
import { subscribedItem, topic } from '../../src/service/schemas/topics.ts';
import { workflow, workflowStep } from '../../src/service/schemas/workflows.ts';

/** The responses that describe what files contain. */
export const schemas = {
  environment,
  integration,
  layout,
  workflow: workflow.omit({ steps: true }),
  step: workflowStep,
  subscriber,
  preferences,
  topic,
  subscription: subscribedItem,
  context,
};

export type FileKind = 'sandbox export' | 'sandbox pull' | 'environments pull';

/** The names that the schema has, without those that it accepts. */
type Known<T> = keyof {
  [Name in keyof T as string extends Name ? never : Name]: T[Name];
} &
  string;
type Members<T> = {
  [Path in Known<T> | `${Known<T>}.${string}` | `${Known<T>}[]${string}`]?: string;
};

type LeftOut = {
  [Kind in keyof typeof schemas]: { all: Members<z.output<(typeof schemas)[Kind]>> } & {
    /** A text: the file has nothing of this kind. */
    [File in FileKind]?: Members<z.output<(typeof schemas)[Kind]>> | string | undefined;
  };
};

type Listed = Record<string, string | undefined>;
export type Reasons = { all: Listed } & { [File in FileKind]?: Listed | string | undefined };

const made = 'the service makes it from the rest';
const secret = 'it is secret';
const unused = 'no sandbox has it';

/** Members of any resource, also within others. */
export const leftOutEverywhere: Readonly<Record<string, string>> = {
  ...{
    _id: 'an id of its environment',
    id: 'the same as _id',
    slug: 'made of the name and the id',
  },
  ...{ _organizationId: 'the organization', _environmentId: 'the environment itself' },
  ...{ createdAt: 'a time of its environment', updatedAt: 'a time of its environment' },
  ...{ deleted: 'deleted ones are not listed', deletedAt: 'see deleted', deletedBy: 'see deleted' },
  ...{ updatedBy: 'a person', lastPublishedBy: 'a person', lastPublishedAt: 'history' },
  ...{ lastTriggeredAt: 'history', __v: 'a counter of the database' },
};

const onlySpecification = 'only a sandbox in the mode specification has it';
const onlyEdited = 'the files have only workflows that are edited in the service';
const noEnvironments = 'only an export has environments';
const noPeople = 'the files of an environment have no people';

export const leftOut: LeftOut = {
  environment: {
    all: {
      ...{ apiKeys: secret, widget: made },
      dns: 'it has no effect in a sandbox',
      bridge: 'it has no effect in a sandbox',
    },
    'sandbox pull': noEnvironments,
    'environments pull': noEnvironments,
  },
  integration: {
    all: { kind: unused, _parentId: unused },
    'sandbox pull': {
      credentials: 'secret; a sandbox gets values that it alone accepts',
      'configurations.inboundWebhookSigningKey': secret,
    },
    'environments pull': {
      configurations: 'set up together with the provider, for one environment',
      identifier: 'each environment has its own in-app integration',
    },
  },
  layout: {
    all: {
      ...{ origin: made, type: made, variables: made },
      ...{ 'controls.dataSchema': made, 'controls.uiSchema': made },
    },
    'environments pull': { isDefault: 'the first layout of an environment is the default one' },
  },
  workflow: {
    all: { issues: unused, agent: 'a sandbox has no agents' },
    'environments pull': { origin: onlyEdited, payloadExample: made },
  },
  step: {
    all: { variables: made, 'controls.dataSchema': made, 'controls.uiSchema': made },
    'environments pull': { origin: onlyEdited, issues: made },
  },
  subscriber: {
    all: {
      'channels[].integrationIdentifier': unused,
      'channels[].credentials.alertUid': onlySpecification,
      'channels[].credentials.title': onlySpecification,
      'channels[].credentials.imageUrl': onlySpecification,
      'channels[].credentials.state': onlySpecification,
      'channels[].credentials.externalUrl': onlySpecification,
      topics: 'the topics have their subscribers',
      isOnline: 'presence',
      lastOnlineAt: 'presence',
    },
    'sandbox pull': { channels: secret },
    'environments pull': noPeople,
  },
  preferences: {
    all: {
      'global.enabled': 'a request cannot set it',
      'workflows[].enabled': 'a request cannot set it',
      'workflows[].overrides': made,
      'workflows[].workflow': 'the workflow itself',
    },
    'environments pull': noPeople,
  },
  topic: { all: {} },
  subscription: { all: {}, 'environments pull': noPeople },
  context: { all: {} },
};

// The differences between the service as it runs and its specification. The rest of the sandbox asks for these members,
// never for the mode.

import type { Mode } from '../../service/mode.ts';

export interface Dialect {
  readonly mode: Mode;
  /** The name of the mode on screens; undefined for the default. */
  readonly shownName: string | undefined;
  /** Responses are wrapped in `{data}`. */
  readonly isEnveloped: boolean;
  /** The ids of the service's own providers start with `novu`, in the specification with `svc`. */
  readonly hasNovuProviders: boolean;
  /** `pageSize` of the feed is the requested limit, in the specification the number of items. */
  readonly isPageSizeLimit: boolean;
  /** An integration can only be activated with the credentials that its provider requires. */
  readonly requiresCredentials: boolean;
  /** A new environment keeps its `parentId`. */
  readonly keepsParent: boolean;
  /** The response to the creation of an environment has its key encrypted; only the listing has the usable one. */
  readonly encryptsNewKey: boolean;
  /** Credentials of subscribers keep the fields for Grafana. */
  readonly keepsGrafanaFields: boolean;
  /** Credentials that are updated without device tokens keep those they have. */
  readonly keepsDeviceTokens: boolean;
  /** Preferences name all five channels, not only the channels of active steps. */
  readonly showsAllChannels: boolean;
  /** Preferences list inactive workflows, too. */
  readonly showsInactiveWorkflows: boolean;
  /** A `skip` condition that is true runs the step; in the specification, it skips the step. */
  readonly isSkipToRun: boolean;
  /** Milliseconds of the machine between the response to an event and its jobs, by default. */
  readonly queueDelayMs: number;
  /** An e-mail step without `layoutId` has the default layout of the environment. */
  readonly usesDefaultLayout: boolean;
  /** An event with a recipient that cannot be read is rejected; the service leaves such recipients out. */
  readonly checksRecipients: boolean;
  /** An event without a payload is rejected; the specification names no required field. */
  readonly requiresPayload: boolean;
  /** Responses have the members that the specification requires and the service leaves out. */
  readonly hasRequiredMembers: boolean;
}

// The service as it runs, recorded from version 3.11.0.

export const serviceDialect: Dialect = {
  mode: 'novu',
  shownName: undefined,
  isEnveloped: true,
  hasNovuProviders: true,
  isPageSizeLimit: true,
  requiresCredentials: false,
  keepsParent: false,
  encryptsNewKey: true,
  keepsGrafanaFields: false,
  keepsDeviceTokens: false,
  showsAllChannels: false,
  showsInactiveWorkflows: false,
  isSkipToRun: true,
  queueDelayMs: 50,
  usesDefaultLayout: false,
  checksRecipients: false,
  requiresPayload: true,
  hasRequiredMembers: false,
};

// The specification, where the running service differs from it.

const specificationDialect: Dialect = {
  mode: 'specification',
  shownName: 'specification',
  isEnveloped: false,
  hasNovuProviders: false,
  isPageSizeLimit: false,
  requiresCredentials: true,
  keepsParent: true,
  encryptsNewKey: false,
  keepsGrafanaFields: true,
  keepsDeviceTokens: true,
  showsAllChannels: true,
  showsInactiveWorkflows: true,
  isSkipToRun: false,
  queueDelayMs: 0,
  usesDefaultLayout: true,
  checksRecipients: true,
  requiresPayload: false,
  hasRequiredMembers: true,
};

// The modes of the sandbox as dialects.

export const chooseDialect = (mode: Mode): Dialect =>
  mode === 'specification' ? specificationDialect : serviceDialect;

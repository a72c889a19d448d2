// The differences between the versions of the service, and between the service as it runs and its specification. The rest
// of the sandbox asks for these members, never for a version or the mode.

import { usageError } from '../../core/errors.ts';
import type { Mode } from '../../service/mode.ts';
import { newestVersion, type SandboxVersion } from '../../service/versions.ts';

/** Which behavior a sandbox is asked for. */
export interface Behavior {
  mode?: Mode | undefined;
  /** The version of the service. */
  service?: SandboxVersion | undefined;
}

export interface Dialect {
  readonly mode: Mode;
  /** The version of the service. */
  readonly service: SandboxVersion;
  /** The name of the version or the mode on screens. */
  readonly shownName: string;
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
  /** Workflows have steps of the types tool and http_request, the channel tool, and the variables env and actor. */
  readonly hasLaterSteps: boolean;
  /** Issues name unsupported values, and have types of their own for these and for addresses. */
  readonly hasExactIssues: boolean;
  /** A step is checked by the schema of its present type and the payload schema of the request, not by the stored ones. */
  readonly checksPresentSchemas: boolean;
  /** Eight random characters make a taken identifier unique, instead of four, and stand for a name without Latin letters. */
  readonly hasLongSuffixes: boolean;
  /** The update of a workflow ignores `origin`. */
  readonly ignoresOrigin: boolean;
  /** The status of a workflow follows from its issues whenever it changes. */
  readonly recomputesStatus: boolean;
  /** The message of an invalid request names the command of the service that rejects it, and the reasons. */
  readonly namesCommands: boolean;
  /** A key reads and changes integrations, keys and environments of its own environment alone, and no credentials are shown. */
  readonly isKeyLimited: boolean;
  /** Integrations have a kind and a parent. */
  readonly hasKinds: boolean;
  /** The host and port of a mail server are checked, and the addresses of endpoints. */
  readonly checksAddresses: boolean;
  /** The inbox of a new environment requires the hash of the subscriber. */
  readonly requiresInboxHash: boolean;
  /** A subscriber can have several subscriptions to a topic, each with an identifier, contexts and choices of workflows. */
  readonly hasNamedSubscriptions: boolean;
  /** A subscriber has a greatest number of device tokens, and attachments must have a file. */
  readonly hasLaterLimits: boolean;
  /** The contexts of an event are sorted. */
  readonly sortsContexts: boolean;
  /** The filters of topics are texts, not patterns. */
  readonly hasLiteralFilters: boolean;
  /** A subscriber has preferences for each set of contexts, which events with these contexts use. */
  readonly hasContextPreferences: boolean;
  /** Subscribers show `lastOnlineAt` even without one, and preferences show when they were set. */
  readonly showsTimes: boolean;
  /** Messages name their step, and their listing counts them. */
  readonly showsStepIds: boolean;
  /** An event of a workflow without active steps is processed, and has no jobs. */
  readonly acceptsEmptyWorkflows: boolean;
  /** The result of an event that is not processed has its transaction id. */
  readonly showsTransactions: boolean;
  /** A step whose subscriber has no channel is canceled with a warning, and does not fail. */
  readonly skipsWithoutChannel: boolean;
  /** Each job that a failed step stops has a detail that says so. */
  readonly cancelsWithDetail: boolean;
  /** An e-mail keeps the overrides of its provider and its step. */
  readonly storesAllOverrides: boolean;
  /** A list in the overrides of a step replaces that of all steps; earlier, the two are merged by position. */
  readonly replacesLists: boolean;
  /** The time of the last event of a workflow changes at most every five minutes. */
  readonly delaysLastTriggered: boolean;
  /** The filter `digest` lists all names within its limit; earlier, it did so for three only. */
  readonly listsAllNames: boolean;
  /** An event can send an e-mail to other addresses instead of that of its subscriber. */
  readonly replacesRecipients: boolean;
  /** The older routes of preferences show the channels of the steps, unless the request asks for all. */
  readonly hidesInactiveChannels: boolean;
  /** Each notification names its subscriber and its workflow, and unsafe addresses are left out. */
  readonly hasFullNotifications: boolean;
  /** A session of the inbox takes the locale, and is in the development mode by the type of the environment, not its name. */
  readonly hasSessionDetails: boolean;
  /** A filter of notifications by data takes lists of values, and groups of these. */
  readonly hasDataGroups: boolean;
  /** An event without payload is a reference in a digest. */
  readonly hasDigestReferences: boolean;
  /** The error of a step names neither the address nor the status of its endpoint. */
  readonly hasShortErrors: boolean;
  /** An in-app message without subject or body has none, unless it lacks both. */
  readonly dropsEmptyTexts: boolean;
  /** Preferences list the workflows that subscribers cannot turn off, on request. */
  readonly findsCritical: boolean;
}

// The service as it runs, recorded from versions 3.11.0 and 3.19.0.

export const dialect311: Dialect = {
  mode: 'novu',
  service: '3.11',
  shownName: '3.11',
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
  hasLaterSteps: false,
  hasExactIssues: false,
  checksPresentSchemas: false,
  hasLongSuffixes: false,
  ignoresOrigin: false,
  recomputesStatus: false,
  namesCommands: false,
  isKeyLimited: false,
  hasKinds: false,
  checksAddresses: false,
  requiresInboxHash: false,
  hasNamedSubscriptions: false,
  hasLaterLimits: false,
  sortsContexts: false,
  hasLiteralFilters: false,
  hasContextPreferences: false,
  showsTimes: false,
  showsStepIds: false,
  acceptsEmptyWorkflows: false,
  showsTransactions: false,
  skipsWithoutChannel: false,
  cancelsWithDetail: false,
  storesAllOverrides: false,
  replacesLists: false,
  delaysLastTriggered: false,
  listsAllNames: false,
  replacesRecipients: false,
  hidesInactiveChannels: false,
  hasFullNotifications: false,
  hasSessionDetails: false,
  hasDataGroups: false,
  hasDigestReferences: false,
  hasShortErrors: false,
  dropsEmptyTexts: false,
  findsCritical: true,
};

export const dialect319: Dialect = {
  ...dialect311,
  service: '3.19',
  shownName: '3.19',
  hasLaterSteps: true,
  hasExactIssues: true,
  checksPresentSchemas: true,
  hasLongSuffixes: true,
  ignoresOrigin: true,
  recomputesStatus: true,
  namesCommands: true,
  isKeyLimited: true,
  hasKinds: true,
  checksAddresses: true,
  requiresInboxHash: true,
  hasNamedSubscriptions: true,
  hasLaterLimits: true,
  sortsContexts: true,
  hasLiteralFilters: true,
  hasContextPreferences: true,
  showsTimes: true,
  showsStepIds: true,
  acceptsEmptyWorkflows: true,
  showsTransactions: true,
  skipsWithoutChannel: true,
  cancelsWithDetail: true,
  storesAllOverrides: true,
  replacesLists: true,
  delaysLastTriggered: true,
  listsAllNames: true,
  replacesRecipients: true,
  hidesInactiveChannels: true,
  hasFullNotifications: true,
  hasSessionDetails: true,
  hasDataGroups: true,
  hasDigestReferences: true,
  hasShortErrors: true,
  dropsEmptyTexts: true,
  findsCritical: false,
};

// The specification, where version 3.11 of the running service differs from it.

const specificationDialect: Dialect = {
  ...dialect311,
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

/** Throws a usage error for the specification in another version than its own. */
export function chooseDialect({ mode = 'novu', service }: Behavior): Dialect {
  if (mode === 'specification') {
    if (service !== undefined && service !== specificationDialect.service)
      throw usageError(
        `The mode specification exists in version ${specificationDialect.service} of the service only.`,
        { hint: `Leave out one of --compat specification and --service ${service}.` },
      );
    return specificationDialect;
  }
  return { '3.11': dialect311, '3.19': dialect319 }[service ?? newestVersion];
}

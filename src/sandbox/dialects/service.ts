// The service as it runs, recorded from version 3.11.0.
import type { Dialect } from './dialect.ts';

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

// The specification, where the running service differs from it.
import type { Dialect } from './dialect.ts';

export const specificationDialect: Dialect = {
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

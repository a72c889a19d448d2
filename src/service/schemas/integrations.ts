// Integrations (specification: Resources, Integration; Endpoints, Integrations).
import { z } from 'zod';
import { checked, checkedObject } from '../rules/checked.ts';
import {
  isArray,
  isDefined,
  isObject,
  isObjectId,
  isOneOf,
  isString,
  nested,
  optional,
  sinceVersion,
} from '../rules/rules.ts';
import { stepFilter, stepFilterBody } from './step-filters.ts';
import {
  checkedFlag,
  checkedName,
  jsonObject,
  nonEmptyText,
  openEnum,
  requiredName,
} from './values.ts';
import { allChannels, channelTypes } from './vocabulary.ts';

const integrationKinds = ['delivery', 'agent'] as const;
const text = z.string().optional();
const flag = z.boolean().optional();

const credential = checked(text, optional(isString()));
const credentialFields = {
  apiKey: credential,
  user: credential,
  secretKey: credential,
  domain: credential,
  password: credential,
  host: credential,
  port: credential,
  region: credential,
  accountSid: credential,
  messageProfileId: credential,
  token: credential,
  from: credential,
  senderName: credential,
  projectName: credential,
  applicationId: credential,
  clientId: credential,
  baseUrl: credential,
  webhookUrl: credential,
  redirectUrl: credential,
  serviceAccount: credential,
  ipPoolName: credential,
  apiKeyRequestHeader: credential,
  secretKeyRequestHeader: credential,
  idPath: credential,
  datePath: credential,
  apiToken: credential,
  authenticationTokenKey: credential,
  instanceId: credential,
  alertUid: credential,
  title: credential,
  imageUrl: credential,
  state: credential,
  externalLink: credential,
  channelId: credential,
  phoneNumberIdentification: credential,
  accessKey: credential,
  appSid: credential,
  senderId: credential,
  AppIOBaseUrl: credential,
  secure: checkedFlag,
  requireTls: checkedFlag,
  ignoreTls: checkedFlag,
  hmac: checkedFlag,
  authenticateByToken: checkedFlag,
  // Since 3.15 to 3.19.
  tenantId: text,
  signingSecret: text,
  businessAccountId: text,
  outboundIntegrationId: text,
  outboundConnectedAt: text,
  whatsNextCompletedAt: text,
  useFromAddressOverride: flag,
  fromAddressOverride: text,
  emailSlugPrefix: text,
  externalEnvironmentId: text,
  externalVaultId: text,
  externalWorkspaceId: text,
  method: text,
  headers: text,
  body: text,
  routingMode: text,
  tlsOptions: checked(jsonObject.optional(), optional(isObject)),
};

const configurationFields = { inboundWebhookEnabled: flag, inboundWebhookSigningKey: text };

/** Credentials for a provider in a response. */
const integrationCredentials = z.looseObject(credentialFields);
const integrationConfigurations = z.looseObject(configurationFields);

/** Credentials for a provider in a request. They replace all stored ones. */
export const integrationCredentialsBody = z.strictObject(credentialFields);
export const integrationConfigurationsBody = z.strictObject(configurationFields);

export const integration = z.looseObject({
  _id: z.string().optional(),
  _environmentId: z.string(),
  _organizationId: z.string(),
  name: z.string(),
  identifier: z.string(),
  providerId: z.string(),
  // Absent for an agent.
  channel: openEnum(allChannels).optional(),
  /** Since 3.17: `delivery` or `agent`. */
  kind: text,
  _parentId: z.string().nullable().optional(),
  // Since 3.17 absent in the response to a write, and empty in a listing.
  credentials: integrationCredentials.optional(),
  configurations: integrationConfigurations.optional(),
  active: z.boolean(),
  deleted: z.boolean(),
  deletedAt: z.string().optional(),
  deletedBy: z.string().optional(),
  primary: z.boolean(),
  conditions: z.array(stepFilter).optional(),
  // The specification does not name the following members.
  priority: z.number().optional(),
  createdAt: text,
  updatedAt: text,
  __v: z.number().optional(),
  id: text,
});

export const webhookStatus = z.boolean();
export const integrationList = z.array(integration);

const names = {
  name: checkedName,
  identifier: checkedName,
  _environmentId: checked(nonEmptyText.optional(), optional(isObjectId())),
};
const settings = {
  credentials: checkedObject(integrationCredentialsBody),
  active: checkedFlag,
  check: checkedFlag,
  conditions: checked(z.array(stepFilterBody).optional(), { ...nested({}, isArray), isList: true }),
  configurations: checked(integrationConfigurationsBody.optional(), optional(isObject)),
};

export const updateIntegrationBody = z.strictObject({ ...names, ...settings });

export const createIntegrationBody = z.strictObject({
  ...names,
  providerId: requiredName,
  channel: checked(z.enum(allChannels), {
    rules: [isDefined(), sinceVersion('3.19', isOneOf(allChannels), isOneOf(channelTypes))],
    isRequired: true,
  }),
  kind: checked(z.enum(integrationKinds).optional(), {
    rules: [isOneOf(integrationKinds)],
    versions: { since: '3.17' },
  }),
  ...settings,
});

export type Integration = z.output<typeof integration>;

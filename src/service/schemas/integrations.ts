// Integrations (specification: Resources, Integration; Endpoints, Integrations).
import { z } from 'zod';
import { openEnum } from './open-enum.ts';
import { stepFilter, stepFilterBody } from './step-filters.ts';
import { jsonObject, nonEmptyText } from './values.ts';
import { channelTypes } from './vocabulary.ts';

const text = z.string().optional();
const flag = z.boolean().optional();

const credentialFields = {
  apiKey: text,
  user: text,
  secretKey: text,
  domain: text,
  password: text,
  host: text,
  port: text,
  region: text,
  accountSid: text,
  messageProfileId: text,
  token: text,
  from: text,
  senderName: text,
  projectName: text,
  applicationId: text,
  clientId: text,
  baseUrl: text,
  webhookUrl: text,
  redirectUrl: text,
  serviceAccount: text,
  ipPoolName: text,
  apiKeyRequestHeader: text,
  secretKeyRequestHeader: text,
  idPath: text,
  datePath: text,
  apiToken: text,
  authenticationTokenKey: text,
  instanceId: text,
  alertUid: text,
  title: text,
  imageUrl: text,
  state: text,
  externalLink: text,
  channelId: text,
  phoneNumberIdentification: text,
  accessKey: text,
  appSid: text,
  senderId: text,
  AppIOBaseUrl: text,
  secure: flag,
  requireTls: flag,
  ignoreTls: flag,
  hmac: flag,
  authenticateByToken: flag,
  tlsOptions: jsonObject.optional(),
};

const configurationFields = {
  inboundWebhookEnabled: flag,
  inboundWebhookSigningKey: text,
};

/** Credentials for a provider in a response. */
export const integrationCredentials = z.looseObject(credentialFields);
export const integrationConfigurations = z.looseObject(configurationFields);

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
  channel: openEnum(channelTypes),
  credentials: integrationCredentials,
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

export const integrationList = z.array(integration);

/** Body of PUT `/v1/integrations/{integrationId}`. */
export const updateIntegrationBody = z.strictObject({
  name: nonEmptyText.optional(),
  identifier: nonEmptyText.optional(),
  _environmentId: nonEmptyText.optional(),
  active: flag,
  credentials: integrationCredentialsBody.optional(),
  check: flag,
  conditions: z.array(stepFilterBody).optional(),
  configurations: integrationConfigurationsBody.optional(),
});

/** Body of POST `/v1/integrations`. */
export const createIntegrationBody = updateIntegrationBody.extend({
  providerId: nonEmptyText,
  channel: z.enum(channelTypes),
});

export type Integration = z.output<typeof integration>;

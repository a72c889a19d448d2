// Requests and results of the client for integrations, as literals from the API specification.
import { describe, it } from 'vitest';
import { expectExchange } from './support/wire.ts';
import { owner, proPlan } from './support/wire-bodies.ts';

const everyCredential = {
  apiKey: 'SG.key',
  user: 'mailer',
  secretKey: 'secret',
  domain: 'mail.acme.test',
  password: 'hunter2',
  host: 'smtp.acme.test',
  port: '587',
  region: 'eu-west-1',
  accountSid: 'AC123',
  messageProfileId: 'profile-1',
  token: 'token-1',
  from: 'noreply@acme.test',
  senderName: 'Acme',
  projectName: 'acme-app',
  applicationId: 'app-1',
  clientId: 'client-1',
  baseUrl: 'https://provider.test',
  webhookUrl: 'https://provider.test/hook',
  redirectUrl: 'https://acme.test/done',
  serviceAccount: '{"project_id":"acme"}',
  ipPoolName: 'pool-1',
  apiKeyRequestHeader: 'x-api-key',
  secretKeyRequestHeader: 'x-secret-key',
  idPath: 'message.id',
  datePath: 'message.date',
  apiToken: 'api-token',
  authenticationTokenKey: 'auth',
  instanceId: 'instance-1',
  alertUid: 'alert-1',
  title: 'Alert',
  imageUrl: 'https://acme.test/alert.png',
  state: 'alerting',
  externalLink: 'https://acme.test/alerts/1',
  channelId: 'C123',
  phoneNumberIdentification: '15550100',
  accessKey: 'access',
  appSid: 'app-sid',
  senderId: 'ACME',
  AppIOBaseUrl: 'https://appio.test',
  secure: true,
  requireTls: true,
  ignoreTls: false,
  hmac: false,
  authenticateByToken: true,
  tlsOptions: { rejectUnauthorized: true },
};

const inboundWebhook = { inboundWebhookEnabled: true, inboundWebhookSigningKey: 'whsec_1' };

const secondary = { active: true, deleted: false, primary: false };

describe('integrations', () => {
  it('updates an integration with PUT and returns it', async () => {
    await expectExchange({
      operation: 'updateIntegration',
      input: {
        path: { integrationId: '65b000000000000000000001' },
        body: {
          name: 'Transactional mail',
          identifier: 'sendgrid-mail',
          _environmentId: '65a000000000000000000001',
          active: true,
          credentials: everyCredential,
          check: false,
          conditions: [proPlan],
          configurations: inboundWebhook,
        },
      },
      sends: 'PUT /v1/integrations/65b000000000000000000001',
      status: 200,
      returns: {
        _id: '65b000000000000000000001',
        ...owner,
        name: 'Transactional mail',
        identifier: 'sendgrid-mail',
        providerId: 'sendgrid',
        channel: 'email',
        credentials: everyCredential,
        configurations: inboundWebhook,
        active: true,
        deleted: false,
        deletedAt: '2026-01-14T09:00:00.000Z',
        deletedBy: '65d000000000000000000001',
        primary: true,
        conditions: [proPlan],
      },
    });
  });

  it('deletes an integration and returns the remaining ones', async () => {
    await expectExchange({
      operation: 'deleteIntegration',
      input: { path: { integrationId: '65b000000000000000000001' } },
      sends: 'DELETE /v1/integrations/65b000000000000000000001',
      status: 200,
      returns: [
        {
          _id: '65b000000000000000000002',
          ...owner,
          name: 'Slack',
          identifier: 'slack-chat',
          providerId: 'slack',
          channel: 'chat',
          credentials: { applicationId: 'A1', clientId: 'C1', secretKey: 'secret' },
          ...secondary,
        },
        {
          ...owner,
          name: 'Inbox',
          identifier: 'inbox',
          providerId: 'svc',
          channel: 'in_app',
          credentials: { hmac: false },
          ...secondary,
        },
      ],
    });
  });
});

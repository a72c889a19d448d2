// Delivers chat and push messages: one message for each chat channel of the subscriber, or for each device token.
import { detailTexts } from '../../service/job-outcomes.ts';
import { chatProviders, pushProviders } from '../../service/providers.ts';
import type { Channel } from '../../service/schemas/vocabulary.ts';
import { type ChannelCredentials, listCredentials } from '../store/credentials.ts';
import type { StoredIntegration } from '../store/integrations.ts';
import type { StoredJob } from '../store/jobs.ts';
import type { Scope } from '../store/scope.ts';
import {
  type Address,
  createMessage,
  injectedError,
  providerError,
  providerErrorIds,
  selectProvider,
} from './create-message.ts';
import type { Content } from './message-content.ts';
import { channelOverrides, providerOverrides } from './overrides.ts';
import type { Run } from './run.ts';
import {
  canceled,
  completed,
  failed,
  type JobOutcome,
  readIntegrations,
  recordDetail,
} from './run.ts';

/** Channels with any number of addresses for each subscriber. */
export type FanOutChannel = Extract<Channel, 'chat' | 'push'>;

interface Destination {
  /** Absent: the newest active integration of the provider. */
  integrationId?: string;
  providerId: string;
  credentials: ChannelCredentials & { phone?: string; topic?: string };
}

/**
 * The step completes if one message is sent. It is canceled if no push message is sent and a provider has no list of
 * tokens; with an empty list, it fails.
 */
export function deliverToAll(
  scope: Scope,
  run: Run,
  job: StoredJob,
  channel: FanOutChannel,
  content: Content,
): JobOutcome {
  const destinations = findDestinations(scope, run, job, channel);
  if (destinations.length === 0) {
    recordDetail(scope, job, 'Failed', detailTexts.noChannel);
    return failed;
  }
  const active = readIntegrations(scope, channel);
  let sent = 0;
  let isSkipped = false;
  for (const { integrationId, providerId, credentials } of destinations) {
    const hasTokens = channel !== 'push' || credentials.deviceTokens !== undefined;
    if (!hasTokens) {
      const raw = { providerId, credentials, _integrationId: integrationId };
      recordDetail(scope, { ...job, providerId }, 'Failed', missingTokens, raw);
      isSkipped = true;
    }
    const integration = active.find((integration) =>
      integrationId === undefined
        ? integration.providerId === providerId
        : integration.id === integrationId,
    );
    if (!integration) {
      const raw = channel === 'push' ? undefined : 'Integration is either deleted or not active';
      recordDetail(scope, job, 'Failed', detailTexts.noIntegration, raw);
    } else if (hasTokens) {
      sent += deliverThrough(scope, run, job, { integration, credentials, content });
    }
  }
  if (sent > 0) return completed;
  if (isSkipped) {
    recordDetail(scope, job, 'Failed', detailTexts.pushSkipped);
    return canceled;
  }
  recordDetail(scope, job, 'Failed', allFailed[channel]);
  return failed;
}

const allFailed = {
  chat: detailTexts.allChatFailed,
  push: detailTexts.allPushFailed,
};

/** A phone number is a WhatsApp destination of every subscriber who has one. */
function findDestinations(scope: Scope, run: Run, job: StoredJob, channel: FanOutChannel) {
  const { subscriber } = run;
  const providers: readonly string[] = channel === 'chat' ? chatProviders : pushProviders;
  const stored: Destination[] = listCredentials(scope, subscriber.id).filter(({ providerId }) =>
    providers.includes(providerId),
  );
  if (channel === 'push') {
    const hasFirebase = stored.some(({ providerId }) => providerId === firebase);
    return hasFirebase ? stored : [...stored, ...firebaseDestinations(scope, run, job)];
  }
  const { phone } = subscriber.profile;
  return phone ? [...stored, { providerId: 'whatsapp-business', credentials: { phone } }] : stored;
}

const firebase = 'fcm';

/** The tokens or the topic that an event has for Firebase, if there is an active integration. */
function firebaseDestinations(scope: Scope, run: Run, job: StoredJob): Destination[] {
  const { tokens, topic } = providerOverrides(run, job, firebase);
  const isActive = readIntegrations(scope, 'push').some(
    ({ providerId }) => providerId === firebase,
  );
  if (!isActive || !(Array.isArray(tokens) || topic)) return [];
  const credentials = Array.isArray(tokens)
    ? { deviceTokens: tokens.map(String) }
    : { deviceTokens: [], topic: String(topic) };
  return [{ providerId: firebase, credentials }];
}

/** Returns the number of messages sent. */
function deliverThrough(
  scope: Scope,
  run: Run,
  job: StoredJob,
  {
    integration,
    credentials,
    content,
  }: { integration: StoredIntegration; credentials: Destination['credentials']; content: Content },
): number {
  const overrides = channelOverrides(run, job, job.type, integration.providerId);
  const isPush = job.type === 'push';
  selectProvider(scope, job, integration);
  const addresses = isPush
    ? chooseTokens(credentials, overrides).map((token) => ({ deviceTokens: [token] }))
    : [chatAddress(credentials, overrides)];
  const { topic: recipient } = credentials;
  if (addresses.length === 0 && recipient !== undefined) addresses.push({ deviceTokens: [] });
  return addresses.filter((address) =>
    send(scope, run, job, { integration, address, content, recipient }),
  ).length;
}

const missingTokens =
  'Subscriber credentials is missing the tokens for sending a push notification message';

function chooseTokens(
  { deviceTokens = [] }: ChannelCredentials,
  overrides: Record<string, unknown>,
) {
  return Array.isArray(overrides.deviceTokens) ? overrides.deviceTokens.map(String) : deviceTokens;
}

function chatAddress(
  { webhookUrl, channel, phone }: Destination['credentials'],
  overrides: Record<string, unknown>,
): Address {
  const given = typeof overrides.webhookUrl === 'string' ? overrides.webhookUrl : undefined;
  const directWebhookUrl = given ?? (webhookUrl || channel);
  return { ...(directWebhookUrl ? { directWebhookUrl } : {}), ...(phone ? { phone } : {}) };
}

function send(
  scope: Scope,
  run: Run,
  job: StoredJob,
  message: {
    integration: StoredIntegration;
    address: Address;
    content: Content;
    recipient: string | undefined;
  },
): boolean {
  const { integration, address, content } = message;
  const { providerId } = integration;
  const error =
    addressError(address) ??
    providerError(integration, address) ??
    injectedError(scope, job.type, integration);
  const state =
    error === undefined
      ? { status: 'sent' as const }
      : {
          status: 'error' as const,
          errorId: providerErrorIds[job.type as FanOutChannel],
          errorText: error,
        };
  createMessage(scope, run, job, { ...message, state });
  const created =
    job.type === 'push'
      ? { providerId, content: JSON.stringify(content.content) }
      : content.content;
  recordDetail(scope, job, 'Pending', detailTexts.messageCreated, created);
  const channelData = { type: job.type, ...address };
  if (error === undefined) {
    const result = { id: scope.ids.objectId(), date: scope.now };
    recordDetail(
      scope,
      job,
      'Success',
      detailTexts.messageSent,
      job.type === 'push'
        ? { providerId, result, deviceToken: address.deviceTokens?.[0] }
        : { ...result, channelData },
    );
    return true;
  }
  recordDetail(scope, job, 'Failed', detailTexts.providerError, { channelData, message: error });
  return false;
}

const addressError = ({ directWebhookUrl, deviceTokens, phone }: Address) =>
  directWebhookUrl || deviceTokens || phone
    ? undefined
    : 'Webhook URL for the chat channel is missing';

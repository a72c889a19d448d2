// Delivers chat and push messages: one message for each chat channel of the subscriber, or for each device token.

import { detailTexts } from '../../service/job-outcomes.ts';
import { chatProviders, pushProviders } from '../../service/providers.ts';
import type { Channel } from '../../service/schemas/vocabulary.ts';
import { type ChannelCredentials, listCredentials } from '../store/credentials.ts';
import type { StoredIntegration } from '../store/integrations.ts';
import { type Address, createMessage, selectProvider, sendMessage } from './create-message.ts';
import type { Content } from './message-content.ts';
import { channelOverrides, providerOverrides } from './overrides.ts';
import { readIntegrations, recordDetail, type Step } from './run.ts';
import { canceled, completed, failed, type JobOutcome } from './step.ts';

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
export function deliverToAll(step: Step, channel: FanOutChannel, content: Content): JobOutcome {
  const { scope, job } = step;
  const destinations = findDestinations(step, channel);
  if (destinations.length === 0) {
    const isSkipped = scope.dialect.skipsWithoutChannel;
    recordDetail(scope, job, isSkipped ? 'Warning' : 'Failed', detailTexts.noChannel);
    return isSkipped ? canceled : failed;
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
      sent += deliverThrough(step, { integration, credentials, content });
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

const allFailed = { chat: detailTexts.allChatFailed, push: detailTexts.allPushFailed };

/** A phone number is a WhatsApp destination of every subscriber who has one. */
function findDestinations(step: Step, channel: FanOutChannel) {
  const { scope, run } = step;
  const { subscriber } = run;
  const providers: readonly string[] = channel === 'chat' ? chatProviders : pushProviders;
  const stored: Destination[] = listCredentials(scope, subscriber.id).filter(({ providerId }) =>
    providers.includes(providerId),
  );
  if (channel === 'push') {
    const hasFirebase = stored.some(({ providerId }) => providerId === firebase);
    return hasFirebase ? stored : [...stored, ...firebaseDestinations(step)];
  }
  const { phone } = subscriber.profile;
  return phone ? [...stored, ...phoneDestinations(step, phone, stored)] : stored;
}

/** In later versions, a phone number is a destination through each of two providers that has an active integration. */
function phoneDestinations(
  { scope }: Step,
  phone: string,
  stored: readonly Destination[],
): Destination[] {
  const credentials = { phone };
  if (!scope.dialect.skipsWithoutChannel) return [{ providerId: 'whatsapp-business', credentials }];
  const active = readIntegrations(scope, 'chat');
  return ['whatsapp-business', 'sendblue']
    .filter(
      (id) =>
        active.some(({ providerId }) => providerId === id) &&
        !stored.some(({ providerId }) => providerId === id),
    )
    .map((providerId) => ({ providerId, credentials }));
}

const firebase = 'fcm';

/** The tokens or the topic that an event has for Firebase, if there is an active integration. */
function firebaseDestinations(step: Step): Destination[] {
  const { scope } = step;
  const { tokens, topic } = providerOverrides(step, firebase);
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
  step: Step,
  {
    integration,
    credentials,
    content,
  }: { integration: StoredIntegration; credentials: Destination['credentials']; content: Content },
): number {
  const { scope, job } = step;
  const overrides = channelOverrides(step, job.type, integration.providerId);
  const isPush = job.type === 'push';
  selectProvider(scope, job, integration);
  const addresses = isPush
    ? chooseTokens(credentials, overrides).map((token) => ({ deviceTokens: [token] }))
    : [chatAddress(credentials, overrides)];
  const { topic: recipient } = credentials;
  if (addresses.length === 0 && recipient !== undefined) addresses.push({ deviceTokens: [] });
  return addresses.filter((address) => send(step, { integration, address, content, recipient }))
    .length;
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
  step: Step,
  message: {
    integration: StoredIntegration;
    address: Address;
    content: Content;
    recipient: string | undefined;
  },
): boolean {
  const { scope, job } = step;
  const { integration, address, content } = message;
  const { providerId } = integration;
  const state = sendMessage(step, integration, address);
  createMessage(step, { ...message, state });
  const created =
    job.type === 'push'
      ? // The service has no content for a push message at this point.
        { providerId, content: JSON.stringify('') }
      : content.content;
  recordDetail(scope, job, 'Pending', detailTexts.messageCreated, created);
  const channelData = { type: job.type, ...address };
  if (state.status === 'sent') {
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
  recordDetail(scope, job, 'Failed', detailTexts.providerError, {
    channelData,
    message: state.errorText,
  });
  return false;
}

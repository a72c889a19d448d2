// Delivers a push message to each device token of the subscriber.

import { detailTexts } from '../../service/job-outcomes.ts';
import { pushProviders } from '../../service/providers.ts';
import { type ChannelCredentials, listCredentials } from '../store/credentials.ts';
import type { StoredIntegration } from '../store/integrations.ts';
import { createMessage, selectProvider, sendMessage } from './create-message.ts';
import type { Content } from './message-content.ts';
import { channelOverrides, providerOverrides } from './overrides.ts';
import { readIntegrations, recordDetail, type Step } from './run.ts';
import { canceled, completed, failed, type JobOutcome } from './step.ts';

interface Destination {
  /** Absent: the newest active integration of the provider. */
  integrationId?: string;
  providerId: string;
  credentials: ChannelCredentials & { topic?: string };
}

/**
 * The step completes if one message is sent. It is canceled if none is sent and a provider has no list of tokens; with an
 * empty list, it fails. Undefined: the subscriber has no provider.
 */
export function deliverToDevices(step: Step, content: Content): JobOutcome | undefined {
  const { scope, job } = step;
  const destinations = findDestinations(step);
  if (destinations.length === 0) return undefined;
  const active = readIntegrations(scope, 'push');
  let sent = 0;
  let isSkipped = false;
  for (const { integrationId, providerId, credentials } of destinations) {
    const hasTokens = credentials.deviceTokens !== undefined;
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
    if (!integration) recordDetail(scope, job, 'Failed', detailTexts.noIntegration);
    else if (hasTokens) sent += deliverThrough(step, { integration, credentials, content });
  }
  if (sent > 0) return completed;
  recordDetail(scope, job, 'Failed', isSkipped ? detailTexts.pushSkipped : detailTexts.notSent);
  return isSkipped ? canceled : failed;
}

function findDestinations(step: Step): Destination[] {
  const { scope, run } = step;
  const providers: readonly string[] = pushProviders;
  const stored = listCredentials(scope, run.subscriber.id).filter(({ providerId }) =>
    providers.includes(providerId),
  );
  const hasFirebase = stored.some(({ providerId }) => providerId === firebase);
  return hasFirebase ? stored : [...stored, ...firebaseDestinations(step)];
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

const missingTokens =
  'Subscriber credentials is missing the tokens for sending a push notification message';

interface Delivery {
  integration: StoredIntegration;
  credentials: Destination['credentials'];
  content: Content;
}

/** Returns the number of messages sent. */
function deliverThrough(step: Step, delivery: Delivery): number {
  const { scope, job } = step;
  const { integration, credentials } = delivery;
  const overrides = channelOverrides(step, 'push', integration.providerId);
  selectProvider(scope, job, integration);
  const addresses = chooseTokens(credentials, overrides).map((token) => [token]);
  if (addresses.length === 0 && credentials.topic !== undefined) addresses.push([]);
  return addresses.filter((deviceTokens) => send(step, delivery, deviceTokens)).length;
}

function chooseTokens(
  { deviceTokens = [] }: ChannelCredentials,
  overrides: Record<string, unknown>,
) {
  return Array.isArray(overrides.deviceTokens) ? overrides.deviceTokens.map(String) : deviceTokens;
}

function send(
  step: Step,
  { integration, credentials: { topic: recipient }, content }: Delivery,
  deviceTokens: string[],
): boolean {
  const { scope, job } = step;
  const { providerId } = integration;
  const address = { deviceTokens };
  const state = sendMessage(step, integration, address);
  createMessage(step, { integration, address, content, recipient, state });
  // The service has no content for a push message at this point.
  const created = { providerId, content: JSON.stringify('') };
  recordDetail(scope, job, 'Pending', detailTexts.messageCreated, created);
  if (state.status === 'sent') {
    const result = { id: scope.ids.objectId(), date: scope.now };
    const raw = { providerId, result, deviceToken: deviceTokens[0] };
    recordDetail(scope, job, 'Success', detailTexts.messageSent, raw);
    return true;
  }
  const raw = { channelData: { type: job.type, ...address }, message: state.errorText };
  recordDetail(scope, job, 'Failed', detailTexts.providerError, raw);
  return false;
}

// Delivers a chat message: to the endpoints of the subscriber, with one message for each integration, and to the
// subscriber's credentials and phone number, with one message for each.

import { asObject, groupBy, withoutUndefined } from '../../core/objects.ts';
import { nonEmpty } from '../../core/text.ts';
import { detailTexts } from '../../service/job-outcomes.ts';
import { allChannelProviders, pushProviders } from '../../service/providers.ts';
import {
  addressTypes,
  isChannelAddress,
  phoneProviders,
} from '../../service/rules/channel-address.ts';
import { connectionOf, endpointsOf, type StoredEndpoint } from '../store/channel-endpoints.ts';
import { listCredentials } from '../store/credentials.ts';
import type { StoredIntegration } from '../store/integrations.ts';
import type { ChatAddress } from '../store/messages.ts';
import { createMessage, type NewMessage, selectProvider, sendMessage } from './create-message.ts';
import type { Content } from './message-content.ts';
import { channelOverrides, providerOverrides } from './overrides.ts';
import { readIntegrations, recordDetail, type Step } from './run.ts';
import { canceled, completed, failed, type JobOutcome } from './step.ts';

interface Destination {
  providerId: string;
  /** Undefined: it is deleted or not active. */
  integration: StoredIntegration | undefined;
  /** Names the integration in the detail that says so. */
  integrationName: string;
  /** Empty if the credentials of the subscriber have no address. */
  addresses: ChatAddress[];
}

/**
 * The step completes if the message reaches one address. Otherwise it is canceled if an address is missing, or fails.
 * Undefined: the subscriber has neither endpoints nor credentials.
 */
export function deliverToChats(step: Step, content: Content): JobOutcome | undefined {
  const { scope, job } = step;
  const destinations = findDestinations(step);
  if (destinations.length === 0) return undefined;
  const results = destinations.map((destination) => deliverTo(step, destination, content));
  if (results.includes('sent')) return completed;
  if (!results.includes('skipped')) {
    recordDetail(scope, job, 'Failed', detailTexts.allChatFailed);
    return failed;
  }
  const status = scope.dialect.skipsWithoutChannel ? 'Warning' : 'Failed';
  recordDetail(scope, job, status, detailTexts.chatSkipped);
  return canceled;
}

function findDestinations(step: Step): Destination[] {
  const active = readIntegrations(step.scope, 'chat');
  const others = [...endpointDestinations(step, active), ...credentialDestinations(step, active)];
  return [...others, ...phoneDestinations(step, active, others)];
}

type Integrations = readonly StoredIntegration[];

function endpointDestinations(step: Step, active: Integrations): Destination[] {
  const { scope, run } = step;
  const { contextKeys } = run.notification;
  const { subscriberId } = run.subscriber;
  const all = endpointsOf(scope, { subscriberId, channel: 'chat', contextKeys });
  const byIntegration = groupBy(all, ({ integrationIdentifier }) => integrationIdentifier);
  return [...byIntegration].map(([identifier, group]) => ({
    providerId: group[0]?.providerId ?? '',
    integration: active.find((integration) => integration.identifier === identifier),
    integrationName: `Integration with integrationIdentifier: ${identifier}`,
    addresses: group.map((endpoint) => toAddress(step, endpoint)),
  }));
}

/** An event can replace the address of an endpoint by another of its type. */
function toAddress(step: Step, stored: StoredEndpoint): ChatAddress {
  const { key: identifier, type, providerId } = stored;
  const override = asObject(asObject(providerOverrides(step, providerId)[identifier]).endpoint);
  const endpoint = isChannelAddress(type, override) ? override : stored.endpoint;
  const connection = connectionOf(step.scope, stored, step.run.notification.contextKeys);
  if (/^ms_teams_/.test(type)) {
    const subscriberTenantId = connection?.workspace.id ?? nonEmpty(stored.endpoint.tenantId);
    return withoutUndefined({ identifier, type, endpoint, subscriberTenantId });
  }
  if (!/^(slack|webex)_/.test(type)) return { identifier, type, endpoint };
  const token = connection?.auth.accessToken ?? '';
  return { identifier, type, endpoint, token: token && `${token.slice(0, 8)}...` };
}

const chatProviders = allChannelProviders.filter(
  (id) => !(pushProviders as readonly string[]).includes(id),
);

function credentialDestinations(step: Step, active: Integrations): Destination[] {
  const { scope, run } = step;
  return listCredentials(scope, run.subscriber.id)
    .filter(({ providerId }) => chatProviders.includes(providerId))
    .map(({ providerId, integrationId, credentials: { webhookUrl, channel } }) => {
      const isPhone = phoneProviders.includes(providerId);
      const url =
        nonEmpty(channelOverrides(step, 'chat', providerId).webhookUrl) ??
        nonEmpty(run.notification.payload.webhookUrl) ??
        webhookUrl;
      const endpoint = { url, ...(channel ? { channel } : {}) };
      return {
        providerId,
        integration: active.find((other) =>
          isPhone ? other.providerId === providerId : other.id === integrationId,
        ),
        integrationName: `Integration${isPhone ? '' : ` with integrationId: ${integrationId}`}`,
        addresses: url ? [{ identifier: ofCredential, type: 'webhook', endpoint }] : [],
      };
    });
}

const ofCredential = '-';

/**
 * In later versions, a phone number is a destination through each of two providers that has an active integration and
 * no other destination; earlier, always through WhatsApp.
 */
function phoneDestinations(
  { scope, run }: Step,
  active: Integrations,
  others: readonly Destination[],
): Destination[] {
  const phoneNumber = run.subscriber.profile.phone;
  if (!phoneNumber) return [];
  const isLater = scope.dialect.skipsWithoutChannel;
  return (isLater ? phoneProviders : ['whatsapp-business']).flatMap((providerId) => {
    const isOfProvider = (other: { providerId: string }) => other.providerId === providerId;
    const integration = active.find(isOfProvider);
    if (isLater && (!integration || others.some(isOfProvider))) return [];
    const address = { identifier: ofCredential, type: 'phone', endpoint: { phoneNumber } };
    return [{ providerId, integration, integrationName: 'Integration', addresses: [address] }];
  });
}

function deliverTo(
  step: Step,
  { integration, integrationName, addresses }: Destination,
  content: Content,
): 'sent' | 'failed' | 'skipped' {
  const { scope, job } = step;
  if (!integration) {
    const raw = `${integrationName} is either deleted or not active`;
    recordDetail(scope, job, 'Failed', detailTexts.noIntegration, raw);
    return 'failed';
  }
  selectProvider(scope, job, integration);
  const create = (message: Pick<NewMessage, 'address' | 'state'>) => {
    createMessage(step, { integration, content, ...message });
    recordDetail(scope, job, 'Pending', detailTexts.messageCreated, content.content);
  };
  if (addresses.length === 0) {
    const { detail, raw, ...error } = missingAddress(integration);
    create({ address: {}, state: { status: 'warning', ...error } });
    recordDetail(scope, job, 'Failed', detail, raw);
    return 'skipped';
  }
  const states = addresses.map((address) => {
    const sentTo = { directWebhookUrl: nonEmpty(address.endpoint.url) };
    return sendMessage(step, integration, sentTo, addressError(integration, address));
  });
  const errors = states.filter(({ status }) => status === 'error');
  const channelData = addresses.map((address, index) =>
    withoutUndefined({ ...address, error: states[index]?.errorText }),
  );
  create({
    address: { ...olderMembers(addresses), channelData },
    state: { status: 'sent', ...errors.at(-1) },
  });
  for (const [index, { status, errorText }] of states.entries()) {
    const channelData = addresses[index];
    if (status === 'error')
      recordDetail(scope, job, 'Failed', detailTexts.providerError, {
        channelData,
        message: errorText,
      });
    else
      recordDetail(scope, job, 'Success', detailTexts.messageSent, {
        id: scope.ids.objectId(),
        date: scope.now,
        channelData,
      });
  }
  return errors.length < states.length ? 'sent' : 'failed';
}

/** A message to a credential also has the members of messages before endpoints. */
function olderMembers([first]: readonly ChatAddress[]) {
  if (first?.identifier !== ofCredential) return {};
  const { url, phoneNumber } = first.endpoint;
  return withoutUndefined({ directWebhookUrl: nonEmpty(url), phone: nonEmpty(phoneNumber) });
}

const missingAddress = ({ providerId, identifier }: StoredIntegration) =>
  providerId === 'whatsapp-business'
    ? {
        detail: detailTexts.missingChatPhone,
        errorId: 'no_subscriber_chat_phone_number',
        errorText: 'Subscriber does not have phone number specified',
        raw: 'Subscriber does not have a phone number for selected integration',
      }
    : {
        detail: detailTexts.missingWebhook,
        errorId: 'no_subscriber_chat_channel_id',
        errorText: 'Subscriber does not have active chat channel id',
        raw: `webhookUrl for integrationId: ${identifier} is missing`,
      };

/** Why the provider rejects an address before it sends anything. */
function addressError(
  { providerId }: StoredIntegration,
  { identifier, type, token, subscriberTenantId }: ChatAddress,
): string | undefined {
  if (!addressTypes(providerId).includes(type)) return wrongType(providerId, type);
  if (type.startsWith('ms_teams_') && !subscriberTenantId)
    return `MS Teams endpoint ${identifier} requires a connection or endpoint tenant ID`;
  if (token !== '') return undefined;
  return type.startsWith('slack_')
    ? 'Slack API Error: not_authed'
    : 'Webex Messaging channel connection access token is required';
}

function wrongType(providerId: string, type: string): string {
  if (providerId === 'slack') return `Unsupported endpoint format: ${type}`;
  if (providerId === 'msteams') return 'Invalid channel data type for MsTeams provider';
  if (providerId === 'webex-messaging')
    return `Invalid channel data type for Webex Messaging provider: ${type}`;
  const name = providerId.replaceAll(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase());
  return `Invalid channel data for ${name === 'Line' ? 'LINE' : name} provider`;
}

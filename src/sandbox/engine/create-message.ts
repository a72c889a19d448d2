// Stores a message of a channel step.

import { providerSelected } from '../../service/job-outcomes.ts';
import { missingCredentials, providerName, sendsToEndpoints } from '../../service/providers.ts';
import type { Channel } from '../../service/schemas/vocabulary.ts';
import type { StoredIntegration } from '../store/integrations.ts';
import type { StoredJob } from '../store/jobs.ts';
import { insertMessage, type MessageBody, type SentParts } from '../store/messages.ts';
import type { Scope } from '../store/scope.ts';
import { reportReceived } from './change-inbox.ts';
import type { Content } from './message-content.ts';
import { chooseSeverity, storedOverrides } from './overrides.ts';
import { type Run, recordDetail, type Step } from './run.ts';

/** Where a message goes. Empty if the subscriber has no address for the channel. */
export type Address = Pick<
  MessageBody,
  'email' | 'phone' | 'directWebhookUrl' | 'channelData' | 'deviceTokens'
>;

export interface NewMessage {
  integration: StoredIntegration;
  address: Address;
  content: Content;
  identifier?: string | undefined;
  sentSubject?: string | undefined;
  /** Where the message goes, if the event replaces the address or adds others. */
  recipient?: string | undefined;
  sent?: SentParts | undefined;
  state: SendingState;
}

export function createMessage(
  step: Step,
  { integration, address, content, identifier, sentSubject, recipient, sent, state }: NewMessage,
): void {
  const { scope, run, job } = step;
  const { notification, workflow, subscriber } = run;
  const { ids, now } = scope;
  const id = ids.objectId();
  if (job.type === 'in_app') reportReceived(scope, { id, subscriber: subscriber.id, notification });
  insertMessage(scope, {
    id,
    subscriber: subscriber.id,
    channel: job.type,
    notification: notification.id,
    job: job.id,
    workflow: workflow.id,
    read: false,
    seen: false,
    createdAt: now,
    updatedAt: now,
    ...content,
    payload: storedPayload(run, job.type),
    overrides: storedOverrides(step, integration.providerId),
    tags: workflow.tags,
    contextKeys: notification.contextKeys,
    severity: chooseSeverity(workflow, notification.overrides),
    templateIdentifier: workflow.identifier,
    messageTemplateId: job.step._id,
    stepId: job.stepId,
    transactionId: notification.transactionId,
    providerId: integration.providerId,
    deliveredAt: job.type === 'in_app' ? [now] : [],
    ...address,
    ...(identifier === undefined ? {} : { identifier }),
    ...(sentSubject === undefined ? {} : { sentSubject }),
    ...(recipient === undefined ? {} : { recipient }),
    ...(sent === undefined ? {} : { sent }),
    ...state,
  });
}

/** The service does not keep attachments with a message, except for push. */
export function storedPayload(
  { notification: { payload } }: Run,
  channel: string,
): Record<string, unknown> {
  if (channel === 'push' || !('attachments' in payload)) return payload;
  const { attachments: _, ...kept } = payload;
  return kept;
}

// The delivery providers, simulated: messages are captured, and fail where a real provider could not send them.

/** Records which integration delivers. */
export function selectProvider(scope: Scope, job: StoredJob, integration: StoredIntegration): void {
  const { id, identifier, name, providerId } = integration;
  recordDetail(scope, job, 'Pending', providerSelected(providerName(providerId)), {
    providerId,
    identifier,
    name,
    _environmentId: scope.environmentId,
    _id: id,
  });
}

type SendingState = Pick<MessageBody, 'status' | 'errorId' | 'errorText'>;

/** Sends a message: the provider accepts it, or rejects it with an error, such as that of the address. */
export function sendMessage(
  { scope, job }: Step,
  integration: StoredIntegration,
  address: Address,
  addressError?: string,
): SendingState {
  const { type } = job;
  const errorText =
    addressError ?? providerError(integration, address) ?? injectedError(scope, type, integration);
  if (errorText === undefined) return { status: 'sent' };
  return { status: 'error', errorId: providerErrorIds[type as Channel], errorText };
}

/** The `errorId` of a message that its provider rejected. */
const providerErrorIds: Record<Channel, string> = {
  in_app: 'unexpected_provider_error',
  email: 'mail_unexpected_error',
  sms: 'unexpected_sms_error',
  chat: 'unexpected_chat_error',
  push: 'unexpected_push_error',
  tool: 'unexpected_provider_error',
};

/** The credentials of the integration are incomplete, or the domain of the address is `.invalid`, which never exists. */
function providerError(
  { providerId, credentials }: StoredIntegration,
  { email, directWebhookUrl }: Address,
): string | undefined {
  const missing = missingCredentials(providerId, credentials);
  if (!sendsToEndpoints(providerId, credentials) && !credentials.webhookUrl)
    return 'Config is not valid for tool-webhook provider';
  if (missing.length > 0) return `Missing credentials: ${missing.join(', ')}`;
  const host = email?.split('@').at(-1) ?? /^\w+:\/\/([^/:]+)/.exec(directWebhookUrl ?? '')?.[1];
  return host?.toLowerCase().endsWith('.invalid') ? `Host not found: ${host}` : undefined;
}

/** The error of an injected fault, for a channel whose messages go through a provider. */
const injectedError = (
  { deliveryFaults }: Scope,
  channel: string,
  { providerId }: StoredIntegration,
): string | undefined =>
  channel === 'in_app' ? undefined : deliveryFaults.next(channel, providerId);

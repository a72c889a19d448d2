// Executes a channel step: finds the integration, renders the content and creates the message.
import type { StoredJob } from '../store/jobs.ts';
import { insertMessage, type MessageBody } from '../store/messages.ts';
import type { Channel } from '../store/preferences.ts';
import type { Scope } from '../store/scope.ts';
import { type Address, findTarget, providerError } from './delivery-targets.ts';
import { type Content, renderContent } from './message-content.ts';
import { canceled, completed, failed, type JobOutcome } from './outcome.ts';
import { recordDetail } from './record-detail.ts';
import type { Run } from './run.ts';
import type { Variables } from './variables.ts';

export function deliverMessage(
  scope: Scope,
  run: Run,
  job: StoredJob,
  variables: () => Variables,
): JobOutcome {
  const channel = job.type as Channel;
  const target = findTarget(scope, run.subscriber, channel);
  if (!target) {
    recordDetail(scope, job, 'Failed', 'Subscriber does not have an active integration');
    return failed;
  }
  const { integration, address } = target;
  const { providerId } = integration;
  job.providerId = providerId;
  if (!address) {
    recordDetail(scope, job, 'Failed', 'Subscriber does not have a configured channel', {
      providerId,
    });
    return failed;
  }
  if (channel !== 'in_app') {
    recordDetail(scope, job, 'Pending', `${capitalize(providerId)} provider was selected`, {
      providerId,
    });
  }
  const content = renderContent(scope, job, channel, variables);
  if ('error' in content) {
    const raw = JSON.stringify({ error: content.error });
    recordDetail(scope, job, 'Failed', 'Message content could not be generated', { raw });
    return failed;
  }
  const createWithState = (state: Pick<MessageBody, 'status' | 'errorId' | 'errorText'>) => {
    insertMessage(scope, createMessage(scope, run, job, { channel, address, content, state }));
    recordDetail(scope, job, 'Pending', 'Message created', { providerId });
  };
  const addressError = missingAddressError(channel, address);
  if (addressError !== undefined) {
    createWithState({ status: 'warning', errorId: 'missing_address', errorText: addressError });
    recordDetail(scope, job, 'Failed', addressError, { providerId });
    return canceled;
  }
  const error = providerError(integration, address);
  if (error !== undefined) {
    createWithState({ status: 'error', errorId: 'unexpected_provider_error', errorText: error });
    const raw = JSON.stringify({ error });
    recordDetail(scope, job, 'Failed', 'Unexpected provider error', { providerId, raw });
    return failed;
  }
  createWithState({ status: 'sent' });
  recordDetail(scope, job, 'Success', 'Message sent', { providerId });
  return completed;
}

function missingAddressError(channel: Channel, { email, phone }: Address): string | undefined {
  if (channel === 'email' && !email) return 'Subscriber missing email address';
  if (channel === 'sms' && !phone) return 'Subscriber missing phone number';
  return undefined;
}

interface MessageParts {
  channel: Channel;
  address: Address;
  content: Content;
  state: Pick<MessageBody, 'status' | 'errorId' | 'errorText'>;
}

const createMessage = (
  { ids, now }: Scope,
  { notification, workflow, subscriber }: Run,
  job: StoredJob,
  { channel, address, content, state }: MessageParts,
) => ({
  id: ids.objectId(),
  subscriber: subscriber.id,
  channel,
  notification: notification.id,
  job: job.id,
  workflow: workflow.id,
  read: false,
  seen: false,
  createdAt: now,
  updatedAt: now,
  ...content,
  payload: notification.payload,
  overrides: notification.overrides,
  tags: workflow.tags,
  contextKeys: notification.contextKeys,
  templateIdentifier: workflow.identifier,
  messageTemplateId: job.step._id,
  transactionId: notification.transactionId,
  providerId: job.providerId,
  deliveredAt: state.status === 'sent' ? [now] : [],
  ...address,
  ...state,
});

export const capitalize = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

// Carries out a channel step: finds the way, renders the content, makes the message.
import type { StoredJob } from '../store/jobs.ts';
import { insertMessage, type MessageBody } from '../store/messages.ts';
import type { Channel } from '../store/preferences.ts';
import type { Scope } from '../store/scope.ts';
import { type Address, providerComplaint, targetOf } from './delivery-targets.ts';
import { type Content, contentOf } from './message-content.ts';
import { canceled, completed, failed, type Outcome } from './outcome.ts';
import { tell } from './record-detail.ts';
import type { Run } from './run.ts';
import type { Variables } from './variables.ts';

export function deliver(
  scope: Scope,
  run: Run,
  job: StoredJob,
  variables: () => Variables,
): Outcome {
  const channel = job.type as Channel;
  const target = targetOf(scope, run.subscriber, channel);
  if (!target) {
    tell(scope, job, 'Failed', 'Subscriber does not have an active integration');
    return failed;
  }
  const { integration, address } = target;
  const { providerId } = integration;
  job.providerId = providerId;
  if (!address) {
    tell(scope, job, 'Failed', 'Subscriber does not have a configured channel', { providerId });
    return failed;
  }
  if (channel !== 'in_app') {
    tell(scope, job, 'Pending', `${capital(providerId)} provider was selected`, { providerId });
  }
  const content = contentOf(scope, job, channel, variables);
  if ('error' in content) {
    const raw = JSON.stringify({ error: content.error });
    tell(scope, job, 'Failed', 'Message content could not be generated', { raw });
    return failed;
  }
  const make = (state: Pick<MessageBody, 'status' | 'errorId' | 'errorText'>) => {
    insertMessage(scope, messageOf(scope, run, job, { channel, address, content, state }));
    tell(scope, job, 'Pending', 'Message created', { providerId });
  };
  const missing = missingAddress(channel, address);
  if (missing !== undefined) {
    make({ status: 'warning', errorId: 'missing_address', errorText: missing });
    tell(scope, job, 'Failed', missing, { providerId });
    return canceled;
  }
  const complaint = providerComplaint(integration, address);
  if (complaint !== undefined) {
    make({ status: 'error', errorId: 'unexpected_provider_error', errorText: complaint });
    const raw = JSON.stringify({ error: complaint });
    tell(scope, job, 'Failed', 'Unexpected provider error', { providerId, raw });
    return failed;
  }
  make({ status: 'sent' });
  tell(scope, job, 'Success', 'Message sent', { providerId });
  return completed;
}

function missingAddress(channel: Channel, { email, phone }: Address): string | undefined {
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

const messageOf = (
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

export const capital = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

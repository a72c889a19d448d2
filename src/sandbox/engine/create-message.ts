// Stores a message of a channel step.
import type { StoredIntegration } from '../store/integrations.ts';
import type { StoredJob } from '../store/jobs.ts';
import { insertMessage, type MessageBody } from '../store/messages.ts';
import type { Scope } from '../store/scope.ts';
import type { Content } from './message-content.ts';
import type { Run } from './run.ts';

/** Where a message goes. Empty if the subscriber has no address for the channel. */
export interface Address {
  email?: string;
  phone?: string;
  directWebhookUrl?: string;
  deviceTokens?: string[];
}

export interface NewMessage {
  integration: StoredIntegration;
  address: Address;
  content: Content;
  overrides: Record<string, unknown>;
  state: Pick<MessageBody, 'status' | 'errorId' | 'errorText'>;
}

export function createMessage(
  scope: Scope,
  { notification, workflow, subscriber }: Run,
  job: StoredJob,
  { integration, address, content, overrides, state }: NewMessage,
): void {
  const { ids, now } = scope;
  insertMessage(scope, {
    id: ids.objectId(),
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
    payload: notification.payload,
    overrides,
    tags: workflow.tags,
    contextKeys: notification.contextKeys,
    severity: severityOf(overrides) ?? workflow.severity,
    templateIdentifier: workflow.identifier,
    messageTemplateId: job.step._id,
    transactionId: notification.transactionId,
    providerId: integration.providerId,
    deliveredAt: state.status === 'sent' ? [now] : [],
    ...address,
    ...state,
  });
}

/** An event may override the severity of its messages. */
function severityOf({ severity }: Record<string, unknown>): string | undefined {
  return typeof severity === 'string' ? severity : undefined;
}

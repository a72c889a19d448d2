// Stores a message of a channel step.
import type { StoredIntegration } from '../store/integrations.ts';
import type { StoredJob } from '../store/jobs.ts';
import { insertMessage, type MessageBody, type SentParts } from '../store/messages.ts';
import type { Scope } from '../store/scope.ts';
import { reportReceived } from './change-inbox.ts';
import type { Content } from './message-content.ts';
import { chooseSeverity, storedOverrides } from './overrides.ts';
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
  identifier?: string | undefined;
  sentSubject?: string | undefined;
  /** Where the message goes, if the event replaces the address or adds others. */
  recipient?: string | undefined;
  sent?: SentParts | undefined;
  state: Pick<MessageBody, 'status' | 'errorId' | 'errorText'>;
}

export function createMessage(
  scope: Scope,
  run: Run,
  job: StoredJob,
  { integration, address, content, identifier, sentSubject, recipient, sent, state }: NewMessage,
): void {
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
    overrides: storedOverrides(run, job.type, integration.providerId),
    tags: workflow.tags,
    contextKeys: notification.contextKeys,
    severity: chooseSeverity(workflow, notification.overrides),
    templateIdentifier: workflow.identifier,
    messageTemplateId: job.step._id,
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
function storedPayload(
  { notification: { payload } }: Run,
  channel: string,
): Record<string, unknown> {
  if (channel === 'push' || !('attachments' in payload)) return payload;
  const { attachments: _, ...kept } = payload;
  return kept;
}

// Delivers the content of a channel step: selects the integration and creates the message.

import { isObject, type JsonObject, valueAt, withoutUndefined } from '../../core/objects.ts';
import { nonEmpty } from '../../core/text.ts';
import { detailTexts } from '../../service/job-outcomes.ts';
import type { Channel } from '../../service/schemas/vocabulary.ts';
import { findContext } from '../store/contexts.ts';
import { derivedUuid } from '../store/ids.ts';
import type { StoredIntegration } from '../store/integrations.ts';
import type { Attachment, SentParts } from '../store/messages.ts';
import type { Scope } from '../store/scope.ts';
import { passesFilters } from './conditions.ts';
import {
  type Address,
  createMessage,
  type NewMessage,
  selectProvider,
  sendMessage,
} from './create-message.ts';
import { deliverToChats } from './deliver-chat.ts';
import { deliverToDevices } from './deliver-push.ts';
import { deliverToTools } from './deliver-tool.ts';
import type { Content } from './message-content.ts';
import { channelOverrides } from './overrides.ts';
import { type Run, readIntegrations, recordDetail, type Step } from './run.ts';
import { canceled, completed, failed, type JobOutcome } from './step.ts';

export function deliverMessage(step: Step, content: Content): JobOutcome {
  const { job } = step;
  const channel = job.type as Channel;
  if (channel === 'chat') return deliverToChats(step, content) ?? endWithoutChannel(step);
  if (channel === 'push') return deliverToDevices(step, content) ?? endWithoutChannel(step);
  if (channel === 'tool') return deliverToTools(step, content);
  return deliverToOne(step, channel, content);
}

function endWithoutChannel({ scope, run, job }: Step): JobOutcome {
  const isSkipped = scope.dialect.skipsWithoutChannel;
  const hasContext = job.type === 'chat' && run.notification.contextKeys.length > 0;
  const detail = hasContext ? detailTexts.noChannelInContext : detailTexts.noChannel;
  recordDetail(scope, job, isSkipped ? 'Warning' : 'Failed', detail);
  return isSkipped ? canceled : failed;
}

/** In-app, e-mail and SMS go to one address through one integration. */
function deliverToOne(step: Step, channel: DirectChannel, rendered: Content): JobOutcome {
  const { scope, run, job } = step;
  const identifier = channelOverrides(step, channel).integrationIdentifier;
  const integration = selectIntegration(scope, run, channel, identifier);
  if (!integration) {
    const detail = detailTexts.noIntegration;
    const raw = identifier === undefined ? undefined : { integrationIdentifier: identifier };
    recordDetail(scope, job, 'Failed', detail, raw);
    return failed;
  }
  if (channel !== 'in_app') selectProvider(scope, job, integration);

  const overrides = channelOverrides(step, channel, integration.providerId);
  const content = overriddenContent(channel, rendered, overrides);
  const address = chooseAddress(run, channel);
  const isReplaced =
    channel === 'email' &&
    scope.dialect.replacesRecipients &&
    overrides.replaceToRecipient === true;
  const sentSubject = channel === 'email' ? nonEmpty(overrides.subject) : undefined;
  const parts = toSentParts(integration, overrides, run.notification.payload, content);
  const recipient = isReplaced
    ? (joinRecipients({}, overrides) ?? (overrides.to ? undefined : parts?.from))
    : joinRecipients(address, overrides);
  const create = (state: NewMessage['state'], identifier?: string) => {
    const delivery = { identifier, sentSubject, recipient, sent: parts, state };
    createMessage(step, { integration, address, content, ...delivery });
    recordDetail(
      scope,
      job,
      'Pending',
      detailTexts.messageCreated,
      createdRaw(run, channel, content),
    );
  };
  if (isReplaced && !recipients.some((name) => toAddresses(overrides[name]))) {
    create({ status: 'warning', errorId: missingEmail.errorId, errorText: missingRecipients });
    recordDetail(scope, job, 'Failed', detailTexts.notSent, { error: missingRecipients });
    return failed;
  }
  const missing = isReplaced ? undefined : missingAddress(channel, address);
  if (missing !== undefined) {
    const { detail, ...error } = missing;
    create({ status: 'warning', ...error });
    recordDetail(scope, job, 'Failed', detail);
    return canceled;
  }
  const state = sendMessage(step, integration, recipient ? { email: recipient } : address);
  if (state.status === 'error') {
    create(state);
    recordDetail(scope, job, 'Failed', detailTexts.providerError, { message: state.errorText });
    return failed;
  }
  const id = channel === 'in_app' ? undefined : messageId(scope, channel, parts?.from);
  create(state, id);
  const sent = id === undefined ? undefined : { id, date: scope.now };
  recordDetail(scope, job, 'Success', detailTexts.messageSent, sent);
  return completed;
}

function overriddenContent(
  channel: DirectChannel,
  content: Content,
  overrides: Record<string, unknown>,
): Content {
  const body = channel === 'sms' ? nonEmpty(overrides.content) : undefined;
  return { ...content, ...(body === undefined || content.content !== '' ? {} : { content: body }) };
}

/**
 * Where the message goes if an override changes it, which it does only for a subscriber with an address: an e-mail
 * also goes to the addresses in `to`, an SMS only to these numbers.
 */
function joinRecipients({ email }: Address, { to }: Record<string, unknown>): string | undefined {
  const addresses = toAddresses(to);
  if (!addresses) return undefined;
  return [...new Set(email ? [email, ...addresses] : addresses)].join(', ');
}

function chooseAddress(
  { notification: { payload, overrides }, subscriber: { profile } }: Run,
  channel: DirectChannel,
): Address {
  const other = nonEmpty(valueAt(overrides, 'email.toRecipient'));
  const email = channel === 'email' ? (other ?? profile.email) : undefined;
  const phone = channel === 'sms' ? (nonEmpty(payload.phone) ?? profile.phone) : undefined;
  return { email, phone };
}

/** The id that a provider returns; for an e-mail, with the domain of its sender. */
function messageId({ ids }: Scope, channel: DirectChannel, from = ''): string {
  const id = derivedUuid(ids.objectId());
  return channel === 'email' ? `<${id}@${from.split('@').at(-1)?.replace('>', '')}>` : id;
}

/** The overrides that an e-mail needs one of if the event replaces its recipient. */
const recipients = ['to', 'cc', 'bcc'];
const missingRecipients = 'replaceToRecipient requires at least one of to / cc / bcc';

const missingEmail = {
  detail: detailTexts.missingEmail,
  errorId: 'mail_unexpected_error',
  errorText: 'Subscriber does not have an email address',
};
const missingPhone = {
  detail: detailTexts.missingPhone,
  errorId: 'no_subscriber_phone',
  errorText: 'Subscriber does not have active phone',
};

function missingAddress(channel: Channel, { email, phone }: Address) {
  if (channel === 'email' && !email) return missingEmail;
  return channel === 'sms' && !phone ? missingPhone : undefined;
}

function createdRaw({ notification: { payload } }: Run, channel: Channel, content: Content) {
  if (channel === 'in_app') return undefined;
  if (channel === 'sms') return payload;
  const { subject = '', content: html } = content;
  return { subject, content: html, contentType: 'customHtml', payload, layoutId: null };
}

// Selects the integration that delivers a channel: the one that the event names, one whose conditions match the
// event's tenant, the primary one, or the newest active one.

/** Channels with one address for each subscriber. */
type DirectChannel = Exclude<Channel, 'chat' | 'push' | 'tool'>;

function selectIntegration(
  scope: Scope,
  { notification: { tenant } }: Run,
  channel: DirectChannel,
  identifier?: unknown,
): StoredIntegration | undefined {
  const active = readIntegrations(scope, channel);
  if (typeof identifier === 'string')
    return active.find((integration) => integration.identifier === identifier);
  const matching =
    tenant === undefined
      ? undefined
      : active.find((candidate) => matchesTenant(scope, candidate, tenant));
  if (matching) return matching;
  return channel === 'in_app' ? active[0] : active.find(({ primary }) => primary);
}

function matchesTenant(scope: Scope, { conditions }: StoredIntegration, identifier: string) {
  if (!conditions || conditions.length === 0) return false;
  const context = findContext(scope, 'tenant', identifier);
  const data = context ? context.data : {};
  return passesFilters(conditions, { tenant: { identifier, data, ...data } });
}

// The parts that a provider gets besides the content of a message: from its integration, unless the event replaces them.

/** The service uses this sender if the integration has none. */
const defaultSender = 'no-reply@novu.co';

/** The overrides win over the step. Undefined for a message that has no such parts. */
function toSentParts(
  { channel, credentials }: StoredIntegration,
  overrides: JsonObject,
  { attachments }: JsonObject,
  { sent }: Content,
): SentParts | undefined {
  if (channel === 'in_app') return undefined;
  const from = nonEmpty(overrides.from) ?? sent?.from ?? nonEmpty(credentials.from);
  if (channel === 'sms') return from === undefined ? undefined : { from };
  const text = nonEmpty(overrides.text);
  return withoutUndefined({
    from: from ?? defaultSender,
    senderName:
      nonEmpty(overrides.senderName) ?? sent?.senderName ?? nonEmpty(credentials.senderName),
    cc: toAddresses(overrides.cc),
    bcc: toAddresses(overrides.bcc),
    replyTo: nonEmpty(overrides.replyTo) ?? sent?.replyTo,
    text,
    html: nonEmpty(overrides.html) ?? text,
    attachments: Array.isArray(attachments) ? toAttachments(attachments) : undefined,
  });
}

function toAddresses(value: unknown): string[] | undefined {
  const all = [value].flat().flatMap((address) => nonEmpty(address) ?? []);
  return all.length === 0 ? undefined : all;
}

const toAttachments = (all: readonly unknown[]): Attachment[] =>
  all
    .filter(isObject)
    .map(({ name, mime, file }) => ({
      name: nonEmpty(name) ?? '',
      type: nonEmpty(mime) ?? null,
      size: countBytes(file),
    }));

/** The file is text in Base64, or a buffer as JSON. */
function countBytes(file: unknown): number {
  if (typeof file === 'string') return Buffer.from(file, 'base64').length;
  return isObject(file) && Array.isArray(file.data) ? file.data.length : 0;
}

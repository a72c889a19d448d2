// Executes a channel step: renders the content, selects the integration and creates the message.

import { givenText } from '../../core/text.ts';
import { type VariableProblems, variableProblemTexts } from '../../core/variable-problems.ts';
import { detailTexts } from '../../service/execution-details.ts';
import type { Channel } from '../../service/schemas/vocabulary.ts';
import { collectProblems } from '../rendering/collect-problems.ts';
import type { Variables } from '../rendering/liquid.ts';
import type { StoredIntegration } from '../store/integrations.ts';
import type { StoredJob } from '../store/jobs.ts';
import type { MessageBody } from '../store/messages.ts';
import type { Scope } from '../store/scope.ts';
import { derivedUuid } from '../values/ids.ts';
import { isDefinedByCode } from './bridge-step.ts';
import { type Address, createMessage } from './create-message.ts';
import { deliverToAll } from './fan-out.ts';
import { type Content, finishedContent, renderContent } from './message-content.ts';
import { canceled, completed, failed, type JobOutcome } from './outcome.ts';
import { channelOverrides } from './overrides.ts';
import { valueAt } from './paths.ts';
import { injectedError, providerError, providerErrorIds, selectProvider } from './provider.ts';
import { recordDetail } from './record-detail.ts';
import type { Run } from './run.ts';
import { type DirectChannel, selectIntegration } from './select-integration.ts';
import { toSentParts } from './sent-parts.ts';
import { isOutsideSchedule, shouldSkipMessage } from './skip-rules.ts';
import { failStep, MissingVariablesError } from './step-failure.ts';
import { outputUnlessSkipped } from './step-output.ts';

export function deliverMessage(
  scope: Scope,
  run: Run,
  job: StoredJob,
  variables: () => Variables,
): JobOutcome {
  if (isOutsideSchedule(scope, run, job)) return canceled;
  let content: Content | undefined;
  try {
    content = contentUnlessSkipped(scope, run, job, variables);
  } catch (error) {
    return failStep(scope, run, job, error);
  }
  if (shouldSkipMessage(scope, run, job, variables, content === undefined) || !content)
    return canceled;
  const channel = job.type as Channel;
  if (channel === 'chat' || channel === 'push')
    return deliverToAll(scope, run, job, channel, content);
  return deliverToOne(scope, run, job, channel, content);
}

/** Like the service, renders a message before it checks the preferences. */
function contentUnlessSkipped(
  scope: Scope,
  run: Run,
  job: StoredJob,
  variables: () => Variables,
): Content | undefined {
  const problems = collectProblems();
  const controls = outputUnlessSkipped(scope, run, job, variables, problems);
  if (!controls) return undefined;
  if (isDefinedByCode(run.workflow)) return finishedContent(job.type, controls);
  const { overrides } = run.notification;
  const content = renderContent(scope, job, {
    ...{ controls, overrides, problems },
    variables: variables(),
  });
  if (scope.hasStrictVariables) checkVariables(problems);
  return content;
}

/** Throws if a variable is missing. */
function checkVariables({ missingVariables }: VariableProblems): void {
  const texts = variableProblemTexts({ missingVariables });
  if (texts.length > 0) throw new MissingVariablesError(texts.join('; '));
}

/** In-app, e-mail and SMS go to one address through one integration. */
function deliverToOne(
  scope: Scope,
  run: Run,
  job: StoredJob,
  channel: DirectChannel,
  rendered: Content,
): JobOutcome {
  const identifier = channelOverrides(run, job, channel).integrationIdentifier;
  const integration = selectIntegration(scope, run, channel, identifier);
  if (!integration) {
    const detail = detailTexts.noIntegration;
    const raw = identifier === undefined ? undefined : { integrationIdentifier: identifier };
    recordDetail(scope, job, 'Failed', detail, raw);
    return failed;
  }
  if (channel !== 'in_app') selectProvider(scope, job, integration);

  const overrides = channelOverrides(run, job, channel, integration.providerId);
  const content = overriddenContent(channel, rendered, overrides);
  const address = chooseAddress(run, channel);
  const recipient = joinRecipients(address, overrides);
  const sentSubject = channel === 'email' ? givenText(overrides.subject) : undefined;
  const parts = toSentParts(channel, integration, overrides, run.notification.payload);
  const create = (
    state: Pick<MessageBody, 'status' | 'errorId' | 'errorText'>,
    identifier?: string,
  ) => {
    const delivery = { identifier, sentSubject, recipient, sent: parts, state };
    createMessage(scope, run, job, { integration, address, content, ...delivery });
    recordDetail(
      scope,
      job,
      'Pending',
      detailTexts.messageCreated,
      createdRaw(run, channel, content),
    );
  };
  const missing = missingAddress(channel, address);
  if (missing !== undefined) {
    const { detail, ...error } = missing;
    create({ status: 'warning', ...error });
    recordDetail(scope, job, 'Failed', detail);
    return canceled;
  }
  const error =
    providerError(integration, recipient ? { email: recipient } : address) ??
    injectedError(scope, channel, integration);
  if (error !== undefined) {
    create({ status: 'error', errorId: providerErrorIds[channel], errorText: error });
    recordDetail(scope, job, 'Failed', detailTexts.providerError, { message: error });
    return failed;
  }
  const id = channel === 'in_app' ? undefined : messageId(scope, channel, integration, overrides);
  create({ status: 'sent' }, id);
  const sent = id === undefined ? undefined : { id, date: scope.now };
  recordDetail(scope, job, 'Success', detailTexts.messageSent, sent);
  return completed;
}

function overriddenContent(
  channel: DirectChannel,
  content: Content,
  overrides: Record<string, unknown>,
): Content {
  const body = channel === 'sms' ? givenText(overrides.content) : undefined;
  return {
    ...content,
    ...(body === undefined || content.content !== '' ? {} : { content: body }),
  };
}

/**
 * Where the message goes if an override changes it, which it does only for a subscriber with an address: an e-mail
 * also goes to the addresses in `to`, an SMS only to these numbers.
 */
function joinRecipients({ email }: Address, { to }: Record<string, unknown>): string | undefined {
  const given = (Array.isArray(to) ? to : [to]).flatMap((address) => givenText(address) ?? []);
  if (given.length === 0) return undefined;
  return [...new Set(email === undefined ? given : [email, ...given])].join(', ');
}

function chooseAddress(
  { notification: { payload, overrides }, subscriber: { profile } }: Run,
  channel: DirectChannel,
): Address {
  const other = givenText(valueAt(overrides, 'email.toRecipient'));
  const email = channel === 'email' ? (other ?? profile.email) : undefined;
  const phone = channel === 'sms' ? (givenText(payload.phone) ?? profile.phone) : undefined;
  return { ...(email ? { email } : {}), ...(phone ? { phone } : {}) };
}

/** The id that a provider returns; for an e-mail, with the domain of its sender. */
function messageId(
  { ids }: Scope,
  channel: DirectChannel,
  { credentials }: StoredIntegration,
  overrides: Record<string, unknown>,
): string {
  const id = derivedUuid(ids.objectId());
  if (channel !== 'email') return id;
  const from = givenText(overrides.from) ?? givenText(credentials.from) ?? 'sandbox.example.com';
  return `<${id}@${from.split('@').at(-1)?.replace('>', '')}>`;
}

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

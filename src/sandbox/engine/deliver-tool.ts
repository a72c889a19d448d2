// Delivers a tool message through every active integration: once, or to each endpoint that the subscriber has in it.
import { detailTexts } from '../../service/job-outcomes.ts';
import { sendsToEndpoints } from '../../service/providers.ts';
import { endpointsOf } from '../store/channel-endpoints.ts';
import type { StoredIntegration } from '../store/integrations.ts';
import { createMessage, selectProvider, sendMessage, storedPayload } from './create-message.ts';
import type { Content } from './message-content.ts';
import { readIntegrations, recordDetail, type Step } from './run.ts';
import { canceled, completed, failed, type JobOutcome } from './step.ts';

/** The step fails if one of its messages fails, and is canceled if no message was sent. */
export function deliverToTools(step: Step, content: Content): JobOutcome {
  const { scope, job } = step;
  // The service does not say why.
  if (content.content === '') return failed;
  const integrations = readIntegrations(scope, 'tool');
  if (integrations.length === 0) {
    const raw = { reason: 'no_active_tool_integrations', availableIdentifiers: [] };
    recordDetail(scope, job, 'Failed', detailTexts.noIntegration, raw);
    return failed;
  }
  const results = integrations.flatMap((integration) => {
    const { providerId, credentials } = integration;
    const count = sendsToEndpoints(providerId, credentials) ? countEndpoints(step, integration) : 1;
    if (count === 0) recordSkipped(step, integration);
    return Array.from({ length: count }, () => send(step, integration, content));
  });
  if (results.includes('failed')) return failed;
  return results.length > 0 ? completed : canceled;
}

const countEndpoints = ({ scope, run }: Step, { identifier }: StoredIntegration): number =>
  endpointsOf(scope, {
    subscriberId: run.subscriber.subscriberId,
    channel: 'tool',
    contextKeys: run.notification.contextKeys,
  }).filter(({ integrationIdentifier }) => integrationIdentifier === identifier).length;

function recordSkipped({ scope, job }: Step, { identifier, providerId }: StoredIntegration): void {
  recordDetail(scope, job, 'Warning', detailTexts.noIntegration, {
    reason: 'no_channel_endpoint_for_subscriber',
    integrationIdentifier: identifier,
    providerId,
  });
}

function send(step: Step, integration: StoredIntegration, content: Content): 'sent' | 'failed' {
  const { scope, run, job } = step;
  selectProvider(scope, job, integration);
  const state = sendMessage(step, integration, {});
  createMessage(step, { integration, address: {}, content, state });
  const payload = storedPayload(run, job.type);
  recordDetail(scope, job, 'Pending', detailTexts.messageCreated, payload);
  if (state.status === 'error') {
    recordDetail(scope, job, 'Failed', detailTexts.providerError, { message: state.errorText });
    return 'failed';
  }
  const result = { id: scope.ids.objectId(), date: scope.now };
  recordDetail(scope, job, 'Success', detailTexts.messageSent, result);
  return 'sent';
}

// Converts integrations and workflows of a response to the form of a state file: no ids, no dates, no secrets.

import { asObject, isObject, type JsonObject } from '../core/objects.ts';
import {
  type GivenWorkflow,
  plainNumbers,
  toCommonWorkflow,
  toNormalWorkflow,
} from '../environment/normal-form.ts';
import type { EnvironmentState, WorkflowState } from '../sandbox/state/schema.ts';
import { fromServiceId } from '../service/providers.ts';
import type { Integration } from '../service/schemas/integrations.ts';
import { integrationCredentialsBody } from '../service/schemas/integrations.ts';

export type IntegrationState = NonNullable<EnvironmentState['integrations']>[number];

/** The sandbox checks that the credentials that a provider needs are there, and sends nothing. */
const sandboxCredentials: Record<string, string | undefined> = { senderName: 'Sandbox' };
const secretStandIn = 'not-a-secret';

/**
 * Values that replace the credentials. `required` are those that the provider needs, for a server that does not
 * show credentials.
 */
function standInCredentials(
  { channel, credentials = {} }: Integration,
  required: readonly string[],
): NonNullable<IntegrationState['credentials']> {
  const fields: Record<string, unknown> = integrationCredentialsBody.shape;
  const isShown = Object.keys(credentials).length > 0;
  const stored: Record<string, unknown> = isShown
    ? credentials
    : Object.fromEntries(required.map((name) => [name, secretStandIn]));
  const from = channel === 'sms' ? '+999100000000000' : 'sandbox@example.com';
  return Object.fromEntries(
    Object.entries(stored).flatMap(([name, value]): [string, string | boolean][] => {
      if (!Object.hasOwn(fields, name)) return [];
      if (typeof value === 'boolean') return [[name, value]];
      if (typeof value !== 'string' || value === '') return [];
      return [[name, name === 'from' ? from : (sandboxCredentials[name] ?? secretStandIn)]];
    }),
  );
}

export function toIntegrationState(integration: Integration, required: readonly string[]) {
  const { identifier, name, providerId, channel, active, primary, conditions } = integration;
  const { inboundWebhookEnabled } = integration.configurations ?? {};
  const credentials = standInCredentials(integration, active ? required : []);
  return {
    identifier,
    name,
    providerId: fromServiceId(providerId),
    channel,
    active,
    primary: primary ?? false,
    ...(Object.keys(credentials).length > 0 ? { credentials } : {}),
    ...(typeof inboundWebhookEnabled === 'boolean'
      ? { configurations: { inboundWebhookEnabled } }
      : {}),
    ...(conditions && conditions.length > 0 ? { conditions: conditions.map(toCondition) } : {}),
  } as IntegrationState;
}

/** Some servers add internal ids. */
const toCondition = ({
  isNegated,
  type,
  value,
  children,
}: NonNullable<Integration['conditions']>[number]) => ({
  isNegated,
  type,
  value,
  children: children.map(({ field, value: expected, operator, on }) => ({
    field,
    value: expected,
    operator,
    on,
  })),
});

export function toWorkflowState(definition: JsonObject): WorkflowState {
  const {
    isTranslationEnabled,
    preferences: normalPreferences,
    steps,
    ...workflow
  } = toCommonWorkflow(toNormalWorkflow(definition as unknown as GivenWorkflow));
  const {
    origin,
    payloadExample,
    preferences,
    steps: listed,
  } = plainNumbers(definition) as JsonObject;
  const listedSteps: unknown[] = Array.isArray(listed) ? listed : [];
  const isStandard = JSON.stringify(normalPreferences) === JSON.stringify(standardPreferences);
  return {
    ...workflow,
    ...(isTranslationEnabled ? { isTranslationEnabled } : {}),
    ...(origin === undefined ? {} : { origin }),
    ...(isObject(payloadExample) ? { payloadExample } : {}),
    // Not the normal form, in which a missing channel is enabled.
    ...(isStandard ? {} : { preferences: toPreferences(preferences) }),
    steps: steps.map((step, index) => ({ ...step, ...keptIssues(listedSteps[index]) })),
  } as WorkflowState;
}

/** The preferences of a workflow that has none in the file. */
const { preferences: standardPreferences } = toNormalWorkflow({ workflowId: '' });

function toPreferences(preferences: unknown): NonNullable<WorkflowState['preferences']> {
  const { user, default: defaults } = asObject(preferences);
  return {
    user: isObject(user) ? user : null,
    ...(isObject(defaults) ? { default: defaults } : {}),
  };
}

/** Issues of the content. A server computes the issues of integrations for every response. */
function keptIssues(step: unknown): { issues?: JsonObject } {
  if (!isObject(step) || !isObject(step.issues)) return {};
  const { controls } = step.issues;
  return hasMembers(controls) ? { issues: { controls } } : {};
}

const hasMembers = (value: unknown) => isObject(value) && Object.keys(value).length > 0;

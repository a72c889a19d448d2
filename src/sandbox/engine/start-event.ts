// Starts an accepted event: stores one run per subscriber and executes each run until it waits or finishes.

import type { z } from 'zod';
import { isObject, type JsonObject } from '../../core/objects.ts';
import { inAppProvider } from '../../service/providers.ts';
import type { Recipient, triggerEvent } from '../../service/schemas/events.ts';
import type { StepType } from '../../service/schemas/vocabulary.ts';
import { ensureContexts } from '../store/contexts.ts';
import { insertEvent } from '../store/events.ts';
import { insertJob, type JobBody, type StoredJob } from '../store/jobs.ts';
import { insertNotification, type NotificationTopic } from '../store/notifications.ts';
import type { Scope } from '../store/scope.ts';
import { findSubscriber, subscriberById } from '../store/subscribers.ts';
import { findByIdentifier, type SubscriptionPreference } from '../store/topics.ts';
import { contentIssues, type StepDefinition, type StoredWorkflow } from '../store/workflows.ts';
import { evaluate } from './conditions.ts';
import { digestMetadata } from './digest.ts';
import { chooseSeverity, isSeverityKnown } from './overrides.ts';
import {
  type ResolvedRecipient,
  resolveRecipients,
  saveActor,
  saveRecipient,
} from './recipients.ts';
import { createRun, defaultIntegrations, markTriggered } from './run.ts';
import { runJobs } from './run-jobs.ts';
import { isCritical } from './skip-rules.ts';
import { readContexts, subscriberVariables } from './variables.ts';

export type EventFields = Omit<z.output<typeof triggerEvent>, 'to'>;

export const tenantIdentifier = (tenant: NonNullable<EventFields['tenant']>) =>
  typeof tenant === 'string' ? tenant : tenant.identifier;

export interface AcceptedEvent {
  event: EventFields;
  transactionId: string;
  recipients: readonly Recipient[];
  /** The event as it was sent. */
  submitted: unknown;
  /** Sent to all subscribers, whose internal ids the activity shows. */
  isBroadcast?: boolean;
}

export function startEvent(
  scope: Scope,
  workflow: StoredWorkflow,
  { event, transactionId, recipients, submitted, isBroadcast = false }: AcceptedEvent,
): void {
  // The payload has the defaults of its schema.
  const stored = isObject(submitted) ? { ...submitted, payload: event.payload ?? {} } : submitted;
  insertEvent(scope, { transactionId, workflow: workflow.id, event: stored });
  markTriggered(scope, workflow);
  const actor = saveActor(scope, event.actor);
  const contextKeys = ensureContexts(scope, event.context);
  const template: RunTemplate = {
    workflow,
    transactionId,
    jobs: createJobTemplates(scope, workflow),
    contextKeys,
    critical: isCritical(workflow),
    payload: event.payload ?? {},
    overrides: event.overrides ?? {},
    isBroadcast,
    ...(actor === undefined ? {} : { actor }),
    ...(event.tenant === undefined ? {} : { tenant: tenantIdentifier(event.tenant) }),
  };
  for (const recipient of resolveRecipients(scope, recipients, { actor, contextKeys })) {
    const subscriber = saveRecipient(scope, recipient);
    const topics = chosenTopics(scope, template, recipient, subscriber);
    // The service creates no run with an unknown severity, and none if all subscriptions exclude the workflow.
    if (!topics || !isSeverityKnown(template.overrides)) continue;
    startRun(scope, template, { ...recipient, topics }, subscriber);
    if (scope.deliveryFaults.isHit('repeatEvents'))
      startRun(scope, template, { ...recipient, topics }, subscriber);
  }
}

/**
 * Leaves out the topics whose subscription excludes the workflow: by its condition, or by a choice without one. Undefined
 * if none remains.
 */
function chosenTopics(
  scope: Scope,
  { workflow, payload, actor, contextKeys }: RunTemplate,
  { topics }: ResolvedRecipient,
  subscriber: string,
): NotificationTopic[] | undefined {
  if (!scope.dialect.hasNamedSubscriptions || topics.length === 0) return topics;
  const variables = {
    payload,
    subscriber: subscriberVariables(subscriberById(scope, subscriber)),
    ...(actor === undefined ? {} : { actor: subscriberVariables(findSubscriber(scope, actor)) }),
    context: readContexts(scope, contextKeys),
  };
  const evaluated = topics.flatMap((topic) => {
    const { subscriptionIdentifier = '' } = topic;
    const choice = findByIdentifier(scope, subscriptionIdentifier)?.preferences?.find(
      (preference) => preference.workflow === workflow.id,
    );
    const result = choice === undefined || isChosen(choice, variables, Date.parse(scope.now));
    const { condition } = choice ?? {};
    const preferenceEvaluation = {
      result,
      subscriptionIdentifier,
      ...(condition === undefined ? {} : { condition }),
    };
    return result ? [{ ...topic, preferenceEvaluation }] : [];
  });
  return evaluated.length > 0 ? evaluated : undefined;
}

/** A condition whose result is not true excludes the workflow, and so does one that cannot be evaluated. */
function isChosen(
  { enabled, condition }: SubscriptionPreference,
  variables: JsonObject,
  now: number,
): boolean {
  if (condition === undefined) return enabled;
  try {
    return evaluate(condition, variables, now) === true;
  } catch {
    return false;
  }
}

// Starts a run: stores a notification for one subscriber and a job for each active step, then
// executes the jobs until the run waits or finishes.

/** The properties that all runs of an event share. */
interface RunTemplate {
  workflow: StoredWorkflow;
  transactionId: string;
  /** One per active step. */
  jobs: { type: StepType; body: JobBody }[];
  contextKeys: string[];
  critical: boolean;
  payload: Record<string, unknown>;
  overrides: Record<string, unknown>;
  isBroadcast: boolean;
  actor?: string;
  /** The identifier of the event's tenant. */
  tenant?: string;
}

function startRun(
  scope: Scope,
  template: RunTemplate,
  { subscriberId, definition, topics }: ResolvedRecipient,
  internalSubscriberId: string,
): void {
  const { workflow, transactionId, critical, contextKeys, payload, overrides, actor, tenant } =
    template;
  const { now } = scope;
  const id = scope.ids.objectId();
  insertNotification(scope, {
    id,
    transactionId,
    critical,
    contextKeys,
    ...(actor === undefined ? {} : { actor }),
    ...(tenant === undefined ? {} : { tenant }),
    workflow: workflow.id,
    subscriber: internalSubscriberId,
    severity: chooseSeverity(workflow, overrides),
    tags: workflow.tags,
    channels: [...new Set(template.jobs.map(({ type }) => type))],
    topics,
    to: template.isBroadcast
      ? { _id: internalSubscriberId, subscriberId, id: internalSubscriberId }
      : { subscriberId, ...definition },
    createdAt: now,
    updatedAt: now,
  });
  if (scope.deliveryFaults.isHit('loseJobs')) return;
  const jobs = template.jobs.map((job, position) => queueJob(scope, id, job, position));
  const subscriber = subscriberById(scope, internalSubscriberId);
  if (!subscriber) return;
  const notification = {
    id,
    transactionId,
    critical,
    contextKeys,
    payload,
    overrides,
    topics,
    createdAt: now,
    ...(tenant === undefined ? {} : { tenant }),
    ...(actor === undefined ? {} : { actor }),
  };
  runJobs(scope, createRun(scope, { notification, workflow, subscriber, jobs }), 0);
}

function queueJob(
  scope: Scope,
  notification: string,
  { type, body }: RunTemplate['jobs'][number],
  position: number,
): StoredJob {
  const job: StoredJob = {
    id: scope.ids.objectId(),
    notification,
    type,
    status: 'pending',
    details: [],
    updatedAt: scope.now,
    ...body,
    // Executing a digest changes it.
    ...(body.digest ? { digest: structuredClone(body.digest) } : {}),
  };
  insertJob(scope, job, position);
  return job;
}

/** Creates the jobs that every run of a workflow executes. */
function createJobTemplates(scope: Scope, { steps }: StoredWorkflow): RunTemplate['jobs'] {
  const active = steps.filter((step) => step.active);
  const integrations = defaultIntegrations(scope);
  return active.map((step, index) => ({
    type: step.type,
    body: createJobBody(
      step,
      active[index - 1],
      step.type === 'in_app' ? inAppProvider : integrations.get(step.type)?.providerId,
    ),
  }));
}

/** Copies the current state of a step and the id of the provider that would deliver it. */
function createJobBody(
  step: StepDefinition,
  parent: StepDefinition | undefined,
  providerId: string = inAppProvider,
): JobBody {
  const issues = contentIssues(step);
  const digest = step.type === 'digest' ? digestMetadata(step.controlValues) : undefined;
  return {
    stepId: step.stepId,
    ...(step.shouldStopOnFail ? { shouldStopOnFail: true } : {}),
    step: {
      _id: step.id,
      _templateId: step.id,
      _parentId: parent?.id ?? null,
      name: step.name,
      active: step.active,
      filters: step.filters ?? [],
      controlVariables: step.controlValues,
      ...(Object.keys(issues).length === 0 ? {} : { issues }),
    },
    providerId,
    ...(digest ? { digest } : {}),
  };
}

// Starts a run: stores a notification for one subscriber and a job for each active step, then
// executes the jobs until the run waits or finishes.
import { inAppProvider } from '../../service/schemas/providers.ts';
import type { StepType } from '../../service/schemas/vocabulary.ts';
import { insertJob, type JobBody, type StoredJob } from '../store/jobs.ts';
import { insertNotification } from '../store/notifications.ts';
import type { Scope } from '../store/scope.ts';
import { subscriberById } from '../store/subscribers.ts';
import { contentIssues, type StepDefinition, type StoredWorkflow } from '../store/workflows.ts';
import { digestMetadata } from './digest.ts';
import { chooseSeverity } from './overrides.ts';
import { defaultIntegrations } from './read-once.ts';
import type { ResolvedRecipient } from './recipients.ts';
import { createRun } from './run.ts';
import { runJobs } from './run-jobs.ts';

/** The properties that all runs of an event share. */
export interface RunTemplate {
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

export function startRun(
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
  const jobs = template.jobs.map((job, position) => queueJob(scope, id, job, position));
  const subscriber = subscriberById(scope, internalSubscriberId);
  if (!subscriber) return;
  const notification = {
    ...{ id, transactionId, critical, contextKeys, payload, overrides },
    ...(tenant === undefined ? {} : { tenant }),
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
export function createJobTemplates(scope: Scope, { steps }: StoredWorkflow): RunTemplate['jobs'] {
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

// One run: the notification of one subscriber and a job for each active step, carried out until it
// waits or ends.
import type { DigestMetadata } from '../../api/schemas/job.ts';
import { inAppProvider } from '../../api/schemas/providers.ts';
import { channelIntegration } from '../store/integrations.ts';
import { insertJob, type JobBody, type StoredJob } from '../store/jobs.ts';
import { insertNotification } from '../store/notifications.ts';
import type { Scope } from '../store/scope.ts';
import { subscribersById } from '../store/subscribers.ts';
import type { StepDefinition, StepType, StoredWorkflow } from '../store/workflows.ts';
import type { Addressee } from './recipients.ts';
import { tell } from './record-detail.ts';
import { createRun } from './run.ts';
import { runJobs } from './run-jobs.ts';

/** What all runs of an event share. */
export interface RunFacts {
  workflow: StoredWorkflow;
  transactionId: string;
  /** One for each active step. */
  jobs: { type: StepType; body: JobBody }[];
  contextKeys: string[];
  critical: boolean;
  payload: Record<string, unknown>;
  overrides: Record<string, unknown>;
  actor?: string;
}

export function startRun(
  scope: Scope,
  facts: RunFacts,
  { subscriberId, definition, topics }: Addressee,
  subscriber: string,
): void {
  const { workflow, transactionId, critical, contextKeys, payload, overrides, actor } = facts;
  const { now } = scope;
  const id = scope.ids.objectId();
  insertNotification(scope, {
    id,
    transactionId,
    critical,
    contextKeys,
    ...(actor === undefined ? {} : { actor }),
    workflow: workflow.id,
    subscriber,
    severity: workflow.severity,
    tags: workflow.tags,
    channels: [...new Set(facts.jobs.map(({ type }) => type))],
    topics,
    to: { subscriberId, ...definition },
    createdAt: now,
    updatedAt: now,
  });
  const jobs = facts.jobs.map((job, position) => queueJob(scope, id, job, position));
  const profile = subscribersById(scope, [subscriber]).get(subscriber);
  if (!profile) return;
  const notification = { id, transactionId, critical, contextKeys, payload, overrides };
  runJobs(scope, createRun(scope, { notification, workflow, subscriber: profile, jobs }), 0);
}

function queueJob(
  scope: Scope,
  notification: string,
  { type, body }: RunFacts['jobs'][number],
  position: number,
): StoredJob {
  const job: StoredJob = {
    id: scope.ids.objectId(),
    notification,
    type,
    status: 'pending',
    updatedAt: scope.now,
    ...structuredClone(body),
  };
  insertJob(scope, { ...job, position });
  tell(scope, job, 'Pending', 'Step queued');
  return job;
}

/** What every run of a workflow has to do. */
export function jobsFor(scope: Scope, { steps }: StoredWorkflow): RunFacts['jobs'] {
  const active = steps.filter((step) => step.active);
  return active.map((step, index) => ({
    type: step.type,
    body: jobBody(scope, step, active[index - 1]),
  }));
}

/** The step as it is now, and what would deliver it. */
export function jobBody(
  { sql, environmentId }: Scope,
  step: StepDefinition,
  parent: StepDefinition | undefined,
): JobBody {
  const digest = step.type === 'digest' ? digestMetadata(step.controlValues) : undefined;
  const integration =
    step.type === 'in_app' ? undefined : channelIntegration(sql, environmentId, step.type);
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
    },
    providerId: integration?.providerId ?? inAppProvider,
    ...(digest ? { digest } : {}),
  };
}

function digestMetadata(controls: Record<string, unknown>): DigestMetadata {
  const { type, amount, unit, digestKey, cron, lookBackWindow: back } = controls;
  const isTimed = type === 'timed' || (typeof cron === 'string' && amount === undefined);
  const backoff = typeof back === 'object' && back !== null ? back : undefined;
  return {
    type: isTimed ? 'timed' : backoff ? 'backoff' : 'regular',
    ...(typeof amount === 'number' ? { amount } : {}),
    ...(typeof unit === 'string' ? { unit } : {}),
    ...(typeof digestKey === 'string' ? { digestKey } : {}),
    ...(typeof cron === 'string' ? { timed: { cronExpression: cron } } : {}),
    ...(backoff
      ? {
          backoff: true,
          backoffAmount: Number(Reflect.get(backoff, 'amount')),
          backoffUnit: String(Reflect.get(backoff, 'unit')),
        }
      : {}),
    events: [],
  };
}

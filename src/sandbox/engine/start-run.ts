// One run: the notification of one subscriber and a job for each active step, all waiting.
import type { DigestMetadata } from '../../api/schemas/job.ts';
import { inAppProvider } from '../../api/schemas/providers.ts';
import { channelIntegration } from '../store/integrations.ts';
import { insertDetail, insertJob, type JobBody } from '../store/jobs.ts';
import { insertNotification } from '../store/notifications.ts';
import type { Scope } from '../store/scope.ts';
import type { StepDefinition, StepType, StoredWorkflow } from '../store/workflows.ts';
import type { Addressee } from './recipients.ts';

/** What all runs of an event share. */
export interface Run {
  workflow: StoredWorkflow;
  transactionId: string;
  /** One for each active step. */
  jobs: { type: StepType; body: JobBody }[];
  contextKeys: string[];
  critical: boolean;
  actor?: string;
}

export function startRun(
  scope: Scope,
  run: Run,
  { subscriberId, definition, topics }: Addressee,
  subscriber: string,
): void {
  const { workflow, jobs, ...facts } = run;
  const { ids, now } = scope;
  const notification = ids.objectId();
  insertNotification(scope, {
    id: notification,
    ...facts,
    workflow: workflow.id,
    subscriber,
    severity: workflow.severity,
    tags: workflow.tags,
    channels: [...new Set(jobs.map(({ type }) => type))],
    topics,
    to: { subscriberId, ...definition },
    createdAt: now,
    updatedAt: now,
  });
  for (const [position, { type, body }] of jobs.entries()) {
    const job = ids.objectId();
    const state = { status: 'pending', updatedAt: now } as const;
    insertJob(scope, { id: job, notification, position, type, ...state, ...body });
    const queued = { status: 'Pending', detail: 'Step queued' } as const;
    insertDetail(scope, { id: ids.objectId(), job, createdAt: now, ...queued });
  }
}

/** What every run of a workflow has to do. */
export function jobsFor(scope: Scope, { steps }: StoredWorkflow): Run['jobs'] {
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
    step: {
      _id: step.id,
      _templateId: step.id,
      _parentId: parent?.id ?? null,
      name: step.name,
      active: step.active,
      filters: [],
      controlVariables: step.controlValues,
    },
    providerId: integration?.providerId ?? inAppProvider,
    ...(digest ? { digest } : {}),
  };
}

function digestMetadata(controls: Record<string, unknown>): DigestMetadata {
  const { type, amount, unit, digestKey, cron } = controls;
  return {
    type: type === 'timed' || typeof cron === 'string' ? 'timed' : 'regular',
    ...(typeof amount === 'number' ? { amount } : {}),
    ...(typeof unit === 'string' ? { unit } : {}),
    ...(typeof digestKey === 'string' ? { digestKey } : {}),
    ...(typeof cron === 'string' ? { timed: { cronExpression: cron } } : {}),
    events: [],
  };
}

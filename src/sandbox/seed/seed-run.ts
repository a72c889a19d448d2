// Inserts one finished run of u1: event, notification, completed jobs with their details, inbox message.
import { createJobBody } from '../engine/start-run.ts';
import { insertEvent } from '../store/events.ts';
import { type DetailBody, insertDetail, insertJob } from '../store/jobs.ts';
import { insertMessage } from '../store/messages.ts';
import { insertNotification } from '../store/notifications.ts';
import type { Scope } from '../store/scope.ts';
import { recordTriggered, type StepDefinition, type StoredWorkflow } from '../store/workflows.ts';
import { seedId } from './ids.ts';
import type { SeedRun } from './inbox.ts';

export function seedRun(scope: Scope, run: SeedRun, workflow: StoredWorkflow): void {
  const { name, payload, contextKeys = [], topics = [] } = run;
  const { now } = scope;
  const notification = seedId(`notification:${name}`);
  const transactionId = `txn_${seedId(`transaction:${name}`)}`;
  const id = seedId(`event:${name}`);
  insertEvent(scope, { id, transactionId, workflow: workflow.id, event: { payload } });
  recordTriggered(scope, workflow.id);
  insertNotification(scope, {
    id: notification,
    transactionId,
    workflow: workflow.id,
    subscriber: seedId('subscriber:u1'),
    severity: workflow.severity,
    contextKeys,
    channels: workflow.steps.map(({ type }) => type),
    topics: topics.map((topicKey) => ({ _topicId: seedId(`topic:${topicKey}`), topicKey })),
    createdAt: now,
    updatedAt: now,
    to: { subscriberId: 'u1' },
    tags: workflow.tags,
    critical: false,
  });
  for (const [position, step] of workflow.steps.entries()) {
    const job = seedJob(
      scope,
      { name, notification, position },
      step,
      workflow.steps[position - 1],
    );
    if (step.type === 'in_app') seedMessage(scope, run, workflow, { step, job, transactionId });
  }
}

function seedJob(
  scope: Scope,
  { name, notification, position }: { name: string; notification: string; position: number },
  step: StepDefinition,
  parent: StepDefinition | undefined,
): string {
  const { now } = scope;
  const job = seedId(`job:${name}:${step.stepId}`);
  const body = createJobBody(scope, step, parent);
  const { type } = step;
  insertJob(scope, {
    id: job,
    notification,
    position,
    type,
    status: 'completed',
    updatedAt: now,
    ...body,
  });
  for (const [index, detail] of completedDetails(type, body.providerId).entries()) {
    insertDetail(scope, { id: seedId(`detail:${job}:${index}`), job, createdAt: now, ...detail });
  }
  return job;
}

/** Returns the execution details of a step that completed. */
function completedDetails(type: string, providerId: string): DetailBody[] {
  const queued: DetailBody = { status: 'Pending', detail: 'Step queued' };
  const created: DetailBody = { status: 'Pending', detail: 'Message created', providerId };
  const sent: DetailBody = { status: 'Success', detail: 'Message sent', providerId };
  if (type === 'in_app') return [queued, created, sent];
  if (type === 'digest') {
    return [
      queued,
      { status: 'Pending', detail: 'Step digested' },
      { status: 'Success', detail: 'Digest triggered events' },
    ];
  }
  const provider = `${providerId.charAt(0).toUpperCase()}${providerId.slice(1)}`;
  return [
    queued,
    { status: 'Pending', detail: `${provider} provider was selected`, providerId },
    created,
    sent,
  ];
}

function seedMessage(
  scope: Scope,
  { name, payload, contextKeys = [], inbox }: SeedRun,
  workflow: StoredWorkflow,
  { step, job, transactionId }: { step: StepDefinition; job: string; transactionId: string },
): void {
  const { now } = scope;
  const { subject, content, url, read, seen } = inbox;
  insertMessage(scope, {
    id: seedId(`message:${name}`),
    subscriber: seedId('subscriber:u1'),
    channel: 'in_app',
    notification: seedId(`notification:${name}`),
    job,
    workflow: workflow.id,
    read,
    seen,
    createdAt: now,
    updatedAt: now,
    content,
    subject,
    cta: url === undefined ? {} : { type: 'redirect', data: { url } },
    payload,
    overrides: {},
    tags: workflow.tags,
    contextKeys,
    templateIdentifier: workflow.identifier,
    messageTemplateId: step.id,
    transactionId,
    providerId: 'svc',
    status: 'sent',
    deliveredAt: [now],
    ...(seen ? { lastSeenDate: now } : {}),
    ...(read ? { lastReadDate: now } : {}),
  });
}

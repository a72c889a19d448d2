// A run in progress: a notification with its jobs, workflow and subscriber.

import { type ExecutionStatus, isChannel } from '../../service/schemas/vocabulary.ts';
import { activeIntegrations, queuedIntegrations } from '../store/integrations.ts';
import { findNotificationId, listJobs, type StoredJob } from '../store/jobs.ts';
import { findDefaultLayout, findLayout } from '../store/layouts.ts';
import { findNotification, type StoredNotification } from '../store/notifications.ts';
import {
  findPreferences,
  globalPreferenceKey,
  type StoredPreference,
} from '../store/preferences.ts';
import type { Scope } from '../store/scope.ts';
import { type StoredSubscriber, subscriberById } from '../store/subscribers.ts';
import { environmentValues } from '../store/variables.ts';
import { findWorkflow, recordTriggered, type StoredWorkflow } from '../store/workflows.ts';
import type { Layouts, StepResult } from './step.ts';

type RunNotification = Pick<
  StoredNotification,
  | 'id'
  | 'transactionId'
  | 'critical'
  | 'contextKeys'
  | 'payload'
  | 'overrides'
  | 'tenant'
  | 'actor'
  | 'topics'
  | 'bridgeUrl'
  | 'createdAt'
>;

export interface Run {
  notification: RunNotification;
  workflow: StoredWorkflow;
  subscriber: StoredSubscriber;
  /** In the order of their steps. Executing a job changes it. */
  jobs: StoredJob[];
  /** The result of the endpoint of the application for one job. */
  stepResult?: { job: string; result: StepResult };
  /** Reads the subscriber's preferences on the first call. */
  preferences(): SubscriberPreferences;
}

export interface SubscriberPreferences {
  global: StoredPreference | undefined;
  workflow: StoredPreference | undefined;
}

/** A step of a run that is executed. */
export interface Step {
  scope: Scope;
  run: Run;
  job: StoredJob;
}

export const subscriberTimeZone = ({ subscriber }: Run): string =>
  subscriber.profile.timezone ?? 'UTC';

export function createRun(scope: Scope, fields: Omit<Run, 'preferences'>): Run {
  let cached: SubscriberPreferences | undefined;
  const readPreferences = (): SubscriberPreferences => {
    const stored = findPreferences(scope, fields.subscriber.id, fields.notification.contextKeys);
    return { global: stored.get(globalPreferenceKey), workflow: stored.get(fields.workflow.id) };
  };
  return {
    ...fields,
    preferences() {
      cached ??= readPreferences();
      return cached;
    },
  };
}

/** Returns the run that a job belongs to, and the index of the job in it. */
export function findRunOfJob(scope: Scope, job: string): { run: Run; index: number } | undefined {
  const id = findNotificationId(scope, job);
  const notification = id === undefined ? undefined : findNotification(scope, id);
  if (!notification) return undefined;
  const workflow = findWorkflow(scope, 'id', notification.workflow);
  const subscriber = subscriberById(scope, notification.subscriber);
  if (!workflow || !subscriber) return undefined;
  const jobs = listJobs(scope, [notification.id]);
  const index = jobs.findIndex(({ id }) => id === job);
  return { run: createRun(scope, { notification, workflow, subscriber, jobs }), index };
}

// Adds an execution detail to a job, which the caller saves.

/**
 * Records what happened to a job. `raw` is text or a value that is stored as JSON. `note` is only shown on the page.
 * The detail of a channel step names its provider.
 */
export function recordDetail(
  scope: Scope,
  job: Pick<StoredJob, 'type' | 'providerId' | 'details'>,
  status: ExecutionStatus,
  detail: string,
  raw?: string | object,
  note?: string,
): void {
  const { ids, now } = scope;
  job.details.push({
    id: ids.objectId(),
    createdAt: now,
    status,
    detail,
    ...(isChannel(job.type) ? { providerId: job.providerId } : {}),
    ...(raw === undefined ? {} : { raw: typeof raw === 'string' ? raw : JSON.stringify(raw) }),
    ...(note === undefined ? {} : { note }),
  });
}

// The workflows, integrations, layouts and variables that the engine reads. It does not change them, so within a scope,
// which lasts for one request, each is read once, and a workflow is marked as triggered once.

const valuesRead = new WeakMap<object, Map<string, unknown>>();

/** Calls `read` for the first use of a key in a scope. Later uses get the same value. */
function once<Value>(scope: Scope, key: string, read: () => Value): Value {
  const { reads = scope } = scope;
  const values = valuesRead.get(reads) ?? new Map<string, unknown>();
  valuesRead.set(reads, values);
  if (!values.has(key)) values.set(key, read());
  return values.get(key) as Value;
}

export const readWorkflow = (scope: Scope, by: 'id' | 'identifier', value: string) =>
  once(scope, `workflow ${by} ${value}`, () => findWorkflow(scope, by, value));

export const readIntegrations = (scope: Scope, channel: string) =>
  once(scope, `integrations ${channel}`, () => activeIntegrations(scope, channel));

export const defaultIntegrations = (scope: Scope) =>
  once(scope, 'default integrations', () => queuedIntegrations(scope));

export const readEnvironmentValues = (scope: Scope) =>
  once(scope, 'environment values', () => environmentValues(scope));

export const layoutsOf = (scope: Scope): Layouts => ({
  find: (id) => once(scope, `layout ${id}`, () => findLayout(scope, id)),
  default: () =>
    scope.dialect.usesDefaultLayout
      ? once(scope, 'default layout', () => findDefaultLayout(scope))?.layoutId
      : undefined,
});

export const markTriggered = (scope: Scope, workflow: StoredWorkflow) =>
  once(scope, `triggered ${workflow.id}`, () => recordTriggered(scope, workflow));

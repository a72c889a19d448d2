// A run in progress: a notification with its jobs, workflow and subscriber.
import { findNotificationId, listJobs, type StoredJob } from '../store/jobs.ts';
import { findNotification, type StoredNotification } from '../store/notifications.ts';
import {
  findPreferences,
  globalPreferenceKey,
  type StoredPreference,
} from '../store/preferences.ts';
import type { Scope } from '../store/scope.ts';
import { type StoredSubscriber, subscriberById } from '../store/subscribers.ts';
import { findWorkflow, type StoredWorkflow } from '../store/workflows.ts';

import type { StepResult } from './bridge-step.ts';

export type RunNotification = Pick<
  StoredNotification,
  | 'id'
  | 'transactionId'
  | 'critical'
  | 'contextKeys'
  | 'payload'
  | 'overrides'
  | 'tenant'
  | 'bridgeUrl'
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

export const subscriberTimeZone = ({ subscriber }: Run): string =>
  subscriber.profile.timezone ?? 'UTC';

export function createRun(scope: Scope, fields: Omit<Run, 'preferences'>): Run {
  let cached: SubscriberPreferences | undefined;
  const readPreferences = (): SubscriberPreferences => {
    const stored = findPreferences(scope, fields.subscriber.id);
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

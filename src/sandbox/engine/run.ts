// A run while it is carried out: a notification with its jobs, its workflow and its subscriber.
import { jobsOf, notificationOf, type StoredJob } from '../store/jobs.ts';
import { findNotification, type StoredNotification } from '../store/notifications.ts';
import { globalPreferenceKey, preferencesOf, type StoredPreference } from '../store/preferences.ts';
import type { Scope } from '../store/scope.ts';
import { type StoredSubscriber, subscribersById } from '../store/subscribers.ts';
import { findWorkflow, type StoredWorkflow } from '../store/workflows.ts';

export type RunNotification = Pick<
  StoredNotification,
  'id' | 'transactionId' | 'critical' | 'contextKeys' | 'payload' | 'overrides'
>;

export interface Run {
  notification: RunNotification;
  workflow: StoredWorkflow;
  subscriber: StoredSubscriber;
  /** In the order of their steps. They change while they are carried out. */
  jobs: StoredJob[];
  /** What the subscriber chose, read when it is first asked for. */
  chosen(): Chosen;
}

export interface Chosen {
  globally: StoredPreference | undefined;
  here: StoredPreference | undefined;
}

/** Leaves the run's preferences unread until a step asks for them. */
export function createRun(scope: Scope, facts: Omit<Run, 'chosen'>): Run {
  let chosen: Chosen | undefined;
  const read = (): Chosen => {
    const stored = preferencesOf(scope, facts.subscriber.id);
    return { globally: stored.get(globalPreferenceKey), here: stored.get(facts.workflow.id) };
  };
  return {
    ...facts,
    chosen() {
      chosen ??= read();
      return chosen;
    },
  };
}

/** The run that a job belongs to, with the job's place in it. */
export function runOfJob(scope: Scope, job: string): { run: Run; index: number } | undefined {
  const id = notificationOf(scope, job);
  const notification = id === undefined ? undefined : findNotification(scope, id);
  if (!notification) return undefined;
  const workflow = findWorkflow(scope, 'id', notification.workflow);
  const subscriber = subscribersById(scope, [notification.subscriber]).get(notification.subscriber);
  if (!workflow || !subscriber) return undefined;
  const jobs = jobsOf(scope, [notification.id]);
  const index = jobs.findIndex(({ id }) => id === job);
  return { run: createRun(scope, { notification, workflow, subscriber, jobs }), index };
}

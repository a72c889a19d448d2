// Carries out the jobs of a run in order, until one waits, halts the run, or all are done.

import { setDue } from '../store/due-jobs.ts';
import { type StoredJob, updateJob } from '../store/jobs.ts';
import { touchNotification } from '../store/notifications.ts';
import type { Scope } from '../store/scope.ts';
import { isCritical } from './channel-preferences.ts';
import { renderDeep } from './content.ts';
import { finishDelay, startDelay } from './delay.ts';
import { deliver } from './deliver.ts';
import { finishDigest, startDigest } from './digest.ts';
import { canceled, completed, type Outcome, waiting } from './outcome.ts';
import { tell } from './record-detail.ts';
import type { Run } from './run.ts';
import { isOpen, nextOpening } from './schedule.ts';
import { isKeptBack, isSkipped, zoneOf } from './skip-rules.ts';
import { throttle } from './throttle.ts';
import { type Variables, variablesOf } from './variables.ts';

export function runJobs(scope: Scope, run: Run, from: number): void {
  for (let index = from; index < run.jobs.length; index += 1) {
    const job = run.jobs[index];
    if (job && !goesOn(scope, run, index, perform(scope, run, job))) return;
  }
}

/** The wait of a digest or delay is over: its end, and the rest of the run. */
export function goOn(scope: Scope, run: Run, index: number): void {
  const job = run.jobs[index];
  if (job?.status !== 'delayed') return;
  touchNotification(scope, run.notification.id);
  if (putOff(scope, run, job)) return;
  const outcome = job.type === 'digest' ? finishDigest(scope, run, job) : finishDelay(scope, job);
  if (goesOn(scope, run, index, outcome)) runJobs(scope, run, index + 1);
}

/** Stores how a job ended, and what that means for the later ones. Whether the run goes on. */
function goesOn(scope: Scope, run: Run, index: number, outcome: Outcome): boolean {
  const job = run.jobs[index];
  if (!job) return false;
  settle(scope, job, outcome.status);
  const stops = outcome.status === 'failed' && job.shouldStopOnFail === true;
  const rest = outcome.rest ?? (stops ? 'canceled' : undefined);
  if (rest === undefined) return true;
  if (rest !== 'wait') {
    for (const later of run.jobs.slice(index + 1)) settle(scope, later, rest);
  }
  return false;
}

function settle(scope: Scope, job: StoredJob, status: StoredJob['status']): void {
  job.status = status;
  job.updatedAt = scope.now;
  updateJob(scope, job);
}

function perform(scope: Scope, run: Run, job: StoredJob): Outcome {
  let known: Variables | undefined;
  const variables = (): Variables => {
    known ??= variablesOf(scope, run);
    return known;
  };
  switch (job.type) {
    case 'in_app':
    case 'email':
    case 'sms':
    case 'chat':
    case 'push':
      if (isKeptBack(scope, run, job, variables)) return canceled;
      return deliver(scope, run, job, variables);
    default:
      if (isSkipped(scope, job, variables)) return canceled;
      return performAction(scope, run, job, variables);
  }
}

function performAction(
  scope: Scope,
  run: Run,
  job: StoredJob,
  variables: () => Variables,
): Outcome {
  switch (job.type) {
    case 'digest':
      return startDigest(scope, run, job, variables);
    case 'delay':
      return startDelay(scope, run, job, variables);
    case 'throttle':
      return throttle(scope, run, job, variables);
    case 'custom':
      job.output = customOutput(scope, job, variables);
      return completed;
    default:
      return completed;
  }
}

/** What the code of the workflow would give: its `custom` control value. */
function customOutput(
  { now }: Scope,
  { step }: StoredJob,
  variables: () => Variables,
): Record<string, unknown> {
  const { custom } = step.controlVariables ?? {};
  if (typeof custom !== 'object' || custom === null) return {};
  try {
    return renderDeep(custom, variables(), now) as Record<string, unknown>;
  } catch {
    return custom as Record<string, unknown>;
  }
}

const mostExtensions = 3;

/** `extendToSchedule`: an end outside the subscriber's hours is put off to when they open. */
function putOff(scope: Scope, run: Run, job: StoredJob): boolean {
  const { extendToSchedule } = job.step.controlVariables ?? {};
  const extended = job.scheduleExtensionsCount ?? 0;
  if (extendToSchedule !== true || isCritical(run.workflow) || extended >= mostExtensions) {
    return false;
  }
  const schedule = run.chosen().globally?.schedule;
  const now = Date.parse(scope.now);
  if (!schedule || isOpen(schedule, now, zoneOf(run))) return false;
  const opening = nextOpening(schedule, now, zoneOf(run));
  if (opening === undefined) return false;
  job.scheduleExtensionsCount = extended + 1;
  tell(scope, job, 'Pending', job.type === 'digest' ? 'Step digested' : 'Step delayed');
  setDue(scope, job.id, opening);
  settle(scope, job, waiting.status);
  return true;
}

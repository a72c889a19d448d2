// The steps that a canary can wait for: those before the first digest or delay that takes longer than --canary-timeout.
// The later ones are rendered on this machine before anything is sent.

import type { Context } from '../../app/context.ts';
import { durationText } from '../../core/durations.ts';
import { usageError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/objects.ts';
import { listText, shellWord } from '../../core/text.ts';
import type { NormalStep } from '../../environment/normal-form.ts';
import type { ActivityItem } from '../../service/schemas/activity.ts';
import { isChannel } from '../../service/schemas/vocabulary.ts';
import { durationMs } from '../../service/time.ts';
import { openRemoteSource, renderSteps } from '../shared/render-steps.ts';

export interface CanarySteps {
  /** The number of the digest or delay that takes too long, from 1. */
  wait: number;
  /** Throws a usage error if a later step cannot be rendered for this event. */
  renderLater(event: RenderedEvent): Promise<void>;
}

export interface RenderedEvent {
  payload: JsonObject;
  subscriber: JsonObject;
}

const isWait = ({ type }: { type: string }) => type === 'digest' || type === 'delay';

/** How long a digest or delay takes: infinite with a schedule, and 0 if only the payload of an event says it. */
function waitMs({ controlValues }: NormalStep): number {
  const { type = 'regular', amount, unit } = controlValues;
  if (type === 'dynamic') return 0;
  return (type === 'regular' ? durationMs(amount, unit) : undefined) ?? Number.POSITIVE_INFINITY;
}

/** Returns a function that removes the jobs of an event from this digest or delay on. */
export const jobsBefore =
  (wait: number) =>
  (item: ActivityItem): ActivityItem => {
    const jobs = item.jobs ?? [];
    const end = jobs.filter(isWait)[wait - 1];
    return end ? { ...item, jobs: jobs.slice(0, jobs.indexOf(end)) } : item;
  };

/**
 * Reads the workflow. Undefined if the canary can wait for all of its steps. Throws a usage error if it can wait for
 * none of its messages.
 */
export async function openCanarySteps(
  context: Context,
  { workflowId, file, timeoutMs }: { workflowId: string; file: string; timeoutMs: number },
): Promise<CanarySteps | undefined> {
  const source = await openRemoteSource(context, workflowId);
  const { steps } = source.workflow;
  let waited = 0;
  const index = steps.findIndex((step) => {
    if (isWait(step)) waited += waitMs(step);
    return waited > timeoutMs;
  });
  const wait = steps[index];
  if (!wait) return undefined;
  const earlier = steps.slice(0, index).filter(({ type }) => isChannel(type));
  const later = steps.slice(index).filter(({ type }) => isChannel(type));
  if (earlier.length === 0)
    throw impossibleError(workflowId, waitText(wait, waited), { file, timeoutMs, waited });
  return {
    // Every step has a job, so the jobs of an event have the same number.
    wait: steps.slice(0, index + 1).filter(isWait).length,
    async renderLater(event) {
      const rendered = await renderSteps(source, (step) => later.includes(step), {
        ...event,
        addresses: undefined,
        channels: {},
        schedule: undefined,
        isCritical: true,
        now: context.host.clock.now(),
      });
      const problems = rendered.steps.flatMap(({ stepId, result, reason }) =>
        result === 'failed' ? [{ field: `step ${stepId}`, message: reason ?? '' }] : [],
      );
      if (problems.length > 0)
        throw usageError('The canary cannot check the later steps, and they cannot be rendered.', {
          hint: 'Nothing was sent. Fix the steps, then run the command again.',
          fieldErrors: problems,
        });
      if (later.length === 0) return;
      context.note(
        `The canary judges ${channels(earlier)}. ${channels(later)} comes after ${waitText(wait, waited)}, longer than --canary-timeout ${durationText(timeoutMs)}: its content was only rendered here, without errors.`,
      );
    },
  };
}

const channels = (steps: readonly NormalStep[]) =>
  listText([...new Set(steps.map(({ type }) => type))]);

const waitText = ({ type }: NormalStep, waited: number) =>
  Number.isFinite(waited) ? `a ${type} of ${durationText(waited)}` : `a ${type} with a schedule`;

function impossibleError(
  workflowId: string,
  wait: string,
  { file, timeoutMs, waited }: { file: string; timeoutMs: number; waited: number },
) {
  const trigger = `svc events trigger ${shellWord(workflowId)}`;
  const longer = Number.isFinite(waited)
    ? [`set a --canary-timeout longer than ${durationText(waited)}`]
    : [];
  return usageError(
    `A canary cannot work here: every message of workflow ${workflowId} comes after ${wait}, longer than --canary-timeout ${durationText(timeoutMs)}.`,
    {
      hint: `Nothing was sent. ${['Check workflow and rows with --validate-only', ...longer, 'or trigger one recipient first'].join(', ')}.`,
      next: [
        `${trigger} --recipients ${shellWord(file)} --validate-only`,
        `${trigger} --to <subscriber-id>`,
      ],
    },
  );
}

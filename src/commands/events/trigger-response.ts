// The response to a trigger: whether an event whose response was lost was accepted, and why an event was not
// triggered.

import { readOptional } from '../../api/read-optional.ts';
import type { Context } from '../../app/context.ts';
import {
  openRecentTransactions,
  openWorkflowsWithSteps,
} from '../../completion/recent-transactions.ts';
import { raceAbort } from '../../core/async.ts';
import { type ExitReason, SvcError } from '../../core/errors.ts';
import { shellWord } from '../../core/text.ts';
import type { TriggerResult } from '../../service/schemas/events.ts';
import { sandboxVersions, versionHeader } from '../../service/versions.ts';

/** Looks for the jobs of an event whose response is lost. Undefined if the activity shows none. */
export type FindAccepted = () => Promise<TriggerResult | undefined>;

/** Sends one event. A signal meanwhile is reported with the transaction, and so is an event that may be sent. */
export function sendEvent<T>(
  context: Context,
  transactionId: string,
  send: (findAccepted: FindAccepted) => Promise<T>,
): Promise<T> {
  const { clock, shutdownSignal } = context.host;
  if (context.globals.dryRun === undefined) openRecentTransactions(context).add(transactionId);
  let hasJobs: ((id: string) => Promise<boolean>) | undefined;
  const findAccepted: FindAccepted = async () => {
    const { createJobCheck } = await import('../../bulk/engine/await-jobs.ts');
    hasJobs ??= createJobCheck(await context.client(), clock, shutdownSignal);
    const isAccepted = await hasJobs(transactionId);
    return isAccepted ? { acknowledged: true, status: 'processed', transactionId } : undefined;
  };
  const next = [`svc activity get ${shellWord(transactionId)}`];
  return raceAbort(send(findAccepted), shutdownSignal).catch((error: unknown) => {
    if (shutdownSignal.aborted)
      throw new SvcError(
        shutdownSignal.reason as ExitReason,
        `Interrupted while transaction ${transactionId} was in progress.`,
        { next },
      );
    if (!(error instanceof SvcError) || !error.details.maybeApplied) throw error;
    // The service recognizes a repeated transaction id only after it has created the jobs of the first event.
    throw error.with({
      hint: `The event may have been triggered anyway. Check the activity first. If it shows nothing after a minute, run the command again with --transaction-id ${shellWord(transactionId)}. If you do so earlier, the service may deliver the event twice, because it may not recognize the id yet.`,
      next,
    });
  });
}

// Explains why an event was not triggered.

/** Texts for the statuses of a TriggerResult, except `processed` and `error`. */
const statusTexts: Record<string, string> = {
  trigger_not_active: 'is not active',
  no_workflow_active_steps_defined: 'has no active step',
  no_workflow_steps_defined: 'has no steps',
};

export function notTriggeredText(
  { propose }: Context,
  workflowId: string,
  triggerResult: TriggerResult | undefined,
): string {
  const { status = 'no result', error = [] } = triggerResult ?? {};
  const reason = error.length > 0 ? ` (${error.join('; ')})` : '';
  if (error.includes('workflow_not_found'))
    return `workflow ${workflowId} does not exist (list them with \`${propose('svc workflows list')}\`)`;
  if (status === 'error' && error.length > 0) return error.join('; ');
  const text = Object.hasOwn(statusTexts, status) ? statusTexts[status] : undefined;
  return text === undefined ? `${status}${reason}` : `workflow ${workflowId} ${text} (${status})`;
}

/** The options that add the fields of the payload that the service misses; undefined if it misses none. */
export function missingFieldsHint({ error = [] }: Partial<TriggerResult> = {}): string | undefined {
  const fields = error.flatMap((text) =>
    [...text.matchAll(/([^\s;:]+): must have required property/g)].map(([, path = '']) =>
      path.replace(/^root\./, ''),
    ),
  );
  if (fields.length === 0) return undefined;
  const options = fields.map((field) => `-F ${shellWord(`${field}:=JSON`)}`).join(' ');
  const [first = ''] = fields;
  return `Add the missing ${fields.length === 1 ? 'field' : 'fields'} of the payload: ${options}. For text, use -f, as in -f ${shellWord(`${first}=TEXT`)}.`;
}

/**
 * Whether an accepted event sends nothing: since version 3.12, the service accepts events of workflows without steps.
 * Reads the workflow unless it had steps within the last day. A sandbox of the oldest version rejects such events.
 */
export async function hasNoSteps(
  context: Context,
  workflowId: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<boolean> {
  const workflows = openWorkflowsWithSteps(context);
  const isOldest = headers[versionHeader] === sandboxVersions[0];
  if (isOldest || workflows.all().has(workflowId)) return false;
  const path = { workflowId };
  const workflow = await readOptional(await context.client(), 'getWorkflow', { path });
  if (!Array.isArray(workflow?.steps)) return false;
  if (workflow.steps.length > 0) workflows.add(workflowId);
  return workflow.steps.length === 0;
}

/** Throws if the workflow has no steps. */
export async function requireSteps(context: Context, workflowId: string): Promise<void> {
  if (await hasNoSteps(context, workflowId))
    throw new SvcError('refused', `Not triggered: workflow ${workflowId} has no steps.`, {
      next: [`svc workflows get ${shellWord(workflowId)}`],
    });
}

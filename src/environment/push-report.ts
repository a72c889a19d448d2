// Reports a plan that was only shown or saved, and the results of one that was carried out, with the command that
// undoes it.
import path from 'node:path';
import type { Context } from '../app/context.ts';
import type { ExitReason } from '../core/errors.ts';
import { counted, joinSentences, listText, shellWord } from '../core/text.ts';
import type { Line } from '../output/result.ts';
import * as result from '../output/result.ts';
import { wrapLines } from '../output/wrap.ts';
import { changeRows } from './compare.ts';
import { inAppChannel } from './credentials.ts';
import { layoutsFolder } from './definition-text.ts';
import { environmentName } from './environments.ts';
import { countActions } from './plan.ts';
import type { PlannedItem, PushOutcome, Stop, WriteResult } from './push-types.ts';
import { type SkippedResource, skippedEnd } from './remote.ts';
import { renderDiff } from './render-diff.ts';
import { distinctName, isSameKey, nameOfKind } from './resource.ts';

const toValue = ({ plan, results }: Pick<PushOutcome, 'plan' | 'results'>) => ({
  plan: plan.map(({ kind, id, action, changes, credentials, missing }) => ({
    kind,
    id,
    action,
    changes,
    ...(credentials ? { credentials: credentials.state } : {}),
    ...(missing ? { missingCredentials: missing } : {}),
  })),
  results,
});

/** The plan of --check and --dry-run. */
export const checkReport = (context: Context, outcome: PushOutcome) =>
  planReport(context, outcome, outcome.push.isCheck ? [] : ['Dry run: nothing was sent.']);

/** The plan of --save-plan. */
export function savedReport(context: Context, outcome: PushOutcome) {
  const { command, savePlan, target } = outcome.push;
  const file = savePlan?.file.shownAs ?? '';
  const apply = context.propose(
    `svc ${command} --plan ${shellWord(file)}`,
    command === 'workflows promote' ? null : target.profile,
  );
  return planReport(context, outcome, [`Saved the plan. To apply it: ${apply}`]);
}

function planReport(context: Context, outcome: PushOutcome, notes: readonly string[]) {
  const { push, plan, outdated } = outcome;
  const { stdout } = context.host;
  const width = stdout.isTty ? stdout.columns : undefined;
  const isDifferent = plan.some(({ action }) => action !== 'unchanged');
  return result.report({
    value: toValue(outcome),
    lines: [
      ...planLines(outcome, width),
      ...outdated.flatMap((row) => resultLines(row, plan, width)),
      ...notes,
    ],
    ids: plan.flatMap(({ action, id }) => (action === 'unchanged' ? [] : [id])),
    rows: changeRows(plan),
    end:
      push.isCheck && isDifferent
        ? result.exit('different')
        : outdated.length > 0
          ? result.exit('partial', {
              message: `${counted(outdated.length, 'resource')} changed after the plan was made.`,
            })
          : endOfSkipped(context.propose, push.skipped),
  });
}

export function pushReport({ propose, host: { stdout } }: Context, outcome: PushOutcome) {
  const width = stdout.isTty ? stdout.columns : undefined;
  const { push, plan, results, stop, backup } = outcome;
  const { place } = push.target;
  const count = (wanted: WriteResult['result']) =>
    results.filter((row) => row.result === wanted).length;
  // A resource that came back with errors is written, too.
  const written = count('written') + (stop?.written === 'yes' ? 1 : 0);
  const isEmpty = results.length === 0;
  const summary = isEmpty
    ? `Nothing to do: ${describeCounts(countActions(plan))} ${place}.`
    : `Wrote ${written} of ${counted(results.length, 'resource')} ${place}${stopText(stop)}.`;
  const restore = restoreCommand(outcome, propose);
  const losesSecrets = plan.some(
    ({ action, current }) =>
      action !== 'unchanged' &&
      (current?.resource.kind === 'integration' ||
        (current?.resource.kind === 'variable' && current.resource.value.isSecret)),
  );
  const problems = results.filter(({ result: state }) => state !== 'written');
  const exitReason = chooseExitReason(outcome, written, problems.length);
  return result.report({
    value: toValue(outcome),
    lines: [
      ...results.flatMap((row) => resultLines(row, plan, width)),
      ...(push.skipped ?? []).map(({ kind, id, reason }) => `Skipped ${kind} ${id}: ${reason}.`),
      summary,
      ...inactiveLines(outcome),
      ...(backup === undefined ? [] : [`The previous versions are in ${backup}.`]),
      ...(restore ? [`${restore.label}: ${restore.line}`] : []),
      ...(restore && losesSecrets ? ['This does not bring back credentials.'] : []),
    ],
    ids: results.flatMap(({ id, result: state }) => (state === 'written' ? [id] : [])),
    rows: {
      items: results.map((row) => ({ ...row, issues: joinSentences(row.issues.map(issueText)) })),
      columns: result.fieldColumns(['kind', 'id', 'result', 'status', 'issues', 'message']),
    },
    end:
      exitReason === undefined
        ? endOfSkipped(propose, push.skipped)
        : result.exit(exitReason, {
            message: summary,
            fieldErrors: problems.map(({ kind, id, message = '' }) => ({
              field: `${kind} ${id}`,
              message,
            })),
            ...(stop?.item && restore ? { hint: `${restore.label}:`, next: [restore.line] } : {}),
          }),
  });
}

/** New integrations that lack credentials. */
function inactiveLines({ plan, results }: PushOutcome): string[] {
  const ids = plan.flatMap(({ id, missing, ...item }) =>
    missing && results.some((row) => row.result === 'written' && isSameKey(row, { id, ...item }))
      ? [id]
      : [],
  );
  return ids.length === 0
    ? []
    : [
        `Created ${counted(ids.length, 'integration')} inactive, without required credentials: ${listText(ids)}.`,
      ];
}

const resultTones = { written: 'good', skipped: 'warn', failed: 'bad' } as const;
const verbs = { create: 'created', update: 'updated', delete: 'deleted', unchanged: '' } as const;

function resultLines(
  { kind, id, result: outcome, status, issues, message }: WriteResult,
  plan: readonly PlannedItem[],
  width: number | undefined,
): result.Line[] {
  const item = plan.find((planned) => isSameKey(planned, { kind, id }));
  const word = outcome === 'written' ? verbs[item?.action ?? 'unchanged'] : outcome;
  const lines: result.Line[] = [
    [
      { text: word.padEnd(8), tone: resultTones[outcome] },
      { text: ` ${kind} ${id}` },
      ...(status === null ? [] : [{ text: `  ${status}`, tone: 'muted' as const }]),
      ...(message === undefined ? [] : [{ text: `: ${message}` }]),
    ],
    ...issues.map(
      (issue): result.Line => [
        { text: `${' '.repeat(resultIndent)}${issueText(issue)}`, tone: 'warn' },
      ],
    ),
  ];
  return width === undefined ? lines : wrapLines(lines, width, resultIndent + 2);
}

/** The width of the word before the resource. */
const resultIndent = 9;

const issueText = ({ step, field, message }: WriteResult['issues'][number]) =>
  `step ${step}, ${field}: ${message}`;

/** A signal, the cause of a stop that is not about the data, or partial; undefined if all is written. */
function chooseExitReason(
  { stop }: PushOutcome,
  written: number,
  unwritten: number,
): ExitReason | undefined {
  if (unwritten === 0) return undefined;
  if (stop?.signal) return stop.signal;
  const cause = stop?.error?.exitReason;
  if (cause !== undefined && (cause === 'auth' || cause === 'unavailable' || cause === 'local'))
    return cause;
  return cause !== undefined && written === 0 ? cause : 'partial';
}

/** The resource at which a push stopped after it was written, perhaps. */
function stopText({ item, written }: Stop = {}): string {
  if (!item || written === 'no') return '';
  const name = `${item.kind} ${item.id}`;
  return written === 'yes'
    ? `, and stopped at ${name}`
    : `, and stopped at ${name}, which may be written`;
}

const endOfSkipped = (
  propose: Context['propose'],
  skipped: readonly SkippedResource[] = [],
): result.ReportEnd => (skipped.length === 0 ? result.exit('ok') : skippedEnd(propose, skipped));

/** The command that undoes the write of the resource at which the push stopped. If it did not stop, all writes. */
function restoreCommand(
  { push, plan, stop, backup, results }: PushOutcome,
  propose: Context['propose'],
) {
  const followUp = (line: string) => propose(line, push.target.profile);
  const isEnvironment = push.command === 'environments push';
  const restoreAll = (folder: string) =>
    followUp(
      `svc ${isEnvironment ? 'environments' : 'workflows'} push ${shellWord(folder)}${isCreatedAgain ? ' --allow-missing-credentials' : ''}`,
    );
  // A backup has no credentials.
  const isCreatedAgain = plan.some(
    ({ kind, action }) => kind === 'integration' && action === 'delete',
  );
  if (stop?.item && stop.written !== 'no') {
    const { kind, id, current } = stop.item;
    const condition = stop.written === 'maybe' ? ', if it was written' : '';
    if (current && backup !== undefined && isEnvironment)
      return { label: `To restore the previous versions${condition}`, line: restoreAll(backup) };
    if (current) {
      const file = path.join(backup ?? '', kind === 'layout' ? layoutsFolder : '', `${id}.yaml`);
      const label = `To restore the previous version of ${id}${condition}`;
      return { label, line: followUp(`svc workflows push ${shellWord(file)}`) };
    }
    const label = `To delete the new ${kind} ${id}${condition}`;
    const noun = kind === 'variable' ? 'environments variables' : nameOfKind(kind);
    return { label, line: followUp(`svc ${noun} delete ${shellWord(id)}`) };
  }
  const isChanged = results.some(({ result: state }) => state === 'written');
  if (backup === undefined || !isChanged) return undefined;
  return { label: 'To restore the previous versions', line: restoreAll(backup) };
}

// The plan of a push as people read it.

const marks = { create: '+', update: '~', delete: '-' } as const;

/** `width`: the columns of a terminal. */
export function planLines({ push, plan, usage }: PushOutcome, width: number | undefined): Line[] {
  const target = environmentName(push.target.place);
  const items = plan.flatMap((item) => {
    const { kind, id, action, changes } = item;
    if (action === 'unchanged') return [];
    const resource = item.wanted ?? item.current?.resource;
    const name = resource && distinctName(resource);
    const about = name === undefined ? undefined : `"${name}"`;
    return [{ mark: marks[action], kind, id, about, changes, notes: planNotes(item, usage) }];
  });
  return [
    `Plan for ${target}, from ${push.source}:`,
    [],
    ...renderDiff(items, width),
    ...(items.length === 0 ? [] : [[]]),
    `${describeCounts(countActions(plan))}.`,
  ];
}

function planNotes(item: PlannedItem, usage: PushOutcome['usage']): string[] {
  const { kind, id, action, wanted } = item;
  if (action === 'create' && wanted?.kind === 'workflow') {
    const steps = wanted.value.steps.map(({ stepId, type }) =>
      stepId.replaceAll('-', '_') === type ? stepId : `${stepId} (${type})`,
    );
    return [`steps: ${steps.join(', ') || 'none'}`];
  }
  if (action === 'delete' && kind === 'topic')
    return ['The service removes the subscriptions to it, too.'];
  const users = usage.get(id) ?? [];
  if (kind === 'layout' && action === 'delete' && users.length > 0)
    return [`The service removes it from the steps of ${listText(users)}.`];
  return credentialNotes(item);
}

/** Says whether credentials differ, without their values. */
function credentialNotes({ action, credentials, wanted, missing = [] }: PlannedItem): string[] {
  if (missing.length > 0)
    return [`credentials: without ${listText(missing)}, so it is created inactive`];
  if (!credentials)
    return action === 'create' &&
      wanted?.kind === 'integration' &&
      wanted.value.channel !== inAppChannel
      ? ['credentials: none in the file']
      : [];
  const { state, isWritten } = credentials;
  if (action === 'create') return ['credentials: from the file'];
  if (isWritten || state === 'equal') return [`credentials: ${state}`];
  return [`credentials: ${state}, not written without --with-credentials`];
}

type Counts = ReturnType<typeof countActions>;

/** `2 to create, 1 to update`. */
export const describeWrites = (counts: Counts): string =>
  (['create', 'update', 'delete'] as const)
    .filter((action) => counts[action] > 0)
    .map((action) => `${counts[action]} to ${action}`)
    .join(', ');

/** `2 to create, 1 to update, 3 unchanged`. */
const describeCounts = (counts: Counts): string =>
  [describeWrites(counts), counts.unchanged > 0 ? `${counts.unchanged} unchanged` : '']
    .filter((part) => part !== '')
    .join(', ') || 'nothing to do';

// Shows the plan of a push, and reports the results of a plan that was carried out.
import path from 'node:path';
import type { Context } from '../../app/context.ts';
import { counted } from '../../core/counts.ts';
import type { ExitReason } from '../../core/errors.ts';
import { shellWord } from '../../core/shell-word.ts';
import { joinSentences, listText } from '../../core/text.ts';
import { changeRows } from '../../diff/change-rows.ts';
import { renderDiff } from '../../diff/render.ts';
import type { Line } from '../../output/result.ts';
import * as result from '../../output/result.ts';
import { countActions, type PlanItem } from '../../workflow-files/plan.ts';
import { environmentName } from '../shared/environments.ts';
import { type SkippedResource, skippedEnd } from '../shared/skipped-resources.ts';
import type { PlannedItem, PushOutcome, Stop, WriteResult } from './push-types.ts';

const toColumns = (fields: readonly string[]) =>
  fields.map((field) => ({ field, header: field })) as never;

const toValue = ({ plan, results }: Pick<PushOutcome, 'plan' | 'results'>) => ({
  plan: plan.map(({ kind, id, action, changes }) => ({ kind, id, action, changes })),
  results,
});

/** The plan of --check and --dry-run. */
export function checkReport(context: Context, outcome: PushOutcome) {
  const { push, plan } = outcome;
  const { stdout } = context.host;
  const isDifferent = plan.some(({ action }) => action !== 'unchanged');
  const note = push.isCheck ? [] : ['Dry run: nothing was sent.'];
  return result.report({
    value: toValue(outcome),
    lines: [...planLines(outcome, stdout.isTty ? stdout.columns : undefined), ...note],
    ids: plan.flatMap(({ action, id }) => (action === 'unchanged' ? [] : [id])),
    rows: changeRows(plan),
    end: push.isCheck && isDifferent ? result.exit('different') : endOfSkipped(push.skipped),
  });
}

export function pushReport({ followUps }: Context, outcome: PushOutcome) {
  const { push, plan, results, stop, backup } = outcome;
  const { place } = push.target;
  const count = (wanted: WriteResult['result']) =>
    results.filter((row) => row.result === wanted).length;
  // A resource that came back with errors is written, too.
  const written = count('written') + (stop?.written === 'yes' ? 1 : 0);
  const isEmpty = plan.every(({ action }) => action === 'unchanged');
  const summary = isEmpty
    ? `Nothing to do: ${describeCounts(countActions(plan))} ${place}.`
    : `Wrote ${written} of ${counted(results.length, 'resource')} ${place}${stopText(stop)}.`;
  const restore = restoreCommand(outcome, followUps);
  const problems = results.filter(({ result: state }) => state !== 'written');
  const exitReason = chooseExitReason(outcome, written, problems.length);
  return result.report({
    value: toValue(outcome),
    lines: [
      ...results.flatMap((row) => resultLines(row, plan)),
      ...(push.skipped ?? []).map(({ kind, id, reason }) => `Skipped ${kind} ${id}: ${reason}.`),
      summary,
      ...(backup === undefined ? [] : [`The previous versions are in ${backup}.`]),
      ...(restore ? [`${restore.label}: ${restore.line}`] : []),
    ],
    ids: results.flatMap(({ id, result: state }) => (state === 'written' ? [id] : [])),
    rows: {
      items: results.map((row) => ({
        ...row,
        issues: joinSentences(row.issues.map(issueText)),
      })),
      columns: toColumns(['kind', 'id', 'result', 'status', 'issues', 'message']),
    },
    end:
      exitReason === undefined
        ? endOfSkipped(push.skipped)
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

const resultTones = { written: 'good', skipped: 'warn', failed: 'bad' } as const;
const verbs = { create: 'created', update: 'updated', delete: 'deleted', unchanged: '' } as const;

function resultLines(
  { kind, id, result: outcome, status, issues, message }: WriteResult,
  plan: readonly PlannedItem[],
): result.Line[] {
  const item = plan.find((planned) => planned.kind === kind && planned.id === id);
  const word = outcome === 'written' ? verbs[item?.action ?? 'unchanged'] : outcome;
  return [
    [
      { text: word.padEnd(8), tone: resultTones[outcome] },
      { text: ` ${kind} ${id}` },
      ...(status === null ? [] : [{ text: `  ${status}`, tone: 'muted' as const }]),
      ...(message === undefined ? [] : [{ text: `: ${message}` }]),
    ],
    ...issues.map((issue): result.Line => [{ text: `         ${issueText(issue)}`, tone: 'warn' }]),
  ];
}

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

/** The command that undoes the write of the resource at which the push stopped. If it did not stop, all writes. */
function restoreCommand(
  { push, stop, backup, results }: PushOutcome,
  followUps: Context['followUps'],
) {
  const followUp = (line: string) => followUps.line(line, push.target.profile);
  if (stop?.item && stop.written !== 'no') {
    const { kind, id, current } = stop.item;
    const condition = stop.written === 'maybe' ? ', if it was written' : '';
    if (current) {
      const file = path.join(backup ?? '', kind === 'layout' ? 'layouts' : '', `${id}.yaml`);
      const label = `To restore the previous version of ${id}${condition}`;
      return { label, line: followUp(`svc workflows push ${shellWord(file)}`) };
    }
    if (kind === 'layout') return undefined;
    const label = `To delete the new workflow ${id}${condition}`;
    return { label, line: followUp(`svc workflows delete ${shellWord(id)}`) };
  }
  const isChanged = results.some(({ result: state }) => state === 'written');
  if (backup === undefined || !isChanged) return undefined;
  return {
    label: 'To restore the previous versions',
    line: followUp(`svc workflows push ${shellWord(backup)}`),
  };
}

const endOfSkipped = (skipped: readonly SkippedResource[] = []): result.ReportEnd =>
  skipped.length === 0 ? result.exit('ok') : skippedEnd(skipped);

const marks = { create: '+', update: '~', delete: '-' } as const;

/** `width`: the columns of a terminal. */
export function planLines({ push, plan, usage }: PushOutcome, width: number | undefined): Line[] {
  const target = environmentName(push.target.place);
  const items = plan.flatMap((item) => {
    const { kind, id, action, changes } = item;
    if (action === 'unchanged') return [];
    const { value } = item.wanted ?? item.current?.resource ?? {};
    const about = value && value.name !== id ? `"${value.name}"` : undefined;
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

function planNotes({ kind, id, action, wanted }: PlanItem, usage: PushOutcome['usage']): string[] {
  if (action === 'create' && wanted?.kind === 'workflow') {
    const steps = wanted.value.steps.map(({ stepId, type }) =>
      stepId.replaceAll('-', '_') === type ? stepId : `${stepId} (${type})`,
    );
    return [`steps: ${steps.join(', ') || 'none'}`];
  }
  const users = usage.get(id) ?? [];
  return kind === 'layout' && action === 'delete' && users.length > 0
    ? [`The service removes it from the steps of ${listText(users)}.`]
    : [];
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

// Asks before a pull removes something, and reports what it wrote.
import type { Context } from '../../app/context.ts';
import { counted, listText } from '../../core/text.ts';
import type { ResourceKind } from '../../environment-files/resource.ts';
import * as result from '../../output/result.ts';
import type { FolderChange } from '../../workflow-files/folder-plan.ts';
import { environmentName } from './environments.ts';
import { type SkippedResource, skippedEnd, skippedHint } from './skipped-resources.ts';

interface PulledFile extends Omit<FolderChange, 'result' | 'file' | 'kind'> {
  kind: ResourceKind;
  result: FolderChange['result'] | 'skipped';
  /** Null if it was skipped. */
  file: string | null;
  reason: string | null;
}

interface Pulled {
  changes: readonly (Omit<FolderChange, 'kind'> & { kind: ResourceKind; reason?: string })[];
  skipped: readonly SkippedResource[];
  dir: string;
}

/** `count` is the number of files or resources that are removed. */
export async function confirmRemovals(
  { confirm, connection }: Context,
  { changes, dir }: Pick<Pulled, 'changes' | 'dir'>,
  { count, noun }: { count: number; noun: 'file' | 'resource' },
): Promise<void> {
  const deleted = changes.filter((change) => change.result === 'deleted');
  if (deleted.length === 0) return;
  const ids = listText(deleted.map(({ kind, id }) => `${kind} ${id}`));
  await confirm(
    `Remove ${counted(count, noun)} from ${dir}, because ${ids} ${deleted.length === 1 ? 'does' : 'do'} not exist ${connection.place()}`,
  );
}

export function pullReport(context: Context, { changes, skipped, dir }: Pulled) {
  const rows: PulledFile[] = [
    ...changes.map((change) => ({ ...change, reason: change.reason ?? null })),
    ...skipped.map((item) => ({ ...item, result: 'skipped' as const, file: null })),
  ];
  const count = (outcome: PulledFile['result']) =>
    rows.filter((row) => row.result === outcome).length;
  const counts = (['created', 'updated', 'deleted', 'unchanged', 'skipped'] as const)
    .filter((outcome) => count(outcome) > 0)
    .map((outcome) => `${count(outcome)} ${outcome}`);
  const marks = { created: '+', updated: '~', deleted: '-' } as const;
  const tones = { created: 'good', updated: 'warn', deleted: 'bad' } as const;
  const changed = rows.flatMap((row) =>
    row.result === 'unchanged' || row.result === 'skipped'
      ? []
      : [
          [
            { text: `${marks[row.result]} `, tone: tones[row.result] },
            { text: `${dir}/${row.file}${inList(row) ? `: ${row.id}` : ''}` },
            ...(row.reason === null ? [] : [{ text: `: ${row.reason}` }]),
          ],
        ],
  );
  const verb = context.globals.dryRun === undefined ? 'Pulled' : 'Would pull';
  return result.report({
    value: rows,
    lines: [
      ...changed,
      ...skipped.map(({ kind, id, reason }) => `Skipped ${kind} ${id}: ${reason}.`),
      ...(skipped.length > 0 ? [skippedHint] : []),
      `${verb} from ${environmentName(context.connection.place())} to ${dir}: ${counts.join(', ') || 'nothing'}.`,
    ],
    ids: rows.map(({ id }) => id),
    columns: result.fieldColumns(['kind', 'id', 'result', 'file', 'reason']),
    ...(skipped.length > 0 ? { end: skippedEnd(skipped) } : {}),
  });
}

/** Whether the file contains several resources. */
const inList = ({ kind }: PulledFile) => kind !== 'workflow' && kind !== 'layout';

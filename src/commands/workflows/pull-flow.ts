// Reads an environment and writes its workflows and layouts to a folder.

import type { Context } from '../../app/context.ts';
import { counted } from '../../core/counts.ts';
import { usageError } from '../../core/errors.ts';
import { listText } from '../../core/text.ts';
import * as result from '../../output/result.ts';
import {
  applyFolderPlan,
  type FolderChange,
  planFolder,
} from '../../workflow-files/folder-plan.ts';
import { layoutReferences } from '../../workflow-files/normal-form.ts';
import { openSafeFolder } from '../../workflow-files/safe-folder.ts';
import { environmentName } from '../shared/environments.ts';
import {
  createRemoteReader,
  type FoundResource,
  type RemoteReader,
  readAll,
  type Separated,
  separate,
} from '../shared/remote-workflows.ts';
import { skippedEnd, skippedHint } from '../shared/skipped-resources.ts';
import { withWorkflowSuggestions } from '../shared/with-suggestions.ts';

export interface PullRequest {
  workflowIds: readonly string[];
  dir: string;
  deleteOthers: boolean;
}

interface PulledFile extends Omit<FolderChange, 'result' | 'file'> {
  result: FolderChange['result'] | 'skipped';
  /** Null if it was skipped. */
  file: string | null;
  reason: string | null;
}

export async function pullWorkflows(context: Context, request: PullRequest) {
  const { workflowIds, dir, deleteOthers } = request;
  if (deleteOthers && workflowIds.length > 0)
    throw usageError('--delete cannot be combined with workflow ids.', {
      hint: 'It compares the whole folder with the environment. Omit the workflow ids.',
    });
  const folder = openSafeFolder(dir, context.host.cwd, dir);
  // Refuses an unsafe folder before the first request.
  folder.names();
  const reader = createRemoteReader(await context.client());
  const [layouts, workflows] =
    workflowIds.length > 0
      ? await findNamed(context, reader, workflowIds)
      : [await readAll(reader, 'layout'), await readAll(reader, 'workflow')];
  const skipped = [...layouts.skipped, ...workflows.skipped].map(
    (item) => ({ ...item, result: 'skipped', file: null }) as const,
  );
  const resources = [...layouts.usable, ...workflows.usable].map(({ resource }) => resource);
  const plan = planFolder(folder, resources, await reader.mode(), deleteOthers);
  const deleted = plan.changes.filter((change) => change.result === 'deleted');
  const isDry = context.globals.dryRun !== undefined;
  if (deleted.length > 0)
    await context.confirm(
      `Remove ${counted(plan.removals.length, 'file')} from ${dir}, because ${listText(deleted.map(({ kind, id }) => `${kind} ${id}`))} ${deleted.length === 1 ? 'does' : 'do'} not exist ${context.connection.place()}`,
    );
  if (!isDry) applyFolderPlan(folder, plan);
  if (plan.lacksGitAttributes)
    context.note(
      `${dir}/.gitattributes lacks the line \`* -text\`, so Git may change line breaks.`,
    );
  if (!deleteOthers && workflowIds.length === 0 && plan.others.length > 0)
    context.note(
      `${counted(plan.others.length, 'file')} in ${dir} ${plan.others.length === 1 ? 'is' : 'are'} not in the environment: ${plan.others.join(', ')}. To remove such files: svc workflows pull --delete`,
    );
  const rows: PulledFile[] = [
    ...plan.changes.map((change) => ({ ...change, reason: null })),
    ...skipped,
  ];
  return pullReport(context, rows, dir, isDry);
}

/** The named workflows and the layouts that they use. */
async function findNamed(
  context: Context,
  reader: RemoteReader,
  ids: readonly string[],
): Promise<[layouts: Separated, workflows: Separated]> {
  const client = await context.client();
  const workflows = new Map<string, FoundResource>();
  for (const id of ids) {
    const workflow = await reader.find('workflow', id);
    // Requests it again for the error with similar names.
    if (!workflow)
      await withWorkflowSuggestions(context, id, () =>
        client.call('getWorkflow', { path: { workflowId: id }, query: {} }),
      );
    else workflows.set(workflow.resource.id, workflow);
  }
  const layoutIds = [...workflows.values()].flatMap(({ resource }) =>
    resource.kind === 'workflow' ? layoutReferences(resource.value) : [],
  );
  const layouts = await reader.findAll('layout', [
    ...new Set(layoutIds.map((reference) => reference.layoutId)),
  ]);
  return [separate(layouts), separate([...workflows.values()])];
}

function pullReport(context: Context, rows: readonly PulledFile[], dir: string, isDry: boolean) {
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
            { text: `${dir}/${row.file}` },
          ],
        ],
  );
  const skipped = rows.filter((row) => row.result === 'skipped');
  const verb = isDry ? 'Would pull' : 'Pulled';
  return result.report({
    value: rows,
    lines: [
      ...changed,
      ...skipped.map(({ kind, id, reason }) => `Skipped ${kind} ${id}: ${reason}.`),
      ...(skipped.length > 0 ? [skippedHint] : []),
      `${verb} from ${environmentName(context.connection.place())} to ${dir}: ${counts.join(', ') || 'no workflows'}.`,
    ],
    ids: rows.map(({ id }) => id),
    columns: ['kind', 'id', 'result', 'file', 'reason'].map((field) => ({
      field,
      header: field,
    })) as never,
    ...(skipped.length > 0
      ? { end: skippedEnd(skipped.map((row) => ({ ...row, reason: row.reason ?? '' }))) }
      : {}),
  });
}

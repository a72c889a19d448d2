// Reads an environment and writes its workflows and layouts to a folder.

import type { Context } from '../../app/context.ts';
import { usageError } from '../../core/errors.ts';
import { counted } from '../../core/text.ts';
import { applyFolderPlan, planFolder } from '../../workflow-files/folder-plan.ts';
import { openSafeFolder } from '../../workflow-files/safe-folder.ts';
import { confirmRemovals, pullReport } from '../shared/pull-report.ts';
import { noteUnknown } from '../shared/read-kinds.ts';
import {
  createRemoteReader,
  type FoundDefinition,
  type RemoteReader,
  type Separated,
} from '../shared/remote-workflows.ts';
import { readWorkflow } from '../shared/with-suggestions.ts';
import { readAllDefinitions, withLayouts } from './read-definitions.ts';

export interface PullRequest {
  workflowIds: readonly string[];
  dir: string;
  deleteOthers: boolean;
}

export async function pullWorkflows(context: Context, request: PullRequest) {
  const { workflowIds, dir, deleteOthers } = request;
  if (deleteOthers && workflowIds.length > 0)
    throw usageError('--delete cannot be combined with workflow ids.', {
      hint: '--delete compares the whole folder with the environment. Omit the workflow ids.',
    });
  const folder = openSafeFolder(dir, context.host.cwd, dir);
  // Refuses an unsafe folder before the first request.
  folder.names();
  const reader = createRemoteReader(await context.client());
  const { usable, skipped } =
    workflowIds.length > 0
      ? await findNamed(context, reader, workflowIds)
      : await readAllDefinitions(reader);
  const resources = usable.map(({ resource }) => resource);
  noteUnknown(context, resources);
  const plan = planFolder(folder, resources, await reader.mode(), deleteOthers);
  const { changes, removals } = plan;
  await confirmRemovals(context, { changes, dir }, { count: removals.length, noun: 'file' });
  if (context.globals.dryRun === undefined) applyFolderPlan(folder, plan);
  if (plan.lacksGitAttributes)
    context.note(
      `${dir}/.gitattributes lacks the line \`* -text\`, so Git may change line breaks.`,
    );
  if (!deleteOthers && workflowIds.length === 0 && plan.others.length > 0)
    context.note(
      `${counted(plan.others.length, 'file')} in ${dir} ${plan.others.length === 1 ? 'is' : 'are'} not in the environment: ${plan.others.join(', ')}. To remove such files: svc workflows pull --delete`,
    );
  return pullReport(context, { changes, skipped, dir });
}

/** The named workflows and the layouts that they use. */
async function findNamed(
  context: Context,
  reader: RemoteReader,
  ids: readonly string[],
): Promise<Separated> {
  const workflows = new Map<string, FoundDefinition>();
  for (const id of ids) {
    const workflow = await reader.find('workflow', id);
    // Requests it again for the error with similar names.
    if (!workflow) await readWorkflow(context, id);
    else workflows.set(workflow.resource.id, workflow);
  }
  return withLayouts(reader, [...workflows.values()]);
}

// Reads the files to push, and pushes them to the active environment.
import path from 'node:path';
import type { Context } from '../../app/context.ts';
import { usageError } from '../../core/errors.ts';
import { listText } from '../../core/text.ts';
import { isDefinition } from '../../environment-files/resource.ts';
import {
  type ResourceFile,
  readFolder,
  readResourceFile,
} from '../../workflow-files/read-folder.ts';
import { findErrorLines } from '../shared/definition-mistakes.ts';
import {
  type PlanTarget,
  pathIn,
  planFields,
  readPlan,
  textsIn,
} from '../shared/push/plan-options.ts';
import { pushResources } from '../shared/push/push-flow.ts';
import { defaultFolder, foreignFileError, noFilesError, resolveFiles } from './definition-files.ts';

export interface PushRequest extends PlanTarget {
  paths: readonly string[];
  deleteOthers: boolean;
  isCheck: boolean;
  plan?: string | undefined;
}

export async function pushFiles(context: Context, { plan, ...request }: PushRequest) {
  const { cwd } = context.host;
  const reviewed = await readPlan(context, 'workflows push', plan, request.paths);
  const given = reviewed ? textsIn(reviewed.options.paths) : request.paths;
  const deleteOthers = reviewed ? reviewed.options.delete === true : request.deleteOthers;
  const named = given.length === 0 ? [defaultFolder] : given;
  const paths = reviewed ? named.map((file) => pathIn(context, file)) : named;
  const files = readPaths(context, paths, deleteOthers);
  const options = deleteOthers ? { delete: true } : {};
  const resolved = plan === undefined ? undefined : path.resolve(cwd, plan);
  return pushResources(context, {
    command: 'workflows push',
    wanted: files,
    kinds: ['layout', 'workflow'],
    target: await context.connection.service(),
    deleteOthers,
    isCheck: request.isCheck,
    source: paths.join(', '),
    findErrors: async ({ resource }) =>
      isDefinition(resource) ? findErrorLines(context, resource) : [],
    ...(await planFields(context, request, { paths, ...options }, reviewed)),
    run: reviewed
      ? { args: { paths: [] }, options: { plan: resolved } }
      : { args: { paths: paths.map((file) => path.resolve(cwd, file)) }, options },
  });
}

function readPaths(
  context: Context,
  paths: readonly string[],
  deleteOthers: boolean,
): ResourceFile[] {
  const named = resolveFiles(context, paths);
  if (named.kind === 'folder') {
    const { files, ignored } = readFolder(named.folder, named.shown);
    if (ignored.length > 0)
      context.note(`Ignored ${listText(ignored)}: the first line does not mark a file of svc.`);
    if (files.length > 0) return files;
    throw noFilesError(named.shown);
  }
  if (deleteOthers)
    throw usageError('--delete needs a whole folder, not single files.', {
      hint: 'Workflows without a file in the folder are deleted.',
    });
  return named.files.map(({ folder, name, shown }) => {
    const resource = readResourceFile(folder, name);
    if (resource) return resource;
    throw foreignFileError(shown);
  });
}

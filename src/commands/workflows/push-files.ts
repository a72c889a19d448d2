// Reads the files to push, and pushes them to the active environment.

import { statSync } from 'node:fs';
import path from 'node:path';
import type { Context } from '../../app/context.ts';
import { usageError } from '../../core/errors.ts';
import { listText } from '../../core/text.ts';
import { layoutsFolder } from '../../workflow-files/format.ts';
import {
  type ResourceFile,
  readFolder,
  readResourceFile,
} from '../../workflow-files/read-folder.ts';
import { openSafeFolder } from '../../workflow-files/safe-folder.ts';
import { pushResources } from './push-flow.ts';

export interface PushRequest {
  paths: readonly string[];
  deleteOthers: boolean;
  isCheck: boolean;
}

export async function pushFiles(context: Context, { paths, deleteOthers, isCheck }: PushRequest) {
  const { cwd } = context.host;
  const given = paths.length === 0 ? ['workflows'] : paths;
  const files = readPaths(context, given, deleteOthers);
  const shown = given.map((file) => path.resolve(cwd, file));
  return pushResources(context, {
    wanted: files,
    target: await context.connection.service(),
    deleteOthers,
    isCheck,
    source: given.join(', '),
    run: {
      command: 'workflows push',
      args: { paths: shown },
      options: deleteOthers ? { delete: true } : {},
    },
  });
}

function readPaths(
  context: Context,
  paths: readonly string[],
  deleteOthers: boolean,
): ResourceFile[] {
  const isFolder = (file: string) => {
    const stats = statSync(path.resolve(context.host.cwd, file), { throwIfNoEntry: false });
    if (stats) return stats.isDirectory();
    throw usageError(`File or folder ${file} does not exist.`, {
      hint: 'Name a folder or files, or create the folder with `svc workflows pull`.',
    });
  };
  const folders = paths.filter(isFolder);
  if (folders.length > 0 && paths.length > 1)
    throw usageError('Name one folder, or one or more files.');
  if (folders.length === 0 && deleteOthers)
    throw usageError('--delete needs a whole folder, not single files.', {
      hint: 'Workflows without a file in the folder are deleted.',
    });
  return folders.length > 0
    ? readWholeFolder(context, paths[0] ?? '')
    : paths.map((file) => readOneFile(context, file));
}

function readWholeFolder(context: Context, shown: string): ResourceFile[] {
  const { files, ignored } = readFolder(openSafeFolder(shown, context.host.cwd, shown), shown);
  if (ignored.length > 0)
    context.note(`Ignored ${listText(ignored)}: the first line is not that of a svc file.`);
  if (files.length === 0)
    throw usageError(`${shown} contains no workflow files.`, {
      hint: 'Create them with `svc workflows pull`.',
    });
  return files;
}

function readOneFile(context: Context, file: string): ResourceFile {
  const parent = path.dirname(file);
  const isLayout = path.basename(path.resolve(context.host.cwd, parent)) === layoutsFolder;
  const root = isLayout ? path.join(parent, '..') : parent;
  const name = `${isLayout ? `${layoutsFolder}/` : ''}${path.basename(file)}`;
  const resource = readResourceFile(openSafeFolder(root, context.host.cwd, root), name);
  if (resource) return resource;
  throw usageError(`${file} is not a workflow file: its first line is not that of a svc file.`, {
    hint: 'The first line must be: # svc workflow, format 1',
  });
}

// Finds the workflow and layout files that a command line names: a folder, files, or ids in the folder `workflows`.
import { statSync } from 'node:fs';
import path from 'node:path';
import type { Context } from '../app/context.ts';
import { usageError } from '../core/errors.ts';
import { firstLineHint, layoutsFolder } from './definition-text.ts';
import {
  type EnvironmentFolder,
  isEnvironmentFolder,
  openEnvironmentFolder,
  workflowsFolder,
} from './folder.ts';
import { isFileId } from './normal-form.ts';
import { openSafeFolder, type SafeFolder } from './safe-folder.ts';

export const defaultFolder = 'workflows';

export type NamedFiles =
  | {
      kind: 'folder';
      folder: SafeFolder;
      shown: string;
      /** The folder that contains it, if it is that of an environment. */
      environment?: EnvironmentFolder;
    }
  | { kind: 'files'; files: NamedFile[] };

interface NamedFile {
  folder: SafeFolder;
  /** Relative to the folder. */
  name: string;
  shown: string;
}

const fileKind = ({ host }: Pick<Context, 'host'>, file: string) => {
  const stats = statSync(path.resolve(host.cwd, file), { throwIfNoEntry: false });
  return stats === undefined ? 'absent' : stats.isDirectory() ? 'folder' : 'file';
};

/** `given`: empty for the folder `workflows`. Throws a usage error for a path that does not exist. */
export function resolveFiles(context: Context, given: readonly string[]): NamedFiles {
  const paths = (given.length === 0 ? [defaultFolder] : given).map((text) => toPath(context, text));
  const folders = paths.filter((file) => fileKind(context, file) === 'folder');
  if (folders.length > 0 && paths.length > 1)
    throw usageError('Name one folder, or one or more files.');
  const { cwd } = context.host;
  const [shown] = folders;
  if (shown === undefined)
    return { kind: 'files', files: paths.map((file) => toNamedFile(file, cwd)) };
  const environment = openEnvironmentFolder(shown, cwd);
  if (!isEnvironmentFolder(environment))
    return { kind: 'folder', folder: openSafeFolder(shown, cwd, shown), shown };
  return {
    kind: 'folder',
    folder: environment.workflows,
    environment,
    shown: path.posix.join(shown.split(path.sep).join('/'), workflowsFolder),
  };
}

/** `welcome` → `workflows/welcome.yaml`, unless a file or folder has that name. */
function toPath(context: Context, text: string): string {
  if (fileKind(context, text) !== 'absent') return text;
  const file = `${defaultFolder}/${text}.yaml`;
  if (isFileId(text) && fileKind(context, file) === 'file') return file;
  throw usageError(
    isFileId(text) && !text.endsWith('.yaml') && text !== defaultFolder
      ? `File or folder ${text} does not exist, and neither does ${file}.`
      : `File or folder ${text} does not exist.`,
    { hint: 'Name a folder or files, or create the folder.', next: ['svc workflows pull'] },
  );
}

export const noFilesError = (shown: string) =>
  usageError(`${shown} contains no workflow files.`, { next: ['svc workflows pull'] });

/** For a file that svc did not write. */
export const foreignFileError = (shown: string) =>
  usageError(`${shown} is not a workflow file of svc: its first line is different.`, {
    hint: firstLineHint,
  });

export function toNamedFile(file: string, cwd: string): NamedFile {
  const parent = path.dirname(file);
  const isLayout = path.basename(path.resolve(cwd, parent)) === layoutsFolder;
  const root = isLayout ? path.join(parent, '..') : parent;
  const name = `${isLayout ? `${layoutsFolder}/` : ''}${path.basename(file)}`;
  return { folder: openSafeFolder(root, cwd, root), name, shown: file };
}

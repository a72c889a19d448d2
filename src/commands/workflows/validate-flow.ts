// Checks the files of a folder, or single files, and lists their mistakes.
import path from 'node:path';
import type { Context } from '../../app/context.ts';
import { counted } from '../../core/text.ts';
import { credentialTypes } from '../../environment/credentials.ts';
import { findModeMistake } from '../../environment/definition-text.ts';
import {
  findListProblems,
  foreignFileError,
  type NamedFiles,
  noFilesError,
  resolveFiles,
} from '../../environment/folder.ts';
import { findFileMistakes } from '../../environment/mistakes.ts';
import { type ResourceFile, readFile, readFiles } from '../../environment/read-definitions.ts';
import {
  createProblems,
  type FileProblem,
  problemText,
  type SafeFolder,
} from '../../environment/safe-folder.ts';
import * as result from '../../output/result.ts';
import { wrapLines } from '../../output/wrap.ts';

interface Mistake extends FileProblem {
  severity: 'error' | 'warning';
}

interface Checked {
  /** Mistakes of reading, with the shown folder. */
  problems: FileProblem[];
  files: { folder: SafeFolder; prefix: string; file: ResourceFile }[];
  /** The layouts of a whole folder. */
  layouts: ReadonlySet<string> | undefined;
}

export async function validateFiles(context: Context, paths: readonly string[], isStrict: boolean) {
  const named = resolveFiles(context, paths);
  const { problems, files, layouts } = readNamed(named);
  const lists =
    named.kind === 'folder' && named.environment
      ? findListProblems(named.environment, Object.keys(await credentialTypes()))
      : [];
  const root = named.kind === 'folder' ? path.dirname(named.shown) : '';
  const mistakes: Mistake[] = problems.map((problem) => ({ ...problem, severity: 'error' }));
  const all = files.map(({ file }) => file);
  for (const { folder, prefix, file } of files) {
    const modeMistake = findModeMistake(file, all);
    const found = [
      ...(modeMistake === undefined
        ? []
        : [{ ...createProblems(file.path).at('1:1', [], modeMistake), isWarning: false }]),
      ...(await findFileMistakes(context, folder, file, layouts)),
    ];
    for (const { isWarning, ...problem } of found)
      mistakes.push({
        ...problem,
        file: path.posix.join(prefix, problem.file),
        severity: isWarning && !isStrict ? 'warning' : 'error',
      });
  }
  for (const problem of lists.flat())
    mistakes.push({ ...inFolder(root, problem), severity: 'error' });
  const fileCount = files.length + new Set(problems.map(({ file }) => file)).size + lists.length;
  return validationReport(context, mistakes, fileCount);
}

function readNamed(named: NamedFiles): Checked {
  if (named.kind === 'folder') {
    const { folder, shown, environment } = named;
    const { files, problems } = readFiles(folder);
    if (files.length === 0 && problems.length === 0 && !environment) throw noFilesError(shown);
    const layouts = files.flatMap(({ resource: { kind, id } }) => (kind === 'layout' ? [id] : []));
    return {
      problems: problems.map((problem) => inFolder(shown, problem)),
      files: files.map((file) => ({ folder, prefix: slashed(shown), file })),
      layouts: new Set(layouts),
    };
  }
  const read = named.files.map(({ folder, name, shown }) => {
    const content = readFile(folder, name);
    if (!content) throw foreignFileError(shown);
    const isInLayouts = name.includes('/');
    const parent = path.dirname(shown);
    const prefix = slashed(isInLayouts ? path.dirname(parent) : parent);
    return { folder, prefix, ...content };
  });
  return {
    problems: read.flatMap(({ prefix, problems }) =>
      problems.map((problem) => inFolder(prefix, problem)),
    ),
    files: read.flatMap(({ folder, prefix, file }) => (file ? [{ folder, prefix, file }] : [])),
    layouts: undefined,
  };
}

const slashed = (folder: string) => folder.split(path.sep).join('/');

const inFolder = (folder: string, problem: FileProblem): FileProblem => ({
  ...problem,
  file: path.posix.join(slashed(folder), problem.file),
});

function validationReport(
  { host: { stdout } }: Context,
  mistakes: readonly Mistake[],
  fileCount: number,
) {
  const errors = mistakes.filter(({ severity }) => severity === 'error');
  const warningCount = mistakes.length - errors.length;
  const counts = [
    ...(errors.length > 0 ? [counted(errors.length, 'error')] : []),
    ...(warningCount > 0 ? [counted(warningCount, 'warning')] : []),
  ];
  const summary = `Checked ${counted(fileCount, 'file')}: ${counts.join(', ') || 'no errors'}.`;
  const lines = mistakes.map(
    (mistake): result.Line => [
      { text: problemText(mistake) },
      { text: `  ${mistake.severity}`, tone: mistake.severity === 'error' ? 'bad' : 'warn' },
    ],
  );
  return result.report({
    value: mistakes,
    lines: [...(stdout.isTty ? wrapLines(lines, stdout.columns, 2) : lines), summary],
    ids: [...new Set(mistakes.map(({ file }) => file))],
    columns: result.fieldColumns(['file', 'line', 'column', 'path', 'message', 'severity']),
    ...(errors.length > 0
      ? {
          end: result.exit('usage', {
            message: summary,
            fieldErrors: errors.map((mistake) => ({ field: '', message: problemText(mistake) })),
          }),
        }
      : {}),
  });
}

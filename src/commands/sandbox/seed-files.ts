// Reports the errors in the initial data of a sandbox, and follows a folder of workflow files.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Context } from '../../app/context.ts';
import { flag } from '../../cli/options.ts';
import { errorMessage, SvcError, usageError } from '../../core/errors.ts';
import type { Seed } from '../../environment/sandbox-state.ts';
import { safeText } from '../../output/safe-text.ts';
import type { FileProblem, SandboxServer } from '../../sandbox/index.ts';
import type { Mode } from '../../service/mode.ts';

export const strictOption = flag(
  '--strict',
  'Fail if a step of a workflow has an error, such as a broken template; by default, this is a warning',
);

/**
 * Warns of errors in the steps of workflows: the sandbox loads such workflows, as the service does. With `strict`,
 * throws a usage error instead.
 */
export async function reportStepErrors(
  context: Context,
  { state, fileOf }: Seed,
  { strict = false }: { strict?: boolean },
): Promise<void> {
  const { stepErrors } = await context.sandbox();
  const errors = stepErrors(state, fileOf);
  if (strict && errors.length > 0)
    throw usageError('The seed has workflows with errors. Fix these steps:', {
      fieldErrors: errors.map((message) => ({ field: '', message })),
      hint: 'Without --strict, these errors are warnings.',
    });
  for (const error of errors) context.warn(error);
}

/** Warns of `skip` conditions without a mark of their mode. */
export async function reportUnmarkedConditions(
  context: Context,
  { state, markOf }: Seed,
  name: string,
  mode: Mode,
): Promise<void> {
  const { unmarkedSkipWarning } = await context.sandbox();
  const warning = unmarkedSkipWarning(state, { name, mode, markOf });
  if (warning !== undefined) context.warn(warning);
}

// `svc sandbox start --seed <folder> --watch`: the sandbox follows the workflow files of a folder. The folder is read at
// short intervals, because notifications of changes are not reliable on network drives and in containers.

const intervalMs = 250;

/** Throws a usage error unless the seed is a folder. */
export function checkWatched({ host }: Context, seed: string | undefined): void {
  const stats =
    seed === undefined
      ? undefined
      : statSync(path.resolve(host.cwd, seed), { throwIfNoEntry: false });
  if (!stats?.isDirectory())
    throw usageError('--watch needs --seed with a folder of workflow files.', {
      next: ['svc sandbox start --seed workflows --watch'],
    });
}

/** Loads the files that have changed until the signal aborts. */
export type FollowFolder = (signal: AbortSignal) => Promise<void>;

/**
 * Compares the folder with the seed that the sandbox has loaded. From then on, no change is lost: open the folder before
 * you say that the sandbox is running. A broken or deleted file changes nothing and is reported.
 */
export async function openWatchedFolder(
  context: Context,
  server: SandboxServer,
  folder: string,
  seed: Seed,
): Promise<FollowFolder> {
  const { clock, cwd } = context.host;
  const root = path.resolve(cwd, folder);
  const loadChanges = await createLoader(context, server, folder, seed);
  loadChanges();
  return async (signal) => {
    let read: string | undefined;
    let last: string | undefined;
    while (!signal.aborted) {
      const seen = fingerprint(root);
      // A file that is being written changes again.
      if (seen === last && seen !== read) {
        loadChanges();
        read = seen;
      }
      last = seen;
      await clock.sleep(intervalMs, signal).catch(() => undefined);
    }
  };
}

/** Changes with the name, size and time of any file. */
function fingerprint(root: string): string {
  try {
    return readdirSync(root, { recursive: true, encoding: 'utf8' })
      .map((name) => {
        const stats = statSync(path.join(root, name), { throwIfNoEntry: false });
        return `${name} ${stats?.size} ${stats?.mtimeMs}`;
      })
      .join('\n');
  } catch {
    return '';
  }
}

/** Returns the function that loads the files that have changed since its last call. */
async function createLoader(
  context: Context,
  server: SandboxServer,
  folder: string,
  seed: Seed,
): Promise<() => void> {
  const { host } = context;
  const { readDefinitionFiles } = await import('../../environment/sandbox-state.ts');
  const { stepErrors } = await context.sandbox();
  const loaded = new Map<string, string>();
  // The sandbox has loaded the seed with these steps and warned of them.
  let reported = new Set(stepErrors(seed.state, seed.fileOf));
  let isStart = true;
  const report = (line: string) =>
    void host.stderr.write(`${safeText(line)}\n`).catch(() => undefined);
  return () => {
    const { files, errors } = readOrError(() => readDefinitionFiles(folder, host.cwd));
    const problems = [...errors];
    for (const { path: file, state, fileOf } of files) {
      const text = JSON.stringify(state);
      const brokenSteps = stepErrors(state, fileOf);
      problems.push(...brokenSteps);
      const isSeed = isStart && brokenSteps.every((problem) => reported.has(problem));
      if (brokenSteps.length > 0 && !isSeed) continue;
      if (loaded.get(file) === text) continue;
      try {
        server.replaceDefinitions(state);
      } catch (error) {
        if (!(error instanceof SvcError)) throw error;
        problems.push(`${file}: ${errorMessage(error)}`);
        continue;
      }
      loaded.set(file, text);
      if (!isStart) report(`Loaded ${file}.`);
    }
    for (const file of deletedFiles(loaded.keys(), host.cwd, folder)) {
      loaded.delete(file);
      report(`${file} was deleted. The sandbox keeps its last version.`);
    }
    for (const problem of problems)
      if (!reported.has(problem))
        report(`${problem.replace(/\.$/, '')}. The last valid version stays.`);
    reported = new Set(problems);
    isStart = false;
    server.showFileProblems(problems.map((problem) => toFileProblem(problem, host.cwd)));
  };
}

/** `file:line:column: message`, or `file: workflow …, step …, control: message`. */
const problemPlace = /^(.+?):(?:(\d+):(\d+):)? (?:workflow (\S+), )?/;

/** The problem with its workflow and its line, if the file has them. */
function toFileProblem(text: string, cwd: string): FileProblem {
  const [, file = '', line, column, named] = problemPlace.exec(text) ?? [];
  const { dir, base } = path.parse(file);
  const isLayout = path.basename(dir) === 'layouts';
  const workflowId = named ?? (isLayout ? undefined : base.split('.')[0]);
  const lines = readLines(path.resolve(cwd, file));
  const place = line ? { line: Number(line), column: Number(column) } : findQuoted(text, lines);
  const source = place && lines[place.line - 1];
  if (!place || !source?.trim()) return { text, workflowId };
  // A long line is cut around the error.
  const start = Math.max(0, place.column - maxExcerpt / 2);
  const excerpt = source.slice(start, start + maxExcerpt);
  const caret = `${' '.repeat(place.column - 1 - start)}^`;
  return {
    text,
    workflowId,
    excerpt: `${place.line}  ${excerpt}\n${' '.repeat(String(place.line).length + 2)}${caret}`,
  };
}

const maxExcerpt = 100;

/** The place of the variable or tag that a message quotes: `Variable "subscriber.x" is not supported`. */
function findQuoted(message: string, lines: readonly string[]) {
  const quoted = /["“]([^"”]+)["”]/.exec(message)?.[1];
  const line = quoted ? lines.findIndex((text) => text.includes(quoted)) : -1;
  return quoted && line !== -1
    ? { line: line + 1, column: (lines[line] ?? '').indexOf(quoted) + 1 }
    : undefined;
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/);
  } catch {
    return [];
  }
}

/** A folder that is gone is reported as such. */
const deletedFiles = (files: Iterable<string>, cwd: string, folder: string): string[] =>
  existsSync(path.resolve(cwd, folder))
    ? [...files].filter((file) => !existsSync(path.resolve(cwd, file)))
    : [];

/** An error that is not about one file: the folder was deleted or cannot be read. */
function readOrError<Content extends { files: unknown[]; errors: string[] }>(
  read: () => Content,
): Content | { files: []; errors: string[] } {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    return { files: [], errors: [errorMessage(error)] };
  }
}

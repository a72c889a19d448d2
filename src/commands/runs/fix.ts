// `svc runs fix`
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Context } from '../../app/context.ts';
import { optionsWith, summaryFields } from '../../bulk/command/options.ts';
import { resolveRunId } from '../../bulk/command/resolve-run.ts';
import { createRunTarget } from '../../bulk/command/run-target.ts';
import type { StoredRunDetails } from '../../bulk/journal/run-store.ts';
import { command } from '../../cli/command.ts';
import { optional } from '../../cli/options.ts';
import { errorMessage, localError, usageError } from '../../core/errors.ts';
import { splitShellWords } from '../../core/text.ts';
import * as result from '../../output/result.ts';
import { runArgument } from '../shared/arguments.ts';
import { commandOfRun } from './resume.ts';

/** The arguments and options that name the input of a run. */
const inputNames = ['file', 'recipients', 'toFile'];

export const fix = command({
  summary: 'Open the rejected rows of a run in an editor, and send them again',
  details:
    'Opens the rejects file in $VISUAL or $EDITOR. After the editor has ended, svc runs the command of the run again with this file and the same options and profile. The columns _line and _error say what is wrong with a row; svc does not send them. If you do not change the file, nothing is sent.',
  arguments: { runId: optional('[run-id]', `${runArgument.summary} (the default)`, 'runs') },
  output: 'The summary of the new run.',
  exitCodes: ['partial', 'notFound', 'undelivered'],
  examples: {
    'svc runs fix': 'The newest run with rejected rows',
    'EDITOR="code --wait" svc runs fix 20260115-120000-3e63f9': 'A run, in another editor',
  },
  fields: summaryFields,
  writes: true,
  tool: 'none',
  defaultProfile: async (context, { args }) =>
    (await findRun(context, args.runId)).manifest.profile ?? undefined,
  gracefulShutdown: true,
  async run(context, { args: { runId: name } }, program) {
    const { manifest, state, folder } = await findRun(context, name);
    const { runId, rejects, options } = manifest;
    const { requireSameTarget } = await import('../../bulk/journal/run-target.ts');
    if (state === 'stopped')
      throw usageError(`Run ${runId} stopped early, so its rejected rows are not complete.`, {
        next: [`svc runs resume ${runId}`],
      });
    if (manifest.service !== '')
      requireSameTarget(manifest, await createRunTarget(context, runId), {
        verb: 'be fixed here',
        command: `svc runs fix ${runId}`,
        ifReplaced: `import the rejected rows from ${rejects}`,
      });
    const target = await commandOfRun(program, manifest);
    const declaredOptions = target.options ?? {};
    // These are only for the input of the run, such as --skip and --encoding.
    const dropped = optionsWith('original', declaredOptions);
    const withRejects = (values: Record<string, unknown>) =>
      Object.fromEntries(
        Object.entries(values).map(([key, value]) => [
          key,
          inputNames.includes(key) && typeof value === 'string' ? rejects : value,
        ]),
      );
    const inputOptions = Object.fromEntries(
      Object.entries(options).filter(([key]) => inputNames.includes(key) || !dropped.has(key)),
    );
    const newArgs = withRejects(manifest.args);
    const newOptions = withRejects(inputOptions);
    if (![...Object.values(newArgs), ...Object.values(newOptions)].includes(rejects))
      throw usageError(`The input of run ${runId} was not a file, so svc cannot send it again.`, {
        hint: `Its rejected rows are in ${rejects}.`,
      });
    if (!(await edit(context, rejects)))
      return result.report({
        value: { runId, rejects },
        lines: [`The rows in ${rejects} are unchanged: nothing was sent.`],
        ids: [],
      });
    // A confirmed mapping replaces the options that assign columns.
    const mapFile = path.join(folder, 'mapping.yaml');
    const { map: _map, dataColumn: _data, ignoreColumn: _ignored, ...unmapped } = newOptions;
    const input = {
      args: newArgs,
      options: existsSync(mapFile) ? { ...unmapped, mapFile } : newOptions,
      command: manifest.command,
      declaredOptions,
    };
    return target.run(context, input as never, program);
  },
});

const hasRejects = ({ failed, invalid, manifest }: StoredRunDetails) =>
  failed + invalid > 0 && existsSync(manifest.rejects);

async function findRun(context: Context, name = 'last') {
  const { openRunStore } = await import('../../bulk/journal/run-store.ts');
  const store = openRunStore(context.host);
  const runId = resolveRunId(context, store, name, hasRejects);
  const run = store.read(runId);
  if (!hasRejects(run)) throw usageError(`Run ${runId} has no file of rejected rows.`);
  return { ...run, folder: store.runFolder(runId) };
}

/** Returns whether the file was changed. */
async function edit({ host, settings }: Context, file: string): Promise<boolean> {
  if (!host.stdout.isTty || !settings.mayAsk)
    throw usageError('`svc runs fix` needs a terminal, because it opens an editor.', {
      hint: `The rejected rows are in ${file}.`,
    });
  const { VISUAL, EDITOR } = host.env;
  const [editor = 'vi', ...words] = splitShellWords(VISUAL || EDITOR || 'vi').map(
    ({ text }) => text,
  );
  const before = readFileSync(file);
  const end = await host.runChild([editor, ...words, file], { env: host.env, cwd: host.cwd });
  if ('failure' in end)
    throw localError(`The editor \`${editor}\` cannot be started: ${errorMessage(end.failure)}`, {
      hint: 'Set EDITOR to the command of your editor.',
    });
  if (end.exitCode !== 0)
    throw localError(
      `The editor \`${editor}\` ended with exit code ${end.exitCode}: nothing was sent.`,
    );
  return !readFileSync(file).equals(before);
}

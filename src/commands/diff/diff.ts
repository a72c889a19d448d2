// `svc diff`
import { statSync } from 'node:fs';
import path from 'node:path';
import type { Context } from '../../app/context.ts';
import { command } from '../../cli/command.ts';
import { commaList, optional, required, text } from '../../cli/options.ts';
import { findProfile } from '../../config/store.ts';
import { usageError } from '../../core/errors.ts';
import { shellWord } from '../../core/shell-word.ts';
import { type DiffKind, diffKinds } from './kinds.ts';

export const diff = command({
  summary: 'Show how two environments differ, or an environment and a folder of workflow files',
  details:
    'svc compares the second environment with the first one: `added` exists only in the second, `removed` only in the first. With --dir, the second one is a folder as written by `svc workflows pull`. Without a second profile and without --dir, it is the active environment. Internal ids, dates and secrets are not compared; topics are compared without their subscribers. Integrations are matched by their identifiers.',
  arguments: {
    from: required('<profile-a>', 'Profile of the first environment', 'profiles'),
    to: optional('[profile-b]', 'Profile of the second environment', 'profiles'),
  },
  options: {
    only: commaList('--only <kinds>', `Compare only these: ${diffKinds.join(', ')}`),
    dir: text('--dir <folder>', 'Compare with this folder of workflow files', {
      complete: 'files',
    }),
  },
  output:
    'The differences. As JSON, {equal, resources: [{kind, id, action, changes: [{path, from, to}]}]} with the action added, removed or changed. In a pipe, one line for each change. The exit code is 10 if there is a difference.',
  fields: ['equal', 'resources'],
  exitCodes: ['different'],
  examples: [
    { line: 'svc diff development production', description: 'Compare two environments' },
    {
      line: 'svc diff production --dir workflows --only workflows',
      description: 'Compare production with the files in Git',
    },
  ],
  operations: [
    'listWorkflows',
    'getWorkflow',
    'listLayouts',
    'getLayout',
    'listTopics',
    'listContexts',
    'listIntegrations',
    'listEnvironments',
  ],
  writes: false,
  tool: 'read',
  async run(context, { args: { from, to }, options: { only, dir } }) {
    if (to !== undefined && dir !== undefined)
      throw usageError('--dir cannot be combined with a second profile.');
    if (dir === undefined) refuseFolder(context, from, to);
    const { compareEnvironments } = await import('./compare-environments.ts');
    return compareEnvironments(context, { from, to, dir, kinds: readKinds(only, dir) });
  },
});

/** Throws a usage error if a name belongs to a folder and not to a profile. */
function refuseFolder({ host, configuration }: Context, from: string, to: string | undefined) {
  const isFolder = (name: string | undefined) =>
    name !== undefined &&
    findProfile(configuration.read(), name) === undefined &&
    statSync(path.resolve(host.cwd, name), { throwIfNoEntry: false })?.isDirectory() === true;
  const folder = [to, from].find(isFolder);
  if (folder === undefined) return;
  const profile = [from, to].find((name) => name !== undefined && !isFolder(name));
  throw usageError(`\`${folder}\` is a folder, not a profile.`, {
    hint: 'To compare an environment with a folder of workflow files, use --dir.',
    next: [
      `svc diff ${profile === undefined ? '<profile>' : shellWord(profile)} --dir ${shellWord(folder)}`,
    ],
  });
}

/** A folder contains only workflows and layouts. */
function readKinds(only: readonly string[] | undefined, dir: string | undefined): DiffKind[] {
  const allowed: readonly DiffKind[] = dir === undefined ? diffKinds : ['workflows', 'layouts'];
  const unknown = only?.find((kind) => !allowed.some((allowedKind) => allowedKind === kind));
  if (unknown !== undefined)
    throw usageError(
      `--only: \`${unknown}\` ${diffKinds.some((knownKind) => knownKind === unknown) ? 'cannot be compared with a folder' : 'is not a valid kind'}. Must be one of: ${allowed.join(', ')}.`,
      { suggestion: { input: unknown, candidates: allowed } },
    );
  return allowed.filter((kind) => only === undefined || only.includes(kind));
}

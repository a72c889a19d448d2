import type { Context } from '../../app/context.ts';
import { command } from '../../cli/command.ts';
import { commaList, optional, required, text } from '../../cli/options.ts';
import { findProfile } from '../../config/store.ts';
import { usageError } from '../../core/errors.ts';
import { shellWord } from '../../core/text.ts';
import type { Side } from '../../environment/diff.ts';
import { kindsText } from '../../environment/resource.ts';

export const diff = command({
  summary: 'Show how two environments differ, or an environment and a folder of its files',
  details:
    'svc compares the second environment with the first one: `added` exists only in the second, `removed` only in the first. Each can also be a folder of `svc environments pull` or `svc workflows pull`. If a folder has the name of a profile, pass it with --dir. Without a second name and without --dir, the second one is the active environment. Internal ids, dates, secrets and references to variables are not compared; topics are compared without their subscribers, and the values of variables only with a folder. Integrations are matched by their identifiers, the in-app integration by its channel.',
  arguments: {
    from: {
      ...required('<profile-a>', 'Profile of the first environment, or a folder', 'profiles'),
      prompt: 'Profile of the first environment to compare',
    },
    to: optional('[profile-b]', 'Profile of the second environment, or a folder', 'profiles'),
  },
  options: {
    only: commaList('--only <kinds>', `Compare only these: ${kindsText}`),
    dir: text('--dir <folder>', 'Compare with this folder', { complete: 'files' }),
  },
  output:
    'The differences. As JSON, {equal, resources: [{kind, id, action, changes: [{path, from, to}]}]} with the action added, removed or changed. In a pipe, one line for each change. The exit code is 10 if there is a difference.',
  fields: ['equal', 'resources'],
  exitCodes: ['different'],
  examples: {
    'svc diff development production': 'Compare two environments',
    'svc diff production environment': 'Compare production with the files in Git',
    'svc diff production --dir workflows --only workflows':
      'Compare its workflows with a folder of workflow files',
  },
  operations: [
    'listWorkflows',
    'getWorkflow',
    'listLayouts',
    'getLayout',
    'listTopics',
    'listContexts',
    'listIntegrations',
    'listEnvironments',
    'listEnvironmentVariables',
  ],
  writes: false,
  tool: 'read',
  async run(context, { args: { from, to }, options: { only, dir } }) {
    if (to !== undefined && dir !== undefined)
      throw usageError('--dir cannot be combined with a second profile.');
    const { compareEnvironments } = await import('../../environment/diff.ts');
    const first = await readSide(context, from);
    const second =
      dir !== undefined
        ? { folder: dir }
        : to === undefined
          ? { profile: undefined }
          : await readSide(context, to);
    return compareEnvironments(context, [first, second], only);
  },
});

/** A profile, or a folder that svc wrote. Throws a usage error for a name that is both, and for another folder. */
async function readSide({ host, configuration }: Context, name: string): Promise<Side> {
  const { isFolder, isSvcFolder } = await import('../../environment/diff.ts');
  const isProfile = findProfile(configuration.read(), name) !== undefined;
  if (isSvcFolder(name, host.cwd)) {
    if (!isProfile) return { folder: name };
    throw usageError(`\`${name}\` is a profile and a folder.`, {
      hint: `For the folder, use --dir ${shellWord(name)}. For the profile as the second side, use -p ${shellWord(name)}.`,
    });
  }
  if (isProfile) return { profile: name };
  if (!isFolder(name, host.cwd))
    throw usageError(`Unknown profile \`${name}\`.`, {
      hint: 'A folder with this name does not exist either.',
      suggestion: { input: name, candidates: Object.keys(configuration.read().profiles) },
      next: ['svc profiles list'],
    });
  throw usageError(
    `\`${name}\` is not a profile, and the folder ${name} contains no files of svc.`,
    { next: ['svc profiles list', `svc environments pull ${shellWord(name)}`] },
  );
}

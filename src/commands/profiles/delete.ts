import { command } from '../../cli/command.ts';
import { required } from '../../cli/options.ts';
import { openProfiles } from '../../config/profiles.ts';
import { usageError } from '../../core/errors.ts';
import * as result from '../../output/result.ts';
import { isSandboxRunning } from '../shared/server-facts.ts';

export const deleteProfile = command({
  summary: 'Delete a profile with its key',
  arguments: { name: required('<name>', 'Name of the profile', 'profiles') },
  output: '{deleted, name, baseUrl}.',
  examples: {
    'svc profiles delete staging --yes': 'Without asking',
    'svc profiles delete staging --yes --json': 'In a script',
  },
  writes: false,
  offline: true,
  localOnly: true,
  async run(context, { args: { name } }) {
    const profiles = openProfiles(context.configuration);
    const profile = profiles.named(name);
    const { current, profiles: all } = context.configuration.read();
    const isLastOfSandbox = !Object.entries(all).some(
      ([other, { sandbox, baseUrl }]) => other !== name && sandbox && baseUrl === profile.baseUrl,
    );
    if (profile.sandbox && isLastOfSandbox && (await isSandboxRunning(context, profile))) {
      throw usageError(
        `The sandbox of profile ${name} is running. Stop the sandbox before you delete its profile.`,
        { next: [`svc sandbox stop --profile ${name}`] },
      );
    }
    const isCurrent = current === name;
    await context.confirm(`Delete profile ${name} with its key`);
    const { baseUrl } = await profiles.delete(name);
    return result.report({
      value: { deleted: true, name, baseUrl },
      lines: [
        `Deleted profile ${name}. Its key is still valid at ${baseUrl}.`,
        ...(isCurrent
          ? ['It was the current profile: choose another with `svc profiles use`.']
          : []),
      ],
      ids: [name],
    });
  },
});

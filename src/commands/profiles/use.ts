import { command } from '../../cli/command.ts';
import { required } from '../../cli/options.ts';
import { openProfiles } from '../../config/profiles.ts';
import * as result from '../../output/result.ts';

export const use = command({
  summary: 'Make a profile the current one',
  arguments: { name: required('<name>', 'Name of the profile', 'profiles') },
  output: '{profile, baseUrl}.',
  examples: {
    'svc profiles use staging': 'Use staging by default',
    'svc profiles use sandbox --quiet': 'Without output',
  },
  writes: false,
  offline: true,
  localOnly: true,
  async run(context, { args: { name } }) {
    const profile = await openProfiles(context.configuration).use(name);
    return result.report({
      value: { profile: name, baseUrl: profile.baseUrl },
      lines: [`Profile ${name} is now the current profile: ${profile.baseUrl}.`],
      ids: [name],
    });
  },
});

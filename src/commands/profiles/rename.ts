import { command } from '../../cli/command.ts';
import { required } from '../../cli/options.ts';
import { openProfiles } from '../../config/profiles.ts';
import * as result from '../../output/result.ts';

export const rename = command({
  summary: 'Rename a profile',
  arguments: {
    name: required('<name>', 'Name of the profile', 'profiles'),
    newName: required('<new-name>', 'The new name'),
  },
  output: '{renamed, name}, where name is the new name.',
  examples: {
    'svc profiles rename sandbox local': 'Rename profile sandbox to local',
    'svc profiles rename staging stage': 'Rename profile staging to stage',
  },
  writes: false,
  offline: true,
  localOnly: true,
  async run(context, { args: { name, newName } }) {
    await openProfiles(context.configuration).rename(name, newName);
    return result.report({
      value: { renamed: name, name: newName },
      lines: [`Renamed profile ${name} to ${newName}.`],
      ids: [newName],
    });
  },
});

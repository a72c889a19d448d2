// `svc profiles delete`
import { command } from '../../cli/command.ts';
import { required } from '../../cli/options.ts';
import * as result from '../../output/result.ts';

export const deleteProfile = command({
  summary: 'Delete a profile with its key',
  arguments: { name: required('<name>', 'Name of the profile', 'profiles') },
  gives: 'The name that is gone.',
  examples: [
    { line: 'svc profiles delete staging --yes', means: 'Without asking' },
    { line: 'svc profiles delete staging --yes --json', means: 'In a script' },
  ],
  local: true,
  async run(context, { args: { name } }) {
    const profiles = await context.profiles();
    profiles.named(name);
    await context.confirm(`Delete profile ${name} with its key?`);
    const { baseUrl } = await profiles.delete(name);
    return result.report({
      value: { deleted: true, name, baseUrl },
      lines: [`Profile ${name} is deleted. Its key stays valid at ${baseUrl}.`],
      ids: [name],
    });
  },
});

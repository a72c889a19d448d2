// `svc profiles use`
import { command } from '../../cli/command.ts';
import { required } from '../../cli/options.ts';
import * as result from '../../output/result.ts';

export const use = command({
  summary: 'Make a profile the current one',
  arguments: { name: required('<name>', 'Name of the profile', 'profiles') },
  examples: [{ line: 'svc profiles use staging', means: 'From now on' }],
  local: true,
  async run(context, { args: { name } }) {
    const profile = await (await context.profiles()).use(name);
    return result.report({
      value: { profile: name, baseUrl: profile.baseUrl },
      lines: [`Profile ${name} holds now: ${profile.baseUrl}.`],
      ids: [name],
    });
  },
});

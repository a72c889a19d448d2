// `svc logout`
import { command } from '../../cli/command.ts';
import { usageError } from '../../core/errors.ts';
import * as result from '../../output/result.ts';

export const logout = command({
  summary: 'Remove the key of a profile; its address stays',
  output: 'Which profile has no key any more.',
  examples: [
    { line: 'svc logout', description: 'The current profile' },
    { line: 'svc logout --profile staging', description: 'Another one' },
  ],
  unexpected: 'A profile is named with --profile.',
  writes: false,
  localOnly: true,
  async run(context) {
    const chosen = context.profile();
    if (!chosen) {
      throw usageError('There is no profile to log out of.', { next: ['svc profiles list'] });
    }
    await (await context.profiles()).forgetKey(chosen.value);
    return result.report({
      value: { profile: chosen.value, loggedOut: true },
      lines: [`The key of profile ${chosen.value} is forgotten. It stays valid at the service.`],
      ids: [chosen.value],
    });
  },
});

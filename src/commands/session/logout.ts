import { command } from '../../cli/command.ts';
import { openProfiles } from '../../config/profiles.ts';
import { usageError } from '../../core/errors.ts';
import * as result from '../../output/result.ts';

export const logout = command({
  summary: 'Remove the key of a profile and keep its address',
  output: '{profile, loggedOut}.',
  examples: {
    'svc logout': 'The current profile',
    'svc logout --profile staging': 'Another profile',
  },
  unexpected: 'Name the profile with --profile.',
  writes: false,
  offline: true,
  selectedBy: 'profile',
  localOnly: true,
  async run(context) {
    const chosen = context.profile();
    if (!chosen) {
      throw usageError('No profile is active, so there is nothing to log out of.', {
        next: ['svc profiles list'],
      });
    }
    await openProfiles(context.configuration).forgetKey(chosen.value);
    return result.report({
      value: { profile: chosen.value, loggedOut: true },
      lines: [`Removed the key of profile ${chosen.value}. The key is still valid at the service.`],
      ids: [chosen.value],
    });
  },
});

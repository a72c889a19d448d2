import { command } from '../../cli/command.ts';
import { optional } from '../../cli/options.ts';
import { openProfiles } from '../../config/profiles.ts';
import { usageError } from '../../core/errors.ts';
import * as result from '../../output/result.ts';
import { profileColumns, profileSummary } from './view.ts';

export const show = command({
  summary: 'Show a profile, without its key',
  arguments: {
    name: optional('[name]', 'Name of the profile; the active profile if omitted', 'profiles'),
  },
  output: '{name, baseUrl, environment, protected, keySource, readOnly, current}.',
  examples: {
    'svc profiles show': 'The active profile',
    'svc profiles show staging --json': 'Another profile, as JSON',
  },
  writes: false,
  offline: true,
  selectedBy: 'profile',
  async run(context, { args }) {
    const profiles = openProfiles(context.configuration);
    const name = args.name ?? context.profile()?.value;
    if (name === undefined) {
      throw usageError('No profile is active, and none was given.', {
        next: ['svc profiles list', 'svc login'],
      });
    }
    const { current, ...value } = profileSummary(
      name,
      profiles.named(name),
      context.configuration.read().current,
      profiles,
    );
    const fields = profileColumns.filter(({ field }) => field !== 'current');
    return result.one({ value: { ...value, current }, fields, id: (profile) => profile.name });
  },
});

import { command } from '../../cli/command.ts';
import { openProfiles } from '../../config/profiles.ts';
import * as result from '../../output/result.ts';
import { profileColumns, profileSummary } from './view.ts';

export const list = command({
  summary: 'List the stored profiles',
  output: 'A list of profiles, without keys; with -o ids, their names.',
  examples: {
    'svc profiles list': 'All profiles, with the current one marked',
    'svc profiles list --json': 'As JSON',
  },
  writes: false,
  offline: true,
  async run(context) {
    const stored = openProfiles(context.configuration);
    const { profiles, current } = context.configuration.read();
    const items = Object.entries(profiles).map(([name, profile]) =>
      profileSummary(name, profile, current, stored),
    );
    return result.list({
      pages: result.onePage(items),
      columns: profileColumns,
      id: ({ name }) => name,
      ...result.emptyList(
        'profiles',
        {},
        { 'Create one': 'svc login', 'Create one without an account': 'svc sandbox start' },
      ),
    });
  },
});

import { command } from '../../cli/command.ts';
import { flag, required } from '../../cli/options.ts';
import { openProfiles } from '../../config/profiles.ts';
import * as result from '../../output/result.ts';

export const readOnly = command({
  summary: 'Reject every write with a profile',
  details:
    'svc rejects a command that changes data with a read-only profile, in the service or in a sandbox, before it sends any request; no option and no variable allows it. --dry-run is possible, because it sends no write.',
  arguments: { name: required('<name>', 'Name of the profile', 'profiles') },
  options: { off: flag('--off', 'Allow writes again') },
  output: '{profile, readOnly}.',
  examples: {
    'svc profiles read-only staging': 'Make profile staging read-only',
    'svc profiles read-only staging --off': 'Allow writes again',
  },
  writes: false,
  offline: true,
  localOnly: true,
  async run(context, { args: { name }, options }) {
    const isReadOnly = options.off !== true;
    await openProfiles(context.configuration).setWriteRule(name, { readOnly: isReadOnly });
    return result.report({
      value: { profile: name, readOnly: isReadOnly },
      lines: [
        isReadOnly
          ? `Profile ${name} is read-only: svc rejects every write with it.`
          : `Profile ${name} allows writes.`,
      ],
      ids: [name],
    });
  },
});

import { command } from '../../cli/command.ts';
import { required } from '../../cli/options.ts';
import { openProfiles } from '../../config/profiles.ts';
import * as result from '../../output/result.ts';

const shared = {
  arguments: { name: required('<name>', 'Name of the profile', 'profiles') },
  output: '{profile, protected}.',
  writes: false,
  offline: true,
  localOnly: true,
} as const;

export const protect = command({
  ...shared,
  summary: 'Require the name of a profile for every write with it',
  details:
    'Every command that changes data with a protected profile needs its name, typed or passed with --confirm <profile>. --yes is not enough.',
  examples: {
    'svc profiles protect staging': 'Protect profile staging',
    'svc profiles protect staging --json': 'In a script',
  },
  async run(context, { args: { name } }) {
    await openProfiles(context.configuration).setWriteRule(name, { protected: true });
    return result.report({
      value: { profile: name, protected: true },
      lines: [`Profile ${name} is protected: every write needs --confirm ${name}.`],
      ids: [name],
    });
  },
});

export const unprotect = command({
  ...shared,
  summary: 'Allow writes with a profile without its name',
  details:
    'If the environment of the profile becomes a production environment later, the profile is protected again.',
  examples: {
    'svc profiles unprotect staging': 'Asks first',
    'svc profiles unprotect staging --yes': 'Without asking',
  },
  async run(context, { args: { name } }) {
    const profiles = openProfiles(context.configuration);
    const isConfirmed = context.globals.confirm?.includes(name);
    if (profiles.isProtected(profiles.named(name)) && !isConfirmed)
      await context.confirm(`Remove the protection of profile ${name}`);
    await profiles.setWriteRule(name, { protected: false });
    return result.report({
      value: { profile: name, protected: false },
      lines: [`Profile ${name} is not protected.`],
      ids: [name],
    });
  },
});

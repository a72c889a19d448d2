import { command } from '../../cli/command.ts';
import * as result from '../../output/result.ts';

export const reset = command({
  summary: 'Delete the configuration file: all profiles, keys and settings',
  output: 'The path of the deleted file.',
  examples: {
    'svc config reset --yes': 'Start over without asking',
    'svc config reset --yes --quiet': 'Without asking and without output',
  },
  writes: false,
  offline: true,
  allowInvalidConfig: true,
  localOnly: true,
  async run(context) {
    const store = context.configuration;
    await context.confirm(`Delete ${store.file} with all profiles, keys and settings`);
    store.reset();
    return result.report({
      value: { deleted: true, path: store.file },
      lines: [`Deleted ${store.file}.`],
      ids: [],
    });
  },
});

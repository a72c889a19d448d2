// `svc config get`
import { command } from '../../cli/command.ts';
import { required } from '../../cli/options.ts';
import * as result from '../../output/result.ts';
import { settingKey, settingValue } from './keys.ts';

export const get = command({
  summary: 'Show the effective value of a setting',
  arguments: { key: required('<key>', 'Name of the setting') },
  output: 'The value.',
  examples: [
    { line: 'svc config get timeout', description: 'As `svc config set` takes it' },
    { line: 'svc config get output', description: 'Another' },
  ],
  writes: false,
  async run(context, { args }) {
    const key = settingKey(args.key);
    const { value: held, source } = context.preferences.all()[key];
    const value = settingValue(key, held);
    return result.report({
      value: { key, value, from: source },
      lines: [String(value)],
      tsv: String(value),
      ids: [key],
    });
  },
});

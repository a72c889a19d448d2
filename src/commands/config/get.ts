import { command } from '../../cli/command.ts';
import { required } from '../../cli/options.ts';
import * as result from '../../output/result.ts';
import { settingKey, settingValue } from './keys.ts';

export const get = command({
  summary: 'Show the effective value of a setting',
  arguments: { key: required('<key>', 'Name of the setting', { value: 'id' }) },
  output: 'The value.',
  examples: {
    'svc config get timeout': 'The timeout',
    'svc config get output': 'The output format',
  },
  writes: false,
  offline: true,
  async run(context, { args }) {
    const key = settingKey(args.key);
    const { value: effective, source } = context.settings.setting(key);
    const value = settingValue(key, effective);
    return result.report({
      value: { key, value, from: source },
      lines: [[{ text: String(value) }]],
      tsv: String(value),
      ids: [key],
    });
  },
});

// `svc config set` and `svc config unset`
import { command } from '../../cli/command.ts';
import { required } from '../../cli/options.ts';
import * as result from '../../output/result.ts';
import { settingKey } from './keys.ts';

export const set = command({
  summary: 'Store a setting',
  arguments: {
    key: required(
      '<key>',
      'Name of the setting: output, color, timeout, retries, maxWait or readOnly',
    ),
    value: required('<value>', 'Its value'),
  },
  output: '{key, value}.',
  examples: [
    { line: 'svc config set timeout 60s', description: 'Be patient' },
    { line: 'svc config set output json', description: 'Data, unless another format is asked for' },
  ],
  writes: false,
  localOnly: true,
  async run(context, { args }) {
    const key = settingKey(args.key);
    context.preferences.check(key, args.value);
    await context.configuration.change(({ settings }) => {
      settings[key] = args.value;
    });
    return result.report({
      value: { key, value: args.value },
      lines: [`${key} is ${args.value}.`],
      ids: [key],
    });
  },
});

export const unset = command({
  summary: 'Remove a stored setting, so that its default applies',
  arguments: { key: required('<key>', 'Name of the setting') },
  output: '{key, value}, the value null.',
  examples: [
    { line: 'svc config unset timeout', description: 'Back to the default' },
    { line: 'svc config unset output', description: 'Tables again' },
  ],
  writes: false,
  localOnly: true,
  async run(context, { args }) {
    const key = settingKey(args.key);
    await context.configuration.change(({ settings }) => {
      delete settings[key];
    });
    return result.report({
      value: { key, value: null },
      lines: [`${key} is no longer set.`],
      ids: [key],
    });
  },
});

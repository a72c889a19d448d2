import { command } from '../../cli/command.ts';
import { required } from '../../cli/options.ts';
import { readSetting, settingKeys } from '../../config/settings.ts';
import * as result from '../../output/result.ts';
import { settingKey } from './keys.ts';

export const set = command({
  summary: 'Store a setting',
  arguments: {
    key: required(
      '<key>',
      `Name of the setting: ${settingKeys.join(', ').replace(/, (?=\w+$)/, ' or ')}`,
      { value: 'id' },
    ),
    value: required('<value>', 'The new value'),
  },
  output: '{key, value}.',
  examples: {
    'svc config set timeout 60s': 'Wait longer for a response',
    'svc config set output json': 'Print JSON by default',
  },
  writes: false,
  offline: true,
  localOnly: true,
  async run(context, { args }) {
    const key = settingKey(args.key);
    readSetting(key, args.value, key);
    await context.configuration.change(({ settings }) => {
      settings[key] = args.value;
    });
    return result.report({
      value: { key, value: args.value },
      lines: [`Set ${key} to ${args.value}.`],
      ids: [key],
    });
  },
});

export const unset = command({
  summary: 'Remove a stored setting, so that its default applies',
  arguments: { key: required('<key>', 'Name of the setting', { value: 'id' }) },
  output: '{key, value}, where value is null.',
  examples: {
    'svc config unset timeout': 'Use the default timeout again',
    'svc config unset output': 'Use the default output format again',
  },
  writes: false,
  offline: true,
  localOnly: true,
  async run(context, { args }) {
    const key = settingKey(args.key);
    await context.configuration.change(({ settings }) => {
      delete settings[key];
    });
    return result.report({
      value: { key, value: null },
      lines: [`Removed the setting ${key}.`],
      ids: [key],
    });
  },
});

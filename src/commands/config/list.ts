import { command } from '../../cli/command.ts';
import { settingKeys } from '../../config/settings.ts';
import * as result from '../../output/result.ts';
import { settingValue } from './keys.ts';

export interface SettingRow {
  key: string;
  value: unknown;
  from: string;
}

export const list = command({
  summary: 'List the effective settings and where each value comes from',
  output: 'A list of settings, each with its value and the source of the value.',
  examples: { 'svc config list': 'All settings', 'svc config list --json': 'As JSON' },
  writes: false,
  offline: true,
  async run(context) {
    const items = settingKeys.map((key): SettingRow => {
      const { value, source } = context.settings.setting(key);
      return { key, value: settingValue(key, value), from: source };
    });
    return result.list({
      pages: result.onePage(items),
      columns: [
        { field: 'key', header: 'KEY', tone: () => 'strong' },
        { field: 'value', header: 'VALUE' },
        {
          field: 'from',
          header: 'FROM',
          tone: ({ from }) => (from === 'default' ? 'muted' : 'plain'),
        },
      ],
      id: ({ key }) => key,
      empty: 'No settings.',
    });
  },
});

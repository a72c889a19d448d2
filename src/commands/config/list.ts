// `svc config list`
import { command } from '../../cli/command.ts';
import * as result from '../../output/result.ts';
import { settingValue } from './keys.ts';

export interface ShownSetting {
  key: string;
  value: unknown;
  from: string;
}

export const list = command({
  summary: 'List the effective settings and where each value comes from',
  output: 'A list of settings with the place that each value came from.',
  examples: [
    { line: 'svc config list', description: 'Every setting' },
    { line: 'svc config list --json', description: 'As data' },
  ],
  writes: false,
  async run(context) {
    const items: ShownSetting[] = Object.entries(context.preferences.all()).map(
      ([key, setting]) => ({
        key,
        value: settingValue(key, setting.value),
        from: setting.source,
      }),
    );
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

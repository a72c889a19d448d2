import { command } from '../../cli/command.ts';
import * as result from '../../output/result.ts';

export const path = command({
  summary: 'Print the path of the configuration file',
  output: 'The path of the configuration file.',
  examples: {
    'svc config path': 'Print the path, even if the file cannot be read',
    'svc config path --json': 'As JSON',
  },
  writes: false,
  offline: true,
  allowInvalidConfig: true,
  async run(context) {
    const { file } = context.configuration;
    return result.report({
      value: { path: file },
      lines: [[{ text: file }]],
      tsv: file,
      ids: [file],
    });
  },
});

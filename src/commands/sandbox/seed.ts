// `svc sandbox seed`
import { command } from '../../cli/command.ts';
import { required } from '../../cli/options.ts';
import { readTextFile } from '../../input/values.ts';
import * as result from '../../output/result.ts';
import { callControl, connectSandbox } from './connect.ts';

export const seed = command({
  summary: 'Replace the data of the sandbox with a YAML or JSON state file',
  details:
    'The file contains `version: 1` and `environments`. One environment must be Development. Each environment can have integrations, workflows, subscribers, topics and contexts, and past events, which the sandbox triggers when it loads the file. `svc sandbox export --reveal` writes such a file. Messages and activity are deleted; the API keys of Development and Production are kept. If the file has errors, svc prints all of them with file:line:column and changes nothing.',
  arguments: { file: required('<file>', 'The state file', 'files') },
  output: '{seeded, environments, profile}.',
  writes: false,
  localOnly: true,
  exitCodes: ['notFound'],
  examples: [
    {
      line: 'svc sandbox seed state.yaml --yes -p sandbox',
      description: 'Load test data before a test run',
    },
    {
      line: 'svc sandbox seed state.yaml --yes --quiet -p sandbox',
      description: 'Print nothing on success',
    },
  ],
  async run(context, { args: { file } }) {
    const connected = await connectSandbox(context);
    const { readState } = await context.sandbox();
    const state = readState(readTextFile(file, 'seed', context.host), file);
    await context.confirm(`Replace everything in the ${connected.title}`);
    const seeded = await callControl(connected, (control) => control.seed(state));
    return result.report({
      value: { ...seeded, profile: connected.profile },
      lines: [`Replaced the data of the ${connected.title} with ${file}.`],
      ids: [connected.name],
    });
  },
});

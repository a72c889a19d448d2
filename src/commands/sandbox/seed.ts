import { command } from '../../cli/command.ts';
import { required } from '../../cli/options.ts';
import { readAll } from '../../input/values.ts';
import * as result from '../../output/result.ts';
import { readSeed, readStateSeed } from '../shared/run-in-sandbox.ts';
import { callControl, connectSandbox, sandboxProfile } from './connect.ts';
import { reportStepErrors, reportUnmarkedConditions, strictOption } from './seed-files.ts';

export const seed = command({
  summary: 'Replace the data of the sandbox with a state file or workflow files',
  details:
    'A state file, in YAML or JSON, contains `version: 1` and `environments`. One environment must be Development. Without `integrations`, Development has one for each channel. Each environment can have integrations, workflows, subscribers, topics and contexts, and past events, which the sandbox triggers when it loads the file. `svc sandbox export --reveal` writes such a file. Messages and activity are deleted; the API keys of Development and Production are kept. If the file has errors, svc prints all of them with file:line:column and changes nothing. Errors in the steps of workflows, such as broken templates, are warnings; with --strict, they are errors.',
  arguments: {
    file: required(
      '<file|->',
      'State file, workflow file, or folder of workflow files; - is a state file on standard input',
      'files',
    ),
  },
  options: { strict: strictOption },
  output: '{seeded, environments, profile}.',
  writes: true,
  targetProfile: sandboxProfile,
  localOnly: true,
  exitCodes: ['notFound'],
  examples: {
    'svc sandbox seed state.yaml --yes': 'Load test data before a test run',
    'svc sandbox seed state.yaml --yes --quiet': 'Print nothing on success',
  },
  async run(context, { args: { file }, options }) {
    const connected = await connectSandbox(context);
    const name = file === '-' ? 'standard input' : file;
    const seeded =
      file === '-'
        ? await readStateSeed(context, await readAll(context.host.stdin), name)
        : await readSeed(context, file, 'seed');
    await reportStepErrors(context, seeded, options);
    const { compat } = await callControl(connected, (control) => control.status());
    await reportUnmarkedConditions(context, seeded, name, compat);
    await context.confirm(`Replace everything in the ${connected.title}`);
    const response = await callControl(connected, (control) => control.seed(seeded.state));
    return result.report({
      value: { ...response, profile: connected.profile },
      lines: [`Replaced the data of the ${connected.title} with ${name}.`],
      ids: [connected.name],
    });
  },
});

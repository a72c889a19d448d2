// `svc sandbox seed`
import path from 'node:path';
import { command } from '../../cli/command.ts';
import { required } from '../../cli/options.ts';
import { readTextFile } from '../../input/values.ts';
import * as result from '../../output/result.ts';
import { callControl, connectSandbox } from './connect.ts';

export const seed = command({
  summary: 'Replace the state of the sandbox with a YAML or JSON file',
  details:
    'The file has `version: 1` and `environments`, one of them Development, each with integrations, workflows, subscribers, topics and contexts under the names that commands use; `svc sandbox export --reveal` writes one. Messages and activity are gone afterwards; the keys of Development and Production stay. Every mistake is told as file:line:column, all at once, and then nothing is changed.',
  arguments: { file: required('<file>', 'The file', 'files') },
  output: '{seeded, environments, profile}.',
  writes: false,
  localOnly: true,
  examples: [
    { line: 'svc sandbox seed state.yaml --yes -p sandbox', description: 'Between two test runs' },
    { line: 'svc sandbox seed state.yaml --yes --quiet -p sandbox', description: 'Without a word' },
  ],
  async run(context, { args: { file } }) {
    const connected = await connectSandbox(context);
    const { readState } = await context.sandbox();
    const state = readState(readTextFile(path.resolve(context.host.cwd, file), 'seed'), file);
    await context.confirm(`Replace everything in the ${connected.title}`);
    const answer = (await callControl(connected, 'POST', 'seed', state)) as object;
    return result.report({
      value: { ...answer, profile: connected.profile },
      lines: [`The ${connected.title} holds what ${file} says.`],
      ids: [connected.name],
    });
  },
});

// `svc sandbox export`
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { command } from '../../cli/command.ts';
import { text } from '../../cli/options.ts';
import { errorMessage, localError } from '../../core/errors.ts';
import * as result from '../../output/result.ts';
import { callControl, connectSandbox, noteChosenSandbox } from './connect.ts';

export const exportState = command({
  summary: 'Export the state of the sandbox as a YAML file',
  details:
    'The file contains environments, integrations, workflows, subscribers with credentials and preferences, topics and contexts. It does not contain messages, activity or API keys. Credentials are masked unless you add --reveal; `svc sandbox seed` rejects a file with masked credentials.',
  options: {
    file: text(
      '--file <path>',
      'Write to this file, which only you can read, instead of standard output',
      { complete: 'files' },
    ),
  },
  output: 'The state as YAML; with --file, {file, profile}.',
  exitCodes: ['notFound'],
  examples: [
    {
      line: 'svc sandbox export -p sandbox',
      description: 'Print the state with masked credentials',
    },
    {
      line: 'svc sandbox export --reveal --file state.yaml -p sandbox',
      description: 'Write a file for `svc sandbox seed`',
    },
  ],
  writes: false,
  async run(context, { options: { file } }) {
    const connected = await connectSandbox(context);
    const { reveal } = context.globals;
    const state = await callControl(connected, (control) => control.exportState(reveal));
    const { writeState } = await context.sandbox();
    const yaml = writeState(state);
    if (file === undefined) {
      noteChosenSandbox(context, connected);
      return { kind: 'text', text: yaml };
    }
    writeStateFile(path.resolve(context.host.cwd, file), yaml);
    if (!reveal)
      context.note(
        'The credentials are masked. To use the file with `svc sandbox seed`, export it with --reveal.',
      );
    return result.report({
      value: { file, profile: connected.profile },
      lines: [`Wrote the state of the ${connected.title} to ${file}.`],
      ids: [file],
    });
  },
});

function writeStateFile(file: string, yaml: string): void {
  try {
    writeFileSync(file, yaml, { mode: 0o600 });
  } catch (cause) {
    throw localError(`Cannot write ${file}: ${errorMessage(cause)}`, {
      hint: 'Use another --file, or omit it to write to standard output.',
      cause,
    });
  }
}

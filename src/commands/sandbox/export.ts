// `svc sandbox export`
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { command } from '../../cli/command.ts';
import { text } from '../../cli/options.ts';
import { localError } from '../../core/errors.ts';
import * as result from '../../output/result.ts';
import { callControl, connectSandbox, noteChosenSandbox } from './connect.ts';

export const exportState = command({
  summary: 'Write the state of the sandbox as one YAML file',
  details:
    'Environments, integrations, workflows, subscribers with credentials and preferences, topics and contexts; no messages, no activity, never API keys. Credentials are masked without --reveal, and a file with masks cannot be a seed.',
  options: {
    file: text(
      '--file <path>',
      'Write into this file, for its owner alone; else to standard output',
      {
        complete: 'files',
      },
    ),
  },
  output: 'The YAML; with --file {file, profile}.',
  examples: [
    { line: 'svc sandbox export -p sandbox', description: 'To look at' },
    {
      line: 'svc sandbox export --reveal --file state.yaml -p sandbox',
      description: 'For `svc sandbox seed`',
    },
  ],
  writes: false,
  async run(context, { options: { file } }) {
    const connected = await connectSandbox(context);
    const query = context.globals.reveal ? '?reveal=true' : '';
    const state = await callControl(connected, 'GET', `export${query}`);
    const { writeState } = await context.sandbox();
    const yaml = writeState(state as Parameters<typeof writeState>[0]);
    if (file === undefined) {
      noteChosenSandbox(context, connected);
      return { kind: 'text', text: yaml };
    }
    writeStateFile(path.resolve(context.host.cwd, file), yaml);
    if (!context.globals.reveal)
      context.note('Its secrets are masked, so it can be no seed; with --reveal it has them.');
    return result.report({
      value: { file, profile: connected.profile },
      lines: [`The state of the ${connected.title} is in ${file}.`],
      ids: [file],
    });
  },
});

function writeStateFile(file: string, yaml: string): void {
  try {
    writeFileSync(file, yaml, { mode: 0o600 });
  } catch (cause) {
    throw localError(`${file} cannot be written: ${cause instanceof Error ? cause.message : ''}`, {
      hint: 'Give another --file, or none for standard output.',
      cause,
    });
  }
}

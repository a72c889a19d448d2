import type { Context } from '../../app/context.ts';
import { command } from '../../cli/command.ts';
import { forceOption, text } from '../../cli/options.ts';
import * as result from '../../output/result.ts';
import { callControl, connectSandbox, noteChosenSandbox } from './connect.ts';

export const exportState = command({
  summary: 'Export the state of the sandbox as a YAML file',
  details:
    'The file contains environments, integrations, workflows, subscribers with credentials and preferences, topics and contexts. It does not contain messages, activity or API keys. Credentials are masked unless you add --reveal; `svc sandbox seed` rejects a file with masked credentials. The file gets its name when it is complete. svc asks before it replaces an earlier state file; --yes skips the question. It replaces any other file only with --force.',
  options: {
    file: text(
      '--file <path>',
      'Write to this file, which only you can read, instead of standard output',
      { complete: 'files' },
    ),
    ...forceOption,
  },
  output: 'The state as YAML; with --file, {file, profile}.',
  exitCodes: ['notFound'],
  examples: {
    'svc sandbox export -p sandbox': 'Print the state with masked credentials',
    'svc sandbox export --reveal --file saved.yaml -p sandbox':
      'Write a file for `svc sandbox seed`',
  },
  writes: false,
  tool: 'write',
  localOnly: true,
  async run(context, { options: { file, force = false } }) {
    const connected = await connectSandbox(context);
    const writeFile = file === undefined ? undefined : await openWriter(context, file, force);
    const { reveal } = context.globals;
    const state = await callControl(connected, (control) => control.exportState(reveal));
    const { writeState } = await context.sandbox();
    const { exportHead } = await import('../../state-files/state-writer.ts');
    const yaml = exportHead + writeState(state);
    if (file === undefined || !writeFile) {
      noteChosenSandbox(context, connected);
      return { type: 'text', text: yaml };
    }
    writeFile(yaml);
    if (!reveal)
      context.note(
        `The credentials are masked. To use the file with \`${context.propose('svc sandbox seed')}\`, export it with --reveal.`,
      );
    return result.report({
      value: { file, profile: connected.profile },
      lines: [`Wrote the state of the ${connected.title} to ${file}.`],
      ids: [file],
    });
  },
});

/** Asks before the file is replaced. The function that it returns writes the file; it gets its name when it is complete. */
async function openWriter(context: Context, file: string, force: boolean) {
  const { chooseOutputFile, writeOutputFile } = await import('../../platform/files/output-file.ts');
  const { isStateText } = await import('../../state-files/state-writer.ts');
  const output = chooseOutputFile(context.host, file, { isOwn: isStateText, force });
  if (output.replaces && !force) await context.confirm(`Replace ${file}`);
  return (yaml: string): void => writeOutputFile(output, yaml);
}

// `svc demo`: a tour that runs the real commands against a sandbox, in temporary folders.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Context } from '../../app/context.ts';
import { command, type Program } from '../../cli/command.ts';
import type { ExitReason } from '../../core/errors.ts';
import * as result from '../../output/result.ts';
import type { Host } from '../../platform/host.ts';
import { fixRejects, partlyInvalidCsv, subscribersCsv } from './sample-data.ts';
import { createStep, type Service } from './step.ts';

export const demo = command({
  summary: 'Take a tour in a temporary sandbox: import, notify, move the clock, fix rejected rows',
  details:
    'The tour needs no account. Its configuration, state and data are in a temporary folder, which is deleted at the end.',
  output: 'The commands of the tour and their output.',
  examples: [
    { line: 'svc demo', description: 'Try the main commands in a few seconds' },
    { line: 'svc demo --quiet', description: 'Hide progress' },
  ],
  writes: false,
  localOnly: true,
  gracefulShutdown: true,
  async run(context, _input, { runLine }) {
    const folder = await mkdtemp(path.join(tmpdir(), 'svc-demo-'));
    const { serveSandbox } = await context.sandbox();
    const server = await serveSandbox({ host: '127.0.0.1', port: 0 });
    try {
      await tour(context, runLine, folder, server);
    } finally {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    }
    return result.noResult;
  },
});

/** Prints a sentence and a command line, then runs the command line. */
type Step = (text: string, args: readonly string[], expected?: ExitReason) => Promise<void>;

async function tour(
  context: Context,
  runLine: Program['runLine'],
  folder: string,
  service: Service,
): Promise<void> {
  const { host } = context;
  const wrap = await stdoutWrapper(host);
  const print = (text: string) =>
    host.stdout.write(`\n${text.split('\n').flatMap(wrap).join('\n')}\n`);
  const step = createStep(context, runLine, folder, service, print);
  await print(
    `A sandbox runs at ${service.baseUrl}: a local emulator of the service, in memory. Its profile is \`sandbox\`.`,
  );
  await importSubscribers(step, folder);
  await sendNotifications(step);
  await fixRejectedRows(step, folder, print, host);
  await offerPage(context, step);
  await print('The tour is over. The sandbox, its data and these files are deleted.');
  await host.stdout.write(
    `${wrap('Next: `svc sandbox start` for a permanent sandbox, or `svc login` for your service.').join('\n')}\n`,
  );
}

/** Breaks sentences at the width of the terminal. Command lines stay whole, so that they can be copied. */
async function stdoutWrapper({ stdout }: Host): Promise<(line: string) => string[]> {
  if (!stdout.isTty) return (line) => [line];
  const { wrapTerminalMessage } = await import('../../output/wrap.ts');
  return (line) => (line.startsWith('$ ') ? [line] : wrapTerminalMessage(line, stdout.columns));
}

/** On a terminal, shows the captured messages in the browser until the person continues. */
async function offerPage({ prompt }: Context, step: Step) {
  if (!prompt.isPossible) return;
  if (!(await prompt.confirm('Do you want to see the captured messages in the browser?'))) return;
  await step("Open the sandbox's web page:", ['sandbox', 'open']);
  await prompt.text('Press Enter to end the tour.');
}

async function importSubscribers(step: Step, folder: string) {
  const users = path.join(folder, 'users.csv');
  await writeFile(users, subscribersCsv(10_000));
  const args = ['subscribers', 'bulk-import', users];
  await step('Import ten thousand subscribers from a CSV file:', args);
  await step('Import the same file again. Subscribers are updated, none is created twice:', args);
}

async function sendNotifications(step: Step) {
  const [first = '', ...others] = ['user-00001', 'user-00002', 'user-00003'];
  await step('Subscribe some of them to a topic:', [
    'topics',
    'subscribe',
    'product-news',
    first,
    ...others,
    '--create',
  ]);
  await step('List the workflows:', ['workflows', 'list']);
  for (const [author, comment] of comments) {
    const args = ['events', 'trigger', 'comment-digest', '--to', first];
    const post = 'post:={"id":1,"title":"Hello"}';
    await step(`${author} comments on a post:`, [
      ...args,
      '-F',
      post,
      '-f',
      `author=${author}`,
      '-f',
      `comment=${comment}`,
    ]);
  }
  await step("The workflow collects comments for ten minutes. Move the sandbox's clock:", [
    'sandbox',
    'clock',
    'advance',
    '10m',
  ]);
  await step('See what happened to the three events:', ['activity', 'list', '--subscriber', first]);
  await step('The inbox has one notification with all three comments:', ['inbox', 'list', first]);
  await step('The sandbox captured the e-mail instead of sending it:', [
    'sandbox',
    'messages',
    'list',
    '--subscriber',
    first,
    '--channel',
    'email',
  ]);
  await step('Notify the whole topic and wait for the outcome, as in CI:', [
    'events',
    'trigger',
    'welcome',
    '--to-topic',
    'product-news',
    '-f',
    'product=Example',
    '--yes',
    '--wait',
  ]);
}

const comments = [
  ['Grace', 'Nice!'],
  ['Alan', 'Why ten minutes?'],
  ['Radia', 'Because.'],
] as const;

async function fixRejectedRows(
  step: Step,
  folder: string,
  print: (text: string) => Promise<void>,
  host: Host,
) {
  const mixed = path.join(folder, 'mixed.csv');
  const rejects = path.join(folder, 'rejects.csv');
  await writeFile(mixed, partlyInvalidCsv());
  await step(
    'Import a file with some invalid rows:',
    ['subscribers', 'bulk-import', mixed, '--rejects', rejects],
    'partial',
  );
  await print(
    'The valid rows are imported. The rejected rows are in a file, each with its line number and the reason:',
  );
  const rejected = await readFile(rejects, 'utf8');
  await host.stdout.write(rejected);
  await writeFile(rejects, fixRejects(rejected));
  await step('Fix the rows in that file and import it:', ['subscribers', 'bulk-import', rejects]);
}

// `svc demo`: a tour with the real commands, on a sandbox and in folders of its own.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Context } from '../../app/context.ts';
import { command } from '../../cli/command.ts';
import type { ExitReason } from '../../core/errors.ts';
import * as result from '../../output/result.ts';
import type { Host } from '../../platform/host.ts';
import { badRowsCsv, mended, subscribersCsv } from './people.ts';
import { type Service, stepIn } from './step.ts';

export const demo = command({
  summary: 'Take a tour in a temporary sandbox: import, notify, move the clock, fix rejected rows',
  details:
    'Needs no account and leaves nothing behind: configuration, state and data are in a temporary folder.',
  output: 'The tour.',
  examples: [
    { line: 'svc demo', description: 'The first five minutes, in a few seconds' },
    { line: 'svc demo --quiet', description: 'Without progress' },
  ],
  writes: false,
  localOnly: true,
  async run(context) {
    context.gracefulShutdown = true;
    const folder = await mkdtemp(path.join(tmpdir(), 'svc-demo-'));
    const { serveSandbox } = await context.sandbox();
    const server = await serveSandbox({ host: '127.0.0.1', port: 0 });
    try {
      await tour(context, folder, server);
    } finally {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    }
    return result.noResult();
  },
});

/** Runs a command as it would be typed, and shows it. */
type Step = (why: string, line: readonly string[], expected?: ExitReason) => Promise<void>;

async function tour(context: Context, folder: string, service: Service): Promise<void> {
  const { host } = context;
  const say = (text: string) => host.stdout.write(`\n${text}\n`);
  const step = stepIn(context, folder, service, say);
  await say(
    `A sandbox runs at ${service.baseUrl}: a local emulator of the service, in memory. Its profile is \`sandbox\`.`,
  );
  await importing(step, folder);
  await notifying(step);
  await mending(step, folder, say, host);
  await say('That was the tour; the sandbox, its data and these files are gone.');
  await host.stdout.write(
    'Next: `svc sandbox start` for one that stays, or `svc login` for your service.\n',
  );
}

async function importing(step: Step, folder: string) {
  const users = path.join(folder, 'users.csv');
  await writeFile(users, subscribersCsv(10_000));
  const line = ['subscribers', 'bulk-import', users];
  await step('Ten thousand subscribers from a CSV file:', line);
  await step(
    'The same file again is recognised: everybody is updated, nobody created twice:',
    line,
  );
}

async function notifying(step: Step) {
  const [first = '', ...others] = ['user-00001', 'user-00002', 'user-00003'];
  await step('Some of them for a topic:', [
    'topics',
    'subscribe',
    'product-news',
    first,
    ...others,
    '--create',
  ]);
  await step('What can be sent:', ['workflows', 'list']);
  for (const [author, comment] of comments) {
    const line = ['events', 'trigger', 'comment-digest', '--to', first];
    const post = 'post:={"id":1,"title":"Hello"}';
    await step(`${author} comments on a post:`, [
      ...line,
      '-F',
      post,
      '-f',
      `author=${author}`,
      '-f',
      `comment=${comment}`,
    ]);
  }
  await step('The workflow collects comments for ten minutes. Time is yours to move:', [
    'sandbox',
    'clock',
    'advance',
    '10m',
  ]);
  await step('What became of the three events:', ['activity', 'list', '--subscriber', first]);
  await step('One notification, with all three comments, in the inbox:', ['inbox', 'list', first]);
  await step('And the e-mail that would have gone out:', [
    'sandbox',
    'messages',
    'list',
    '--subscriber',
    first,
    '--channel',
    'email',
  ]);
  await step('To a whole topic, and waiting for the outcome, as in CI:', [
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

async function mending(
  step: Step,
  folder: string,
  say: (text: string) => Promise<void>,
  host: Host,
) {
  const mixed = path.join(folder, 'mixed.csv');
  const rejects = path.join(folder, 'rejects.csv');
  await writeFile(mixed, badRowsCsv());
  await step(
    'A file with rows that cannot be right:',
    ['subscribers', 'bulk-import', mixed, '--rejects', rejects],
    'partial',
  );
  await say(
    'The good rows went through. The others wait in a file, each with its line and the reason:',
  );
  const rejected = await readFile(rejects, 'utf8');
  await host.stdout.write(rejected);
  await writeFile(rejects, mended(rejected));
  await step('Mended, as you would by hand, that file is imported as it is:', [
    'subscribers',
    'bulk-import',
    rejects,
  ]);
}

// `svc demo`: a tour that runs the real commands against a sandbox, in temporary folders.

import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Context } from '../../app/context.ts';
import { command, type Program } from '../../cli/command.ts';
import { type ExitReason, exitCodes, SvcError } from '../../core/errors.ts';
import { shellLine, shellWord } from '../../core/text.ts';
import * as result from '../../output/result.ts';
import type { Host, OutputStream } from '../../platform/host.ts';
import { hasBrowser } from '../../platform/open-browser.ts';

export const demo = command({
  summary: 'Take a tour in a temporary sandbox: import, notify, move the clock, fix rejected rows',
  details:
    'The tour has five chapters; on a terminal, it waits for Enter before each one, opens the page of the sandbox in a browser, and asks at the end whether to keep the sandbox. It needs no account. Its configuration, state and data are in a temporary folder, which is deleted at the end.',
  output: 'The commands of the tour and their output.',
  examples: {
    'svc demo': 'Try the main commands in a few seconds',
    'svc demo --quiet': 'Hide progress',
  },
  writes: false,
  localOnly: true,
  selectedBy: 'nothing',
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
  const { host, prompt } = context;
  const wrap = await stdoutWrapper(host);
  const print = (text: string) =>
    host.stdout.write(`\n${text.split('\n').flatMap(wrap).join('\n')}\n`);
  const step = createStep(context, runLine, folder, service, print);
  const isForPerson = prompt.isPossible && host.stdout.isTty && !host.env.CI;
  const opensPage = isForPerson && hasBrowser(host);
  const chapters: [title: string, run: () => Promise<void>][] = [
    ['Import people', () => importSubscribers(step, folder)],
    ['Fix rejected rows', () => fixRejectedRows(step, folder, print, host)],
    ['Collect events in a digest', () => sendComments(step)],
    [
      opensPage ? 'See what people got (opens a page in the browser)' : 'See what people got',
      () => showMessages(step, opensPage),
    ],
    ['Notify a topic', () => notifyTopic(step)],
  ];
  await print(
    `A sandbox runs at ${service.baseUrl}: a local emulator of the service, in memory. Its profile is \`sandbox\`.`,
  );
  for (const [index, [title, run]] of chapters.entries()) {
    const name = `${index + 1} of ${chapters.length}: ${title}`;
    if (isForPerson) await prompt.text(`Press Enter for chapter ${name}`);
    else await print(`Chapter ${name}`);
    await run();
  }
  if (isForPerson && (await prompt.confirm('Keep the sandbox until you press Ctrl-C?'))) {
    await print('Use it in another terminal:');
    // Not wrapped, so that the lines can be copied.
    await host.stdout.write(
      `  export SVC_BASE_URL=${service.baseUrl}\n  export SVC_API_KEY=${service.key}\n`,
    );
    await untilAborted(host.shutdownSignal);
  }
  await print('The tour is over. The sandbox, its data and these files are deleted.');
  const program = programText(host);
  await host.stdout.write(
    `Start a sandbox of your own:\n  ${program} sandbox start\nUse your service:\n  ${program} login\n`,
  );
}

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** The program as the reader can start it: a checkout and a package that is not installed globally have no `svc`. */
function programText({ script, cwd }: Host): string {
  const name = path.basename(script);
  return ['svc', 'svc-cli'].includes(name) ? name : `node ${shellWord(path.relative(cwd, script))}`;
}

/** Breaks sentences at the width of the terminal. Command lines stay whole, so that they can be copied. */
async function stdoutWrapper({ stdout }: Host): Promise<(line: string) => string[]> {
  if (!stdout.isTty) return (line) => [line];
  const { wrapTerminalMessage } = await import('../../output/wrap.ts');
  return (line) => (line.startsWith('$ ') ? [line] : wrapTerminalMessage(line, stdout.columns));
}

async function importSubscribers(step: Step, folder: string) {
  const users = path.join(folder, 'users.csv');
  await writeFile(users, subscribersCsv(10_000));
  await step('Import ten thousand subscribers from a CSV file:', [
    'subscribers',
    'bulk-import',
    users,
  ]);
}

const members = ['user-00001', 'user-00002', 'user-00003'];
const [first = ''] = members;

async function sendComments(step: Step) {
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
}

async function showMessages(step: Step, opensPage: boolean) {
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
  if (!opensPage) return;
  await step("Open the sandbox's web page. It also shows what happens from now on:", [
    'sandbox',
    'open',
  ]);
}

async function notifyTopic(step: Step) {
  await step('Subscribe some of the subscribers to a topic:', [
    ...['topics', 'subscribe', 'product-news'],
    ...members,
    '--create',
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
  const fixed = fixRejects(rejected);
  await writeFile(rejects, fixed);
  await print('Fix the rows in that file, for example an address that is not one:');
  await host.stdout.write(describeChange(rejected, fixed));
  await step('Import the fixed rows:', ['subscribers', 'bulk-import', rejects]);
}

// Generates sample subscribers for `svc demo`. The data is the same each time.

const firstNames = [
  'Ada',
  'Grace',
  'Alan',
  'Edsger',
  'Barbara',
  'Donald',
  'Radia',
  'Ken',
  'Frances',
  'Tim',
];
const lastNames = [
  'Okafor',
  'Lindqvist',
  'Moreau',
  'Tanaka',
  'Silva',
  'Novak',
  'Haddad',
  'Kim',
  'Rossi',
  'Berg',
];
const timeZones = [
  'Europe/Berlin',
  'America/New_York',
  'Asia/Tokyo',
  'Africa/Lagos',
  'America/Sao_Paulo',
];
const locales = ['de', 'en-US', 'ja', 'en', 'pt-BR'];
const plans = ['free', 'pro', 'team'];

const pick = (values: readonly string[], index: number) => values[index % values.length] ?? '';

const header = 'Subscriber ID,First Name,Last Name,Email,Timezone,Locale,data.plan';

/** Returns a CSV file of subscribers that looks like the export of a user table. */
function subscribersCsv(count: number): string {
  const lines = Array.from({ length: count }, (_unused, index) => {
    const number = String(index + 1).padStart(5, '0');
    const first = pick(firstNames, index);
    const last = pick(lastNames, Math.floor(index / firstNames.length));
    const email = `${first}.${last}.${number}@example.com`.toLowerCase();
    return [
      `user-${number}`,
      first,
      last,
      email,
      pick(timeZones, index),
      pick(locales, index),
      pick(plans, index),
    ].join(',');
  });
  return `${[header, ...lines].join('\n')}\n`;
}

/** Returns a CSV file with seven rows, four of them valid. */
function partlyInvalidCsv(): string {
  const rows = [
    'team-1,Mira,Costa,mira@example.com,Europe/Lisbon,pt,pro',
    'team-2,Jon,Aker,jon.at.example.com,Europe/Oslo,no,free',
    'team-3,"Lee, Jr.",Park,lee@example.com,Asia/Seoul,ko,team',
    ',Lena,Fabre,lena@example.com,Europe/Paris,fr,free',
    'team-4,Sena,Demir,sena@example.com,Europe/Atlantis,tr,pro',
    'team-5,Olu,Ade,olu@example.com,Africa/Lagos,en,free',
    'team-6,Ines,Roy,ines@example.com,America/Toronto,fr-CA,team',
  ];
  return `${[header, ...rows].join('\n')}\n`;
}

/** Fixes the three invalid rows of `mixedRowsCsv` in a file of rejected rows. */
const fixRejects = (rejects: string): string =>
  rejects
    .replace('jon.at.example.com', 'jon@example.com')
    .replace(',,Lena,', ',team-7,Lena,')
    .replace('Europe/Atlantis', 'Europe/Istanbul');

/** The first line that differs, before and after. */
function describeChange(before: string, after: string): string {
  const fixed = after.split('\n');
  const rows = before.split('\n').map((row, index): [string, string] => [row, fixed[index] ?? '']);
  const [old, changed] = rows.find(([row, other]) => row !== other) ?? ['', ''];
  return `- ${old}\n+ ${changed}\n`;
}

// One step of the tour: prints a command line, runs it in this process and checks its exit code.

interface Service {
  baseUrl: string;
  key: string;
}

function createStep(
  { host, settings }: Context,
  runLine: Program['runLine'],
  folder: string,
  { baseUrl, key }: Service,
  print: (text: string) => Promise<void>,
) {
  const env = {
    SVC_BASE_URL: '',
    SVC_API_KEY: '',
    SVC_PROFILE: '',
    SVC_OUTPUT: '',
    SVC_READ_ONLY: '',
    // The commands look as the options of the tour say.
    ...(settings.unicode ? {} : { SVC_NO_UNICODE: '1' }),
    ...(settings.quiet ? { SVC_QUIET: '1' } : {}),
    ...(settings.color.stored ? {} : { SVC_COLOR: settings.color.wanted }),
    SVC_CONFIG_DIR: path.join(folder, 'config'),
    SVC_STATE_DIR: path.join(folder, 'state'),
    SVC_CACHE_DIR: path.join(folder, 'cache'),
  };
  const sandbox = { baseUrl, key, keySource: 'file', environment: 'Development', sandbox: true };
  mkdirSync(env.SVC_CONFIG_DIR, { mode: 0o700 });
  writeFileSync(
    path.join(env.SVC_CONFIG_DIR, 'config.json'),
    JSON.stringify({ current: 'sandbox', profiles: { sandbox }, settings: {} }),
    { mode: 0o600 },
  );
  // Print file names without the folder, which is deleted at the end of the tour.
  const write = (text: string) => host.stdout.write(text.replaceAll(`${folder}${path.sep}`, ''));
  const stdout = Object.create(host.stdout, { write: { value: write } }) as OutputStream;
  return async (text: string, args: readonly string[], expected: ExitReason = 'ok') => {
    // Every line names the profile, so that a copied line cannot change a real service.
    const argv = [...args, '-p', 'sandbox'];
    await print(`${text}\n$ svc ${argv.map(quoteArgument).join(' ')}`);
    const code = await runLine([...argv, '-o', 'table'], { env: { ...host.env, ...env }, stdout });
    if (host.shutdownSignal.aborted) throw new SvcError('interrupted', 'The tour was interrupted.');
    if (code !== exitCodes[expected].code) {
      throw new SvcError(
        'bug',
        `A command of the tour exited with ${code} instead of ${exitCodes[expected].code}.`,
      );
    }
    if (expected !== 'ok') await host.stdout.write(`(exit code ${code})\n`);
  };
}

/** Returns the argument as entered in a shell, files without their folder. */
const quoteArgument = (word: string): string =>
  word.includes('svc-demo-') ? path.basename(word) : shellLine([word]);

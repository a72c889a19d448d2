// `svc demo`: a tour with the real commands, on a sandbox and in folders of its own.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { command } from '../../cli/command.ts';
import type { Context } from '../../context.ts';
import { type Ending, SvcError } from '../../errors.ts';
import * as result from '../../output/result.ts';
import { badRowsCsv, subscribersCsv } from './people.ts';

export const demo = command({
  summary: 'A tour on a sandbox of its own: import, look around, mend what was rejected',
  details:
    'Needs no account and leaves nothing behind: configuration, state and data are in a temporary folder.',
  gives: 'The tour.',
  examples: [
    { line: 'svc demo', means: 'The first five minutes, in a few seconds' },
    { line: 'svc demo --quiet', means: 'Without progress' },
  ],
  drains: true,
  local: true,
  async run(context) {
    const folder = await mkdtemp(path.join(tmpdir(), 'svc-demo-'));
    const { serveSandbox } = await context.sandbox();
    const server = await serveSandbox({ host: '127.0.0.1', port: 0 });
    try {
      await tour(context, folder, { SVC_BASE_URL: server.baseUrl, SVC_API_KEY: server.key });
    } finally {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    }
    return result.done();
  },
});

async function tour(
  { world, svc }: Context,
  folder: string,
  service: Record<string, string>,
): Promise<void> {
  const env = {
    ...service,
    SVC_PROFILE: '',
    SVC_OUTPUT: '',
    SVC_READ_ONLY: '',
    SVC_CONFIG_DIR: path.join(folder, 'config'),
    SVC_STATE_DIR: path.join(folder, 'state'),
    SVC_CACHE_DIR: path.join(folder, 'cache'),
  };
  const say = (text: string) => world.stdout.write(`\n${text}\n`);
  const step = async (why: string, line: readonly string[], expected: Ending = 'ok') => {
    await say(`${why}\n$ svc ${line.map(shown).join(' ')}`);
    const code = await svc([...line, ...(line.includes('-o') ? [] : ['-o', 'table'])], env);
    if (world.interruption.aborted) throw new SvcError('interrupted', 'The tour was interrupted.');
    if (code !== expectedCodes[expected]) {
      throw new SvcError(
        'bug',
        `The tour expected exit code ${expectedCodes[expected]} here, not ${code}.`,
      );
    }
    if (expected !== 'ok') await world.stdout.write(`(exit code ${code})\n`);
  };

  const users = path.join(folder, 'users.csv');
  const mixed = path.join(folder, 'mixed.csv');
  const rejects = path.join(folder, 'rejects.csv');
  await writeFile(users, subscribersCsv(10_000));
  await writeFile(mixed, badRowsCsv());

  await say(
    `A sandbox runs at ${service.SVC_BASE_URL}: the whole service, in memory, on this machine.`,
  );
  await step('Ten thousand subscribers from a CSV file:', ['subscribers', 'bulk-import', users]);
  await step('The same file again changes nothing and creates nobody twice:', [
    'subscribers',
    'bulk-import',
    users,
  ]);
  await step('What is there to subscribe to:', ['topics', 'list']);
  await step('What can be sent:', ['workflows', 'list']);
  await step('One of them, with its steps and what is wrong with it:', [
    'workflows',
    'get',
    'broken-invoice',
  ]);
  await step(
    'A file with rows that cannot be right:',
    ['subscribers', 'bulk-import', mixed, '--rejects', rejects],
    'partial',
  );
  await say(
    'The good rows went through. The others wait in a file, each with its line and the reason:',
  );
  await world.stdout.write(await readFile(rejects, 'utf8'));
  await say('That was the tour; the sandbox and its data are gone.');
  await world.stdout.write(
    'Next: `svc sandbox start` for one that stays, or `svc login` for your service.\n',
  );
}

const expectedCodes: Partial<Record<Ending, number>> = { ok: 0, partial: 3 };

const shown = (word: string) => (word.includes('svc-demo-') ? path.basename(word) : word);

// One step of the tour: prints a command line, runs it in this process and checks its exit code.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Context } from '../../app/context.ts';
import type { Program } from '../../cli/command.ts';
import { type ExitReason, exitCodes, SvcError } from '../../core/errors.ts';
import { shellWord } from '../../core/text.ts';
import type { OutputStream } from '../../platform/host.ts';

export interface Service {
  baseUrl: string;
  key: string;
}

export function createStep(
  { host }: Context,
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
  word.includes('svc-demo-') ? path.basename(word) : shellWord(word);

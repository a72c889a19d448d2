// One step of the tour: a command line that is shown, run in this process, and judged by its exit code.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Context } from '../../app/context.ts';
import { type ExitReason, exitCodes, SvcError } from '../../core/errors.ts';
import type { OutputStream } from '../../platform/host.ts';

export interface Service {
  baseUrl: string;
  key: string;
}

export function stepIn(
  { host, runCommandLine }: Context,
  folder: string,
  { baseUrl, key }: Service,
  say: (text: string) => Promise<void>,
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
  // Files are shown by their names: the folder is gone when the tour is over.
  const write = (text: string) => host.stdout.write(text.replaceAll(`${folder}${path.sep}`, ''));
  const stdout = Object.create(host.stdout, { write: { value: write } }) as OutputStream;
  return async (why: string, words: readonly string[], expected: ExitReason = 'ok') => {
    // Named in every line: a reader who copies one never changes a real service.
    const line = [...words, '-p', 'sandbox'];
    await say(`${why}\n$ svc ${line.map(shown).join(' ')}`);
    const code = await runCommandLine([...line, '-o', 'table'], { env, stdout });
    if (host.shutdownSignal.aborted) throw new SvcError('interrupted', 'The tour was interrupted.');
    if (code !== exitCodes[expected].code) {
      throw new SvcError(
        'bug',
        `The tour expected exit code ${exitCodes[expected].code} here, not ${code}.`,
      );
    }
    if (expected !== 'ok') await host.stdout.write(`(exit code ${code})\n`);
  };
}

/** As a person would type it. */
function shown(word: string): string {
  if (word.includes('svc-demo-')) return path.basename(word);
  return /^[\w./:=@-]+$/.test(word) ? word : `'${word}'`;
}

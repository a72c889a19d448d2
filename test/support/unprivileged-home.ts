// A home of the built program in which file permissions apply. Root ignores permissions, so tests that run as root use
// another account, with a copy of the program that this account can read.
import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import path from 'node:path';
import { openHome } from './built.ts';

/** `prepare` writes further files before the account gets them. */
export async function openUnprivilegedHome(
  prepare: (home: ReturnType<typeof openHome>) => Promise<unknown> = async () => undefined,
) {
  const home = openHome({ compiles: true });
  for (const part of ['bin', 'dist', 'package.json'])
    cpSync(part, path.join(home.folder, part), { recursive: true });
  home.env.SVC = path.join(home.folder, 'bin', 'svc.js');
  await prepare(home);
  const account = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  if (account.uid) execFileSync('chown', ['-R', `${account.uid}:${account.gid}`, home.folder]);
  return { home, run: (line: string) => home.start(line.split(' '), account).ended };
}

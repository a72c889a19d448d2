// The API key of a sandbox that the user chooses, for compose files and containers.
import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Context } from '../../app/context.ts';
import { text } from '../../cli/options.ts';
import { usageError } from '../../core/errors.ts';
import { shellWord } from '../../core/text.ts';
import { maxKeyFileBytes, readTextFile } from '../../input/values.ts';
import { isSandboxKey, sandboxKeyFormat } from '../../service/sandbox-key.ts';

export const keyFileOption = text(
  '--key-file <path>',
  `File with the API key of the sandbox: ${sandboxKeyFormat}; other users must not have access to it, except in /run/secrets. SVC_SANDBOX_KEY can contain the key itself`,
  { complete: 'files', defaultText: 'the key of the data folder, else a random key' },
);

/** The key in the file, else in SVC_SANDBOX_KEY; undefined if neither is given. */
export function fixedKey({ host }: Context, file: string | undefined): string | undefined {
  if (file === undefined) {
    const { SVC_SANDBOX_KEY: key } = host.env;
    return key ? checkKey(key, 'SVC_SANDBOX_KEY') : undefined;
  }
  const key = readTextFile(file, '--key-file', host, maxKeyFileBytes).trim();
  const place = realpathSync(path.resolve(host.cwd, file));
  const status = statSync(place);
  if (host.platform !== 'win32' && status.isFile() && !isPrivate(place, status.mode))
    throw usageError(`--key-file: other users have access to ${file}.`, {
      hint: `Run \`chmod 600 ${shellWord(file)}\`.`,
    });
  return checkKey(key, `--key-file: ${file}`);
}

/**
 * Whether only the user has access. A container gets its secrets as files in /run/secrets that every user of the container
 * can read: there, it is enough that no other user can write.
 */
export const isPrivate = (file: string, mode: number): boolean =>
  (mode & (file.startsWith('/run/secrets/') ? 0o022 : 0o077)) === 0;

function checkKey(key: string, source: string): string {
  if (isSandboxKey(key)) return key;
  throw usageError(`${source} is not a key for a sandbox. It must have ${sandboxKeyFormat}.`, {
    hint: 'Create one with `openssl rand -hex 16`.',
  });
}

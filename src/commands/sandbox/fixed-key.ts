// The API key of a sandbox that the user chooses, for compose files and containers.
import { statSync } from 'node:fs';
import path from 'node:path';
import type { Context } from '../../app/context.ts';
import { text } from '../../cli/options.ts';
import { usageError } from '../../core/errors.ts';
import { shellWord } from '../../core/shell-word.ts';
import { maxKeyFileBytes, readTextFile } from '../../input/values.ts';
import { isSandboxKey, sandboxKeyFormat } from '../../service/sandbox-key.ts';

export const keyFileOption = text(
  '--key-file <path>',
  `File with the API key of the sandbox: ${sandboxKeyFormat}; other users must not have access to it. SVC_SANDBOX_KEY can contain the key itself`,
  { complete: 'files', defaultText: 'the key of the data folder, else a random key' },
);

/** The key in the file, else in SVC_SANDBOX_KEY; undefined if neither is given. */
export function fixedKey({ host }: Context, file: string | undefined): string | undefined {
  if (file === undefined) {
    const { SVC_SANDBOX_KEY: key } = host.env;
    return key ? checkKey(key, 'SVC_SANDBOX_KEY') : undefined;
  }
  const key = readTextFile(file, '--key-file', host, maxKeyFileBytes).trim();
  const status = statSync(path.resolve(host.cwd, file));
  if (host.platform !== 'win32' && status.isFile() && (status.mode & 0o077) !== 0)
    throw usageError(`--key-file: other users have access to ${file}.`, {
      hint: `Run \`chmod 600 ${shellWord(file)}\`.`,
    });
  return checkKey(key, `--key-file: ${file}`);
}

function checkKey(key: string, source: string): string {
  if (isSandboxKey(key)) return key;
  throw usageError(`${source} is not a key for a sandbox. It must have ${sandboxKeyFormat}.`, {
    hint: 'Create one with `openssl rand -hex 16`.',
  });
}

// Reads standard input completely.
import { usageError } from '../core/errors.ts';

/** Returns the content of a stream as UTF-8 text. */
export async function readAll(stream: AsyncIterable<unknown>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks).toString('utf8');
}

/** Reads an API key from standard input. Throws on a terminal, where svc would wait for input silently. */
export async function readKeyFromStdin(
  { stdin, stdinIsTty }: { stdin: AsyncIterable<unknown>; stdinIsTty: boolean },
  option: string,
): Promise<string> {
  if (!stdinIsTty) return readAll(stdin);
  throw usageError(`${option} reads the API key from standard input, which is a terminal.`, {
    hint: `Redirect a file that contains the key: ${option} < key.txt. Without the option, svc asks for the key.`,
    next: ['svc login'],
  });
}

// Standard input as a whole.
import { usageError } from '../core/errors.ts';

/** Everything a stream gives, as UTF-8 text. */
export async function readAll(stream: AsyncIterable<unknown>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks).toString('utf8');
}

/** An API key on standard input. Refused on a terminal, where the program would wait without a word. */
export async function readPipedKey(
  { stdin, stdinIsTty }: { stdin: AsyncIterable<unknown>; stdinIsTty: boolean },
  option: string,
): Promise<string> {
  if (!stdinIsTty) return readAll(stdin);
  throw usageError(`${option} reads the API key from standard input, which is a terminal here.`, {
    hint: `Redirect a file with the key: ${option} < key.txt. \`svc login\` without it asks for the key and stores it.`,
  });
}

// An input that is not UTF-8: asks on a terminal whether to read it in its likely encoding. Elsewhere --encoding is
// needed: without it, rows that are not UTF-8 are rejected.
import type { Context } from '../../app/context.ts';
import { usageError } from '../../core/errors.ts';
import type { Encoding } from '../../input/encodings.ts';
import { safeText } from '../../output/safe-text.ts';

const maxSampleLines = 3;
const maxSampleLength = 72;

/** Asks whether to read the input in its likely encoding. `text` is its start in that encoding. */
export async function confirmEncoding(
  { host, prompt }: Context,
  name: string,
  { likely, text }: { likely: Encoding; text: string },
): Promise<Encoding> {
  const samples = text
    .split(/[\r\n]+/)
    .filter((line) => /[^\x00-\x7f]/.test(line))
    .slice(0, maxSampleLines)
    .map((line) => `  ${safeText(line.slice(0, maxSampleLength))}\n`);
  await host.stderr.write(`${safeText(notUtf8Text(name, likely))} In ${likely}:\n\n`);
  await host.stderr.write(`${samples.join('')}\n`);
  if (await prompt.confirm(`Read it as ${likely}?`)) return likely;
  throw usageError('Not confirmed: nothing was done.', {
    hint: 'Set another encoding with --encoding. With --encoding utf-8, rows that are not valid UTF-8 are rejected.',
  });
}

/** States that an input is not UTF-8. */
export const notUtf8Text = (name: string, likely: Encoding) =>
  `${name} is not valid UTF-8, probably ${likely}.`;

// An input that is not UTF-8: asks on a terminal whether to read it in its likely encoding. Elsewhere --encoding is
// needed if the first rows show it; a later row that is not UTF-8 is rejected.
import type { Context } from '../../app/context.ts';
import { notConfirmed, usageError } from '../../core/errors.ts';
import { encodingForError, hasUtf8Characters } from '../../input/encodings.ts';
import type { Encoding } from '../../input/formats.ts';
import type { RecordSource } from '../../input/records.ts';
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
  throw notConfirmed({ hint: `Set another encoding with --encoding. ${rejectedRows}` });
}

const rejectedRows = 'With --encoding utf-8, rows that are not valid UTF-8 are rejected.';

/** None if they cannot be read: the run reports that when it reads them. */
const firstRows = (source: RecordSource) => source.sample().catch(() => []);

/** The likely encoding of the first rows, if they are not UTF-8. */
export async function sampleEncoding(source: RecordSource): Promise<Encoding | undefined> {
  return (await firstRows(source))
    .map(({ error }) => encodingForError(error))
    .find((encoding) => encoding !== undefined);
}

/**
 * Throws a usage error if the first rows are not in the given encoding: without one, if they are not UTF-8; with another
 * one, if they are rejected rows that svc wrote, which are UTF-8.
 */
export async function refuseOtherEncoding(
  source: RecordSource,
  encoding: Encoding | undefined,
): Promise<void> {
  const { name, header = [] } = source;
  if (encoding === undefined) {
    const likely = await sampleEncoding(source);
    if (likely === undefined) return;
    throw usageError(notUtf8Text(name, likely), {
      hint: `Add --encoding ${likely}. ${rejectedRows}`,
    });
  }
  if (encoding === 'utf-8' || header[0] !== '_line' || header[1] !== '_error') return;
  const rows = (await firstRows(source)).map((record) => record.cells?.().join() ?? '');
  if (rows.some(hasUtf8Characters))
    throw usageError(`${name} has rejected rows of svc in UTF-8, not in ${encoding}.`, {
      hint: 'Remove --encoding.',
    });
}

/** States that an input is not UTF-8. */
export const notUtf8Text = (name: string, likely: Encoding) =>
  `${name} is not valid UTF-8, probably ${likely}.`;

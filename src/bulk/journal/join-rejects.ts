// Joins the rejected rows of several runs of the same command into one file, which can be imported like the file of a
// single run.
import { toLocalError, usageError } from '../../core/errors.ts';
import { replaceFile } from '../../platform/files/atomic-write.ts';
import type { CopiedRun } from './merge-runs.ts';
import { readRange } from './read-range.ts';
import { rejectedRowsFile } from './rejected-rows.ts';

const quote = 34;
const lineFeed = 10;

/** Writes the rejected rows of all runs. Returns false, and writes no file, if there are none. Removes it after an error. */
export function joinRejects(
  target: string,
  runs: readonly CopiedRun[],
  { replaces = false }: { replaces?: boolean } = {},
): boolean {
  const withRejects = runs.filter(({ ledger }) => ledger.rejectsBytes > 0);
  const [first] = withRejects;
  if (!first) return false;
  const head = readHead(first);
  const frame = chooseFrame(head);
  for (const run of withRejects) {
    if (readHead(run).subarray(0, frame.start.length).equals(frame.start)) continue;
    throw usageError(
      `The rejected rows of ${first.folder} and ${run.folder} have different columns or formats.`,
    );
  }
  try {
    replaceFile(target, joinRows(withRejects, frame), { exclusive: !replaces });
  } catch (error) {
    throw toLocalError(error, `${target} cannot be written`, {
      hint: 'The runs are unchanged. Choose another file or free some disk space, then run the command again.',
    });
  }
  return true;
}

function* joinRows(runs: readonly CopiedRun[], { start, separator, end }: Frame) {
  yield start;
  for (const [index, run] of runs.entries()) {
    if (index > 0) yield separator;
    yield* readRows(run, start.length);
  }
  yield end;
}

interface Frame {
  start: Buffer;
  separator: string;
  end: string;
}

/** The text before the first row, between two files and after the last row, by the format of the rows. */
function chooseFrame(head: Buffer): Frame {
  if (head.toString('utf8', 0, 2) === '[\n')
    return { start: Buffer.from('[\n'), separator: ',\n', end: '\n]\n' };
  const isJson = head.toString('utf8', 0, 2) === '{"';
  const start = isJson ? Buffer.alloc(0) : head.subarray(0, headerLength(head));
  return { start, separator: '', end: '' };
}

/** Length of the CSV header, whose names may contain quoted line ends. */
function headerLength(head: Buffer): number {
  let isQuoted = false;
  for (const [at, byte] of head.entries()) {
    if (byte === quote) isQuoted = !isQuoted;
    else if (byte === lineFeed && !isQuoted) return at + 1;
  }
  return head.length;
}

function readHead(run: CopiedRun): Buffer {
  // Leaving the loop closes the file.
  for (const chunk of readRows(run, 0)) return chunk;
  return Buffer.alloc(0);
}

function* readRows({ folder, ledger }: CopiedRun, from: number): Generator<Buffer, void> {
  const file = rejectedRowsFile(folder);
  try {
    yield* readRange(file, from, ledger.rejectsBytes);
  } catch (error) {
    throw toLocalError(error, `${file} cannot be read`, {
      hint: 'Copy the whole folder of the run.',
    });
  }
}

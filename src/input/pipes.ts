// Inputs that can be read only once: named pipes, process substitutions, devices.
import { constants, createReadStream, openSync, statSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';

/** Other names of standard input. */
export const isStandardInput = (file: string) =>
  ['-', '/dev/stdin', '/dev/fd/0', '/proc/self/fd/0'].includes(file);

/** Whether a path leads to no regular file: what was read from it does not come again. */
export function isPiped(file: string): boolean {
  if (/^\/(dev|proc\/self\/fd)\//.test(file)) return true;
  const facts = factsOf(file);
  return facts !== undefined && !facts.isFile() && !facts.isDirectory();
}

/** A stream of it. A named pipe is opened without waiting for a writer, so that a signal still ends the wait. */
export function openPiped(file: string, highWaterMark: number): Readable {
  if (!factsOf(file)?.isFIFO()) return createReadStream(file, { highWaterMark });
  const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  return new Socket({ fd, readable: true, writable: false });
}

function factsOf(file: string) {
  try {
    return statSync(file);
  } catch {
    // What cannot be looked at is opened later, which says why not.
  }
}

// Inputs that can be read only once: named pipes, process substitutions, devices.
import { constants, createReadStream, openSync, statSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';

/** Whether a path refers to standard input. */
export const isStandardInput = (file: string) =>
  ['-', '/dev/stdin', '/dev/fd/0', '/proc/self/fd/0'].includes(file);

/** Whether a path is a pipe, a device or an open file of one process: a later process cannot read it again. */
export function isPipeOrDevice(file: string): boolean {
  if (/^\/(dev\/(fd\/|stdin$)|proc\/[^/]+\/fd\/)/.test(file)) return true;
  const stats = statIfExists(file);
  return stats !== undefined && !stats.isFile() && !stats.isDirectory();
}

/** Opens a file as a stream. A named pipe is opened without waiting for a writer, so that signals still work. */
export function openInputStream(file: string, highWaterMark: number): Readable {
  if (!statIfExists(file)?.isFIFO()) return createReadStream(file, { highWaterMark });
  const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  return new Socket({ fd, readable: true, writable: false });
}

function statIfExists(file: string) {
  try {
    return statSync(file);
  } catch {
    // The error is reported later, when the file is opened.
  }
}

// Rejected rows on their way to a device or a pipe, besides the file in the folder of the run.
import { closeSync, constants, openSync } from 'node:fs';
import { systemCode, usageError } from '../../core/errors.ts';
import { opened, unwritable, write } from './disk.ts';
import type { RejectsFormat } from './rejects-format.ts';

export function openRejectsStream(file: string, format: RejectsFormat) {
  let descriptor: number | undefined = openRead(file);
  let hasRows = false;
  return {
    append(rows: readonly string[]) {
      if (descriptor === undefined || rows.length === 0) return;
      const before = hasRows ? format.between : format.head;
      write(descriptor, before + rows.join(format.between), file);
      hasRows = true;
    },
    /** Once; later rows go nowhere. */
    close() {
      if (descriptor === undefined) return;
      const ended = descriptor;
      descriptor = undefined;
      try {
        if (hasRows) write(ended, format.tail, file);
      } finally {
        closeSync(ended);
      }
    },
  };
}

export type RejectsStream = ReturnType<typeof openRejectsStream>;

/** Opening a pipe without a reader would block, so a first attempt asks without blocking. */
function openRead(file: string): number {
  let probe: number;
  try {
    probe = openSync(file, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (systemCode(error) !== 'ENXIO') throw unwritable(file, error);
    throw usageError(`--rejects: nothing reads ${file}.`, {
      hint: 'Start its reader first, or name a file.',
    });
  }
  try {
    // Through this one, a write to a full pipe waits instead of failing.
    return opened(file, constants.O_WRONLY);
  } finally {
    closeSync(probe);
  }
}

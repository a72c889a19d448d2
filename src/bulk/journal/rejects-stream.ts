// Writes rejected rows to a device or a pipe, in addition to the file in the folder of the run.
import { closeSync, constants, openSync } from 'node:fs';
import { systemCode, usageError } from '../../core/errors.ts';
import { openFile, writeError, writeText } from './disk.ts';
import type { RejectsFormat } from './rejects-format.ts';

export function openRejectsStream(file: string, format: RejectsFormat) {
  let descriptor: number | undefined = openIfRead(file);
  let hasRows = false;
  return {
    append(rows: readonly string[]) {
      if (descriptor === undefined || rows.length === 0) return;
      const prefix = hasRows ? format.separator : format.header;
      writeText(descriptor, prefix + rows.join(format.separator), file);
      hasRows = true;
    },
    /** Writes the end and closes the stream. Later rows are ignored. */
    close() {
      if (descriptor === undefined) return;
      const closing = descriptor;
      descriptor = undefined;
      try {
        if (hasRows) writeText(closing, format.footer, file);
      } finally {
        closeSync(closing);
      }
    },
  };
}

export type RejectsStream = ReturnType<typeof openRejectsStream>;

/** Opening a pipe without a reader would block, so this opens it in non-blocking mode first. */
function openIfRead(file: string): number {
  let probe: number;
  try {
    probe = openSync(file, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (systemCode(error) !== 'ENXIO') throw writeError(file, error);
    throw usageError(`--rejects: no program reads from ${file}.`, {
      hint: 'Start the reader first, or choose a file.',
    });
  }
  try {
    // Blocking mode: a write to a full pipe waits instead of failing.
    return openFile(file, constants.O_WRONLY);
  } finally {
    closeSync(probe);
  }
}

// The files of an export: `<file>.partial` with the items so far and `<file>.partial.json` with the position. A page is
// on disk before the position that includes it, so an export that was killed continues without gaps or duplicates.
import {
  closeSync,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { localError, systemCode, usageError } from '../../core/errors.ts';
import { moveFile, replaceFile, writeAll } from '../../platform/files/atomic-write.ts';
import type { Position } from './export-position.ts';

/** The state that an interrupted export needs to continue. */
export interface ExportState {
  version: 1;
  /** The address of the service. */
  baseUrl: string;
  /** The filters as given, to compare them. */
  filters: Record<string, unknown>;
  /** The query that they made, with relative times computed at the start. */
  query: Record<string, unknown>;
  /** Identifies the process that wrote the state. */
  writer: string;
  /** Bytes of the partial file that are complete. */
  bytes: number;
  position: Position;
}

export interface ExportFile {
  /** Appends the text of a page, then stores the state that includes it. */
  append(text: string, state: Omit<ExportState, 'bytes' | 'writer'>): void;
  /** Renames the partial file to its final name. */
  finish(): void;
  close(): void;
}

const partialOf = (file: string) => `${file}.partial`;
const stateFileOf = (file: string) => `${file}.partial.json`;

/** Reads the state of an interrupted export; undefined if no export was interrupted. */
export function readState(file: string): ExportState | undefined {
  let text: string;
  let size: number;
  try {
    size = statSync(partialOf(file)).size;
    text = readFileSync(stateFileOf(file), 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw fileError(stateFileOf(file), 'read', error);
  }
  const state = parseState(text);
  if (state && state.bytes <= size) return state;
  throw localError(`${stateFileOf(file)} does not belong to ${partialOf(file)}.`, {
    hint: `Delete ${partialOf(file)} to start again.`,
  });
}

function parseState(text: string): ExportState | undefined {
  try {
    const state = JSON.parse(text) as Partial<ExportState> | null;
    const isValid =
      state?.version === 1 &&
      Number.isSafeInteger(state.bytes) &&
      typeof state.query === 'object' &&
      typeof state.filters === 'object' &&
      Array.isArray(state.position?.ids);
    return isValid ? (state as ExportState) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the file exists. Only a regular file can be replaced by an export. */
export function checkTarget(file: string): boolean {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats && !stats.isFile())
    throw usageError(`${file} is not a regular file.`, {
      hint: 'Name a file, or use - for standard output.',
    });
  return stats !== undefined;
}

/**
 * Opens the partial file at the stored position, or a new one. `writer` is unique to this process: if two processes
 * export to one file, the one that started later continues and the other stops.
 */
export function openExportFile(
  file: string,
  state: ExportState | undefined,
  writer: string,
): ExportFile {
  const partial = partialOf(file);
  const guard = <T>(action: () => T): T => {
    try {
      return action();
    } catch (error) {
      throw fileError(partial, 'written', error);
    }
  };
  let bytes = state?.bytes ?? 0;
  const descriptor = guard(() => {
    const opened = openSync(partial, state ? 'r+' : 'w', 0o600);
    ftruncateSync(opened, bytes);
    return opened;
  });
  const store = (content: Omit<ExportState, 'bytes' | 'writer'>) =>
    replaceFile(stateFileOf(file), JSON.stringify({ ...content, writer, bytes }), {
      durable: false,
    });
  if (state) guard(() => store(state));
  let isOwner = state !== undefined;
  return {
    append(text, content) {
      if (isOwner && readState(file)?.writer !== writer) throw otherWriter(file);
      guard(() => {
        const page = Buffer.from(text);
        writeAll(descriptor, page, bytes);
        fdatasyncSync(descriptor);
        bytes += page.length;
        store(content);
      });
      isOwner = true;
    },
    finish() {
      guard(() => {
        fdatasyncSync(descriptor);
        moveFile(partial, file);
        rmSync(stateFileOf(file), { force: true });
      });
    },
    close: () => closeSync(descriptor),
  };
}

const otherWriter = (file: string) =>
  localError(`Another process exports to ${file}.`, {
    hint: 'That process continues. Use another file for a second export.',
  });

const fileError = (file: string, action: 'read' | 'written', error: unknown) =>
  localError(`${path.resolve(file)} cannot be ${action}: ${(error as Error).message}`, {
    hint: 'Check the folder and the free space, then run the export again with --resume.',
    cause: error,
  });

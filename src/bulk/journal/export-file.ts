// The files of an export: `<file>.partial` with the items so far, the same for each file beside it, and
// `<file>.partial.json` with the position. A page is on disk before the position that includes it, so an export that was
// killed continues without gaps or duplicates.
import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { localError, SvcError, systemCode } from '../../core/errors.ts';
import { isObject } from '../../core/objects.ts';
import { moveFile, replaceFile, writeAll } from '../../platform/files/atomic-write.ts';
import { type OutputFile, outputError } from '../../platform/files/output-file.ts';
import type { RunTarget } from './run-target.ts';

/** Where an export continues. Each export adds what its listing needs. */
export interface ExportPosition {
  items: number;
}

/** The state that an interrupted export needs to continue. */
export interface ExportState {
  version: 1;
  /** `subscribers export`; absent for `activity export`. */
  command?: string;
  baseUrl: string;
  /** The service and environment, as of a run. */
  target?: RunTarget & { runId: string };
  /** The options as given, to compare them. */
  filters: Record<string, unknown>;
  /** The query that they made, with relative times computed at the start. */
  query: Record<string, unknown>;
  /** Identifies the process that wrote the state. */
  writer: string;
  /** Bytes of the partial file that are complete. */
  bytes: number;
  /** The complete bytes of each file beside it; absent if there are none. */
  bytesBeside?: readonly number[];
  /** Whether only the names of the files are missing. */
  isComplete?: true;
  position: ExportPosition;
}

type StateContent = Omit<ExportState, 'bytes' | 'bytesBeside' | 'writer' | 'isComplete'>;

const partialName = (file: string) => `${file}.partial`;
const stateName = (file: string) => `${file}.partial.json`;

/** Reads the state of an interrupted export; undefined if no export was interrupted. */
export function readState(file: string, beside: readonly string[] = []): ExportState | undefined {
  let text: string;
  try {
    statSync(partialName(file));
    text = readFileSync(stateName(file), 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw fileError(stateName(file), 'read', error);
  }
  const state = parseState(text);
  const hasBytes = (name: string, bytes = Number.POSITIVE_INFINITY) =>
    bytes <= (statSync(partialName(name), { throwIfNoEntry: false })?.size ?? 0);
  const isWhole =
    state &&
    hasBytes(file, state.bytes) &&
    (state.isComplete || beside.every((name, index) => hasBytes(name, state.bytesBeside?.[index])));
  if (isWhole) return state;
  throw localError(`${stateName(file)} does not belong to ${partialName(file)}.`, {
    hint: `Delete ${partialName(file)} to start again.`,
  });
}

function parseState(text: string): ExportState | undefined {
  try {
    const state = JSON.parse(text) as Partial<ExportState>;
    const isValid =
      state.version === 1 &&
      Number.isSafeInteger(state.bytes) &&
      isObject(state.query) &&
      isObject(state.filters) &&
      isObject(state.position) &&
      Number.isSafeInteger(state.position.items);
    return isValid ? (state as ExportState) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Opens the partial files at the stored position, or new ones. `writer` is unique to this process: if two processes
 * export to one file, the one that started later continues and the other stops.
 */
export function openExportFile(
  targets: readonly [main: OutputFile, ...beside: OutputFile[]],
  state: ExportState | undefined,
  writer: string,
) {
  const [{ path: file }] = targets;
  const files = targets.map((target) => target.path);
  const guard = <T>(action: () => T): T => {
    try {
      return action();
    } catch (error) {
      throw error instanceof SvcError ? error : fileError(partialName(file), 'written', error);
    }
  };
  const sizes = files.map((_file, index) =>
    index === 0 ? (state?.bytes ?? 0) : (state?.bytesBeside?.[index - 1] ?? 0),
  );
  const open = (name: string, index: number) => {
    const partial = partialName(name);
    // The file already has its final name.
    if (state?.isComplete && !existsSync(partial)) return undefined;
    return state ? openAgain(partial, sizes[index]) : openNew(partial);
  };
  const descriptors = guard(() => files.map(open));
  const store = (content: StateContent, isComplete = false) => {
    const [bytes = 0, ...bytesBeside] = sizes;
    const stored: ExportState = {
      ...content,
      writer,
      bytes,
      ...(bytesBeside.length > 0 ? { bytesBeside } : {}),
      ...(isComplete ? { isComplete } : {}),
    };
    replaceFile(stateName(file), JSON.stringify(stored), { durable: false });
  };
  if (state) guard(() => store(state, state.isComplete));
  let isOwner = state !== undefined;
  return {
    /** Appends a text to each file, then stores the state that includes them. */
    append(texts: readonly string[], content: StateContent) {
      if (isOwner && readState(file)?.writer !== writer) throw otherWriter(file);
      guard(() => {
        for (const [index, descriptor] of descriptors.entries()) {
          const page = Buffer.from(texts[index] ?? '');
          if (descriptor === undefined || page.length === 0) continue;
          writeAll(descriptor, page, sizes[index]);
          fdatasyncSync(descriptor);
          sizes[index] = (sizes[index] ?? 0) + page.length;
        }
        store(content);
      });
      isOwner = true;
    },
    /** Renames the partial files to their final names. */
    finish(content: StateContent) {
      guard(() => {
        for (const descriptor of descriptors)
          if (descriptor !== undefined) fdatasyncSync(descriptor);
        if (files.length > 1) store(content, true);
        // The first file last: without it, no export counts as interrupted.
        for (const [index, target] of [...targets.entries()].reverse())
          if (descriptors[index] !== undefined) publish(target);
        rmSync(stateName(file), { force: true });
      });
    },
    close() {
      for (const descriptor of descriptors) if (descriptor !== undefined) closeSync(descriptor);
    },
  };
}

function publish({ path: file, shownAs, replaces }: OutputFile): void {
  try {
    moveFile(partialName(file), file, { exclusive: !replaces });
  } catch (error) {
    throw outputError(shownAs, error);
  }
}

/** Neither follows a link nor keeps the mode of another file: an export can contain secrets. */
function openNew(file: string): number {
  rmSync(file, { force: true });
  return openSync(file, 'wx', 0o600);
}

function openAgain(file: string, bytes: number | undefined): number {
  const descriptor = openSync(file, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0));
  fchmodSync(descriptor, 0o600);
  ftruncateSync(descriptor, bytes);
  return descriptor;
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

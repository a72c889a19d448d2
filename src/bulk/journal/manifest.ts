// What a run is, written once when it starts: the command with its arguments, the service, the input. No secrets.
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import path from 'node:path';
import { localError, SvcError, systemCode, usageError } from '../../core/errors.ts';
import { syncFile } from './disk.ts';
import { backTo, otherThan, type RunIdentity } from './run-identity.ts';
import { fromStored, isStored, toStored } from './stored-paths.ts';

/** The form of the folder; another one is refused. */
const format = 1;

/** Tells one content of a file from another without reading all of it. */
export interface FileIdentity {
  path: string;
  size: number;
  /** 0 for a file of the state folder, which nobody edits and a copy of which has another time. */
  mtimeMs: number;
  /** SHA-256 of the first and the last 64 KiB. */
  digest: string;
}

export interface Manifest extends RunIdentity {
  format: number;
  runId: string;
  /** `subscribers bulk-import`. */
  command: string;
  args: Record<string, unknown>;
  /** The options that decide what is sent, as they were given. */
  options: Record<string, unknown>;
  /** SHA-256 of what options brought in from files, by option; absent when none did. */
  content?: Record<string, string>;
  /** Null when the input was a pipe that nobody kept. */
  file: FileIdentity | null;
  rejects: string;
  startedAt: string;
  version: string;
}

export const writeManifest = (folder: string, manifest: Omit<Manifest, 'format'>) => {
  const stored = withPlaces(manifest, (file) => toStored(folder, file));
  const text = JSON.stringify({ format, ...stored }, undefined, 2);
  syncFile(path.join(folder, 'manifest.json'), `${text}\n`);
};

const withPlaces = <T extends Pick<Manifest, 'file' | 'rejects'>>(
  manifest: T,
  change: (file: string) => string,
): T => ({
  ...manifest,
  rejects: change(manifest.rejects),
  file: manifest.file && { ...manifest.file, path: change(manifest.file.path) },
});

/** The manifest of a run's folder. Ends with notFound when there is no such run. */
export function readManifest(folder: string): Manifest {
  const runId = path.basename(folder);
  let manifest: Manifest;
  try {
    manifest = JSON.parse(readFileSync(path.join(folder, 'manifest.json'), 'utf8')) as Manifest;
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') {
      throw new SvcError('notFound', `There is no run \`${runId}\`.`, { next: ['svc runs list'] });
    }
    throw localError(`The manifest of run ${runId} cannot be read: ${(error as Error).message}`);
  }
  if (manifest.format === format) return withPlaces(manifest, (file) => fromStored(folder, file));
  throw localError(
    `Run ${runId} was written in a form (${manifest.format}) that this version of svc does not know.`,
    { hint: `It was written by svc ${manifest.version}.` },
  );
}

const sampled = 64 * 1024;

/** `folder` is that of the run. */
export function identify(file: string, folder: string): FileIdentity {
  const descriptor = openSync(file, 'r');
  try {
    const { size, mtimeMs } = fstatSync(descriptor);
    const hash = createHash('sha256');
    for (const from of [0, Math.max(0, size - sampled)]) {
      const buffer = Buffer.alloc(Math.min(sampled, size));
      hash.update(buffer.subarray(0, readSync(descriptor, buffer, 0, buffer.length, from)));
    }
    const at = path.resolve(file);
    const time = isStored(folder, at) ? 0 : mtimeMs;
    return { path: at, size, mtimeMs: time, digest: hash.digest('hex') };
  } finally {
    closeSync(descriptor);
  }
}

/** What may differ when a run goes on: it decides no row and no body. */
const free = new Set(['concurrency', 'rate', 'maxErrors', 'resume']);

/** Refuses to go on with another file, other options, another service or environment, and names what is different. */
export function refuseChanges(
  before: Manifest,
  now: RunIdentity & Pick<Manifest, 'args' | 'options' | 'content' | 'file'>,
): void {
  const elsewhere = otherThan(before, now);
  const changed = [
    ...(isSame(before.args, now.args) ? [] : ['an argument']),
    ...changedOptions(before, now),
    ...(isSameFile(before.file, now.file) ? [] : ['the file']),
  ];
  if (elsewhere.length === 0 && changed.length === 0) return;
  const { runId, profile } = before;
  // An address alone says what to put back.
  const isWhose = elsewhere.length > 0 && (profile !== null || elsewhere[0] !== 'the service');
  throw usageError(
    `Run ${runId} cannot go on: ${[...elsewhere, ...changed].join(', ')} changed since it began.`,
    {
      hint: [
        ...(isWhose ? [backTo(before, now, 'give the rest to a new run, with --skip')] : []),
        ...(isWhose && changed.length === 0
          ? []
          : ['Rows are counted and cut by what it began with. Put it back, or start a new run.']),
      ].join(' '),
      ...(isWhose && changed.length === 0 && profile !== null && profile !== now.profile
        ? { next: [`svc runs resume ${runId} --profile ${profile}`] }
        : {}),
    },
  );
}

type Given = Pick<Manifest, 'options' | 'content'>;

/** Options with other words, or with the same words for a file that has other content now. */
function changedOptions(before: Given, now: Given): string[] {
  const { content = {} } = now;
  const names = new Set([...Object.keys(before.options), ...Object.keys(now.options)]);
  return [...names]
    .filter((name) => !free.has(name))
    .filter(
      (name) =>
        !isSame(before.options[name], now.options[name]) ||
        (before.content !== undefined && before.content[name] !== content[name]),
    )
    .map((name) => `--${name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)}`);
}

const isSameFile = (before: FileIdentity | null, now: FileIdentity | null) =>
  isSame(before && now?.mtimeMs === 0 ? { ...before, mtimeMs: 0 } : before, now);

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

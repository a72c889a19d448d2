// The manifest of a run, written once at its start: command, arguments, options, service and input. No secrets.
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, readSync } from 'node:fs';
import path from 'node:path';
import { localError, SvcError, systemCode, usageError } from '../../core/errors.ts';
import { openRegularFile, readRegularFile } from '../../core/files.ts';
import { kebabCase } from '../../core/text.ts';
import { syncFile } from './disk.ts';
import { listTargetChanges, type RunTarget, targetHint } from './run-target.ts';
import { fromStoredPath, isInStateFolder, toStoredPath } from './stored-paths.ts';

/** Format number of the run folder. Runs in other formats are refused. */
const format = 2;

/** Detects whether a file has changed, without reading all of it. */
export interface FileIdentity {
  path: string;
  size: number;
  /** 0 for a file in the state folder, because copying that folder changes the time. */
  mtimeMs: number;
  /** SHA-256 of the first and the last 64 KiB. */
  digest: string;
}

export interface Manifest extends RunTarget {
  format: number;
  runId: string;
  /** `subscribers bulk-import`. */
  command: string;
  args: Record<string, unknown>;
  /** The options that affect what is sent, as given. */
  options: Record<string, unknown>;
  /** SHA-256 of file contents that options refer to, by option; absent when there are none. */
  content?: Record<string, string>;
  /** Null when the input was a pipe without a spooled copy. */
  file: FileIdentity | null;
  rejects: string;
  startedAt: string;
  version: string;
  /** The machine or container that started the run; absent if the system does not provide it. */
  host?: string;
}

export const manifestFile = (folder: string) => path.join(folder, 'manifest.json');

export const writeManifest = (folder: string, manifest: Omit<Manifest, 'format'>) => {
  const stored = mapManifestPaths(manifest, (file) => toStoredPath(folder, file));
  const text = JSON.stringify({ format, ...stored }, undefined, 2);
  syncFile(manifestFile(folder), `${text}\n`);
};

const mapManifestPaths = <T extends Pick<Manifest, 'file' | 'rejects'>>(
  manifest: T,
  change: (file: string) => string,
): T => ({
  ...manifest,
  rejects: change(manifest.rejects),
  file: manifest.file && { ...manifest.file, path: change(manifest.file.path) },
});

/** Reads the manifest of a run. Throws a notFound error if the run does not exist. */
export function readManifest(folder: string): Manifest {
  const runId = path.basename(folder);
  let manifest: Manifest;
  try {
    manifest = JSON.parse(readRegularFile(manifestFile(folder))) as Manifest;
  } catch (error) {
    if (error instanceof SvcError) throw error;
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') {
      throw new SvcError('notFound', `Run \`${runId}\` does not exist.`, {
        next: ['svc runs list'],
      });
    }
    throw localError(`The manifest of run ${runId} cannot be read: ${(error as Error).message}`);
  }
  if (manifest.format === format)
    return mapManifestPaths(manifest, (file) => fromStoredPath(folder, file));
  throw localError(
    `Run ${runId} has format ${manifest.format}, which this version of svc does not support.`,
    { hint: `It was written by svc ${manifest.version}.` },
  );
}

const sampleBytes = 64 * 1024;

/** Returns the identity of an input file. `folder` is the folder of the run. */
export function identifyFile(file: string, folder: string): FileIdentity {
  const descriptor = openRegularFile(file, 'r');
  try {
    const { size, mtimeMs } = fstatSync(descriptor);
    const hash = createHash('sha256');
    for (const from of [0, Math.max(0, size - sampleBytes)]) {
      const buffer = Buffer.alloc(Math.min(sampleBytes, size));
      hash.update(buffer.subarray(0, readSync(descriptor, buffer, 0, buffer.length, from)));
    }
    const at = path.resolve(file);
    const time = isInStateFolder(folder, at) ? 0 : mtimeMs;
    return { path: at, size, mtimeMs: time, digest: hash.digest('hex') };
  } finally {
    closeSync(descriptor);
  }
}

/** Options that may change on resume, because they affect neither rows nor request bodies. */
const changeableOptions = new Set(['concurrency', 'rate', 'maxErrors', 'resume', 'skipCanary']);

/** Throws a usage error that names every difference in file, arguments, options, content, service or environment. */
export function refuseChanges(
  earlier: Manifest,
  current: RunTarget & Pick<Manifest, 'args' | 'options' | 'content' | 'file'>,
): void {
  const changedTarget = listTargetChanges(earlier, current);
  const changed = [
    ...(isSame(earlier.args, current.args) ? [] : ['an argument']),
    ...listChangedOptions(earlier, current),
    ...(isSameFile(earlier.file, current.file) ? [] : ['the file']),
  ];
  if (changedTarget.length === 0 && changed.length === 0) return;
  const { runId, profile } = earlier;
  // For a run without profile whose service changed, the general hint is sufficient.
  const isTargetHintNeeded =
    changedTarget.length > 0 && (profile !== null || changedTarget[0] !== 'the service');
  throw usageError(
    `Run ${runId} cannot be resumed: ${[...changedTarget, ...changed].join(', ')} changed since it started.`,
    {
      hint: [
        ...(isTargetHintNeeded
          ? [targetHint(earlier, current, 'send the remaining rows with a new run and --skip')]
          : []),
        ...(isTargetHintNeeded && changed.length === 0
          ? []
          : [
              'A run resumes only with its original arguments, options and file. Restore them, or start a new run.',
            ]),
      ].join(' '),
      ...(isTargetHintNeeded &&
      changed.length === 0 &&
      profile !== null &&
      profile !== current.profile
        ? { next: [`svc runs resume ${runId} --profile ${profile}`] }
        : {}),
    },
  );
}

type RecordedOptions = Pick<Manifest, 'options' | 'content'>;

/** Lists options with another value, or with the same file name but another content. */
function listChangedOptions(earlier: RecordedOptions, current: RecordedOptions): string[] {
  const { content = {} } = current;
  const names = new Set([...Object.keys(earlier.options), ...Object.keys(current.options)]);
  return [...names]
    .filter((name) => !changeableOptions.has(name))
    .filter(
      (name) =>
        !isSame(earlier.options[name], current.options[name]) ||
        (earlier.content !== undefined && earlier.content[name] !== content[name]),
    )
    .map((name) => `--${kebabCase(name)}`);
}

const isSameFile = (earlier: FileIdentity | null, current: FileIdentity | null) =>
  isSame(earlier && current?.mtimeMs === 0 ? { ...earlier, mtimeMs: 0 } : earlier, current);

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

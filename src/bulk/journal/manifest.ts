// The manifest of a run, written once at its start: command, arguments, options, service and input. No secrets.
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, readSync } from 'node:fs';
import path from 'node:path';
import { localError, SvcError, systemCode, toLocalError, usageError } from '../../core/errors.ts';
import { kebabCase, listText } from '../../core/text.ts';
import { replaceFile } from '../../platform/files/atomic-write.ts';
import { openRegularFile, readRegularFile } from '../../platform/files/regular-file.ts';
import { fromStoredPath, isInStateFolder, toStoredPath } from './disk.ts';
import { listTargetChanges, type RunTarget, targetHint } from './run-target.ts';

/** Format number of the run folder. Runs in other formats are refused. */
const format = 4;

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
  /** The position of the run among the runs of its state folder. */
  sequence: number;
  /** Idempotency keys and transaction ids of the run are derived from this text. */
  idScope: string;
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

/** Writes the manifest of a new run. Throws a local error if the run has one. */
export function writeManifest(folder: string, manifest: Omit<Manifest, 'format'>): void {
  const stored = mapManifestPaths(manifest, (file) => toStoredPath(folder, file));
  const file = manifestFile(folder);
  const text = `${JSON.stringify({ format, ...stored }, undefined, 2)}\n`;
  try {
    replaceFile(file, text, { suffix: '.new', exclusive: true });
  } catch (error) {
    throw localError(`${file} cannot be written: ${(error as Error).message}`, {
      hint: 'Nothing was sent. Free some disk space, then run the command again.',
    });
  }
}

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
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') {
      throw new SvcError('notFound', `Run \`${runId}\` does not exist.`, {
        next: ['svc runs list'],
      });
    }
    throw toLocalError(error, `The manifest of run ${runId} cannot be read`);
  }
  requireFormat(folder, manifest);
  return mapManifestPaths(manifest, (file) => fromStoredPath(folder, file));
}

/** Throws a local error if another version of svc wrote the run in another format. */
export function requireFormat(folder: string, written: Pick<Manifest, 'format' | 'version'>): void {
  if (written.format === format) return;
  throw localError(
    `Run ${path.basename(folder)} has format ${written.format}, which this version of svc does not support.`,
    {
      hint: `Use svc ${written.version}, which wrote it. If you do not need the run, remove ${folder}.`,
    },
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

/** The work of a run: what is sent, and where. */
export type RunWork = RunTarget &
  Pick<Manifest, 'command' | 'args' | 'options' | 'content' | 'file'>;

/**
 * Throws a usage error that names every difference in command, file, arguments, options, content, service or
 * environment. `changeable`: the options that may differ. `isIdGiven`: --run-id names the run, so that another id makes
 * the command a new run.
 */
export function refuseChanges(
  earlier: Manifest,
  current: RunWork,
  { changeable, isIdGiven }: { changeable: ReadonlySet<string>; isIdGiven: boolean },
): void {
  if (earlier.command !== current.command)
    throw usageError(
      `Run ${earlier.runId} is a run of \`svc ${earlier.command}\`, not of \`svc ${current.command}\`.`,
      { hint: 'Choose another run id.' },
    );
  const changedTarget = listTargetChanges(earlier, current);
  const changed = listWorkChanges(earlier, current, changeable);
  if (changedTarget.length === 0 && changed.length === 0) return;
  const { runId, profile } = earlier;
  // For a run without profile whose service changed, the general hint is sufficient.
  const isTargetHintNeeded =
    changedTarget.length > 0 && (profile !== null || changedTarget[0] !== 'the service');
  const changes = listText([...changedTarget, ...changed]);
  const originalHint = isIdGiven
    ? 'A run id identifies one run. Choose another id with --run-id, or repeat the original arguments, options and file.'
    : 'A run resumes only with its original arguments, options and file. Restore them, or start a new run.';
  throw usageError(
    isIdGiven
      ? `Run id ${runId} belongs to other work: ${changes} changed since its run started.`
      : `Run ${runId} cannot be resumed: ${changes} changed since it started.`,
    {
      hint: [
        ...(isTargetHintNeeded
          ? [targetHint(earlier, current, 'send the remaining rows with a new run and --skip')]
          : []),
        ...(isTargetHintNeeded && changed.length === 0
          ? isIdGiven
            ? ['Otherwise choose another id with --run-id.']
            : []
          : [originalHint]),
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

/** Lists the changes of arguments, options and file, as texts for a message. */
export const listWorkChanges = (
  earlier: Manifest,
  current: RunWork,
  changeable: ReadonlySet<string>,
): string[] => [
  ...(isSame(earlier.args, current.args) ? [] : ['an argument']),
  ...listChangedOptions(earlier, current, changeable),
  ...(isSameFile(earlier.file, current.file) ? [] : ['the file']),
];

type RecordedOptions = Pick<Manifest, 'options' | 'content'>;

/** Lists options with another value, or with the same file name but another content. */
export function listChangedOptions(
  earlier: RecordedOptions,
  current: RecordedOptions,
  changeable: ReadonlySet<string>,
): string[] {
  const { content = {} } = current;
  const names = new Set([...Object.keys(earlier.options), ...Object.keys(current.options)]);
  return [...names]
    .filter((name) => !changeable.has(name))
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

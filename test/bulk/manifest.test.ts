// The manifest of a run, and what may not change on resume.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { bulkOptions, optionsWith, skipCanaryOption } from '../../src/bulk/command/options.ts';
import {
  identifyFile,
  type Manifest,
  type RunWork,
  readManifest,
  refuseChanges as refuse,
  writeManifest,
} from '../../src/bulk/journal/manifest.ts';
import { openRunStore } from '../../src/bulk/journal/run-store.ts';
import { fileMode } from '../support/file-mode.ts';
import { thrown } from '../support/thrown.ts';
import { manifest, openFolder } from './run-folder.ts';

const changeable = optionsWith('changeable', { ...bulkOptions, ...skipCanaryOption });
const refuseChanges = (earlier: Manifest, current: RunWork, more = {}) =>
  refuse(earlier, current, { changeable, isIdGiven: false, ...more });

const storeAt = (state: string) =>
  openRunStore({
    platform: 'linux',
    home: '',
    cwd: '/',
    env: { SVC_STATE_DIR: state },
    pid: 1,
    identity: undefined,
    isAlive: () => false,
    clock: { now: () => 0 },
  });

describe('the manifest of a run', () => {
  it('is read as written, and readable only by the user', () => {
    const folder = openFolder();
    writeManifest(folder, manifest);
    expect(readManifest(folder)).toEqual({ format: 4, ...manifest });
    const file = path.join(folder, 'manifest.json');
    expect(fileMode(file)).toBe('600');
    expect(readFileSync(file, 'utf8')).toMatch(/^\{\n {2}"format": 4,\n.*\n\}\n$/s);
  });

  it('throws a notFound error if it does not exist', () => {
    const folder = openFolder();
    const details = { next: ['svc runs list'] };
    expect(thrown(() => readManifest(folder))).toMatchObject({
      exitReason: 'notFound',
      message: 'Run `r1` does not exist.',
      details,
    });
    writeFileSync(path.join(folder, 'file'), '');
    expect(thrown(() => readManifest(path.join(folder, 'file')))).toMatchObject({
      exitReason: 'notFound',
      details,
    });
  });

  it('throws a local error if it cannot be read', () => {
    const folder = openFolder();
    mkdirSync(path.join(folder, 'manifest.json'));
    expect(thrown(() => readManifest(folder))).toMatchObject({
      exitReason: 'local',
      message: expect.stringMatching(/^The manifest of run r1 cannot be read: EISDIR/),
    });
  });

  it('is never replaced', () => {
    const folder = openFolder();
    writeManifest(folder, manifest);
    expect(thrown(() => writeManifest(folder, { ...manifest, command: 'other' }))).toMatchObject({
      exitReason: 'local',
      message: expect.stringContaining('EEXIST'),
    });
    expect(readManifest(folder)).toEqual({ format: 4, ...manifest });
    expect(readdirSync(folder)).toEqual(['manifest.json']);
  });

  it('is written again after a process was killed while it wrote it', () => {
    const folder = openFolder();
    writeFileSync(path.join(folder, 'manifest.json.new'), '{');
    writeManifest(folder, manifest);
    expect(readdirSync(folder)).toEqual(['manifest.json']);
  });

  it('with another format is refused, with the version that wrote it', () => {
    const folder = openFolder();
    const text = JSON.stringify({ ...manifest, format: 5 });
    writeFileSync(path.join(folder, 'manifest.json'), text);
    expect(thrown(() => readManifest(folder))).toMatchObject({
      exitReason: 'local',
      message: 'Run r1 has format 5, which this version of svc does not support.',
      details: {
        hint: `Use svc 1.2.3, which wrote it. If you do not need the run, remove ${folder}.`,
      },
    });
  });
});

describe('the identity of a file', () => {
  const sample = 64 * 1024;
  const written = (bytes: Buffer) => {
    const file = path.join(openFolder(), 'users.csv');
    writeFileSync(file, bytes);
    return file;
  };
  const digest = (...parts: Buffer[]) =>
    parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest('hex');

  it('consists of path, size, modification time and the hash of both ends', () => {
    const bytes = Buffer.from('subscriberId\na\n');
    const file = written(bytes);
    utimesSync(file, 1_000, 2_000);
    expect(identifyFile(path.relative(process.cwd(), file), openFolder())).toEqual({
      path: file,
      size: 15,
      mtimeMs: 2_000_000,
      digest: digest(bytes, bytes),
    });
  });

  it('also works for an empty file', () => {
    expect(identifyFile(written(Buffer.alloc(0)), openFolder())).toMatchObject({
      size: 0,
      digest: digest(),
    });
  });

  it.each([sample - 1, sample, sample + 1, 3 * sample])(
    'samples 64 KiB from each end of %i bytes',
    (size) => {
      const bytes = Buffer.alloc(size);
      for (let at = 0; at < size; at += 1) bytes[at] = (at * 31 + (at >> 8)) & 0xff;
      const ends = [bytes.subarray(0, sample), bytes.subarray(Math.max(0, size - sample))];
      expect(identifyFile(written(bytes), openFolder()).digest).toBe(digest(...ends));
    },
  );
});

describe('a run to resume', () => {
  const before: Manifest = { format: 4, ...manifest };
  const file = { path: '/u.csv', size: 1, mtimeMs: 2, digest: 'd' };

  it.each<[string, Partial<Manifest>]>([
    ['nothing', {}],
    ['--concurrency', { options: { dataRest: true, concurrency: 3 } }],
    ['--rate', { options: { dataRest: true, rate: 3 } }],
    ['--max-errors', { options: { dataRest: true, maxErrors: '5%' } }],
    ['--resume', { options: { dataRest: true, resume: 'r1' } }],
    ['--skip-canary', { options: { dataRest: true, skipCanary: true } }],
    ['only the profile name', { profile: 'other' }],
  ])('may change %s', (_name, now) => {
    expect(() => refuseChanges(before, { ...before, ...now })).not.toThrow();
  });

  it.each<[string, Partial<Manifest>]>([
    ['the service', { service: 'other' }],
    ['an argument', { args: { file: 'others.csv' } }],
    ['--data-rest', { options: {} }],
    ['--data-rest and --map', { options: { dataRest: false, map: ['a=b'] } }],
    ['the file', { file }],
    ['the service, an argument and the file', { service: '', args: {}, file }],
  ])('may not change %s', (changed, now) => {
    expect(thrown(() => refuseChanges(before, { ...before, ...now }))).toMatchObject({
      exitReason: 'usage',
      message: `Run r1 cannot be resumed: ${changed} changed since it started.`,
      details: {
        hint: 'A run resumes only with its original arguments, options and file. Restore them, or start a new run.',
      },
    });
  });

  it('may use another key of the same environment and service only', () => {
    const original = { ...before, profile: 'dev', environmentId: 'e1' };
    const now = { ...original, keyMark: 'other' };
    expect(() => refuseChanges(original, now)).not.toThrow();
    expect(thrown(() => refuseChanges(original, { ...now, environmentId: 'e2' }))).toMatchObject({
      exitReason: 'usage',
      message: 'Run r1 cannot be resumed: the environment changed since it started.',
    });
    expect(thrown(() => refuseChanges(original, { ...now, service: 'other' }))).toMatchObject({
      message:
        'Run r1 cannot be resumed: the service and the environment changed since it started.',
    });
    expect(thrown(() => refuseChanges(original, { ...now, environmentId: null }))).toMatchObject({
      message: 'Run r1 cannot be resumed: the API key changed since it started.',
      details: {
        hint: 'It started when profile dev had another API key. A new API key of the same environment also works after `svc login --profile dev`.',
      },
    });
  });

  it('refused for another key shows how to select its own key', () => {
    const now = { ...before, keyMark: 'other', profile: 'prod' };
    expect(thrown(() => refuseChanges(before, now))).toMatchObject({
      details: {
        hint: 'Its service was set by variables or options. Use the same URL and API key again. If the key was replaced, send the remaining rows with a new run and --skip.',
      },
    });
    expect(thrown(() => refuseChanges({ ...before, profile: 'dev' }, now))).toMatchObject({
      details: {
        hint: expect.stringContaining('It started with profile dev. Use --profile dev'),
        next: ['svc runs resume r1 --profile dev'],
      },
    });
  });

  it('names its profile if that is sufficient', () => {
    const dev = { ...before, profile: 'dev' };
    const rows =
      'A run resumes only with its original arguments, options and file. Restore them, or start a new run.';
    const refusalDetails = (now: Partial<Manifest>, original: Manifest = dev) =>
      (thrown(() => refuseChanges(original, { ...original, ...now })) as { details: object })
        .details;
    const key = { keyMark: 'other', profile: 'prod' };
    expect(refusalDetails({ ...key, file })).toEqual({
      hint: expect.stringMatching(
        /^It started with profile dev.* with a new run and --skip\. A run resumes only/,
      ),
    });
    expect(refusalDetails({ profile: 'prod', file })).toEqual({ hint: rows });
    expect(refusalDetails({ keyMark: 'other' })).not.toHaveProperty('next');
    expect(refusalDetails({ ...key }, before)).not.toHaveProperty('next');
    expect(refusalDetails({ service: 'other' })).toEqual({
      hint: expect.stringMatching(/^It started when profile dev had another API key\./),
    });
  });

  it('may not change the content of a file that an option refers to', () => {
    const options = { payload: '@p.json' };
    const original = { ...before, options, content: { payload: 'one' } };
    expect(() => refuseChanges(original, original)).not.toThrow();
    expect(() => refuseChanges({ ...before, options }, original)).not.toThrow();
    const now = { ...original, content: { payload: 'two' } };
    expect(thrown(() => refuseChanges(original, now))).toMatchObject({
      message: 'Run r1 cannot be resumed: --payload changed since it started.',
    });
  });

  it.each(['20260115-120000-000001', 'a_b'])('has the folder %s', (runId) => {
    expect(storeAt('/state').runFolder(runId)).toBe(`/state/runs/${runId}`);
  });

  it.each(['', '..', 'a/b', '../a', 'a\n', ' a', 'a '])('has no folder %j', (runId) => {
    expect(thrown(() => storeAt('/state').runFolder(runId))).toMatchObject({
      exitReason: 'usage',
      message: `\`${runId}\` is not a valid run id.`,
      details: { next: ['svc runs list'] },
    });
  });
});

describe('a run with other work', () => {
  const before: Manifest = { format: 4, ...manifest };

  it('is named with both commands', () => {
    expect(
      thrown(() => refuseChanges(before, { ...before, command: 'events trigger' })),
    ).toMatchObject({
      exitReason: 'usage',
      message: 'Run r1 is a run of `svc subscribers bulk-import`, not of `svc events trigger`.',
      details: { hint: 'Choose another run id.' },
    });
  });

  it('has another advice if its id was given', () => {
    const given = { isIdGiven: true };
    const other = { ...before, options: {} };
    expect(thrown(() => refuseChanges(before, other, given))).toMatchObject({
      message: 'Run id r1 belongs to other work: --data-rest changed since its run started.',
      details: {
        hint: 'A run id identifies one run. Choose another id with --run-id, or repeat the original arguments, options and file.',
      },
    });
    const profile = { ...before, profile: 'dev', environmentId: 'e1' };
    const elsewhere = { ...profile, keyMark: 'other', environmentId: 'e2' };
    const refusalHint = (more: object) =>
      (thrown(() => refuseChanges(profile, elsewhere, more)) as { details: { hint: string } })
        .details.hint;
    expect(refusalHint(given)).toBe(
      `${refusalHint({})} Otherwise choose another id with --run-id.`,
    );
    expect(refusalHint({})).not.toContain('--run-id');
  });
});

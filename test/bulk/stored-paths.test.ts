// A run whose files are in the state folder can be moved with that folder.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  identifyFile,
  type Manifest,
  readManifest,
  refuseChanges,
  writeManifest,
} from '../../src/bulk/journal/manifest.ts';
import { manifest, openFolder, summary } from './run-folder.ts';
import { openTestJournal } from './test-journal.ts';

const fileAt = (file: string) => ({ path: file, size: 1, mtimeMs: 2, digest: 'd' });

describe('the paths of a run', () => {
  it('are relative to its folder if they are in the state folder', () => {
    const folder = openFolder();
    const [input, rejects] = [path.join(folder, 'input'), path.join(folder, '..', 'r2', 'bad.csv')];
    writeManifest(folder, { ...manifest, file: fileAt(input), rejects });
    const stored = JSON.parse(readFileSync(path.join(folder, 'manifest.json'), 'utf8'));
    expect(stored).toMatchObject({ rejects: '../r2/bad.csv', file: fileAt('input') });
    expect(readManifest(folder)).toMatchObject({ rejects, file: fileAt(input) });
    const moved = `${path.dirname(folder)}-moved`;
    renameSync(path.dirname(folder), moved);
    expect(readManifest(path.join(moved, 'r1'))).toMatchObject({
      rejects: path.join(moved, 'r2', 'bad.csv'),
      file: fileAt(path.join(moved, 'r1', 'input')),
    });
  });

  it('are absolute if they are elsewhere, also in a folder with a similar name', () => {
    const folder = openFolder();
    const rejects = `${path.dirname(folder)}-2/bad.csv`;
    writeManifest(folder, { ...manifest, file: fileAt('/u.csv'), rejects });
    const stored = JSON.parse(readFileSync(path.join(folder, 'manifest.json'), 'utf8'));
    expect(stored).toMatchObject({ rejects, file: fileAt('/u.csv') });
    expect(readManifest(folder)).toMatchObject({ rejects, file: fileAt('/u.csv') });
  });

  it('are stored relative in the ledger too', async () => {
    const { journal, folder, rejects, ledger } = openTestJournal();
    journal.recordEnd({ ...summary, rejects, rejectsFiles: [rejects, '/x.csv'] });
    await journal.close();
    expect(JSON.parse(ledger()).end).toMatchObject({
      rejects: 'rejects.csv',
      rejectsFiles: ['rejects.csv', '/x.csv'],
    });
    expect(openTestJournal({ folder }).journal.earlier.end).toMatchObject({ rejects });
  });
});

describe('the copy of the input in the state folder', () => {
  it('is the same file after the state folder was copied', () => {
    const folder = openFolder();
    const input = path.join(folder, 'input');
    writeFileSync(input, 'subscriberId\na\n');
    expect(identifyFile(input, folder).mtimeMs).toBe(0);
    expect(identifyFile(input, openFolder()).mtimeMs).toBeGreaterThan(0);
  });

  it.each<[string, Manifest['file'], Manifest['file'], boolean]>([
    ['the time of the copy was recorded', fileAt('/i'), { ...fileAt('/i'), mtimeMs: 0 }, true],
    ['the file is elsewhere and unchanged', fileAt('/i'), fileAt('/i'), true],
    ['the file is elsewhere and newer', fileAt('/i'), { ...fileAt('/i'), mtimeMs: 3 }, false],
    ['the copy has another content', fileAt('/i'), { ...fileAt('/i'), mtimeMs: 0, size: 2 }, false],
    ['the input is a pipe now', fileAt('/i'), null, false],
    ['the input was a pipe', null, { ...fileAt('/i'), mtimeMs: 0 }, false],
    ['the input is still a pipe', null, null, true],
  ])('decides whether a run can be resumed: %s', (_name, file, current, isSame) => {
    const earlier: Manifest = { format: 4, ...manifest, file };
    const resume = () =>
      refuseChanges(
        earlier,
        { ...earlier, file: current },
        { changeable: new Set(), isIdGiven: false },
      );
    if (isSame) expect(resume).not.toThrow();
    else expect(resume).toThrow('the file changed since it started');
  });
});

// Transaction ids from the input, stored next to the ledger.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createExplicitIdWriter, readExplicitIds } from '../../src/bulk/journal/explicit-ids.ts';
import { fileMode } from '../support/file-mode.ts';
import { openFolder } from './run-folder.ts';

const idFile = (folder: string) => path.join(folder, 'transaction-ids');

describe('explicit ids', () => {
  it('are stored unchanged, one per line, readable only by the user', () => {
    const folder = openFolder();
    const keep = createExplicitIdWriter(folder);
    keep(1, 'a\tb');
    keep(12, ' c\nd ');
    expect(readFileSync(idFile(folder), 'utf8')).toBe('[1,"a\\tb"]\n[12," c\\nd "]\n');
    expect(fileMode(idFile(folder))).toBe('600');
    expect(readExplicitIds(folder)).toEqual(
      new Map([
        [1, 'a\tb'],
        [12, ' c\nd '],
      ]),
    );
  });

  it.each([
    ['[1,"a"]\n[2,"b', '[1,"a"]\n[2,"b\n[3,"c"]\n[4,"d"]\n'],
    ['[1,"a"]\n', '[1,"a"]\n[3,"c"]\n[4,"d"]\n'],
    ['', '[3,"c"]\n[4,"d"]\n'],
  ])('are appended after %j as separate lines', (before, after) => {
    const folder = openFolder();
    writeFileSync(idFile(folder), before);
    const keep = createExplicitIdWriter(folder);
    keep(3, 'c');
    keep(4, 'd');
    expect(readFileSync(idFile(folder), 'utf8')).toBe(after);
    expect(readExplicitIds(folder).get(2)).toBeUndefined();
    expect(readExplicitIds(folder).get(3)).toBe('c');
  });

  it('are empty without a file', () => {
    expect(readExplicitIds(openFolder())).toEqual(new Map());
  });

  it('throw a local error with the file name if they cannot be read', () => {
    const folder = openFolder();
    mkdirSync(idFile(folder));
    expect(() => readExplicitIds(folder)).toThrow(
      expect.objectContaining({
        exitReason: 'local',
        message: expect.stringContaining(`${idFile(folder)} cannot be read: EISDIR`),
      }),
    );
  });

  it('throw a local error with the file name if they cannot be written', () => {
    const folder = openFolder();
    mkdirSync(idFile(folder));
    expect(() => createExplicitIdWriter(folder)(1, 'a')).toThrow(
      expect.objectContaining({
        exitReason: 'local',
        message: expect.stringContaining(idFile(folder)),
      }),
    );
  });
});

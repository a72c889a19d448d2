// Transaction ids that events came with, beside the ledger.
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createExplicitIdWriter, readExplicitIds } from '../../src/bulk/journal/explicit-ids.ts';
import { openFolder } from './folder.ts';

const fileOf = (folder: string) => path.join(folder, 'transaction-ids');

describe('given ids', () => {
  it('are kept to the last blank, a line each, for nobody else', () => {
    const folder = openFolder();
    const keep = createExplicitIdWriter(folder);
    keep(1, 'a\tb');
    keep(12, ' c\nd ');
    expect(readFileSync(fileOf(folder), 'utf8')).toBe('[1,"a\\tb"]\n[12," c\\nd "]\n');
    expect(statSync(fileOf(folder)).mode & 0o777).toBe(0o600);
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
  ])('go on behind %j in lines of their own', (before, after) => {
    const folder = openFolder();
    writeFileSync(fileOf(folder), before);
    const keep = createExplicitIdWriter(folder);
    keep(3, 'c');
    keep(4, 'd');
    expect(readFileSync(fileOf(folder), 'utf8')).toBe(after);
    expect(readExplicitIds(folder).get(2)).toBeUndefined();
    expect(readExplicitIds(folder).get(3)).toBe('c');
  });

  it('are none where no file is', () => {
    expect(readExplicitIds(openFolder())).toEqual(new Map());
  });

  it('that cannot be written end with local and the file', () => {
    const folder = openFolder();
    mkdirSync(fileOf(folder));
    expect(() => createExplicitIdWriter(folder)(1, 'a')).toThrow(
      expect.objectContaining({
        exitReason: 'local',
        message: expect.stringContaining(fileOf(folder)),
      }),
    );
  });
});

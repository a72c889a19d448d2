// The transaction ids of a run, stored next to its ledger.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  openTransactionIdFile,
  readTransactionIds,
} from '../../src/bulk/journal/transaction-id-file.ts';
import { fileMode } from '../support/file-mode.ts';
import { openFolder } from './run-folder.ts';

const idFile = (folder: string) => path.join(folder, 'transaction-ids');

describe('the transaction ids of a run', () => {
  it('are stored unchanged, one per line, readable only by the user', () => {
    const folder = openFolder();
    const ids = openTransactionIdFile(folder);
    ids.add([{ number: 1, id: 'a\tb' }]);
    ids.add([{ number: 12, id: ' c\nd ' }]);
    expect(readFileSync(idFile(folder), 'utf8')).toBe('[1,"a\\tb"]\n[12," c\\nd "]\n');
    expect(fileMode(idFile(folder))).toBe('600');
    expect(readTransactionIds(folder)).toEqual(
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
    const ids = openTransactionIdFile(folder);
    ids.add([{ number: 3, id: 'c' }]);
    ids.add([{ number: 4, id: 'd' }]);
    expect(readFileSync(idFile(folder), 'utf8')).toBe(after);
    expect(readTransactionIds(folder).get(2)).toBeUndefined();
    expect(readTransactionIds(folder).get(3)).toBe('c');
  });

  it('are on the disk before they count as synced', async () => {
    const ids = openTransactionIdFile(openFolder());
    const calls: string[] = [];
    ids.sync(() => calls.push('nothing to write'));
    expect(calls).toEqual(['nothing to write']);
    ids.add([{ number: 1, id: 'a' }]);
    const synced = new Promise<void>((resolve) =>
      ids.sync(() => {
        calls.push('written');
        resolve();
      }),
    );
    expect(calls).toEqual(['nothing to write']);
    await synced;
    expect(calls).toEqual(['nothing to write', 'written']);
    ids.close();
  });

  it('are empty without a file', () => {
    expect(readTransactionIds(openFolder())).toEqual(new Map());
  });

  it('throw a local error with the file name if they cannot be read', () => {
    const folder = openFolder();
    mkdirSync(idFile(folder));
    expect(() => readTransactionIds(folder)).toThrow(
      expect.objectContaining({
        exitReason: 'local',
        message: expect.stringContaining(`${idFile(folder)} cannot be read: EISDIR`),
      }),
    );
  });

  it('throw a local error with the file name if they cannot be written', () => {
    const folder = openFolder();
    mkdirSync(idFile(folder));
    expect(() => openTransactionIdFile(folder).add([{ number: 1, id: 'a' }])).toThrow(
      expect.objectContaining({
        exitReason: 'local',
        message: expect.stringContaining(idFile(folder)),
      }),
    );
  });
});

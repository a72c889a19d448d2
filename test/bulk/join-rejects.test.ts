// Joining the rejected rows of several runs in one file.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { joinRejects } from '../../src/bulk/journal/merge-runs.ts';
import { fileMode } from '../support/file-mode.ts';
import { copied } from './copied-run.ts';
import { openFolder } from './run-folder.ts';

describe('joined rejected rows', () => {
  const head = '_line,_error,id\n';
  /** Joins the rejected rows of runs with these files, and returns the text. */
  function joined(...texts: string[]) {
    const runs = [];
    for (const rejects of texts) runs.push(copied('a', { rejects }));
    const target = path.join(openFolder(), 'all.csv');
    const isWritten = joinRejects(target, runs);
    expect(existsSync(target)).toBe(isWritten);
    if (!isWritten) return undefined;
    expect(fileMode(target)).toBe('600');
    return readFileSync(target, 'utf8');
  }

  it.each<[string, string[], string | undefined]>([
    ['of no runs', ['', ''], undefined],
    ['of one run', ['', `${head}2,no,a\n`], `${head}2,no,a\n`],
    [
      'of CSV have one header',
      [`${head}2,no,a\n`, '', `${head}3,no,b\n`, `${head}4,no,c\n`],
      `${head}2,no,a\n3,no,b\n4,no,c\n`,
    ],
    [
      'of CSV whose header has quoted line ends have one header',
      ['_line,"a\n""b"\n1,x\n', '_line,"a\n""b"\n2,y\n'],
      '_line,"a\n""b"\n1,x\n2,y\n',
    ],
    ['of NDJSON have no header', ['{"a":1}\n', '{"b":"ö"}\n'], '{"a":1}\n{"b":"ö"}\n'],
    [
      'of JSON are one array',
      ['[\n{"a":1},\n{"a":2}', '[\n{"b":"ö"}', '[\n{"c":3}'],
      '[\n{"a":1},\n{"a":2},\n{"b":"ö"},\n{"c":3}\n]\n',
    ],
  ])('%s', (_name, texts, expected) => {
    expect(joined(...texts)).toBe(expected);
  });

  it('of large files are complete and in order', () => {
    const rows = (from: number) =>
      Array.from({ length: 20_000 }, (_unused, index) => `${from + index},no,ü${index}\n`).join('');
    const [one, two] = [rows(0), rows(20_000)];
    expect(joined(head + one, head + two)).toBe(head + one + two);
  });

  it('contain only rows that the ledger counts', () => {
    const text = `${head}2,no,a\n`;
    const run = copied('a', { rejects: `${text}3,no,torn`, done: { rejects: text.length } });
    const target = path.join(openFolder(), 'all.csv');
    joinRejects(target, [run]);
    expect(readFileSync(target, 'utf8')).toBe(text);
  });

  it('contain the rows that are left if a copy is too short', () => {
    const run = copied('a', { rejects: `${head}2,no,a\n`, done: { rejects: 1_000 } });
    const target = path.join(openFolder(), 'all.csv');
    joinRejects(target, [run]);
    expect(readFileSync(target, 'utf8')).toBe(`${head}2,no,a\n`);
  });

  it('must have the same columns', () => {
    const runs = [
      copied('a', { rejects: `${head}2,no,a\n` }),
      copied('b', { rejects: '_line,_error,name\n2,no,a\n' }),
    ];
    const target = path.join(openFolder(), 'all.csv');
    expect(() => joinRejects(target, runs)).toThrow(
      expect.objectContaining({
        exitReason: 'usage',
        message: `The rejected rows of ${runs[0]?.folder} and ${runs[1]?.folder} have different columns or formats.`,
      }),
    );
    expect(existsSync(target)).toBe(false);
  });

  it('need the whole folder of each run', () => {
    const run = copied('a', { rejects: head });
    rmSync(path.join(run.folder, 'rejected-rows'));
    expect(() => joinRejects(path.join(openFolder(), 'all.csv'), [run])).toThrow(
      expect.objectContaining({
        exitReason: 'local',
        message: expect.stringMatching(/rejected-rows cannot be read: ENOENT/),
        details: { hint: 'Copy the whole folder of the run.' },
      }),
    );
  });

  it('never replace a file', () => {
    const run = copied('a', { rejects: `${head}2,no,a\n` });
    const target = path.join(openFolder(), 'all.csv');
    writeFileSync(target, 'mine');
    expect(() => joinRejects(target, [run])).toThrow('cannot be written: EEXIST');
    expect(readFileSync(target, 'utf8')).toBe('mine');
  });
});

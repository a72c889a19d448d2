// Lines of a file that is read in pieces.
import { readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { cutPartialLine, readCompleteLines } from '../../src/bulk/journal/read-lines.ts';
import { openFolder } from './folder.ts';

const mebi = 1024 * 1024;
const fileOf = (text: string) => {
  const file = path.join(openFolder(), 'lines');
  writeFileSync(file, text);
  return file;
};

describe('a file of lines', () => {
  it.each<[string, string, string[]]>([
    ['that is empty', '', []],
    ['that is torn', 'a\nb', ['a']],
    ['with nothing whole in it', 'torn', []],
    ['with an empty line and a torn one', '\ntorn', ['']],
    ['with empty lines', '\na\n\n', ['', 'a', '']],
    ['that is longer than a piece', `${'ö'.repeat(mebi)}\nb\n`, ['ö'.repeat(mebi), 'b']],
    ['that ends with a piece', `${'a'.repeat(mebi - 1)}\nb\n`, ['a'.repeat(mebi - 1), 'b']],
    [
      'that is cut within a letter',
      `${'a'.repeat(mebi - 1)}ö\nb\n`,
      [`${'a'.repeat(mebi - 1)}ö`, 'b'],
    ],
    ['with a long torn end', `a\n${'b'.repeat(2 * mebi)}`, ['a']],
  ])('%s gives its whole lines, and keeps them when its end is cut off', (_name, text, lines) => {
    const file = fileOf(text);
    utimesSync(file, 1, 1);
    expect([...readCompleteLines(file)]).toEqual(lines);
    cutPartialLine(file);
    const whole = lines.map((line) => `${line}\n`).join('');
    expect(readFileSync(file, 'utf8')).toBe(whole);
    // What is whole is not touched.
    expect(statSync(file).mtimeMs === 1000).toBe(whole === text);
  });
});

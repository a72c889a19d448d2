// Reading the lines of a file in chunks.
import { readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { cutPartialLine, readCompleteLines } from '../../src/bulk/journal/disk.ts';
import { openFolder } from './run-folder.ts';

const mebi = 1024 * 1024;
const writeText = (text: string) => {
  const file = path.join(openFolder(), 'lines');
  writeFileSync(file, text);
  return file;
};

describe('a file of lines', () => {
  it.each<[string, string, string[]]>([
    ['that is empty', '', []],
    ['with a partial last line', 'a\nb', ['a']],
    ['with only a partial line', 'torn', []],
    ['with an empty line and a partial one', '\ntorn', ['']],
    ['with empty lines', '\na\n\n', ['', 'a', '']],
    ['with a line longer than a chunk', `${'ö'.repeat(mebi)}\nb\n`, ['ö'.repeat(mebi), 'b']],
    [
      'with a line that ends at a chunk boundary',
      `${'a'.repeat(mebi - 1)}\nb\n`,
      ['a'.repeat(mebi - 1), 'b'],
    ],
    [
      'that is cut within a letter',
      `${'a'.repeat(mebi - 1)}ö\nb\n`,
      [`${'a'.repeat(mebi - 1)}ö`, 'b'],
    ],
    ['with a long partial line', `a\n${'b'.repeat(2 * mebi)}`, ['a']],
  ])(
    '%s: yields the complete lines and keeps them when the partial line is removed',
    (_name, text, lines) => {
      const file = writeText(text);
      utimesSync(file, 1, 1);
      expect([...readCompleteLines(file)]).toEqual(lines);
      cutPartialLine(file);
      const whole = lines.map((line) => `${line}\n`).join('');
      expect(readFileSync(file, 'utf8')).toBe(whole);
      // Complete lines are not changed.
      expect(statSync(file).mtimeMs === 1000).toBe(whole === text);
    },
  );
});

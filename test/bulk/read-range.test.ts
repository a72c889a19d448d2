// Reading a part of a file in chunks.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { readRange } from '../../src/bulk/journal/disk.ts';
import { openFolder } from './run-folder.ts';

const chunk = 64 * 1024;

function written(bytes: number) {
  const content = Buffer.from(Array.from({ length: bytes }, (_unused, index) => index % 251));
  const file = path.join(openFolder(), 'file');
  writeFileSync(file, content);
  return { file, content };
}

it.each([
  [0, 0],
  [0, 10],
  [3, 10],
  [0, chunk],
  [1, chunk + 1],
  [5, 2 * chunk + 7],
  [chunk, 3 * chunk],
  [3 * chunk, 3 * chunk],
])('reads exactly the bytes from %i to %i', (start, end) => {
  const { file, content } = written(3 * chunk);
  const chunks = [...readRange(file, start, end)];
  expect(Buffer.concat(chunks).equals(content.subarray(start, end))).toBe(true);
  expect(chunks.every(({ length }) => length > 0 && length <= chunk)).toBe(true);
});

it('ends at the end of the file', () => {
  const { file, content } = written(chunk + 5);
  expect(Buffer.concat([...readRange(file, 2, 9 * chunk)]).equals(content.subarray(2))).toBe(true);
});

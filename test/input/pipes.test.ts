// Which inputs a resumed run cannot read again.
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { isPipeOrDevice } from '../../src/input/bytes.ts';

it.each([
  ['/dev/stdin', true],
  ['/dev/fd/63', true],
  ['/proc/self/fd/3', true],
  ['/proc/4711/fd/3', true],
  ['/dev/null', true],
  [fileURLToPath(import.meta.url), false],
  // A folder in memory, which build machines use for temporary files.
  ['/dev/shm/users.csv', false],
])('%s is read only once: %s', (file, isOnce) => {
  expect(isPipeOrDevice(file)).toBe(isOnce);
});

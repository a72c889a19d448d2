// Generated files are up to date, and the guides refer to existing files.
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { generatedFiles } from '../scripts/generated.ts';

describe('the generated file', async () => {
  it.each((await generatedFiles()).map(({ file, text }) => [file, text]))(
    '%s is up to date (npm run docs)',
    (file, text) => {
      expect(readFileSync(file, 'utf8')).toBe(text);
    },
  );
});

describe('the README', () => {
  const readme = readFileSync('README.md', 'utf8');
  it('starts with the two commands that set up everything', () => {
    const [first = '', second = ''] = readme.split('```sh\n')[1]?.split('\n') ?? [];
    expect(first).toMatch(/^npm ci && npm run demo/);
    expect(second).toMatch(/^npm ci && npm test/);
  });
});

describe.each(['CONTRIBUTING.md', 'SECURITY.md'])('%s', (file) => {
  const mentioned = [
    ...readFileSync(file, 'utf8').matchAll(/`((?:test|bench|scripts)\/[^` ]+\.[tj]s)`/g),
  ];
  it.each([...new Set(mentioned.map(([, name]) => name ?? ''))])(
    'mentions %s, which exists',
    (name) => {
      expect(existsSync(name)).toBe(true);
    },
  );
});

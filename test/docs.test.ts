// What is generated in place is what the command tree says now.
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { generatedFiles } from '../scripts/generated.ts';

describe('generated text', async () => {
  it.each((await generatedFiles()).map(({ file, text }) => [file, text]))(
    '%s is not stale (npm run docs)',
    (file, text) => {
      expect(readFileSync(file, 'utf8')).toBe(text);
    },
  );
});

describe('the README', () => {
  const readme = readFileSync('README.md', 'utf8');
  it('begins with the two commands that do all the set-up', () => {
    const [first = '', second = ''] = readme.split('```sh\n')[1]?.split('\n') ?? [];
    expect(first).toMatch(/^npm ci && npm run demo/);
    expect(second).toMatch(/^npm ci && npm test/);
  });
});

describe.each(['CONTRIBUTING.md', 'SECURITY.md'])('%s', (file) => {
  const named = [
    ...readFileSync(file, 'utf8').matchAll(/`((?:test|bench|scripts)\/[^` ]+\.[tj]s)`/g),
  ];
  it.each([...new Set(named.map(([, name]) => name ?? ''))])('names %s, which is there', (name) => {
    expect(existsSync(name)).toBe(true);
  });
});

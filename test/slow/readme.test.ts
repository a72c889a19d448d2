// Blocks of the README with the built program. test/slow/documented-examples.test.ts runs all of them.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openHome } from '../support/built.ts';

const readme = readFileSync('README.md', 'utf8');
const blocks = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block);

it('the README creates the file that it imports, and triggers with a complete payload', async () => {
  expect(blocks.find((block) => block.includes('users.csv'))).toContain('> users.csv');
  const [digest = ''] = blocks.filter((block) => block.includes('comment-digest'));
  const { stdout } = await openHome().shell(
    digest.replace('--in-memory', '$& --port 0').replace('svc inbox list u1', '$& -o csv'),
  );
  expect(stdout).toContain('On Hello: Ada, Efua');
});

it('the README has a recipe for tests that works while the sandbox of the quick start runs', async () => {
  const home = openHome();
  const [quickStart = ''] = blocks.filter((block) =>
    block.startsWith('svc sandbox start --detach'),
  );
  const [, recipe = ''] = /```console\n(\$ npx svc sandbox start[\s\S]*?)```/.exec(readme) ?? [];
  const withoutStop = quickStart
    .replace('svc sandbox stop\n', '')
    .replace('--detach', '--detach --port 0');
  const { code, stderr } = await home.shell(
    `set -e\n${withoutStop}${recipe.replaceAll('$ npx svc', 'svc')}`,
  );
  const status = await home.svc(['sandbox', 'status', '-p', 'sandbox', '--jq', '.running']);
  await home.svc(['sandbox', 'stop', '-p', 'sandbox']);
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  expect(status.stdout).toBe('true\n');
  const pulled = readFileSync(path.join(home.folder, 'workflows', 'welcome.yaml'), 'utf8');
  expect(pulled).toMatch(/^# svc workflow, format 1\n/);
  const stopped = await home.svc(['sandbox', 'status', '-p', 'examples', '--jq', '.running']);
  expect(stopped.stdout).toBe('false\n');
});

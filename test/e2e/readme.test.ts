// Blocks of the README with the built program. test/slow/documented-examples.test.ts runs all of them.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openHome } from '../support/built.ts';

const blocks = [...readFileSync('README.md', 'utf8').matchAll(/```sh\n([\s\S]*?)```/g)].map(
  ([, block = '']) => block,
);

it('the README creates the file that it imports, and triggers with a complete payload', async () => {
  expect(blocks.find((block) => block.includes('users.csv'))).toContain('> users.csv');
  const [digest = ''] = blocks.filter((block) => block.includes('comment-digest'));
  const { stdout } = await openHome().shell(
    digest.replace('--in-memory', '$& --port 0').replace('svc inbox list u1', '$& -o csv'),
  );
  expect(stdout).toContain('On Hello: Ada, Efua');
});

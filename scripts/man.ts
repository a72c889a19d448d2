// The last step of the build: generates the man pages in man/ from the command tree.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { commandTree } from '../src/commands/index.ts';
import { specifiedIds } from '../src/service/operations/index.ts';
import { manualPages } from './manual-pages.ts';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
rmSync('man', { recursive: true, force: true });
mkdirSync('man');
for (const { file, text } of await manualPages(commandTree, { version, specified: specifiedIds })) {
  writeFileSync(path.join('man', file), text);
}

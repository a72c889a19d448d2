// `npm run docs`: updates the generated files. `npm run docs -- --check` exits with 1 if one is stale.
import { readFileSync, writeFileSync } from 'node:fs';
import { generatedFiles } from './generated.ts';

const check = process.argv.includes('--check');
let stale = 0;
for (const { file, text } of await generatedFiles()) {
  const before = readFileSync(file, { encoding: 'utf8', flag: 'a+' });
  if (before === text) continue;
  stale += 1;
  if (check) process.stderr.write(`${file} is stale: run npm run docs\n`);
  else writeFileSync(file, text);
}
process.exitCode = check && stale > 0 ? 1 : 0;

// `npm run docs`: updates the generated files. `npm run docs -- --check` exits with 1 if one is stale, or if a document
// has a dead link, is not linked or is too long.
import { readFileSync, writeFileSync } from 'node:fs';
import { documentProblems } from './check-documents.ts';
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
const problems = check ? documentProblems() : [];
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = check && stale + problems.length > 0 ? 1 : 0;

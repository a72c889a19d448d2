// `npm run docs`: updates the generated files. `npm run docs -- --check` exits with 1 if one is stale, or if a document
// has a dead link, is not linked or is too long.
import { readFileSync, writeFileSync } from 'node:fs';
import { documentProblems } from './check-documents.ts';
import { generatedFiles } from './generated.ts';

const check = process.argv.includes('--check');
const stale = (await generatedFiles()).filter(
  ({ file, text }) => readFileSync(file, { encoding: 'utf8', flag: 'a+' }) !== text,
);
if (!check) for (const { file, text } of stale) writeFileSync(file, text);
const names = stale.map(({ file }) => file).join(', ');
const problems = check
  ? [...(stale.length > 0 ? [`Run npm run docs to update: ${names}`] : []), ...documentProblems()]
  : [];
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length > 0 ? 1 : 0;

// Reports words that this project replaced by the field's standard terms: `node scripts/run.js scripts/plain-words.ts`.
// Reads the strings, comments and documents of the project; exits with 1 when it finds any.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** What not to write, and the plain words for it. */
const replacements: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\bmend(s|ed|ing)?\b/i, 'fix'],
  [/(?<!trial[- ])\bendings?\b/i, 'exit code'],
  [/\bends with \d/i, 'exits with'],
  [/\bwhoever\b/i, 'name the person or program'],
  [/\b(nobody|somebody|anybody)\b/i, 'name the person or program'],
  [/\bso many (of|rows|requests|times)\b/i, 'n'],
  [/\bis (none|no field|no way)\b/i, 'must be one of; is not'],
  [/\b(go|goes|going|went) on (with|where|to|by|as)\b/i, 'continue, resume'],
  [/\b(is|are|was|were|been|be) told\b/i, 'report, print, receive'],
  [/\b(that|which|what|who) holds?\b/i, 'active, effective'],
  [/\bholds? now\b/i, 'active, effective'],
  [/\bstands? (in|on|there)\b/i, 'is in'],
  [/\bof an own\b/i, 'custom, separate'],
  [/\bbrings? along\b/i, 'includes'],
  [/\b(has|have|take|takes) no part\b/i, 'cannot be combined with'],
  [/\b(set|put) aside\b/i, 'reject'],
  [/\bof late\b/i, 'recently'],
  [/\bin small\b/i, 'local emulator'],
  [/\bleft to itself\b/i, 'ignored'],
  [/\ball the same\b/i, 'still, anyway'],
  [/\bwith no word\b|\bwithout a word\b/i, 'silently'],
  [/\bnotWaiting\b/, 'notPending'],
  [/\bis (somebody|nobody) else's\b/i, 'belongs to another'],
  [/\bforg(et|ets|ot|otten)\b/i, 'remove, delete'],
  [/\b(tell|tells|telling|told)\b/i, 'report, print, show'],
  [/\bgives\b/i, 'returns, contains'],
  [
    /(\/\/|\/\*\*|\. |^) ?(What|Whoever|That which|So many|Nobody|Somebody)\b(?!.*\?)/,
    'begin with the subject',
  ],
  [/\b(is|are) no (?!longer|more|such|room|way)\w+/i, 'not a, unknown, invalid'],
  [/\bshare of (the )?(requests|rows|responses)\b/i, 'percentage, rate'],
  [/\bit knows\b|\bknows (of|nothing|no)\b/i, 'say what the module does not depend on'],
  [/\b(an?|the) ending\b/i, 'exit code, extension'],
];

const read = /^(src|test|scripts|bench|docs|examples)\/.*\.(tsx?|js|md|ya?ml)$|^[A-Z]+\.md$/;
const exempt = /^scripts\/plain-words\.ts$/;

const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => read.test(file) && !exempt.test(file));

const hits = files.flatMap((file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) =>
      replacements
        .filter(([pattern]) => pattern.test(line))
        .map(([pattern, instead]) => {
          const [found = ''] = pattern.exec(line) ?? [];
          return `${file}:${index + 1}: "${found}" (write: ${instead})`;
        }),
    ),
);
for (const hit of hits) console.log(hit);
console.log(`${hits.length} words to replace in ${files.length} files`);
if (hits.length > 0) process.exitCode = 1;

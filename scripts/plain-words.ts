// Reports phrases that do not follow the section "Words" of CONTRIBUTING.md: `node scripts/run.js scripts/plain-words.ts`.
// Reads the strings, comments and documents of the project, also those that are not in Git yet. Exits with 1 if it
// finds any.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Phrases to avoid, with the advice that completes the report. */
const phrases: readonly (readonly [pattern: RegExp, advice: string])[] = [
  [/\bmend(s|ed|ing)?\b/i, 'write "fix"'],
  [/(?<!trial[- ])\bendings?\b/i, 'write "exit code" or "extension"'],
  [/\bends with \d/i, 'write "exits with"'],
  [/\bwhoever\b/i, 'name the person or program'],
  [/\b(nobody|somebody|anybody)\b/i, 'name the person or program'],
  [/\bso many (of|rows|requests|times)\b/i, 'write the number, or "n"'],
  [/\bis (none|no field|no way)\b/i, 'write "must be one of" or "is not"'],
  [/\b(go|goes|going|went) on (with|where|to|by|as)\b/i, 'write "continue" or "resume"'],
  [/\b(is|are|was|were|been|be) told\b/i, 'write "receives", or say who reports it'],
  [/\b(that|which|what|who) holds?\b/i, 'write "active" or "effective"'],
  [/\bholds? now\b/i, 'write "active" or "effective"'],
  [/\bstands? (in|on|there)\b/i, 'write "is in"'],
  [/\bof an own\b/i, 'write "custom" or "separate"'],
  [/\bbrings? along\b/i, 'write "includes"'],
  [/\b(has|have|take|takes) no part\b/i, 'write "cannot be combined with"'],
  [/\b(set|put) aside\b/i, 'write "reject"'],
  [/\bof late\b/i, 'write "recently"'],
  [/\bin small\b/i, 'write "local emulator"'],
  [/\bleft to itself\b/i, 'write "ignored"'],
  [/\ball the same\b/i, 'write "still" or "anyway"'],
  [/\bwith no word\b|\bwithout a word\b/i, 'write "silently"'],
  [/\bnotWaiting\b/, 'write "notPending"'],
  [/\bis (somebody|nobody) else's\b/i, 'write "belongs to another"'],
  [/\bforg(et|ets|ot|otten)\b/i, 'write "remove" or "delete"'],
  [/\b(tell|tells|telling|told)\b/i, 'write "report", "print" or "show"'],
  [/\bgives\b/i, 'write "returns" or "contains"'],
  [
    /(\/\/|\/\*\*|\. |^) ?(What|Whoever|That which|So many|Nobody|Somebody)\b(?!.*\?)/,
    'begin with the subject',
  ],
  [/\b(is|are) no (?!longer|more|such|room|way)\w+/i, 'write "is not a", "unknown" or "invalid"'],
  [/\bshare of (the )?(requests|rows|responses)\b/i, 'write "percentage" or "rate"'],
  [/\bit knows\b|\bknows (of|nothing|no)\b/i, 'say what the module does not depend on'],
];

const read = /^(src|test|scripts|bench|docs|examples)\/.*\.(tsx?|js|md|ya?ml)$|^[A-Z]+\.md$/;
/** The list itself. */
const exempt = /^scripts\/plain-words\.ts$/;

const listed = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate'];
const files = execFileSync('git', listed, { encoding: 'utf8' })
  .split('\n')
  .filter((file) => read.test(file) && !exempt.test(file) && existsSync(file));

const reports = files.flatMap((file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) =>
      phrases.flatMap(([pattern, advice]) => {
        const found = pattern.exec(line)?.[0].trim();
        return found === undefined ? [] : [`${file}:${index + 1}: "${found}": ${advice}`];
      }),
    ),
);
for (const report of reports) console.log(report);
console.log(`${reports.length} phrases to replace in ${files.length} files`);
if (reports.length > 0) process.exitCode = 1;

// `npm run coverage`: reports the lines of src that the tests cover, in process and through the built program, and the
// missed branches of critical files. Exits with 1 below the goals. `npm run coverage -- test/api` runs only some tests.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CoverageReport } from 'monocart-coverage-reports';

const goals = {
  lines: 95,
  /** Files and folders that need full branch coverage. */
  branches: [
    'src/api/retry.ts',
    'src/output/mask.ts',
    'src/output/safe-text.ts',
    'src/bulk/journal/',
  ],
};

/** An entry of `coverage-final.json`: statements and branches with their locations and hit counts. */
interface FileCoverage {
  statementMap: Record<string, { start: { line: number } }>;
  s: Record<string, number>;
  branchMap: Record<string, { loc: { start: { line: number } } }>;
  b: Record<string, number[]>;
}

const folder = mkdtempSync(path.join(tmpdir(), 'svc-coverage-'));
const run = (command: string, args: string[], env: Record<string, string> = {}) => {
  const { status } = spawnSync(command, args, {
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  // Why: report the coverage even if a test fails.
  if (status !== 0) process.exitCode = 1;
};

try {
  run('node', ['scripts/build.js', '--plain']);
  const built = path.join(folder, 'built');
  // Some tests run the program as a user other than root, which must be able to write here.
  mkdirSync(built);
  for (const shared of [folder, built]) chmodSync(shared, 0o777);
  const inProcess = path.join(folder, 'in-process');
  run(
    'npx',
    [
      'vitest',
      'run',
      ...process.argv.slice(2),
      // This test checks the size of the minified bundle.
      '--exclude=test/package.test.ts',
      '--coverage.enabled',
      '--coverage.reportOnFailure',
      '--coverage.reporter=json',
      `--coverage.reportsDirectory=${inProcess}`,
    ],
    { BUILT_COVERAGE: built },
  );
  const builtLines = await coveredLinesOfBuilt(built);
  const coverage: Record<string, FileCoverage> = JSON.parse(
    readFileSync(path.join(inProcess, 'coverage-final.json'), 'utf8'),
  );
  report(coverage, builtLines);
} finally {
  rmSync(folder, { recursive: true, force: true });
  run('npm', ['run', '--silent', 'build']);
}

/** Maps each source file to the lines that processes of the built program ran, from their V8 coverage files. */
async function coveredLinesOfBuilt(from: string): Promise<Map<string, Set<number>>> {
  const merged = new CoverageReport({
    logging: 'error',
    reports: [],
    outputDir: path.join(folder, 'merged'),
    entryFilter: (entry) => entry.url.includes('/dist/') && !entry.url.includes('node_modules'),
    sourceFilter: (source) => source.startsWith('src/'),
    sourcePath: (source) => source.slice(Math.max(0, source.search(/\bsrc\//))),
    onEntry: (entry) => {
      const map = `${new URL(entry.url).pathname}.map`;
      if (existsSync(map)) entry.sourceMap = JSON.parse(readFileSync(map, 'utf8'));
    },
  });
  await merged.addFromDir(from);
  const results = await merged.generate();
  const lines = new Map<string, Set<number>>();
  for (const { sourcePath, data } of results?.files ?? []) {
    const run = Object.entries(data?.lines ?? {}).filter(([, hits]) => hits !== 0);
    lines.set(sourcePath, new Set(run.map(([line]) => Number(line))));
  }
  return lines;
}

function report(coverage: Record<string, FileCoverage>, built: Map<string, Set<number>>): void {
  let total = 0;
  let covered = 0;
  const missedLines: string[] = [];
  const missedBranches: string[] = [];
  for (const [file, { s, b, statementMap, branchMap }] of Object.entries(coverage)) {
    const name = path.relative(process.cwd(), file);
    const lines = new Map<number, boolean>();
    for (const [id, { start }] of Object.entries(statementMap)) {
      const ran = (s[id] ?? 0) > 0 || built.get(name)?.has(start.line) === true;
      lines.set(start.line, ran || lines.get(start.line) === true);
    }
    const missed = [...lines].filter(([, ran]) => !ran).map(([line]) => line);
    total += lines.size;
    covered += lines.size - missed.length;
    if (missed.length > 0) missedLines.push(`  ${name}: ${missed.join(' ')}`);
    if (!goals.branches.some((place) => name.startsWith(place))) continue;
    for (const [id, hits] of Object.entries(b)) {
      if (hits.includes(0)) missedBranches.push(`  ${name}:${branchMap[id]?.loc.start.line}`);
    }
  }
  const percent = (covered / total) * 100;
  const print = (text: string) => process.stdout.write(`${text}\n`);
  print(`Lines without coverage:\n${missedLines.join('\n')}`);
  if (missedBranches.length > 0) print(`Branches without coverage:\n${missedBranches.join('\n')}`);
  print(
    `${percent.toFixed(1)} % of the lines of src (goal ${goals.lines}), ${missedBranches.length} branches missed (goal 0)`,
  );
  if (percent < goals.lines || missedBranches.length > 0) process.exitCode = 1;
}

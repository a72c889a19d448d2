// `npm run coverage`: which lines of src the tests reach, in their own process and through the built program, and
// which branches of the parts that must not have an untested one. Ends with 1 below the goals. `-- test/api` asks for
// some tests alone.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CoverageReport } from 'monocart-coverage-reports';

const goals = {
  lines: 95,
  /** Files and folders whose every branch is taken. */
  branches: ['src/api/retry.ts', 'src/output/mask.ts', 'src/output/safe-text.ts', 'src/runs/'],
};

/** As `coverage-final.json` has it: statements and branches with their places and hits. */
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
  // What the tests reached is told all the same.
  if (status !== 0) process.exitCode = 1;
};

try {
  run('node', ['scripts/build.js', '--plain']);
  const built = path.join(folder, 'built');
  // Some tests run the program as somebody who is not root.
  mkdirSync(built);
  for (const place of [folder, built]) chmodSync(place, 0o777);
  const own = path.join(folder, 'own');
  run(
    'npx',
    [
      'vitest',
      'run',
      ...process.argv.slice(2),
      // It weighs the real bundle.
      '--exclude=test/package.test.ts',
      '--coverage.enabled',
      '--coverage.reportOnFailure',
      '--coverage.reporter=json',
      `--coverage.reportsDirectory=${own}`,
    ],
    { BUILT_COVERAGE: built },
  );
  const reached = await linesOfBuilt(built);
  const coverage: Record<string, FileCoverage> = JSON.parse(
    readFileSync(path.join(own, 'coverage-final.json'), 'utf8'),
  );
  report(coverage, reached);
} finally {
  rmSync(folder, { recursive: true, force: true });
  run('npm', ['run', '--silent', 'build']);
}

/** `src/app/main.ts` to the lines that the built program has run, from what its processes left behind. */
async function linesOfBuilt(from: string): Promise<Map<string, Set<number>>> {
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
  let all = 0;
  let hit = 0;
  const thin: string[] = [];
  const branches: string[] = [];
  for (const [file, one] of Object.entries(coverage)) {
    const name = path.relative(process.cwd(), file);
    const lines = new Map<number, boolean>();
    for (const [id, { start }] of Object.entries(one.statementMap)) {
      const ran = (one.s[id] ?? 0) > 0 || built.get(name)?.has(start.line) === true;
      lines.set(start.line, ran || lines.get(start.line) === true);
    }
    const missed = [...lines].filter(([, ran]) => !ran).map(([line]) => line);
    all += lines.size;
    hit += lines.size - missed.length;
    if (missed.length > 0) thin.push(`  ${name}: ${missed.join(' ')}`);
    if (!goals.branches.some((place) => name.startsWith(place))) continue;
    for (const [id, hits] of Object.entries(one.b)) {
      if (hits.includes(0)) branches.push(`  ${name}:${one.branchMap[id]?.loc.start.line}`);
    }
  }
  const share = (hit / all) * 100;
  const say = (text: string) => process.stdout.write(`${text}\n`);
  say(`Lines that no test reaches:\n${thin.join('\n')}`);
  if (branches.length > 0) say(`Branches that no test takes:\n${branches.join('\n')}`);
  say(
    `${share.toFixed(1)} % of the lines of src (goal ${goals.lines}), ${branches.length} branches missed (goal 0)`,
  );
  if (share < goals.lines || branches.length > 0) process.exitCode = 1;
}

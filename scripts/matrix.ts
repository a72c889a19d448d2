// `npm run matrix`: the package as users get it, packed and installed from its tarball without install scripts, on
// every supported Node and in the surroundings that break programs. `-- --short` takes this Node alone.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const short = process.argv.includes('--short');
const oldest = '20.20.2';
const others = (short ? [oldest] : [oldest, '22', '24', '26']).filter(
  (version) => !process.version.startsWith(`v${version.split('.')[0]}.`),
);
const folder = mkdtempSync(path.join(tmpdir(), 'svc-matrix-'));
chmodSync(folder, 0o755);
let passed = 0;
const failures: string[] = [];

const npm = (args: string[], cwd = folder) =>
  execFileSync('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });

interface Surroundings {
  name: string;
  env?: Record<string, string | undefined>;
  /** Shell commands before the program. */
  before?: string;
  /** As somebody who is not root. */
  ordinary?: true;
}

const surroundings: readonly Surroundings[] = [
  { name: 'as it is' },
  { name: 'umask 000', before: 'umask 000' },
  { name: 'umask 077', before: 'umask 077' },
  { name: 'LANG=C', env: { LANG: 'C', LC_ALL: 'C' } },
  { name: 'a home that cannot be written', env: { HOME: '/dev/null/home' } },
  { name: 'no home', env: { HOME: undefined } },
  ...(process.getuid?.() === 0 ? [{ name: 'an ordinary user', ordinary: true } as const] : []),
];

interface Trial {
  name: string;
  line: string;
  /** A second line, run in the same surroundings when the first ended with 0. */
  after?: string;
  code: number;
  says?: RegExp;
}

/** What works without a home of one's own, and what needs one. */
const anywhere: readonly Trial[] = [
  { name: 'version', line: '--version', code: 0, says: /^\d+\.\d+\.\d+\n$/ },
  { name: 'help', line: 'topics list --help', code: 0, says: /Usage: svc topics list/ },
  { name: 'no service', line: 'topics list --json', code: 4, says: /"name":"auth"/ },
  { name: 'a typo', line: 'topcs list', code: 2, says: /Did you mean `topics`/ },
  { name: 'completion', line: 'completion bash', code: 0, says: /complete -F _svc svc/ },
];
const atHome: readonly Trial[] = [
  { name: 'the tour', line: 'demo --quiet', code: 0, says: /That was the tour/ },
  {
    name: 'a sandbox that keeps data',
    line: 'sandbox start --detach --port 0 -o table',
    after: 'sandbox stop -o table',
    code: 0,
    says: /runs in the background at.* has stopped/s,
  },
  { name: 'doctor', line: 'doctor', code: 4, says: /problem\s|address\tproblem/ },
  { name: 'a setting', line: 'config set timeout 5s', code: 0 },
];

try {
  const tarball =
    npm(['pack', '--ignore-scripts', '--pack-destination', folder], process.cwd())
      .trim()
      .split('\n')
      .at(-1) ?? '';
  for (const [version, node] of nodes()) {
    const installed = path.join(folder, `on-${version}`);
    mkdirSync(installed);
    writeFileSync(path.join(installed, 'package.json'), '{"private":true}');
    npm(['install', '--ignore-scripts', '--omit=optional', path.join(folder, tarball)], installed);
    const program = path.join(installed, 'node_modules', 'svc-cli', 'bin', 'svc.js');
    for (const around of surroundings) {
      const homeless = around.env !== undefined && 'HOME' in around.env;
      for (const trial of homeless ? anywhere : [...anywhere, ...atHome]) {
        check(
          `Node ${version}, ${around.name}: ${trial.name}`,
          run(node, program, around, trial),
          trial,
        );
      }
    }
    if (node !== process.execPath) testStore(version, node);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(
  `${failures.map((one) => `FAILED ${one}\n`).join('')}${passed} passed, ${failures.length} failed\n`,
);
process.exitCode = failures.length === 0 ? 0 : 1;

/** Each Node with its program: this one, and what npm has of the others. */
function nodes(): [string, string][] {
  const installed = others.map((version): [string, string] => {
    const place = path.join(folder, `node-${version}`);
    const platform = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
    npm(['install', '--no-save', '--ignore-scripts', '--prefix', place, `${platform}@${version}`]);
    return [version, path.join(place, 'node_modules', platform, 'bin', 'node')];
  });
  for (const [version, file] of installed)
    if (!existsSync(file)) throw new Error(`npm brought no Node ${version} to ${file}`);
  return [[process.version, process.execPath], ...installed];
}

/** The kills, the contract of the drivers, and data directories, on the SQLite of that Node and on the bundled one. */
function testStore(version: string, node: string) {
  const files = ['test/sandbox/driver.test.ts', 'test/sandbox/store.test.ts'];
  const vitest = path.join('node_modules', 'vitest', 'vitest.mjs');
  const ended = spawnSync(node, [vitest, 'run', ...files], { encoding: 'utf8' });
  if (ended.status === 0) passed += 1;
  else failures.push(`Node ${version}: ${files.join(', ')}: ${ended.stdout}${ended.stderr}`);
}

function run(
  node: string,
  program: string,
  { env = {}, before, ordinary }: Surroundings,
  { line, after }: Trial,
) {
  const home = mkdtempSync(path.join(folder, 'home-'));
  if (ordinary) chmodSync(home, 0o777);
  const as = ordinary ? 'setpriv --reuid=65534 --regid=65534 --clear-groups ' : '';
  const svc = `${as}"${node}" "${program}"`;
  const lines = after === undefined ? `exec ${svc} ${line}` : `${svc} ${line} && ${svc} ${after}`;
  const script = `${before === undefined ? '' : `${before}; `}${lines}`;
  const variables: NodeJS.ProcessEnv = { PATH: process.env.PATH, HOME: home, ...env };
  if (variables.HOME === undefined) delete variables.HOME;
  const ended = spawnSync('sh', ['-c', script], {
    cwd: folder,
    env: variables,
    encoding: 'utf8',
    timeout: 60_000,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { ...ended, leftOpen: filesOpenToOthers(home) };
}

/** Whatever the umask, what svc keeps is its owner's alone. */
function filesOpenToOthers(home: string): string[] {
  const kept = path.join(home, '.config', 'svc');
  if (!existsSync(kept)) return [];
  const listing = execFileSync('find', [kept, '-perm', '/077'], { encoding: 'utf8' }).trim();
  return listing === '' ? [] : [...listing.split('\n'), ...readdirSync(kept)];
}

function check(name: string, ended: ReturnType<typeof run>, { code, says }: Trial) {
  const said = ended.stdout + ended.stderr;
  const wrong = [
    ...(ended.status === code
      ? []
      : [`ended with ${ended.status}, not ${code}: ${ended.stderr.slice(0, 300)}`]),
    ...(says === undefined || says.test(said)
      ? []
      : [`did not say ${says}: ${said.slice(0, 200)}`]),
    ...(/\n\s+at .+:\d+:\d+/.test(ended.stderr)
      ? [`printed a stack: ${ended.stderr.slice(0, 300)}`]
      : []),
    ...(ended.leftOpen.length === 0 ? [] : [`left open to others: ${ended.leftOpen.join(', ')}`]),
  ];
  if (wrong.length === 0) passed += 1;
  else failures.push(`${name}: ${wrong.join('; ')}`);
}

// `npm run matrix`: packs the package, installs it from the tarball without install scripts, and tests it on every
// supported version of Node in several environments. `npm run matrix -- --short` uses the current and the oldest Node.
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
const otherVersions = (short ? [oldest] : [oldest, '22', '24', '26']).filter(
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

interface Environment {
  name: string;
  env?: Record<string, string | undefined>;
  /** Shell commands to run before the program. */
  setUp?: string;
  /** Runs the program as a user other than root. */
  isUnprivileged?: true;
}

const environments: readonly Environment[] = [
  { name: 'defaults' },
  { name: 'umask 000', setUp: 'umask 000' },
  { name: 'umask 077', setUp: 'umask 077' },
  { name: 'LANG=C', env: { LANG: 'C', LC_ALL: 'C' } },
  { name: 'a home folder that is not writable', env: { HOME: '/dev/null/home' } },
  // The configuration folder is fixed here, because without HOME it would be that of the current user.
  { name: 'no HOME', env: { HOME: undefined, SVC_CONFIG_DIR: path.join(folder, 'no-home') } },
  ...(process.getuid?.() === 0
    ? [{ name: 'an unprivileged user', isUnprivileged: true } as const]
    : []),
];

interface TestCase {
  name: string;
  line: string;
  /** A second command line, run if the first exits with 0. */
  nextLine?: string;
  exitCode: number;
  output?: RegExp;
}

/** Cases that work without a home folder. */
const basicCases: readonly TestCase[] = [
  { name: 'version', line: '--version', exitCode: 0, output: /^\d+\.\d+\.\d+\n$/ },
  { name: 'help', line: 'topics list --help', exitCode: 0, output: /Usage: svc topics list/ },
  { name: 'no service', line: 'topics list --json', exitCode: 4, output: /"name":"auth"/ },
  { name: 'a typo', line: 'topcs list', exitCode: 2, output: /Did you mean `topics`/ },
  { name: 'completion', line: 'completion bash', exitCode: 0, output: /complete -F _svc svc/ },
];

/** Cases that need a home folder. */
const homeCases: readonly TestCase[] = [
  { name: 'the tour', line: 'demo --quiet', exitCode: 0, output: /The tour is over/ },
  {
    name: 'a sandbox that keeps data',
    line: 'sandbox start --detach --port 0 -o table',
    nextLine: 'sandbox stop -o table',
    exitCode: 0,
    output: /runs in the background at.* has stopped/s,
  },
  { name: 'doctor', line: 'doctor', exitCode: 4, output: /problem\s|address\tproblem/ },
  { name: 'a setting', line: 'config set timeout 5s', exitCode: 0 },
];

try {
  const tarball =
    npm(['pack', '--ignore-scripts', '--pack-destination', folder], process.cwd())
      .trim()
      .split('\n')
      .at(-1) ?? '';
  for (const [version, node] of installNodes()) {
    const installed = path.join(folder, `on-${version}`);
    mkdirSync(installed);
    writeFileSync(path.join(installed, 'package.json'), '{"private":true}');
    npm(['install', '--ignore-scripts', '--omit=optional', path.join(folder, tarball)], installed);
    const program = path.join(installed, 'node_modules', 'svc-cli', 'bin', 'svc.js');
    for (const environment of environments) {
      const lacksHome = environment.env !== undefined && 'HOME' in environment.env;
      for (const test of lacksHome ? basicCases : [...basicCases, ...homeCases]) {
        check(
          `Node ${version}, ${environment.name}: ${test.name}`,
          run(node, program, environment, test),
          test,
        );
      }
    }
    check(`Node ${version}: npx in an empty folder`, runWithNpx(node, tarball), {
      exitCode: 0,
      output: /The tour is over/,
    });
    checkTesting(version, node, installed);
    if (node !== process.execPath) testStore(version, node);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(
  `${failures.map((failure) => `FAILED ${failure}\n`).join('')}${passed} passed, ${failures.length} failed\n`,
);
process.exitCode = failures.length === 0 ? 0 : 1;

/** Returns version and executable of each Node: the current one, and the others, installed with npm. */
function installNodes(): [string, string][] {
  const installed = otherVersions.map((version): [string, string] => {
    const prefix = path.join(folder, `node-${version}`);
    const platform = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
    npm(['install', '--no-save', '--ignore-scripts', '--prefix', prefix, `${platform}@${version}`]);
    return [version, path.join(prefix, 'node_modules', platform, 'bin', 'node')];
  });
  for (const [version, file] of installed)
    if (!existsSync(file))
      throw new Error(`npm did not install Node ${version}: ${file} is missing`);
  return [[process.version, process.execPath], ...installed];
}

/** Runs the tour from the tarball as the README shows it, with the npm of this machine on the given Node. */
function runWithNpx(node: string, tarball: string) {
  const home = mkdtempSync(path.join(folder, 'home-'));
  const result = spawnSync(
    'npx',
    ['--yes', '--package', path.join(folder, tarball), 'svc-cli', 'demo', '--quiet'],
    {
      cwd: home,
      env: {
        // npm may need the certificates and proxies of this machine.
        ...process.env,
        PATH: `${path.dirname(node)}:${process.env.PATH}`,
        HOME: home,
      },
      encoding: 'utf8',
      timeout: 120_000,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  return { ...result, exposedFiles: findExposedFiles(home) };
}

/** Runs the tests of the SQLite drivers and the store on this version of Node. */
function testStore(version: string, node: string) {
  const files = ['test/sandbox/driver.test.ts', 'test/slow/store.test.ts'];
  const vitest = path.join('node_modules', 'vitest', 'vitest.mjs');
  const result = spawnSync(node, [vitest, 'run', ...files], { encoding: 'utf8' });
  if (result.status === 0) passed += 1;
  else failures.push(`Node ${version}: ${files.join(', ')}: ${result.stdout}${result.stderr}`);
}

/** Starts a sandbox with `svc-cli/testing` in a process of each module type, without a home folder. */
function checkTesting(version: string, node: string, installed: string) {
  const body = `startSandbox().then(async (sandbox) => {
    const headers = { authorization: 'ApiKey ' + sandbox.key };
    const response = await fetch(sandbox.url + '/v2/topics', { headers });
    console.log(response.status, (await sandbox.messages()).length);
  });`;
  const files = {
    'start.mjs': `import { startSandbox } from 'svc-cli/testing';\n${body}`,
    'start.cjs': `const { startSandbox } = require('svc-cli/testing');\n${body}`,
  };
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(path.join(installed, name), text);
    // The process ends although the sandbox is not stopped.
    const result = spawnSync(node, [name], {
      cwd: installed,
      env: { PATH: process.env.PATH, HOME: '/dev/null/home', SVC_CONFIG_DIR: '/dev/null/svc' },
      encoding: 'utf8',
      timeout: 60_000,
    });
    check(
      `Node ${version}: svc-cli/testing from ${name}`,
      { ...result, exposedFiles: [] },
      { exitCode: 0, output: /^200 0\n$/ },
    );
  }
}

function run(
  node: string,
  program: string,
  { env = {}, setUp, isUnprivileged }: Environment,
  { line, nextLine }: TestCase,
) {
  const home = mkdtempSync(path.join(folder, 'home-'));
  if (isUnprivileged) chmodSync(home, 0o777);
  const asUser = isUnprivileged ? 'setpriv --reuid=65534 --regid=65534 --clear-groups ' : '';
  const svc = `${asUser}"${node}" "${program}"`;
  const lines =
    nextLine === undefined ? `exec ${svc} ${line}` : `${svc} ${line} && ${svc} ${nextLine}`;
  const script = `${setUp === undefined ? '' : `${setUp}; `}${lines}`;
  const variables: NodeJS.ProcessEnv = { PATH: process.env.PATH, HOME: home, ...env };
  if (variables.HOME === undefined) delete variables.HOME;
  const result = spawnSync('sh', ['-c', script], {
    cwd: folder,
    env: variables,
    encoding: 'utf8',
    timeout: 60_000,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { ...result, exposedFiles: findExposedFiles(home) };
}

/** Returns the configuration files that other users can access. There must be none, whatever the umask. */
function findExposedFiles(home: string): string[] {
  const configuration = path.join(home, '.config', 'svc');
  if (!existsSync(configuration)) return [];
  const exposed = execFileSync('find', [configuration, '-perm', '/077'], {
    encoding: 'utf8',
  }).trim();
  return exposed === '' ? [] : [...exposed.split('\n'), ...readdirSync(configuration)];
}

function check(
  name: string,
  result: ReturnType<typeof run>,
  { exitCode, output }: Omit<TestCase, 'name' | 'line'>,
) {
  const printed = result.stdout + result.stderr;
  const errors = [
    ...(result.status === exitCode
      ? []
      : [`exited with ${result.status}, not ${exitCode}: ${result.stderr.slice(0, 300)}`]),
    ...(output === undefined || output.test(printed)
      ? []
      : [`did not print ${output}: ${printed.slice(0, 200)}`]),
    ...(/\n\s+at .+:\d+:\d+/.test(result.stderr)
      ? [`printed a stack trace: ${result.stderr.slice(0, 300)}`]
      : []),
    ...(result.exposedFiles.length === 0
      ? []
      : [`other users can access: ${result.exposedFiles.join(', ')}`]),
  ];
  if (errors.length === 0) passed += 1;
  else failures.push(`${name}: ${errors.join('; ')}`);
}

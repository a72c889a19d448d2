// Runs every shell block of the README and of the pages in docs/ with the built program in bash. The blocks of a page,
// and those of a section of the README, are one session. `# exits with 9` names an exit code that is not 0.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { type Home, openHome } from '../support/built.ts';
import {
  addOtherProfile,
  openPrepared,
  prepareFiles,
  prepareWorkflows,
} from '../support/documented-home.ts';

/** A page is a session of up to forty commands. */
vi.setConfig({ testTimeout: 180_000 });

const shellBlocks = (text: string) =>
  [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);

/** Files that a page creates itself must not exist before. */
function removeFiles({ folder }: Home, text: string) {
  if (text.includes('workflows pull'))
    rmSync(path.join(folder, 'workflows'), { recursive: true, force: true });
  for (const [, file = ''] of text.matchAll(/> ([\w-]+\.\w+)/g))
    rmSync(path.join(folder, file), { force: true });
}

/** Blocks that install packages have tests of their own: `.ci/run`, global-install, and nightly/application-examples. */
const installing = [
  'npm ci && npm run demo',
  'npm pack\nnpm install --global ./svc-cli-',
  'npm install --save-dev svc-cli vitest\nnpm install @novu/api',
];
const isInstalling = (block: string) => installing.some((start) => block.startsWith(start));

interface Session {
  name: string;
  blocks: string[];
}

const toSession = (name: string, text: string): Session => ({
  name,
  blocks: shellBlocks(text).filter((block) => !isInstalling(block)),
});

const readme = readFileSync('README.md', 'utf8');
const pages = readdirSync('docs').filter((name) => name.endsWith('.md'));
const sessions = [
  ...readme
    .split(/^(?=## )/m)
    .map((section) => toSession(`README.md, ${section.split('\n')[0]}`, section)),
  ...pages.map((name) => toSession(`docs/${name}`, readFileSync(`docs/${name}`, 'utf8'))),
].filter(({ blocks }) => blocks.length > 0);

/** A line with its expected exit code, and a sandbox on a free port. */
function adapted(line: string): string {
  const command = line
    .replace(/svc sandbox start(?!.*--port)/, '$& --port 0')
    .replace(/^npx svc /, 'svc ')
    .replace(/^svc login --base-url \S+/, '$& --profile work --with-key < key.txt #')
    .replace(/https:\/\/api\.novu\.co/, '"$SERVICE"');
  const code = /# exits with (\d+):/.exec(line)?.[1];
  return code === undefined
    ? command
    : `code=0; ${command.replace(/ *#.*/, '')} || code=$?; test "$code" -eq ${code}`;
}

/** A block that ends its shell on an error is a script, so it runs in its own shell. */
function toScript({ blocks }: Session): string {
  const shells = blocks.map((block) => {
    const lines = block.split('\n').map(adapted).join('\n');
    return block.startsWith('set -e') ? `(\n${lines}\n)` : lines;
  });
  return `set -e\n${shells.join('\n')}`;
}

async function run(home: Home, session: Session, env: NodeJS.ProcessEnv = {}) {
  const script = toScript(session);
  const { code, stdout, stderr } = await home.shell(`set -x\n${script}`, env);
  // No page has all of these profiles.
  for (const profile of ['sandbox', 'sandbox-2', 'examples'])
    expect([0, 2]).toContain((await home.svc(['sandbox', 'stop', '-p', profile])).code);
  return { code, stdout, stderr: code === 0 ? '' : stderr };
}

describe('the blocks of', () => {
  it.each(sessions.map((session) => [session.name, session] as const))(
    '%s work as printed',
    async (_name, session) => {
      const text = session.blocks.join('');
      if (!text.includes('svc sandbox start')) {
        const prepared = await openPrepared();
        removeFiles(prepared.home, text);
        const env = { SERVICE: prepared.baseUrl };
        expect(await run(prepared.home, session, env)).toMatchObject({ code: 0, stderr: '' });
        return;
      }
      const home = openHome();
      prepareFiles(home);
      if (/\bproduction\b/.test(text)) {
        const { baseUrl, key } = await home.sandbox(['--in-memory', '--no-profile']);
        await prepareWorkflows({ home, baseUrl, key }, 'development');
      }
      // Without SVC_PROFILE, a command would send its requests to this service.
      const requests = await addOtherProfile(home);
      removeFiles(home, text);
      expect(await run(home, session)).toMatchObject({ code: 0, stderr: '' });
      expect(requests).toEqual([]);
    },
  );
});

const page = (name: string) => {
  const session = sessions.find((session) => session.name === `docs/${name}`);
  if (!session) throw new Error(`docs/${name} has no blocks`);
  return session;
};

it('all shell blocks have the language sh, so that they run in a test', () => {
  for (const file of ['README.md', ...pages.map((name) => `docs/${name}`)]) {
    const text = readFileSync(file, 'utf8');
    expect([file, text.match(/^```(bash|shell|zsh)?\n(\$ |svc |npm )/gm)]).toEqual([file, null]);
  }
});

it('the digest of docs/sandbox.md names both authors', async () => {
  const home = openHome();
  prepareFiles(home);
  const [digest = ''] = page('sandbox.md').blocks;
  const { stdout } = await home.shell(
    digest.replace('--in-memory', '$& --port 0').replace('svc inbox list u1', '$& -o csv'),
  );
  await home.svc(['sandbox', 'stop', '-p', 'sandbox']);
  expect(stdout).toContain('On Hello: Ada, Efua');
});

it('docs/ci.md has a job of which two instances can run at the same time', async () => {
  const home = openHome();
  prepareFiles(home);
  const [job = ''] = page('ci.md').blocks;
  const results = await Promise.all([home.shell(job), home.shell(job)]);
  expect(results).toMatchObject([{ code: 0 }, { code: 0 }]);
});

it('docs/testing.md pulls an example while another sandbox runs', async () => {
  const home = openHome();
  await home.svc(['sandbox', 'start', '--in-memory', '--port', '0', '--detach']);
  const recipe = page('testing.md').blocks.find((block) => block.includes('npx svc')) ?? '';
  const { code, stderr } = await home.shell(`set -e\n${recipe.replaceAll('npx svc', 'svc')}`);
  const running = async (profile: string) =>
    (await home.svc(['sandbox', 'status', '-p', profile, '--jq', '.running'])).stdout.trim();
  const states = [await running('sandbox'), await running('examples')];
  await home.svc(['sandbox', 'stop', '-p', 'sandbox']);
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  expect(states).toEqual(['true', 'false']);
  expect(readFileSync(path.join(home.folder, 'workflows', 'welcome.yaml'), 'utf8')).toMatch(
    /^# svc workflow, format 1\n/,
  );
});

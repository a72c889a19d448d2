// Runs every example of the help with the built program in bash.
import { describe, expect, it } from 'vitest';
import { type Command, type Group, isGroup } from '../../src/cli/command.ts';
import { exampleLine } from '../../src/cli/help/help.ts';
import { commandTree } from '../../src/commands/index.ts';
import { openPrepared, type Prepared, prepareWorkflows } from '../support/documented-home.ts';
import { onTerminal } from '../support/terminal.ts';

const examplesOf = (node: Group | Command): string[] =>
  isGroup(node)
    ? Object.values(node.commands).flatMap(examplesOf)
    : node.examples.map(({ line }) => exampleLine(node, line));

const nouns = await Promise.all(
  Object.entries(commandTree).map(
    async ([noun, lazy]) => [noun, examplesOf(await lazy.load())] as const,
  ),
);

/** Examples that skip workflows which are defined in code exit with 3, and those that find differences with 10. */
function expectedCode(line: string): number {
  if (/workflows (pull(?! welcome)|promote --all)/.test(line)) return 3;
  return line.startsWith('svc diff development production') ? 10 : 0;
}

/** Commands whose examples change profiles or sandboxes, so that each example needs a new home. */
const needsNewHome = new Set(['sandbox', 'demo', 'login', 'logout', 'profiles', 'config']);

describe.each(nouns)('svc %s', (noun, examples) => {
  if (needsNewHome.has(noun)) {
    it.each(examples)('%s', async (line) => {
      const prepared = await openPrepared();
      if (line.includes('--from production')) await prepareWorkflows(prepared);
      await expectSuccess(line, prepared);
    });
  } else {
    it('has examples that work', async () => {
      const prepared = await openPrepared();
      if (noun === 'runs') {
        const { home } = prepared;
        await home.shell('svc events trigger welcome --recipients users.csv --take 1 --yes');
        for (let run = 1; run <= 3; run += 1) {
          await prepared.home.svc(['subscribers', 'bulk-import', 'users.csv']);
        }
      }
      if (['workflows', 'diff'].includes(noun)) await prepareWorkflows(prepared);
      for (const line of examples) await expectSuccess(line, prepared);
    });
  }
});

async function expectSuccess(line: string, { home, baseUrl, key }: Prepared) {
  // Examples use this fictitious address of a service; the test uses that of the sandbox.
  const adapted = line
    .replace('https://notifications.example.com', baseUrl)
    .replace(/svc sandbox start(?!.*--port)/, '$& --port 0');
  if (line === 'svc login --base-url https://notifications.example.com') {
    const args = [String(home.env.SVC), ...adapted.split(' ').slice(1)];
    const terminal = onTerminal(process.execPath, args, { env: home.env, cwd: home.folder });
    await terminal.shows('API key:');
    terminal.types(`${key}\r`);
    await terminal.shows('Name of the profile:');
    terminal.types('work\r');
    expect((await terminal.ended()).code).toBe(0);
  } else if (line.startsWith('svc sandbox start') && !line.includes('--detach')) {
    const started = home.start(adapted.split(' ').slice(1).concat('--profile-name', 'other'));
    await started.says('baseUrl');
    started.process.kill('SIGINT');
    expect((await started.ended).code).toBe(130);
  } else {
    const command = line.startsWith('svc sandbox start')
      ? `${adapted} --profile-name other`
      : adapted;
    const { code, stderr } = await home.shell(command);
    if (command !== adapted || adapted.includes('sandbox start'))
      await home.svc(['sandbox', 'stop', '-p', 'other']);
    const expected = expectedCode(line);
    const details = code === expected ? '' : stderr;
    expect({ line, code, stderr: details }).toEqual({ line, code: expected, stderr: '' });
  }
}

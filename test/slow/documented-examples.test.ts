// Runs every example of the help: one with shell syntax, or with processes, by the built program in bash, the others here.
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Command, type Group, isGroup } from '../../src/cli/command.ts';
import { exampleLine } from '../../src/cli/help/help.ts';
import { commandTree } from '../../src/commands/index.ts';
import { controlAt } from '../support/control.ts';
import {
  openPrepared,
  type Prepared,
  prepareEnvironment,
  prepareLayouts,
  prepareWorkflows,
  runInProcess,
} from '../support/documented-home.ts';
import { onTerminal } from '../support/terminal.ts';

/** A noun has up to forty examples, each a process. */
vi.setConfig({ testTimeout: 180_000 });

const listExamples = (node: Group | Command): string[] =>
  isGroup(node)
    ? Object.values(node.commands).flatMap(listExamples)
    : Object.keys(node.examples).map((example) => exampleLine(node, example));

const nouns = await Promise.all(
  Object.entries(commandTree).map(
    async ([noun, lazy]) => [noun, listExamples(await lazy.load())] as const,
  ),
);

/** Examples that skip workflows which are defined in code exit with 3, and those that find differences with 10. */
function expectedCode(line: string): number {
  if (/workflows (pull(?! welcome)|promote --all)/.test(line)) return 3;
  const differs =
    /svc (diff (development production|production environment)|upgrade check|.*bulk-import .* --check$)/;
  return differs.test(line) ? 10 : 0;
}

const startsOrStops = (line: string) =>
  /^svc (-p sandbox )?(demo|sandbox (start|stop|exec))/.test(line);

const isPlain = (line: string) => /^svc [\w ./:=@,+%-]+$/.test(line) && !startsOrStops(line);

/** Commands whose examples change profiles or sandboxes, so that each example needs a home as it was. */
const changesHome = new Set(['sandbox', 'demo', 'login', 'logout', 'profiles', 'config']);

describe.each(nouns)('svc %s', (noun, examples) => {
  if (changesHome.has(noun)) {
    it('has examples that work', async () => {
      const prepared = await openPrepared();
      const saved = `${prepared.home.folder}.saved`;
      onTestFinished(() => rmSync(saved, { recursive: true, force: true }));
      cpSync(prepared.home.folder, saved, { recursive: true });
      for (const line of examples.filter((line) => !startsOrStops(line))) {
        rmSync(prepared.home.folder, { recursive: true });
        cpSync(saved, prepared.home.folder, { recursive: true });
        await controlAt(prepared).reset();
        if (line.includes('--from production')) await prepareWorkflows(prepared);
        await expectSuccess(line, prepared);
      }
    });
    const others = examples.filter(startsOrStops);
    if (others.length > 0)
      it.each(others)('%s', async (line) => expectSuccess(line, await openPrepared()));
  } else {
    it('has examples that work', async () => {
      const prepared = await openPrepared({ inProcess: true });
      if (noun === 'runs') {
        const { home } = prepared;
        const trigger = ['events', 'trigger', 'welcome', '--recipients', 'users.csv'];
        await runInProcess(home, [...trigger, '--take', '1', '--yes']);
        for (let run = 1; run <= 3; run += 1) {
          await runInProcess(home, ['subscribers', 'bulk-import', 'users.csv']);
        }
      }
      if (['workflows', 'diff', 'mcp'].includes(noun)) await prepareWorkflows(prepared);
      if (noun === 'environments') await prepareEnvironment(prepared.home);
      if (noun === 'topics') {
        const text = 'subscriberId,topicKey\nu1,announcements\n';
        writeFileSync(path.join(prepared.home.folder, 'people.topics.csv'), text);
      }
      if (noun === 'subscribers')
        writeFileSync(
          path.join(prepared.home.folder, 'people.channels.csv'),
          'subscriberId,kind,identifier,integration,type,endpoint\nu1,endpoint,end-1,slack-chat,slack_user,"{""userId"":""U1""}"\n',
        );
      if (noun === 'layouts') await prepareLayouts(prepared.home);
      for (const line of examples) {
        // These delete people whom others name.
        if (noun === 'subscribers') await controlAt(prepared).reset();
        await expectSuccess(line, prepared);
      }
    });
  }
});

async function expectSuccess(line: string, { home, baseUrl, key }: Prepared) {
  // Needs a person at an editor.
  if (line.includes('svc runs fix')) return;
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
    const { code, stderr } = isPlain(line)
      ? await runInProcess(home, command.split(' ').slice(1))
      : await home.shell(command);
    if (command !== adapted || adapted.includes('sandbox start'))
      await home.svc(['sandbox', 'stop', '-p', 'other']);
    const expected = expectedCode(line);
    // Examples for newer servers than the sandbox say which version they need.
    if (code !== expected && /it needs version 3\.\d+\.|A newer server may offer it/.test(stderr))
      return;
    const details = code === expected ? '' : stderr;
    expect({ line, code, stderr: details }).toEqual({ line, code: expected, stderr: '' });
  }
}

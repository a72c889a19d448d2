// Help of every command and topic: usage, output, exit codes and examples.
import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isGroup } from '../../src/cli/command.ts';
import { exampleLine } from '../../src/cli/help/help.ts';
import { type HelpTopic, helpTopics } from '../../src/cli/help/topics.ts';
import { commandTree } from '../../src/commands/index.ts';
import { exitCodes } from '../../src/core/errors.ts';
import { openRig } from '../support/rig.ts';

async function leaves(): Promise<string[][]> {
  const paths: string[][] = [];
  const walk = (path: string[], node: Parameters<typeof isGroup>[0]) => {
    if (!isGroup(node)) paths.push(path);
    else for (const [name, child] of Object.entries(node.commands)) walk([...path, name], child);
  };
  for (const [name, lazy] of Object.entries(commandTree)) walk([name], await lazy.load());
  return paths;
}

/** A text of each page that no other page has. */
const pages: Record<keyof typeof helpTopics, string> = {
  importing: 'Imports CSV, NDJSON or JSON files of any size.',
  campaigns: 'Triggers one event for each row of a file.',
  deliveries: 'Reads the jobs and execution details that the service keeps for each event.',
  git: 'Keeps workflows, layouts, integrations, topics and contexts as files',
  testing: '`svc-cli/testing` starts a sandbox inside your',
  sandbox: 'The sandbox is a local emulator of the service',
  'sandbox-api': 'A sandbox serves control routes besides the routes of the service.',
  replay: 'Runs past events through changed workflows on this machine, and shows whose',
  people: 'Shows, exports, changes, moves and deletes the data of people.',
  upgrade: 'Shows what an upgrade of the server affects',
  ci: 'If CI is set, svc never prompts.',
  agents: '---\nname: svc\n',
  security: 'svc sends a key only to the address that it was stored with',
  output: 'Standard output contains only results.',
  'exit-codes': 'Every command exits with one of these codes.',
  options: 'All commands share these options, before or after the command name.',
  environment: 'The value of a setting comes from the first of these that sets it',
  bulk: 'A bulk run is one execution of a command that sends many items',
};

describe('help', async () => {
  it.each(await leaves())('svc %s %s %s --help', async (...path) => {
    const { svc } = await openRig({ bare: true });
    const line = path.filter((word) => typeof word === 'string');
    const { code, stdout: short, stderr } = await svc([...line, '--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const part of ['Usage: svc', 'Examples:\n  # ']) expect(short).toContain(part);
    expect(short.trimEnd().split('\n').length).toBeLessThanOrEqual(40);
    expect((await svc(['help', ...line])).stdout).toBe(short);

    const { stdout: whole } = await svc([...line, '--help', '--all']);
    for (const part of ['Usage: svc', 'Output:', 'Exit codes:', 'Examples:\n  # ']) {
      expect(whole).toContain(part);
    }
    if (short !== whole) expect(short).toContain(`svc ${line.join(' ')} --help --all`);
    expect((await svc(['help', ...line, '--all'])).stdout).toBe(whole);
    expect(
      `${short}\n${whole}`
        .split('\n')
        .filter((text) => text.length > 80 && !text.startsWith('  svc')),
    ).toEqual([]);
  });

  it('shows the overview on a screen of 40 lines', async () => {
    const { svc } = await openRig({ bare: true });
    const { stdout } = await svc(['--help']);
    expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(40);
    for (const topic of Object.keys(helpTopics))
      expect(stdout).toMatch(new RegExp(`[ ,]${topic}\\b`));
  });

  it('names every page of the documentation, which exists', async () => {
    const { svc } = await openRig({ bare: true });
    const topics: Record<string, HelpTopic> = helpTopics;
    for (const [topic, { documents = [] }] of Object.entries(topics)) {
      const { stdout } = await svc(['help', topic]);
      for (const document of documents) {
        expect(existsSync(document)).toBe(true);
        expect(stdout).toMatch(new RegExp(`^The whole page: .*${document}`, 'm'));
      }
    }
    const named = Object.values(topics).flatMap(({ documents = [] }) => documents);
    const { stdout } = await svc(['--help']);
    for (const page of readdirSync('docs').filter((name) => name.endsWith('.md')))
      expect(named.includes(`docs/${page}`) || stdout.includes(page.replace('.md', ''))).toBe(true);
  });

  it('shows the options of a long command that its examples use', async () => {
    const { svc } = await openRig({ bare: true });
    const { stdout } = await svc(['events', 'trigger', '--help']);
    for (const option of ['--to ', '--recipients', '--canary', '--wait']) {
      expect(stdout).toContain(option);
    }
    expect(stdout).not.toContain('--environment-id');
  });

  it('uses the sandbox profile in every example that changes data of the service', async () => {
    const walk = (node: Parameters<typeof isGroup>[0]): string[] =>
      isGroup(node)
        ? Object.values(node.commands).flatMap(walk)
        : node.writes && !node.defaultProfile
          ? Object.keys(node.examples).flatMap((line) =>
              node.readExamples?.includes(line) ? [] : exampleLine(node, line),
            )
          : [];
    const groups = await Promise.all(Object.values(commandTree).map(({ load }) => load()));
    const lines = groups.flatMap(walk);
    expect(lines).toContain('svc -p sandbox integrations delete 677485809bebc841f620134a --yes');
    for (const line of lines)
      for (const part of line.split(' | ')) expect(part).toMatch(/^svc -p sandbox /);
  });

  it('distinguishes the variable with the key from the option with its file', async () => {
    const { svc } = await openRig({ bare: true });
    const { stdout } = await svc(['help', 'environment']);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'SVC_API_KEY The API key itself (--api-key-file <path> reads it from a file)',
    );
    expect((await svc(['help', 'options'])).stdout).not.toContain('SVC_API_KEY');
    const login = await svc(['login', '--help']);
    for (const option of ['--base-url', '--profile', '--api-key-file'])
      expect(login.stdout).toContain(option);
  });

  it('lists every variable that the help of a command names', async () => {
    const { svc } = await openRig({ bare: true });
    const variablesIn = (text: string) => text.match(/\bSVC_[A-Z_]*[A-Z]\b/g) ?? [];
    const { stdout: page } = await svc(['help', 'environment']);
    for (const line of await leaves()) {
      const { stdout } = await svc([...line, '--help', '--all']);
      expect(variablesIn(page)).toEqual(expect.arrayContaining(variablesIn(stdout)));
    }
  });

  it.each(Object.entries(pages))('svc help %s', async (topic, text) => {
    const { svc } = await openRig({ bare: true });
    const { code, stdout } = await svc(['help', topic]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(text) });
    expect(stdout.split('\n').filter((text) => text.length > 80)).toEqual([]);
  });

  it('lists every exit code on the exit-codes page', async () => {
    const { svc } = await openRig({ bare: true });
    const { stdout } = await svc(['help', 'exit-codes']);
    for (const [name, { code }] of Object.entries(exitCodes)) {
      expect(stdout).toMatch(new RegExp(`^ +${code}  ${name} `, 'm'));
    }
  });

  it('lists the exit codes of a command', async () => {
    const { svc } = await openRig({ bare: true });
    expect((await svc(['subscribers', 'import', '--help', '--all'])).stdout).toContain(
      '0 ok, 2 usage, 3 partial, 4 auth, 5 notFound, 6 refused, 7 unavailable, 8\n  local, 10 different.',
    );
  });

  it('names the operations that not every server offers', async () => {
    const { svc } = await openRig({ bare: true });
    const printHelp = async (...words: string[]) =>
      (await svc([...words, '--help', '--all'])).stdout.replace(/\s+/g, ' ');
    const broadcast = await printHelp('events', 'broadcast');
    expect(broadcast).toContain('Not every server offers broadcastEvent or listSubscribers.');
    expect(broadcast).toContain('5 notFound');
    expect(await printHelp('inbox', 'count')).toContain(
      'offers countInboxNotifications, countNotifications or listNotifications.',
    );
    expect(await printHelp('topics', 'rename')).not.toContain('Not every server');
  });
});

describe('help on a narrow terminal', () => {
  it('is broken at words from 50 columns on', async () => {
    const { svc } = await openRig();
    const faults = ['sandbox', 'faults', 'set', '--help'];
    for (const line of [['runs'], ['topics', 'list', '--help'], faults, ['help', 'bulk'], []]) {
      const { stdout } = await svc(line, { tty: true, columns: 50 });
      const texts = stdout
        .split('\n')
        .filter((text) => !text.startsWith('  svc ') && !/^ *`/.test(text));
      expect(texts.filter((text) => text.length > 50)).toEqual([]);
    }
    const { stdout } = await svc(['topics', 'list', '--help'], { columns: 50 });
    expect(stdout).toBe((await svc(['topics', 'list', '--help'])).stdout);
  });
});

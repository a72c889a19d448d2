// `svc __complete` finds the candidates for the word at the cursor. test/shells/ tests it in shells.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRig } from '../support/rig.ts';

/** The output for a command line whose last word is at the cursor. */
async function complete(line: string): Promise<string> {
  const { svc } = await openRig();
  const { code, stdout, stderr, requests } = await svc(['__complete', '--', ...line.split(' ')]);
  expect({ code, stderr, requests }).toEqual({ code: 0, stderr: '', requests: [] });
  return stdout;
}

/** The values of the candidates. */
const values = async (line: string) =>
  (await complete(line))
    .trimEnd()
    .split('\n')
    .map((candidate) => candidate.split('\t')[0]);

describe('svc __complete', () => {
  it('offers groups and commands with their summaries', async () => {
    const groups = await complete('');
    expect(groups).toContain('topics\tChange topics, add and remove subscribers\n');
    expect(groups).toContain('help\tShow help for a command or topic\n');
    expect(await complete('topics ')).toContain('list\tList topics');
    expect(await values('subscribers credentials ')).toEqual(['set', 'delete', 'import']);
  });

  it('accepts aliases of groups and commands, but does not offer them', async () => {
    expect(await values('topic ls --order ')).toEqual(['asc', 'desc']);
    expect(await values('topic ')).not.toContain('ls');
    expect(await values('')).not.toContain('topic');
  });

  it('offers the options of the command and the global ones with their summaries', async () => {
    const options = await complete('topics list -');
    expect(options).toContain('--order\tSort direction\n');
    expect(options).toContain('-p\tUse this profile\n--profile\tUse this profile\n');
    expect(options).toContain('--debug\tLog requests');
    expect(options).toContain('--debug=body\tLog requests');
    expect(options).toContain('--no-color\tShorthand for --color never\n');
    expect(options).not.toContain('--colorless');
    expect(options).not.toContain('--version');
    expect(await values('--')).toContain('--version');
    expect(await values('integrations update --')).toEqual(
      expect.arrayContaining(['--active', '--no-active']),
    );
  });

  it('offers the values of an option, and whole words after =', async () => {
    expect(await complete('topics list --order ')).toBe('asc\t\ndesc\t\n');
    expect(await complete('topics list --order=d')).toBe('--order=asc\t\n--order=desc\t\n');
    expect(await values('topics list --dry-run=')).toEqual(['--dry-run=curl']);
    expect(await values('-o ')).toContain('ndjson');
  });

  it('accepts global options before the command', async () => {
    const line = '-q --profile x --base-url=http://x --color never topics list --order ';
    expect(await values(line)).toEqual(['asc', 'desc']);
  });

  it('reads no options after --', async () => {
    expect(await complete('topics list -- -')).toBe('');
    expect(await complete('sandbox exec -- npm --')).toBe('files\n');
  });

  it('asks the shell for files', async () => {
    expect(await complete('subscribers bulk-import ')).toBe('files\n');
    expect(await complete('--api-key-file ')).toBe('files\n');
    expect(await complete('topics subscribe vip --file=a')).toBe('files\n');
    expect(await complete('sandbox exec npm ')).toBe('files\n');
  });

  it('says that a value can be any text', async () => {
    expect(await complete('topics list --limit ')).toBe('text\n');
    expect(await complete('topics list --limit=')).toBe('text\n');
    expect(await complete('topics create ')).toBe('text\n');
  });

  it('offers each argument in its place, and nothing after the last one', async () => {
    const { svc } = await openRig();
    await svc(['topics', 'list']);
    await svc(['subscribers', 'list']);
    const at = async (...words: string[]) => (await svc(['__complete', '--', ...words])).stdout;
    expect(await at('topics', 'subscribe', '')).toContain('announcements\tAnnouncements\n');
    const subscribers = await at('topics', 'subscribe', 'announcements', '');
    expect(subscribers).toContain('u1\t\n');
    expect(await at('topics', 'subscribe', 'announcements', 'u1', 'u2', '')).toBe(subscribers);
    expect(await at('topics', 'get', 'announcements', '')).toBe('');
  });

  it('offers only the steps of the workflow', async () => {
    const { svc } = await openRig();
    await svc(['workflows', 'get', 'welcome']);
    const steps = async (...words: string[]) =>
      (await svc(['__complete', '--', 'workflows', ...words, ''])).stdout;
    expect(await steps('step', 'welcome')).toContain('welcome-email');
    expect(await steps('preview', 'welcome', '--step')).toContain('welcome-email');
    expect(await steps('step', 'other')).toBe('');
  });

  it('offers the values of the profile and address of the line', async () => {
    const { svc, folder } = await openRig();
    const topics = path.join(folder, 'cache', 'values', encodeURIComponent('http://y other'));
    mkdirSync(topics, { recursive: true });
    writeFileSync(path.join(topics, 'topics'), 'elsewhere\t\t\n');
    for (const options of [['-p', 'other'], ['--profile=other'], ['--profile', 'other']]) {
      const line = ['--base-url', 'http://y', 'topics', 'get', ...options, ''];
      expect((await svc(['__complete', '--', ...line])).stdout).toBe('elsewhere\t\n');
    }
  });

  it('offers the topics of the help and the groups for svc help', async () => {
    expect(await values('help ')).toEqual(expect.arrayContaining(['exit-codes', 'topics']));
    expect(await complete('help topics ')).toBe('');
  });

  it.each(['nonsense ', 'topics nonsense ', '../config ', 'topics list extra '])(
    'exits with 0 and prints nothing for %j',
    async (line) => {
      expect(await complete(line)).toBe('');
    },
  );

  it('prints nothing without words', async () => {
    const { svc } = await openRig();
    for (const line of [['__complete'], ['__complete', '--'], ['__complete', 'topics', '']])
      expect(await svc(line)).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });
});

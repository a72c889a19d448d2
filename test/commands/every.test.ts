// What holds for every command that talks to the service: on a terminal, as JSON, in a pipe, refused before
// anything is sent, and refused by the service. What each prints is held by the tests beside its noun.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Command, type Group, isGroup } from '../../src/cli/command.ts';
import { commandTree } from '../../src/commands/index.ts';
import { openRig } from '../support/rig.ts';

const commandsOf = (path: string, node: Group | Command): [string, Command][] =>
  isGroup(node)
    ? Object.entries(node.commands).flatMap(([name, child]) => commandsOf(`${path} ${name}`, child))
    : [[path, node]];

const loaded = await Promise.all(
  Object.entries(commandTree).map(async ([noun, lazy]) => commandsOf(noun, await lazy.load())),
);

/** An example that needs no shell. */
const plain = ({ examples }: Command) =>
  examples.find(({ line }) => line.startsWith('svc ') && !/[|<>$@]|--jq|--json|-o |env:/.test(line))
    ?.line;

const commands = loaded
  .flat()
  .filter(([name, { calls = [], local }]) => calls.length > 0 && !local && name !== 'doctor')
  .map(([name, command]) => [name, plain(command) ?? ''] as const);

/** Words as a shell would split them. */
const wordsOf = (line: string) =>
  (line.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? [])
    .slice(1)
    .map((word) =>
      word.replace(/"([^"]*)"|'([^']*)'/g, (_all, double, single) => double ?? single),
    );

async function prepared() {
  const rig = await openRig();
  writeFileSync(path.join(rig.folder, 'users.csv'), 'subscriberId\nu1\nu2\n');
  return rig;
}

describe.each(commands)('svc %s', (_name, line) => {
  const words = wordsOf(line);

  it('has an example that can be tried', () => {
    expect(line).not.toBe('');
  });

  it('works on a terminal, in 80 columns and without colours where none are wanted', async () => {
    const { svc } = await prepared();
    const { code, stdout, stderr } = await svc(words, { tty: true });
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).not.toContain('\u001b[');
  });

  it('gives JSON and nothing else with --json', async () => {
    const { svc } = await prepared();
    const { code, stdout, stderr } = await svc([...words, '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    if (stdout !== '') JSON.parse(stdout);
  });

  it('gives plain lines in a pipe', async () => {
    const { svc } = await prepared();
    const { code, stdout } = await svc(words, { env: { NO_COLOR: '' } });
    expect(code).toBe(0);
    expect(stdout).not.toContain('\u001b');
    expect(stdout === '' || stdout.endsWith('\n')).toBe(true);
  });

  it('is refused with an option that it does not have, before anything is sent', async () => {
    const { svc } = await prepared();
    const { code, stdout, requests } = await svc([...words, '--nonsense']);
    expect({ code, stdout, requests }).toEqual({ code: 2, stdout: '', requests: [] });
  });

  it('passes on that the service refuses the key', async () => {
    const { svc, answer } = await prepared();
    answer({ status: 401, body: { statusCode: 401, message: 'API Key not found' } });
    const { code, stderr } = await svc([...words, '--json']);
    expect(code).toBe(4);
    const { error } = JSON.parse(stderr) as { error: { code: number; name: string } };
    expect(error).toMatchObject({ code: 4, name: 'auth', message: 'API Key not found' });
  });
});

// What holds for every command that talks to the service: on a terminal, as JSON, in a pipe, refused before
// anything is sent, and rejected by the service. What each prints is held by the tests beside its noun.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRig } from '../support/rig.ts';
import { commandLines } from './command-lines.ts';

const commands = (await commandLines())
  .filter(
    ({ name, command: { operations = [], localOnly } }) =>
      operations.length > 0 && !localOnly && name !== 'doctor',
  )
  .map(({ name, words }) => [name, words] as const);

async function prepared() {
  const rig = await openRig();
  writeFileSync(path.join(rig.folder, 'users.csv'), 'subscriberId\nu1\nu2\n');
  return rig;
}

describe.each(commands)('svc %s', (_name, words) => {
  it('has an example that can be tried', () => {
    expect(words).not.toEqual([]);
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

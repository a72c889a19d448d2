// Checks every command that sends requests to the service: its output on a terminal, as JSON and in a pipe, and its
// errors. The tests of each noun check the exact output.
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../src/core/errors.ts';
import { commandLines, openExamples } from '../commands/command-lines.ts';
import { printedError } from '../support/printed-error.ts';
import { openRig } from '../support/rig.ts';
import { unauthorized } from '../support/runs.ts';

const commands = (await commandLines())
  .filter(
    ({ name, command: { operations = [], localOnly } }) =>
      operations.length > 0 && !localOnly && name !== 'doctor',
  )
  .map(({ name, args }) => [name, args] as const);

it('every command that runs in bulk shuts down gracefully', async () => {
  const broken = (await commandLines()).filter(
    ({ command: { options = {}, gracefulShutdown } }) =>
      'maxErrors' in options && !gracefulShutdown,
  );
  expect(broken.map(({ name }) => name)).toEqual([]);
});

/** The exit code of a successful example, if it is not 0. */
const codes: Record<string, number> = {
  diff: exitCodes.different.code,
  'upgrade check': exitCodes.different.code,
};

describe.each(commands)('svc %s', (name, args) => {
  const expected = codes[name] ?? 0;

  it('has an example that runs without a shell', () => {
    expect(args).not.toEqual([]);
  });

  it('prints a result on a terminal, without colors if NO_COLOR is set', async () => {
    const { svc } = await openExamples(name);
    const { code, stdout, stderr } = await svc(args, { tty: true });
    const details = code === expected ? '' : stderr;
    expect({ code, stderr: details }).toEqual({ code: expected, stderr: '' });
    expect(stdout).toMatch(/\S.*\n$/);
    expect(stdout).not.toContain('\u001b[');
  });

  it('prints only JSON with --json', async () => {
    const { svc } = await openExamples(name);
    const { code, stdout, stderr } = await svc([...args, '--json']);
    expect({ code, stderr }).toEqual({ code: expected, stderr: '' });
    expect(JSON.parse(stdout)).toBeTypeOf('object');
  });

  it('prints lines without colors in a pipe', async () => {
    const { svc } = await openExamples(name);
    const { code, stdout } = await svc(args, { env: { NO_COLOR: '' } });
    expect(code).toBe(expected);
    // Without a finding, an audit prints no lines.
    if (name === 'activity audit') expect(stdout).toBe('');
    else expect(stdout).toMatch(/\S.*\n$/);
    expect(stdout).not.toContain('\u001b');
  });

  it('rejects an unknown option before it sends a request', async () => {
    const { svc } = await openExamples(name);
    const { code, stdout, requests } = await svc([...args, '--nonsense']);
    expect({ code, stdout, requests }).toEqual({ code: 2, stdout: '', requests: [] });
  });

  it('exits with 4 if the service rejects the key', async () => {
    const { svc, answer } = await openExamples(name);
    answer(unauthorized);
    const { code, stderr } = await svc([...args, '--json']);
    expect(code).toBe(4);
    const error = printedError(stderr);
    expect(error).toMatchObject({ code: 4, name: 'auth', message: 'API Key not found' });
  });
});

// The only successful results that print nothing: every other command prints at least one line.
describe.each([
  ['activity list', ['--transaction', 'txn_unknown']],
  ['contexts list', ['--search', 'unknown']],
  ['inbox list', ['u2', '--unseen', '--read']],
  ['topics list', ['--name', 'unknown']],
  ['workflows list', ['--query', 'unknown']],
])('svc %s without matches', (name, args) => {
  const line = [...name.split(' '), ...args];

  it('prints nothing to a pipe, and [] with --json', async () => {
    const { svc } = await openRig();
    expect(await svc(line)).toMatchObject({ code: 0, stdout: '' });
    expect(await svc([...line, '--json'])).toMatchObject({ code: 0, stdout: '[]\n' });
  });
});

// Ids that are in several rows of an import.
import { describe, expect, it } from 'vitest';
import { openRig, parsed, writeInput } from '../../support/rig.ts';

const rows = [
  'subscriberId,firstName,email',
  'a,Ada,',
  'b,Bob,',
  'a,,ada@example.com',
  'wrong,,wrong',
  'c,Cleo,',
  'b,Bert,',
  'a,Ann,',
  'wrong,,wrong',
];

const openFile = async (lines = rows) => {
  const rig = await openRig();
  const file = writeInput(rig, 'users.csv', `${lines.join('\n')}\n`);
  const run = (...options: string[]) =>
    rig.svc(['subscribers', 'bulk-import', file, ...options], { tty: true, columns: 400 });
  const json = (...options: string[]) =>
    rig.svc(['subscribers', 'bulk-import', file, '--json', ...options]);
  return { rig, run, json };
};

const rule =
  'Later rows win: a filled cell replaces the earlier value, an empty cell keeps it, and custom data is replaced as a whole.';
const text = `Repeated ids: 3 rows have the id of an earlier row: a (lines 2 and 4), b (lines 3 and 7), a (lines 2 and 8). ${rule}`;
const examples = [
  { id: 'a', lines: [2, 4] },
  { id: 'b', lines: [3, 7] },
  { id: 'a', lines: [2, 8] },
];

describe('repeated ids of svc subscribers bulk-import', () => {
  it.each([
    ['an import', []],
    ['--validate-only', ['--validate-only']],
  ])('are counted on the terminal by %s, with lines and the rule', async (_name, options) => {
    const { run } = await openFile();
    const { stdout } = await run(...options);
    expect(stdout.split('\n')).toContain(text);
  });

  it('are in the summary', async () => {
    const { json } = await openFile();
    for (const options of [[], ['--validate-only']]) {
      const { stdout } = await json(...options);
      expect(parsed(stdout)).toMatchObject({
        duplicates: 3,
        repeatedIds: { examples, isComplete: true },
      });
    }
  });

  it('are not mentioned if there are none, except with --check-duplicates id', async () => {
    const { run, json } = await openFile(rows.slice(0, 3));
    expect((await run()).stdout).not.toContain('Repeated');
    expect(parsed((await json()).stdout)).not.toHaveProperty('repeatedIds');
    const checked = parsed((await json('--check-duplicates', 'id')).stdout);
    expect(checked).toMatchObject({ repeatedIds: { examples: [], isComplete: true } });
    expect(checked).not.toHaveProperty('repeatedAddresses');
  });

  it('are followed as the rule says', async () => {
    const { rig, run } = await openFile();
    expect((await run()).code).toBe(3);
    const { stdout } = await rig.svc(['subscribers', 'get', 'a', '--json']);
    expect(parsed(stdout)).toMatchObject({ firstName: 'Ann', email: 'ada@example.com' });
  });

  it('replace values by null with --empty null', async () => {
    const { rig, run } = await openFile();
    const { stdout } = await run('--empty', 'null');
    expect(stdout).toContain('a (lines 2 and 8). Later rows win, with their empty cells.');
    const { stdout: read } = await rig.svc(['subscribers', 'get', 'a', '--json']);
    expect(parsed(read)).toMatchObject({ firstName: 'Ann', email: null });
  });

  it('shows five examples of many, also those that an earlier process finished', async () => {
    const many = Array.from({ length: 600 }, (_unused, index) => `u${index % 590}`);
    const { rig, json } = await openFile(['subscriberId', ...many]);
    rig.pass(1);
    rig.answer({ status: 403, body: { message: 'Forbidden' } });
    expect((await json('--concurrency', '1')).code).toBe(4);
    const { stdout } = await rig.svc(['runs', 'resume', 'last'], { tty: true, columns: 200 });
    expect(stdout).toContain(
      'Repeated ids: 10 rows have the id of an earlier row: u0 (lines 2 and 592), u1 (lines 3 and 593), u2 (lines 4 and 594), u3 (lines 5 and 595), u4 (lines 6 and 596), ….',
    );
  });
});

// Formats for programs carry every character as it is, unless they go to a terminal, where some have an effect.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openRig, parsed, type Rig, writeInput } from '../support/rig.ts';

const mark = '\u200f';
const names = [
  `${mark}\u05d0\u05d3\u05d4 (left)`,
  'zero\u200bwidth\ufeff',
  '\ufeffbegins with a mark',
  'a lone\rcarriage return',
  'two\r\nlines\tand "quotes", too',
  '\u001b[31mred\u009b2J\u202e',
  '=1+1',
];
const people = names.map((firstName, index) => ({
  subscriberId: `p${mark}${index}`,
  firstName,
  lastName: 'Last',
}));

async function openPeople() {
  const rig = await openRig();
  const stdin = people.map((person) => `${JSON.stringify(person)}\n`).join('');
  const { code } = await rig.svc(['subscribers', 'bulk-import', '-', '--format', 'ndjson'], {
    stdin,
  });
  expect(code).toBe(0);
  return rig;
}

const listPeople = (rig: Rig, format: string, ...more: string[]) =>
  rig.svc(['subscribers', 'list', '--all', '-o', format, ...more]);

interface Person {
  subscriberId: string;
  firstName: string;
}
const ownPeople = (items: readonly Person[]) =>
  items
    .filter(({ subscriberId }) => subscriberId.startsWith(`p${mark}`))
    .map(({ subscriberId, firstName }) => ({ subscriberId, firstName }))
    .sort((a, b) => a.subscriberId.localeCompare(b.subscriberId));
const expected = people.map(({ subscriberId, firstName }) => ({ subscriberId, firstName }));

describe('a list in a pipe', () => {
  it.each(['json', 'ndjson'])('has the characters themselves: %s', async (format) => {
    const { stdout } = await listPeople(await openPeople(), format);
    expect(stdout).toContain(`"p${mark}0"`);
    expect(stdout).not.toContain('\\u200f');
    const items = format === 'json' ? parsed(stdout) : stdout.trim().split('\n').map(parsed);
    expect(ownPeople(items as unknown as Person[])).toEqual(expected);
  });

  it('names people by ids that another command finds', async () => {
    const rig = await openPeople();
    const { stdout } = await listPeople(rig, 'ids');
    const ids = stdout.split('\n').filter((id) => id.startsWith('p'));
    expect(ids.sort()).toEqual(people.map(({ subscriberId }) => subscriberId).sort());
    const file = writeInput(rig, 'former', `${ids.join('\n')}\n`);
    const erased = await rig.svc(['subscribers', 'erase', '--file', file, '--yes', '--json']);
    expect({ code: erased.code, summary: parsed(erased.stdout) }).toMatchObject({
      code: 0,
      summary: { rows: 7, erased: 7, absent: 0 },
    });
  });

  it.each([
    ['', []],
    [', protected from spreadsheets', ['--csv-safe']],
  ])('is imported again unchanged from CSV%s', async (_name, options) => {
    const rig = await openPeople();
    const csv = (await listPeople(rig, 'csv', '--fields', 'subscriberId,firstName', ...options))
      .stdout;
    expect(csv).toContain(`p${mark}0,${mark}`);
    const file = writeInput(rig, 'people.csv', csv);
    const { code, requests } = await rig.svc(['subscribers', 'bulk-import', file]);
    expect(code).toBe(0);
    const sent = requests.flatMap(({ body }) => (body as { subscribers: Person[] }).subscribers);
    const protectedNames = (name: string) =>
      options.length > 0 && name.startsWith('=') ? `'${name}` : name;
    expect(ownPeople(sent)).toEqual(
      expected.map((person) => ({ ...person, firstName: protectedNames(person.firstName) })),
    );
  });

  it('keeps the documented escapes of tab-separated lines', async () => {
    const rig = await openPeople();
    for (const options of [[], ['-o', 'tsv']]) {
      const { stdout } = await rig.svc(['subscribers', 'list', '--all', ...options]);
      expect(stdout).toContain('p\\u200f0\t');
      expect(stdout).toContain('two\\r\\nlines\\tand');
    }
  });
});

describe('a list on a terminal', () => {
  it.each(['json', 'ndjson', 'csv', 'ids'])('shows the characters as codes: %s', async (format) => {
    const rig = await openPeople();
    const { stdout } = await rig.svc(['subscribers', 'list', '--all', '-o', format], { tty: true });
    expect(stdout).toContain('p\\u200f0');
    expect(stdout).not.toMatch(/[\u0000-\u0008\u001b\u0080-\u009f\u200b-\u200f\u202e\ufeff]/);
  });
});

describe('an exported file', () => {
  it.each(['csv', 'ndjson'])('is imported again unchanged: %s', async (format) => {
    const rig = await openPeople();
    const file = `${rig.folder}/people.${format}`;
    expect((await rig.svc(['subscribers', 'export', file])).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toContain(`p${mark}0`);
    const { code, requests } = await rig.svc(['subscribers', 'bulk-import', file]);
    expect(code).toBe(0);
    const sent = requests.flatMap(({ body }) => (body as { subscribers: Person[] }).subscribers);
    expect(ownPeople(sent)).toEqual(expected);
  });

  it('is shown as codes if it goes to a terminal', async () => {
    const rig = await openPeople();
    const { stdout } = await rig.svc(['subscribers', 'export', '-', '-o', 'csv'], { tty: true });
    expect(stdout).toContain('p\\u200f0');
  });
});

it('the rows of a run are printed with the characters themselves, except on a terminal', async () => {
  const rig = await openRig();
  const run = (tty: boolean) =>
    rig.svc(['subscribers', 'bulk-import', '-', '--format', 'lines', '-o', 'ndjson'], {
      stdin: `a${mark}b\n`,
      tty,
    });
  expect((await run(false)).stdout).toContain(`"a${mark}b"`);
  expect((await run(true)).stdout).toContain('"a\\u200fb"');
});

// Commands on terminals of 60, 80 and 120 columns, on an emulated screen.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openRig, type Rig, writeInput } from '../support/rig.ts';
import { runFolder } from '../support/runs.ts';
import { onScreen } from '../support/screen.ts';

const users = 'subscriberId,email\nu1,u1@example.com\nu2,no address\n';
const recipients =
  'subscriberId,email,payload.product\nv1,v1@example.com,Tea\n,v2@example.com,Tea\n';

async function importRun(rig: Rig) {
  const file = writeInput(rig, 'users.csv', users);
  expect((await rig.svc(['subscribers', 'bulk-import', file, '--run-id', 'run-1'])).code).toBe(3);
  return runFolder(rig, 'run-1');
}

const cases: [string, (rig: Rig) => Promise<string[]> | string[]][] = [
  ['activity explain', () => ['activity', 'explain', 'grace', '--workflow', 'order-update']],
  [
    'activity explain, not delivered',
    () => ['activity', 'explain', 'u3', '--workflow', 'comment-digest'],
  ],
  ['activity stats', () => ['activity', 'stats', '--since', '10d']],
  [
    'activity stats without Unicode',
    () => ['activity', 'stats', '--since', '10d', '--no-unicode', '--by', 'day'],
  ],
  ['activity export', (rig) => ['activity', 'export', path.join(rig.folder, 'activity.ndjson')]],
  [
    'activity export, refused',
    (rig) => {
      writeFileSync(path.join(rig.folder, 'there.ndjson'), 'text of the user\n');
      return ['activity', 'export', path.join(rig.folder, 'there.ndjson')];
    },
  ],
  [
    'events trigger --validate-only',
    (rig) => [
      ...['events', 'trigger', 'order-update', '--validate-only'],
      ...['--recipients', writeInput(rig, 'recipients.csv', recipients)],
    ],
  ],
  ['runs merge', async (rig) => ['runs', 'merge', await importRun(rig)]],
  ['runs merge, refused', () => ['runs', 'merge', 'no-folder-of-a-run']],
];

/** Clears the progress of a run. */
const clearLine = '\r\x1b[K';
const bars = /^[█▓▒░#x.-]+$/;

/** The words on a screen, without bars and underlines. */
const printedWords = (lines: readonly string[]) =>
  lines.flatMap((line) => line.split(/\s+/)).filter((word) => word !== '' && !bars.test(word));

it.each(cases)(
  'svc %s fits the terminal and cuts no word without a sign',
  async (_name, lineOf) => {
    /** The lines that the command writes on a terminal of this width, with a new state. */
    const written = async (columns: number) => {
      const rig = await openRig();
      const line = await lineOf(rig);
      const env = { NO_COLOR: '1' };
      const { stdout, stderr } = await rig.svc(line, { tty: true, columns, env });
      const text = (stdout + stderr).replaceAll(rig.folder, '/folder').replaceAll(clearLine, '');
      return { text, screen: await onScreen(text.replaceAll('\n', '\r\n'), { columns }) };
    };
    const complete = new Set(printedWords((await written(400)).screen.lines));
    expect(complete.size).toBeGreaterThan(3);
    for (const columns of [60, 80, 120]) {
      const { text, screen } = await written(columns);
      expect(text).not.toContain('\x1b[3');
      expect(screen.styled).toEqual([]);
      // Paths and commands stay whole, so that they can be copied.
      const isWhole = (line: string) => / \/\S+$|: svc |^ +svc /.test(line);
      const tooWide = text.split('\n').filter((line) => line.length > columns && !isWhole(line));
      expect([columns, tooWide]).toEqual([columns, []]);
      const cut = printedWords(text.split('\n')).filter(
        (word) => !complete.has(word) && !word.includes('…'),
      );
      expect([columns, cut]).toEqual([columns, []]);
    }
  },
);

it('a terminal without Unicode gets bars of ASCII characters', async () => {
  const { svc } = await openRig();
  const line = ['activity', 'stats', '--since', '10d'];
  const { stdout } = await svc([...line, '--no-unicode'], { tty: true, columns: 80 });
  expect(stdout).toContain('By workflow  # delivered  x failed  - skipped  . waiting');
  expect(stdout).toMatch(/^order-update .* #xxxx---$/m);
  expect(stdout).toMatch(/^[\x20-\x7e\n]*$/);
  const { stdout: byVariable } = await svc(line, {
    tty: true,
    columns: 80,
    env: { SVC_NO_UNICODE: '1' },
  });
  expect(byVariable).toBe(stdout);
});

it.each([
  [60, false],
  [80, true],
])(
  'activity stats on %i columns explains its bars only if it has them: %s',
  async (columns, has) => {
    const { svc } = await openRig();
    const line = ['activity', 'stats', '--since', '10d'];
    const { stdout } = await svc(line, { tty: true, columns });
    const [table = ''] = /^By workflow[\s\S]*?\n\n/m.exec(stdout) ?? [];
    expect(table).toContain('order-update');
    expect(table.includes('█ delivered')).toBe(has);
    expect(/█▓/.test(table)).toBe(has);
  },
);

// Inputs without rows: a warning and exit code 0, or 2 with --fail-on-empty, for every command that reads a file.
import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { filterWrites } from '../../support/requests.ts';
import { openRig, parsed, writeInput } from '../../support/rig.ts';
import { runsFolder } from '../../support/runs.ts';

const importing = (file: string) => ['subscribers', 'bulk-import', file];
const subscribing = (file: string) => ['topics', 'subscribe', 'announcements', '--file', file];
const triggering = (file: string) => ['events', 'trigger', '--file', file, '--yes'];
const recipients = (file: string) => ['events', 'trigger', 'welcome', '--to-file', file, '--yes'];

const inputs: [string, string, (file: string) => string[], string, string][] = [
  ['a CSV header', 'users.csv', importing, 'subscriberId,email\n', 'has a header and no rows'],
  [
    'a CSV header with --map',
    'users.csv',
    (file) => [...importing(file), '--map', 'subscriberId=id'],
    'id\n',
    'has a header and no rows',
  ],
  ['an empty CSV file', 'users.csv', importing, '', 'is empty'],
  [
    'an empty CSV file with --map',
    'users.csv',
    (file) => [...importing(file), '--map', 'subscriberId=id'],
    '',
    'is empty',
  ],
  ['blank lines', 'users.csv', importing, '\n\n', 'has no rows'],
  ['an empty NDJSON file', 'users.ndjson', importing, '', 'is empty'],
  ['an empty JSON file', 'users.json', importing, '', 'is empty'],
  ['an empty JSON array', 'users.json', importing, '[]', 'has no rows'],
  [
    'fewer rows than --skip',
    'users.csv',
    (file) => [...importing(file), '--skip', '2'],
    'subscriberId\na\n',
    'has no rows after the first 2, which --skip skips',
  ],
  [
    'rows to check',
    'users.csv',
    (file) => [...importing(file), '--validate-only'],
    'subscriberId\n',
    'has a header and no rows',
  ],
  ['a list to subscribe', 'ids.txt', subscribing, '', 'is empty'],
  [
    'a CSV header to subscribe',
    'ids.csv',
    subscribing,
    'subscriberId\n',
    'has a header and no rows',
  ],
  ['a file of events', 'events.ndjson', triggering, '', 'is empty'],
  ['a file of events without extension', 'events', triggering, '', 'is empty'],
  ['a file of recipients', 'users.csv', recipients, 'subscriberId\n', 'has a header and no rows'],
];

describe('a file without rows', () => {
  it.each(inputs)('prints a warning: %s', async (_name, name, line, text, expected) => {
    const rig = await openRig();
    const file = writeInput(rig, name, text);
    const { code, stderr, stdout, requests } = await rig.svc([...line(file), '--json'], {
      tty: true,
      columns: 300,
    });
    expect(code).toBe(0);
    expect(stderr).toContain(`Warning: ${file} ${expected}.\n`);
    expect(parsed(stdout)).toMatchObject({ rows: 0, stopped: null, rejects: null });
    expect(filterWrites(requests)).toEqual([]);
  });

  it.each(inputs)(
    'exits with 2 with --fail-on-empty: %s',
    async (_name, name, line, text, expected) => {
      const rig = await openRig();
      const file = writeInput(rig, name, text);
      const ran = await rig.svc([...line(file), '--fail-on-empty', '--json']);
      expect(ran).toMatchObject({ code: 2, stdout: '' });
      expect(JSON.parse(ran.stderr)).toMatchObject({ error: { message: `${file} ${expected}.` } });
      const runs = runsFolder(rig);
      expect(existsSync(runs) ? readdirSync(runs) : []).toEqual([]);
    },
  );
});

describe('standard input without rows', () => {
  it.each<[string, string[]]>([
    ['inbox mark', ['inbox', 'mark', 'u1', 'read', '-']],
    ['events cancel', ['events', 'cancel', '-', '--yes']],
    ['subscribers bulk-import', ['subscribers', 'bulk-import', '-']],
    ['events trigger --file', ['events', 'trigger', '--file', '-', '--yes']],
  ])('prints a warning with %s, and exits with 2 with --fail-on-empty', async (_name, line) => {
    const { svc } = await openRig();
    const warned = await svc(line, { stdin: '' });
    expect(warned.code).toBe(0);
    expect(warned.stderr).toContain('Warning: standard input is empty.');
    const failed = await svc([...line, '--fail-on-empty'], { stdin: '' });
    expect(failed.code).toBe(2);
    expect(failed.stderr).toContain('Error: standard input is empty.');
    expect(failed.stderr).toContain('Without --fail-on-empty');
  });
});

describe('--fail-on-empty', () => {
  it('has no effect on a file with rows, and can be omitted on resume', async () => {
    const rig = await openRig();
    const file = writeInput(rig, 'users.csv', 'subscriberId\nu1\n');
    rig.answer({ status: 402, body: { message: 'pay first' } });
    const line = ['subscribers', 'bulk-import', file, '--json'];
    const stopped = await rig.svc([...line, '--fail-on-empty']);
    expect(stopped.code).toBe(6);
    const resumed = await rig.svc([...line, '--resume', String(parsed(stopped.stdout).runId)]);
    expect({ code: resumed.code, summary: parsed(resumed.stdout) }).toMatchObject({
      code: 0,
      summary: { rows: 1, resumed: true },
    });
  });
});

// `--csv-safe` protects the cells of rejected rows from spreadsheets, and the printed command reads them back.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRig, parsed, type Rig, writeInput } from '../../support/rig.ts';

const rows = [
  'subscriberId,firstName,phone,email',
  `a,"=HYPERLINK(""http://x"")",+15550101,nonsense`,
  `b,'@home,+15550102,nonsense`,
  'c,Cora,+15550103,cora@example.com',
  '',
].join('\n');

const protectedRows = [
  /^2,[^,]*,a,"'=HYPERLINK\(""http:\/\/x""\)",'\+15550101,nonsense$/,
  /^3,[^,]*,b,''@home,'\+15550102,nonsense$/,
];

const importRows = async (rig: Rig, argv: readonly string[]) => {
  const { stdout, stderr, code, requests } = await rig.svc([
    ...['subscribers', 'bulk-import', ...argv, '--json'],
  ]);
  const sent = requests.flatMap(
    ({ body }) => (body as { subscribers?: object[] } | undefined)?.subscribers ?? [],
  );
  return { summary: stdout === '' ? {} : parsed(stdout), stderr, code, sent };
};

describe('the rejects file of an import with --csv-safe', () => {
  it('has no cell that a spreadsheet would run, and is imported with the original values', async () => {
    const rig = await openRig();
    writeInput(rig, 'users.csv', rows);
    const rejects = path.join(rig.folder, 'rejects.csv');
    const first = ['users.csv', '--csv-safe', '--rejects', rejects];
    const { code } = await importRows(rig, first);
    expect(code).toBe(3);
    const [header, ...lines] = readFileSync(rejects, 'utf8').trimEnd().split('\n');
    expect(header).toBe('_line,_error,subscriberId,firstName,phone,email');
    for (const [index, line] of protectedRows.entries()) expect(lines[index]).toMatch(line);

    const again = path.join(rig.folder, 'again.csv');
    await importRows(rig, [rejects, '--csv-safe', '--rejects', again]);
    const [, ...sameLines] = readFileSync(again, 'utf8').trimEnd().split('\n');
    for (const [index, line] of protectedRows.entries()) expect(sameLines[index]).toMatch(line);

    writeInput(
      rig,
      'fixed.csv',
      readFileSync(rejects, 'utf8').replaceAll(/nonsense$/gm, 'x@example.com'),
    );
    const { sent, code: fixedCode } = await importRows(rig, ['fixed.csv', '--csv-safe']);
    expect(fixedCode).toBe(0);
    expect(sent).toEqual([
      {
        subscriberId: 'a',
        firstName: '=HYPERLINK("http://x")',
        phone: '+15550101',
        email: 'x@example.com',
      },
      { subscriberId: 'b', firstName: "'@home", phone: '+15550102', email: 'x@example.com' },
    ]);
  });

  it('is named in a command that repeats --csv-safe, also after the run was resumed', async () => {
    const rig = await openRig();
    writeInput(rig, 'users.csv', rows);
    const argv = ['subscribers', 'bulk-import', 'users.csv', '--csv-safe', '--max-errors', '0'];
    const stopped = await rig.svc([...argv, '-o', 'table']);
    expect(stopped.code).toBe(3);
    const resumed = await rig.svc(['runs', 'resume', 'last', '--max-errors', '9', '-o', 'table']);
    expect(resumed.code).toBe(3);
    const command = /svc subscribers bulk-import \S*rejects\S*\.csv --csv-safe$/m;
    expect(resumed.stdout).toMatch(command);
    const [, file = ''] = /bulk-import (\S+) --csv-safe$/m.exec(resumed.stdout) ?? [];
    expect(readFileSync(path.resolve(rig.folder, file), 'utf8')).toContain("'+15550101");
  });

  it('is unchanged without --csv-safe', async () => {
    const rig = await openRig();
    writeInput(rig, 'users.csv', rows);
    const rejects = path.join(rig.folder, 'rejects.csv');
    await importRows(rig, ['users.csv', '--rejects', rejects]);
    expect(readFileSync(rejects, 'utf8')).toContain(`,+15550101,`);
    expect(readFileSync(rejects, 'utf8')).toContain(`,'@home,`);
  });
});

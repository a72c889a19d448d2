// The options of all bulk commands, tested with an import and the whole program.
import { describe, expect, it } from 'vitest';
import { openRig, parsed, writeInput } from '../../support/rig.ts';
import { importLine } from '../../support/runs.ts';
import { words } from '../../support/words.ts';

describe('svc subscribers bulk-import', () => {
  const rows = 'subscriberId,email,data.n\na,a@example.com,1\nb,nonsense,2\nc,,3\n';

  it('--validate-only validates all rows and sends nothing', async () => {
    const rig = await openRig({ bare: true });
    const csv = writeInput(rig, 'users.csv', rows);
    const { code, stdout, requests } = await rig.svc(
      words`subscribers bulk-import ${csv} --validate-only --json`,
    );
    expect({ code, requests }).toEqual({ code: 3, requests: [] });
    expect(parsed(stdout)).toMatchObject({ rows: 3, created: 0, invalid: 1, skipped: 2 });
  });

  it('--skip and --take select a range of rows', async () => {
    const rig = await openRig();
    const csv = writeInput(
      rig,
      'users.csv',
      `subscriberId\n${Array.from({ length: 10 }, (_unused, index) => `s${index}`).join('\n')}\n`,
    );
    const { requests } = await rig.svc(words`subscribers bulk-import ${csv} --skip 3 --take 2`);
    expect(requests.map(({ body }) => body)).toEqual([
      { subscribers: [{ subscriberId: 's3' }, { subscriberId: 's4' }] },
    ]);
  });

  it('--empty null clears fields, and --infer converts data but not ids', async () => {
    const rig = await openRig();
    const csv = writeInput(
      rig,
      'users.csv',
      'subscriberId,firstName,data.a,data.b,data.c\n007,,1.5,1e21,true\n',
    );
    const { requests } = await rig.svc(words`subscribers bulk-import ${csv} --empty null --infer`);
    expect(requests[0]?.body).toEqual({
      subscribers: [{ subscriberId: '007', firstName: null, data: { a: 1.5, b: '1e21', c: true } }],
    });
  });

  it('-o ndjson prints one line for each finished row, and the summary last', async () => {
    const rig = await openRig();
    const csv = writeInput(rig, 'users.csv', rows);
    const { stdout } = await rig.svc(['subscribers', 'bulk-import', csv, '-o', 'ndjson']);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.slice(0, 3)).toEqual([
      { row: 2, line: 3, result: 'invalid', error: expect.stringContaining('email') },
      { row: 1, line: 2, id: 'a', result: 'created' },
      { row: 3, line: 4, id: 'c', result: 'created' },
    ]);
    expect(lines[3]).toMatchObject({ rows: 3, created: 2, invalid: 1 });
  });

  it('--max-errors stops the run with exit code 3', async () => {
    const rig = await openRig();
    const bad = Array.from({ length: 3000 }, (_unused, index) => `s${index},nonsense`).join('\n');
    const csv = writeInput(rig, 'users.csv', `subscriberId,email\n${bad}\n`);
    const { code, stdout } = await rig.svc(
      words`subscribers bulk-import ${csv} --max-errors 5% --json`,
    );
    expect(code).toBe(3);
    expect(parsed(stdout)).toMatchObject({
      stopped: { reason: expect.stringContaining('--max-errors') },
    });
    expect(Number(parsed(stdout).rows)).toBeLessThan(3000);
    expect((await rig.svc(['subscribers', 'bulk-import', csv, '--max-errors', 'few'])).code).toBe(
      2,
    );
  });

  it('--max-errors can change on resume, and counts only rows of the resumed process', async () => {
    const rig = await openRig();
    const row = (index: number) => `s${index},${index % 500 < 30 ? 'nonsense' : ''}`;
    const rows = Array.from({ length: 3000 }, (_unused, index) => row(index));
    const csv = writeInput(rig, 'users.csv', `subscriberId,email\n${rows.join('\n')}\n`);
    const line = importLine(csv);
    const first = await rig.svc([...line, '--max-errors', '50']);
    const { runId, rows: finished } = parsed(first.stdout) as { runId: string; rows: number };
    expect({ code: first.code, ...parsed(first.stdout) }).toMatchObject({
      code: 3,
      invalid: 60,
      stopped: { reason: '60 rows failed, more than --max-errors allows' },
    });
    // The original limit allows the same number of errors again, not only one batch.
    const resumed = parsed((await rig.svc(['runs', 'resume', runId, '--json'])).stdout);
    expect(resumed).toMatchObject({
      invalid: 120,
      stopped: { reason: '60 more rows failed, more than --max-errors allows' },
    });
    expect(Number(resumed.rows) - finished).toBeGreaterThan(500);
    const resume = ['runs', 'resume', runId, '--json', '--max-errors', '100'];
    const { code, stdout } = await rig.svc(resume);
    expect({ code, ...parsed(stdout) }).toMatchObject({
      code: 3,
      rows: 3000,
      invalid: 180,
      created: 2820,
      stopped: null,
    });
  });

  it('--max-errors as a percentage applies to rows of the resumed process', async () => {
    const rig = await openRig();
    const row = (index: number) =>
      `s${index},${index < 500 || index % 100 === 0 ? 'nonsense' : ''}`;
    const rows = Array.from({ length: 3000 }, (_unused, index) => row(index));
    const csv = writeInput(rig, 'users.csv', `subscriberId,email\n${rows.join('\n')}\n`);
    const line = importLine(csv);
    const first = parsed((await rig.svc([...line, '--max-errors', '5%'])).stdout);
    expect(first).toMatchObject({ created: 0, invalid: 500 });
    const { stdout } = await rig.svc(['runs', 'resume', String(first.runId), '--json']);
    expect(parsed(stdout)).toMatchObject({ rows: 3000, invalid: 525, stopped: null });
  });
});

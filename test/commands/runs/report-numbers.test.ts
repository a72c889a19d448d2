// Consistent numbers in a report: rejected rows by state, by reason, in the summary and in the rejects file.
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openRig, parsed, type Ran, type Rig, writeInput } from '../../support/rig.ts';
import { ledgerFile, unauthorized } from '../../support/runs.ts';

/** More different errors than a report counts separately. */
const mistakes = Array.from({ length: 200 }, (_unused, index) =>
  index % 3 === 0 ? `bad${index},nonsense,` : `bad${index},,x${index}`,
);
const good = Array.from({ length: 900 }, (_unused, index) => `p${index},,`);
const people = `subscriberId,email,locale\n${[...mistakes, ...good, ...mistakes].join('\n')}\n`;

const sum = (numbers: readonly number[]) => numbers.reduce((all, number) => all + number, 0);
const numbersIn = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, digits = '']) => Number(digits.replaceAll(',', '')));
const kindsIn = (text: string) => {
  const line = /^Rejected: (.*)$/m.exec(text)?.[1] ?? '';
  return sum(numbersIn(line, /([\d,]+) (?:invalid|rejected|not)/g));
};
const reasonsIn = (text: string) => sum(numbersIn(text, /^ {2}([\d,]+) × /gm));
const rowsIn = (rejects: string) => readFileSync(rejects, 'utf8').trim().split('\n').length - 1;

/** The run as data, found by the run id in the text output. */
async function shown({ svc }: Rig, { stdout }: Ran) {
  const runId = /runs\/([\w-]+)\//.exec(stdout)?.[1] ?? '';
  return parsed((await svc(['runs', 'show', runId, '--json'])).stdout) as {
    runId: string;
    failed: number;
    invalid: number;
    counts: Record<string, number>;
    rejects: string;
  };
}

describe('the rejected rows of a run', () => {
  it('have equal numbers by state, by reason, in the rejects file and in the journal', async () => {
    const rig = await openRig();
    const file = writeInput(rig, 'users.csv', people);
    rig.answer({
      status: 201,
      body: { created: [], updated: [], failed: [{ subscriberId: 'p0', message: 'no room' }] },
    });
    const line = ['subscribers', 'bulk-import', file, '--concurrency', '1'];
    const ran = await rig.svc(line, { tty: true, columns: 300 });
    const { failed, invalid, counts, rejects } = await shown(rig, ran);
    expect(counts.unknown).toBeGreaterThan(0);
    const bad = failed + invalid;
    expect([kindsIn(ran.stdout), reasonsIn(ran.stdout), rowsIn(rejects)]).toEqual([bad, bad, bad]);
    expect([failed, invalid]).toEqual([(counts.failed ?? 0) + (counts.unknown ?? 0), 400]);
  });

  it('include the earlier process after a resume, and after the run has finished', async () => {
    const rig = await openRig();
    const file = writeInput(rig, 'users.csv', people);
    rig.pass(1);
    rig.answer(unauthorized);
    const line = ['subscribers', 'bulk-import', file, '--concurrency', '1'];
    const stopped = await rig.svc(line, { tty: true, columns: 300 });
    expect(stopped.code).toBe(4);
    expect(reasonsIn(stopped.stdout)).toBe(kindsIn(stopped.stdout));
    const { runId } = await shown(rig, stopped);
    const resumed = await rig.svc(['runs', 'resume', runId], { tty: true, columns: 300 });
    const finished = await rig.svc(['runs', 'resume', runId], { tty: true, columns: 300 });
    const { failed, invalid, rejects } = await shown(rig, resumed);
    expect([failed, invalid]).toEqual([0, 400]);
    for (const { code, stdout } of [resumed, finished]) {
      expect([code, kindsIn(stdout), reasonsIn(stdout), rowsIn(rejects)]).toEqual([
        3, 400, 400, 400,
      ]);
    }
    // Rows are named only by the process that rejected them.
    const namedRow = /^ {4}line .*\n/gm;
    expect(resumed.stdout).toMatch(namedRow);
    expect(finished.stdout).toBe(
      resumed.stdout.replace(' at http://sandbox.localhost', '').replace(namedRow, ''),
    );
    expect(finished.stderr).toContain(`Run ${runId} has already finished. This is its summary.`);
  });

  it('are counted from the journal of an earlier version without reasons', async () => {
    const rig = await openRig();
    const file = writeInput(rig, 'users.csv', people);
    rig.pass(1);
    rig.answer(unauthorized);
    const line = ['subscribers', 'bulk-import', file, '--concurrency', '1'];
    const stopped = await rig.svc(line, { tty: true, columns: 300 });
    expect(stopped.code).toBe(4);
    const { runId } = await shown(rig, stopped);
    const ledger = ledgerFile(rig, runId);
    const before = readFileSync(ledger, 'utf8');
    writeFileSync(ledger, before.replace(/,"reasons":\{.*?\}(?=[,}])/g, ''));
    expect(readFileSync(ledger, 'utf8')).not.toContain('reasons');
    const { stdout } = await rig.svc(['runs', 'resume', runId], { tty: true, columns: 300 });
    expect([kindsIn(stdout), reasonsIn(stdout)]).toEqual([400, 400]);
  });

  it.each([[['--dry-run']], [['--validate-only']]])(
    'are counted by reason with %j',
    async (more) => {
      const rig = await openRig();
      const file = writeInput(rig, 'users.csv', people);
      const ran = await rig.svc(['subscribers', 'bulk-import', file, ...more], {
        tty: true,
        columns: 300,
      });
      const output = ran.stdout + ran.stderr;
      expect(numbersIn(output, /(?:Invalid: ([\d,]+))|^([\d,]+) rows would be/gm)).toHaveLength(1);
      expect(output).toMatch(/^(Invalid: 400\.|400 rows would be rejected:)$/m);
      expect(reasonsIn(output)).toBe(400);
    },
  );
});

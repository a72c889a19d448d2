// A stored response (Idempotency-Replay: true) to the first attempt of a row: it is about other rows, unless an earlier
// process of the run may have sent the row.
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRig, parsed, type Rig, writeInput } from '../../support/rig.ts';
import { importLine, ledgerFile, people, stopImport, unauthorized } from '../../support/runs.ts';

const replay = (ids: readonly string[]) => ({
  status: 201,
  headers: { 'idempotency-replay': 'true' },
  body: {
    data: { created: ids.map((subscriberId) => ({ subscriberId })), updated: [], failed: [] },
  },
});
const foreign = replay(['someone-else']);
const foreignReason =
  'the service returned the stored response of another request, so rows may not have been applied';

/** Resumes the run, optionally from a copy of the state folder. */
async function resume(rig: Rig, runId: string, state = 'state') {
  const env = { SVC_STATE_DIR: path.join(rig.folder, state) };
  const { code, stdout, stderr } = await rig.svc(
    ['runs', 'resume', runId, '--concurrency', '1', '--json'],
    { env },
  );
  return { code, stderr, summary: parsed(stdout) };
}

/** Copies the state folder to `killed` when a request is sent, as if the process was killed then. */
function killAtRequest(rig: Rig, number: number) {
  let requests = 0;
  rig.answerBy(({ method }) => {
    if (method === 'POST') requests += 1;
    if (requests === number)
      cpSync(path.join(rig.folder, 'state'), path.join(rig.folder, 'killed'), { recursive: true });
    return undefined;
  });
}

/** Unlocks the copy of a run, and changes its ledger as a power cut would. */
function loseLines(rig: Rig, runId: string, keep: (lines: string[]) => string[]): void {
  const folder = path.join(rig.folder, 'killed', 'runs', runId);
  rmSync(path.join(folder, 'lock'));
  const ledger = path.join(folder, 'ledger.ndjson');
  const lines = readFileSync(ledger, 'utf8').split(/(?<=\n)/);
  writeFileSync(ledger, keep(lines).join(''));
}

describe('a stored response to rows that no process of the run has sent', () => {
  it('stops a resumed run, and the outcome of the rows is unknown', async () => {
    const rig = await openRig();
    const { runId } = await stopImport(rig);
    rig.pass(1);
    rig.answer(foreign);
    const { code, stderr, summary } = await resume(rig, runId);
    expect({ code, summary }).toMatchObject({
      code: 3,
      summary: { created: 1000, unknown: 200, replayed: 0, stopped: { reason: foreignReason } },
    });
    expect(stderr).toContain(`Stopped early (${foreignReason})`);
  });

  it('stops the run again each time that it is resumed, and only these rows are unknown', async () => {
    const rig = await openRig();
    rig.answer(foreign);
    const first = await rig.svc(importLine(writeInput(rig, 'users.csv', people)));
    expect(first.code).toBe(3);
    const { runId } = parsed(first.stdout) as { runId: string };
    rig.answer(foreign);
    const second = await resume(rig, runId);
    expect({ code: second.code, ...second.summary }).toMatchObject({
      ...{ code: 3, created: 0, unknown: 1000, replayed: 0 },
      stopped: { reason: foreignReason },
    });
    const third = await resume(rig, runId);
    expect({ code: third.code, ...third.summary }).toMatchObject({
      ...{ code: 3, created: 200, unknown: 1000, replayed: 0, stopped: null },
    });
  });
});

describe('a stored response is accepted', () => {
  const success = { code: 0, summary: { created: 1200, unknown: 0, stopped: null } };

  it('for rows that an earlier process sent without getting the response', async () => {
    const rig = await openRig();
    const { runId } = await stopImport(rig);
    rig.answer(replay(people.trim().split('\n').slice(501, 1001)));
    expect(await resume(rig, runId)).toMatchObject(success);
  });

  it('for rows that the journal of a killed process has lost, also after the run stopped again', async () => {
    const rig = await openRig();
    killAtRequest(rig, 1);
    const { runId } = parsed(
      (await rig.svc(importLine(writeInput(rig, 'users.csv', people)))).stdout,
    ) as { runId: string };
    loseLines(rig, runId, () => []);
    rig.pass(1);
    rig.answer(unauthorized);
    const stopped = await resume(rig, runId, 'killed');
    expect(stopped).toMatchObject({ code: 4, summary: { created: 500, replayed: 500 } });
    expect(await resume(rig, runId, 'killed')).toMatchObject(success);
  });

  it('for rows that the journal of a resumed and killed process has lost', async () => {
    const rig = await openRig();
    const { runId } = await stopImport(rig);
    const before = readFileSync(ledgerFile(rig, runId), 'utf8').trim().split('\n').length;
    killAtRequest(rig, 2);
    expect(await resume(rig, runId)).toMatchObject(success);
    // The first line of a resumed run is synced before it sends anything.
    loseLines(rig, runId, (lines) => lines.slice(0, before + 1));
    expect(await resume(rig, runId, 'killed')).toMatchObject(success);
  });

  it('for rows whose lines in the journal are damaged', async () => {
    const rig = await openRig();
    rig.pass(2);
    rig.answer(unauthorized);
    const stopped = await rig.svc(importLine(writeInput(rig, 'users.csv', people)));
    expect(stopped.code).toBe(4);
    const { runId } = parsed(stopped.stdout) as { runId: string };
    const ledger = ledgerFile(rig, runId);
    const lines = readFileSync(ledger, 'utf8').split('\n');
    const damaged = lines.map((line) => line.replace(/^\{"(sent|done)":\[501,.*/, 'damaged'));
    writeFileSync(ledger, damaged.join('\n'));
    const { code, summary } = await resume(rig, runId);
    expect({ code, summary }).toMatchObject(success);
    expect(summary).toMatchObject({ replayed: 500 });
  });

  it('for rows of a run with --run-id that another machine has sent, also if it is resumed', async () => {
    const rig = await openRig();
    const line = importLine(writeInput(rig, 'users.csv', people), '--run-id', 'nightly');
    const elsewhere = { SVC_STATE_DIR: path.join(rig.folder, 'elsewhere') };
    expect((await rig.svc(line, { env: elsewhere })).code).toBe(0);
    // The request for the environment, and the first batch.
    rig.pass(2);
    rig.answer(unauthorized);
    expect((await rig.svc(line)).code).toBe(4);
    expect(await resume(rig, 'nightly')).toMatchObject(success);
  });
});

// Numbers that a double cannot represent, in bulk runs.
import { describe, expect, it } from 'vitest';
import { openRig } from '../support/rig.ts';

const long = '9007199254740993';

describe('a number with more digits than a double', () => {
  it.each([
    [
      'a row of NDJSON',
      ['subscribers', 'bulk-import', '-'],
      `{"subscriberId":"a","data":{"n":${long}}}`,
    ],
    [
      'an event of a file',
      ['events', 'trigger', '--file', '-', '--yes'],
      `{"name":"welcome","to":["u1"],"payload":{"n":${long}}}`,
    ],
    [
      'a payload for each row',
      ['events', 'trigger', 'welcome', '--recipients', '-', '--yes', '-F', `n:=${long}`],
      '{"subscriberId":"u1"}',
    ],
  ])('keeps its digits with %s', async (_what, line, row) => {
    const { svc } = await openRig();
    const { code, stdout } = await svc([...line, '--format', 'ndjson', '--dry-run=curl'], {
      stdin: `${row}\n`,
    });
    expect(code).toBe(0);
    expect(stdout).toContain(`"n":${long}`);
  });
});

describe('a cancellation of a list', () => {
  const waiting = ['events', 'trigger', 'trial-ending', '--to', 'u1', '--transaction-id', 'txn_1'];

  it('rejects an id that cannot be part of a URL, and cancels the others', async () => {
    const { svc } = await openRig();
    await svc(waiting);
    const { code, stdout, requests } = await svc(['events', 'cancel', '-', '--yes', '--json'], {
      stdin: '..\ntxn_1\n\n',
    });
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ rows: 2, invalid: 1, cancelled: 1 });
    expect(requests.map((request) => request.line)).toEqual(['DELETE /v1/events/trigger/txn_1']);
  });

  it('rejects a row without an id', async () => {
    const { svc } = await openRig();
    await svc(waiting);
    const { stdout } = await svc(
      ['events', 'cancel', '-', '--yes', '--json', '--format', 'ndjson'],
      { stdin: '{"transactionId":""}\n{"transactionId":"txn_1"}\n' },
    );
    expect(JSON.parse(stdout)).toMatchObject({ rows: 2, invalid: 1, cancelled: 1 });
  });
});

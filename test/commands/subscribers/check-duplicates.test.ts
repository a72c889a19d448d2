// svc subscribers bulk-import --check-duplicates
import { describe, expect, it } from 'vitest';
import { openRig, parsed, writeInput } from '../../support/rig.ts';

const line = (file: string, ...more: string[]) => [
  ...['subscribers', 'bulk-import', file, '--check-duplicates', 'email,phone', ...more],
];

const rows = [
  'subscriberId,email,phone',
  'a,ada@example.com,+491701234567',
  'b,Ada@Example.com ,',
  'c,grace@example.com,+49 (170) 123-4567',
  'a,ada@example.com,',
  'd,ADA@example.com,',
  'e,,',
  'f,wrong,+491701234567',
];

describe('svc subscribers bulk-import --check-duplicates', () => {
  it('counts addresses with different ids, with examples, also without sending', async () => {
    const rig = await openRig();
    const file = writeInput(rig, 'users.csv', `${rows.join('\n')}\n`);
    const repeatedAddresses = {
      email: {
        addresses: 1,
        examples: [{ address: 'ada@example.com', lines: [2, 3] }],
        isComplete: true,
      },
      phone: {
        addresses: 1,
        examples: [{ address: '+491701234567', lines: [2, 4] }],
        isComplete: true,
      },
    };
    const checked = await rig.svc(line(file, '--validate-only', '--json'));
    expect({ code: checked.code, summary: parsed(checked.stdout) }).toMatchObject({
      code: 3,
      summary: { rows: 7, invalid: 1, repeatedAddresses },
    });
    expect(checked.requests).toEqual([]);
    const { stderr } = await rig.svc(line(file), { tty: true, columns: 120 });
    expect(stderr).toContain(
      '1 e-mail address occurs with different ids: ada@example.com (lines 2 and 3)',
    );
    expect(stderr).toContain(
      '1 phone number occurs with different ids: +491701234567 (lines 2 and 4)',
    );
  });

  it('includes the rows that an earlier process finished, and JSON rows', async () => {
    const rig = await openRig();
    const people = Array.from({ length: 600 }, (_unused, index) => ({
      subscriberId: `p${index}`,
      email: `p${index % 599}@example.com`,
    }));
    const file = writeInput(
      rig,
      'users.ndjson',
      people.map((row) => JSON.stringify(row)).join('\n'),
    );
    rig.pass(1);
    rig.answer({ status: 403, body: { message: 'Forbidden' } });
    expect((await rig.svc(line(file, '--concurrency', '1'))).code).toBe(4);
    const { stdout } = await rig.svc(['runs', 'resume', 'last', '--json']);
    expect(parsed(stdout)).toMatchObject({
      rows: 600,
      repeatedAddresses: {
        email: { addresses: 1, examples: [{ address: 'p0@example.com', lines: [1, 600] }] },
        phone: { addresses: 0, examples: [] },
      },
    });
  });

  it('knows ids, e-mail addresses and phone numbers only', async () => {
    const { svc } = await openRig();
    const { code, stderr } = await svc(
      ['subscribers', 'bulk-import', '-', '--format', 'csv', '--check-duplicates', 'name'],
      { stdin: 'subscriberId\na\n' },
    );
    expect(code).toBe(2);
    expect(stderr).toContain('must be one of: id, email, phone');
  });
});

// A CSV cell over the size limit makes its row invalid; the rows after it are imported.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openRig, parsed, writeInput } from '../../support/rig.ts';

const long = 'x'.repeat(2 * 1024 * 1024);

describe('a CSV file with a cell over 1 MiB', () => {
  it.each<[string, string]>([
    ['quoted', `u2,"${long}\n"`],
    ['not quoted', `u2,${long}`],
  ])('is imported except for that row: %s', async (_name, row) => {
    const rig = await openRig();
    const file = writeInput(rig, 'users.csv', `subscriberId,firstName\nu1,a\n${row}\nu3,c\n`);
    const ran = await rig.svc(['subscribers', 'bulk-import', file, '--json']);
    expect(ran.code).toBe(3);
    const summary = parsed(ran.stdout);
    expect(summary).toMatchObject({ rows: 3, invalid: 1, stopped: null });
    expect(JSON.parse(ran.stderr)).toMatchObject({
      error: { details: [{ message: '1 × is longer than 1 MiB' }] },
    });
    expect(readFileSync(String(summary.rejects), 'utf8')).toBe(
      '_line,_error,subscriberId,firstName\n3,is longer than 1 MiB,u2\n',
    );
    const [request] = ran.requests;
    expect(request?.body).toEqual({
      subscribers: [
        { subscriberId: 'u1', firstName: 'a' },
        { subscriberId: 'u3', firstName: 'c' },
      ],
    });
  });

  it('exits with 2 if it has no other row', async () => {
    const rig = await openRig();
    const file = writeInput(rig, 'users.csv', `subscriberId,firstName\nu2,"${long}"\n`);
    const { code, requests } = await rig.svc(['subscribers', 'bulk-import', file, '--json']);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
  });
});

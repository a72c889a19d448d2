import { describe, expect, it } from 'vitest';
import { openRig, type Rig, writeInput } from '../../support/rig.ts';
import { words } from '../../support/words.ts';

const rows = [
  { subscriberId: 'l1', firstName: 'Zoë', lastName: 'a,b "c"', email: 'l1@example.com' },
  { subscriberId: 'l2', phone: '+491701234567', locale: 'de-DE', timezone: 'Europe/Berlin' },
  { subscriberId: 'l3', data: { plan: 'pro', seats: 3, tags: ['a', 'b'], 'big number': 2 ** 53 } },
  { subscriberId: '007', avatar: 'https://example.com/a.png', data: {} },
];

async function openFilled() {
  const rig = await openRig();
  const text = rows.map((row) => JSON.stringify(row)).join('\n');
  const file = writeInput(rig, 'rows.ndjson', text);
  expect((await rig.svc(['subscribers', 'bulk-import', file])).code).toBe(0);
  return rig;
}

/** The subscribers of the service, without the time of the last change. */
async function listed(rig: Rig) {
  const { stdout } = await rig.svc(['subscribers', 'list', '--all', '--json']);
  return (JSON.parse(stdout) as object[]).map((subscriber) => ({ ...subscriber, updatedAt: '' }));
}

describe('a listing of subscribers', () => {
  it.each(['csv', 'ndjson', 'json'])('as %s imports again unchanged', async (format) => {
    const rig = await openFilled();
    const before = await listed(rig);
    expect(before.length).toBeGreaterThan(rows.length);
    const { stdout } = await rig.svc(['subscribers', 'list', '--all', '-o', format]);
    const file = writeInput(rig, `all.${format}`, stdout);
    const { code, stderr, requests } = await rig.svc(words`subscribers bulk-import ${file} --json`);
    expect({ code, stderr, requests: requests.length }).toEqual({
      code: 0,
      stderr: '',
      requests: 1,
    });
    expect(await listed(rig)).toEqual(before);
  });
});

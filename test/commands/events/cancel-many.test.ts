// svc events cancel of a run or a list, through the whole program.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRig, parsed, writeInput } from '../../support/rig.ts';

describe('svc events cancel', () => {
  it('--run undoes a mass send, transactions of the file too', async () => {
    const rig = await openRig();
    const events = ['a', 'b', undefined].map((transactionId, index) =>
      JSON.stringify({
        name: 'trial-ending',
        to: `u${index + 1}`,
        ...(transactionId ? { transactionId } : {}),
      }),
    );
    await rig.svc(['events', 'trigger', '--file', '-', '--yes'], { stdin: events.join('\n') });
    const { code, stdout } = await rig.svc([
      'events',
      'cancel',
      '--run',
      'last',
      '--yes',
      '--json',
    ]);
    expect(code).toBe(0);
    expect(parsed(stdout)).toMatchObject({ rows: 3, cancelled: 3, notWaiting: 0 });
    const again = await rig.svc(['events', 'cancel', '--run', 'last', '--yes', '--json']);
    expect(parsed(again.stdout)).toMatchObject({ cancelled: 0, notWaiting: 3 });
  });

  it('--run last is the newest run by the millisecond, whatever its id', async () => {
    const rig = await openRig();
    const trigger = ['events', 'trigger', '--file', '-', '--yes', '--json'];
    const run = async (count: number) => {
      const event = '{"name":"trial-ending","to":"u1"}';
      const stdin = Array.from({ length: count }, () => event).join('\n');
      return String(parsed((await rig.svc(trigger, { stdin })).stdout).runId);
    };
    const newest = await run(1);
    await run(2);
    const manifest = path.join(rig.folder, 'state', 'runs', newest, 'manifest.json');
    writeFileSync(
      manifest,
      readFileSync(manifest, 'utf8').replace('12:00:00.000Z', '12:00:00.001Z'),
    );
    const listed = await rig.svc(['runs', 'list', '--jq', '.[0].runId']);
    expect(listed.stdout).toBe(`${newest}\n`);
    const { stdout } = await rig.svc(['events', 'cancel', '--run', 'last', '--yes', '--json']);
    expect(parsed(stdout)).toMatchObject({ rows: 1, cancelled: 1 });
  });

  it('- takes a list', async () => {
    const rig = await openRig();
    await rig.svc(['events', 'trigger', 'trial-ending', '--to', 'u1', '--transaction-id', 'x']);
    const { stdout } = await rig.svc(['events', 'cancel', '-', '--yes', '--json'], {
      stdin: 'x\ny\n',
    });
    expect(parsed(stdout)).toMatchObject({ rows: 2, cancelled: 1, notWaiting: 1 });
  });

  it('of a run that triggered nothing is refused', async () => {
    const rig = await openRig();
    const csv = writeInput(rig, 'users.csv', 'subscriberId\nu1\n');
    const { stdout } = await rig.svc(['subscribers', 'bulk-import', csv, '--json']);
    const { code, stderr } = await rig.svc([
      'events',
      'cancel',
      '--run',
      String(parsed(stdout).runId),
      '--yes',
    ]);
    expect(code).toBe(2);
    expect(stderr).toContain('has triggered nothing');
    expect((await rig.svc(['events', 'cancel', '--run', 'last', '--yes'])).code).toBe(5);
  });
});

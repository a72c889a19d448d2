// A step that was stopped by its `skip` condition, as a real server records it.
import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { openRig, parsed, type Rig } from '../../support/rig.ts';

interface RecordedItem {
  transactionId: string;
}

const recorded = JSON.parse(
  readFileSync('test/recorded/skipped-steps.json', 'utf8'),
) as RecordedItem[];
const item = recorded.find(({ transactionId }) => transactionId === 'y-sc');

describe('a step that its condition skipped', () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await openRig();
    rig.answerBy(({ url }) =>
      url.pathname === '/v1/notifications'
        ? { status: 200, body: { data: [item], page: 0, pageSize: 50, hasMore: false } }
        : undefined,
    );
  });

  it('has the cause condition in activity explain', async () => {
    const { stdout, code } = await rig.svc(['activity', 'explain', 'en', '--json']);
    const { channels } = parsed(stdout) as { channels: { channel: string }[] };
    expect(channels.find(({ channel }) => channel === 'sms')).toMatchObject({
      verdict: 'skipped',
      cause: 'condition',
      message: expect.stringContaining('conditions of the step'),
    });
    expect(code).toBe(9);
    const { stdout: text } = await rig.svc(['activity', 'explain', 'en', '-o', 'table']);
    expect(text).not.toContain('canceled');
  });

  it('has the cause condition in activity stats', async () => {
    const { stdout } = await rig.svc(['activity', 'stats', '--json']);
    expect(parsed(stdout).reasons).toEqual([{ cause: 'condition', count: 1 }]);
  });

  it('has its reason in the outcome of --wait', async () => {
    const line = ['events', 'trigger', 'welcome', '--to', 'en', '--transaction-id', 'y-sc'];
    const { stdout, code } = await rig.svc([...line, '--require', 'sms', '-o', 'table', '--yes']);
    expect(stdout).toContain('– sms     The conditions of the step skipped it.');
    expect(code).toBe(9);
  });
});

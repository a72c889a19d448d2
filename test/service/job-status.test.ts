// The meaning of a job status, also of one that svc does not know, in the commands that interpret it.
import { describe, expect, it } from 'vitest';
import { isFinished, jobStatuses, stepOutcome } from '../../src/service/job-outcomes.ts';
import { openRig, parsed } from '../support/rig.ts';

describe('the status of a job', () => {
  it('says what became of its step', () => {
    expect(
      Object.fromEntries(jobStatuses.map((status) => [status, stepOutcome({ status })])),
    ).toEqual({
      ...{ pending: 'waiting', queued: 'waiting', running: 'waiting', delayed: 'waiting' },
      ...{ completed: 'delivered', failed: 'failed' },
      ...{ canceled: 'skipped', merged: 'skipped', skipped: 'skipped' },
    });
  });

  it.each(['paused', 'constructor', ''])('%j, which svc does not know, is not final', (status) => {
    expect(isFinished({ status })).toBe(false);
  });

  it('that svc does not know leaves events trigger --wait unfinished', async () => {
    const rig = await openRig();
    rig.answerBy(({ method, url }) => {
      if (method !== 'GET' || url.pathname !== '/v1/notifications') return undefined;
      const jobs = [{ type: 'email', status: 'paused', executionDetails: [], step: {} }];
      const item = { _id: 'n1', transactionId: 't', _subscriberId: 's', channels: [], jobs };
      return { status: 200, body: { data: [item], hasMore: false, page: 0, pageSize: 50 } };
    });
    const line = ['events', 'trigger', 'welcome', '--to', 'u1', '--transaction-id', 't'];
    const { code, stdout } = await rig.svc([...line, '--wait-timeout', '5s', '--json']);
    expect({ code, ...parsed(stdout) }).toMatchObject({ code: 9, outcome: 'unfinished' });
  });
});

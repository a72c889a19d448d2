// Lost jobs in a large sandbox.
import { expect, it } from 'vitest';
import { expectedFindings, runWeek } from '../support/audited-week.ts';
import { openRig } from '../support/rig.ts';

it('an audit of 10,000 events finds exactly the lost ones', async () => {
  const week = await runWeek(10_000, '3.19', ['--lose-jobs 2% --fault-seed 9']);
  const lost = await expectedFindings(week.rig);
  const { code, findings } = await week.audit();
  expect({ code, count: findings.length }).toEqual({ code: 9, count: lost.length });
  expect(findings).toEqual(lost);
}, 900_000);

it('an audit that deletes dead addresses says how many are not among the first 100,000', async () => {
  const { svc, answerBy } = await openRig();
  const executionDetails = [
    {
      detail: 'Unexpected provider error',
      status: 'Failed',
      raw: JSON.stringify({ error: 'registration-token-not-registered' }),
    },
  ];
  const step = { _id: 'step' };
  const data = Array.from({ length: 100_002 }, (_unused, number) => ({
    _id: `item-${number}`,
    transactionId: `txn-${number}`,
    subscriber: { _id: 'internal', subscriberId: `n${number}` },
    template: { name: 'Welcome', triggers: [{ identifier: 'welcome' }] },
    createdAt: '2026-01-15T11:00:00.000Z',
    jobs: [
      { _id: 'job', type: 'push', status: 'failed', providerId: 'fcm', step, executionDetails },
    ],
  }));
  answerBy(({ url }) =>
    url.pathname === '/v1/notifications'
      ? { status: 200, body: { data, page: 0, pageSize: 100_002, hasMore: false } }
      : undefined,
  );
  const { code, stderr } = await svc(['activity', 'audit', '--fix', 'dead-addresses']);
  expect(code).toBe(2);
  expect(stderr).toContain('2 more findings are only counted. Run the command again to fix them.');
}, 900_000);

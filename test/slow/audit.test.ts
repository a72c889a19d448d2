// Audits of weeks of events, and of many.
import { expect, it } from 'vitest';
import { expectedFindings, runWeek } from '../support/audited-week.ts';
import { openRig } from '../support/rig.ts';

it.each(['3.11', '3.19'] as const)(
  'an audit finds exactly the lost events of a week in a sandbox of %s',
  async (service) => {
    const early = new Set<string>();
    const faults = ['--lose-jobs 10% --fault-seed 5'];
    const week = await runWeek(280, service, faults, async (now) => {
      for (const finding of (await now.audit()).findings) early.add(finding);
    });
    const lost = await expectedFindings(week.rig);
    const { code, findings } = await week.audit();
    expect({ code, findings }).toEqual({ code: 9, findings: lost });
    const kinds = new Set(lost.map((line) => line.split(' ')[0]));
    expect([...kinds].sort()).toEqual(['lost-in-digest', 'overdue', 'without-jobs']);
    expect([...early].filter((finding) => !lost.includes(finding))).toEqual([]);
    expect(early.size).toBeGreaterThan(0);
  },
  240_000,
);

it.each(['3.11', '3.19'] as const)(
  'an audit finds exactly what rejecting providers and repeated events cause in %s',
  async (service) => {
    const week = await runWeek(280, service, [
      '--channel email --fail 20% --fault-seed 3',
      '--provider fcm --fail 20% --error registration-token-not-registered',
      '--repeat-events 10% --fault-seed 4',
    ]);
    const expected = await expectedFindings(week.rig);
    expect(await week.audit()).toEqual({ code: 9, findings: expected });
    const kinds = new Set(expected.map((line) => line.split(' ')[0]));
    expect([...kinds].sort()).toEqual(['dead-addresses', 'silent', 'twice']);
  },
  240_000,
);

it('an audit finds nothing in an undisturbed week, also in the middle of it', async () => {
  const results: unknown[] = [];
  const week = await runWeek(140, '3.19', [], async (now) => {
    results.push(await now.audit());
  });
  results.push(await week.audit());
  expect(results).toEqual(results.map(() => ({ code: 0, findings: [] })));
}, 240_000);

it('an audit of 4,000 events finds exactly the lost ones', async () => {
  const week = await runWeek(4_000, '3.19', ['--lose-jobs 2% --fault-seed 9']);
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

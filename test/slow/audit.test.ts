// Lost jobs in a large sandbox.
import { expect, it } from 'vitest';
import { expectedFindings, runWeek } from '../support/audited-week.ts';

it('an audit of 10,000 events finds exactly the lost ones', async () => {
  const week = await runWeek(10_000, '3.19', ['--lose-jobs 2% --fault-seed 9']);
  const lost = await expectedFindings(week.rig);
  const { code, findings } = await week.audit();
  expect({ code, count: findings.length }).toEqual({ code: 9, count: lost.length });
  expect(findings).toEqual(lost);
}, 900_000);

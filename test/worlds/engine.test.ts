// The events of any world come to an end.
import { expect, it } from 'vitest';
import { findValidationErrors } from '../../src/sandbox/state/validation-errors.ts';
import { firstDueJob } from '../../src/sandbox/store/jobs.ts';
import { openSandbox } from '../sandbox/open.ts';
import { anyWorld, inWorlds, type World, worldsTimeout } from '../support/worlds.ts';

interface Item {
  transactionId: string;
  jobs: { type: string; status: string }[];
}

const finished = ['completed', 'failed', 'canceled', 'merged', 'skipped'];
const years = 400 * 24 * 3_600_000;

async function runToTheEnd({ mode, service, seed }: World) {
  expect(findValidationErrors(seed)).toEqual([]);
  const { ask, control, store } = await openSandbox({ mode, service, seed });
  await control.advanceClock(years);
  expect(firstDueJob(store.sql)).toBeUndefined();
  const { body } = await ask('GET /v1/notifications?limit=50');
  for (const { transactionId, jobs } of body.data as Item[]) {
    const open = jobs.findIndex(({ status }) => !finished.includes(status));
    // The service leaves the steps after a failed delay pending.
    const isBlocked = jobs[open - 1]?.status === 'failed' && jobs[open]?.status === 'pending';
    expect({ transactionId, isOpen: open !== -1 && !isBlocked }).toMatchObject({ isOpen: false });
  }
}

it(
  'the engine finishes every event of any world',
  () => inWorlds(10, anyWorld, runToTheEnd),
  worldsTimeout(10),
);

// For any workflow, a replay of what did not change has no difference, and the emulator reproduces itself.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { replayEvents } from '../../src/replay/replay-events.ts';
import * as sandbox from '../../src/sandbox/index.ts';
import type { SandboxState } from '../../src/sandbox/state/schema.ts';

const unit = fc.constantFrom('minutes', 'hours', 'days');
const amount = fc.integer({ min: 1, max: 5 });
const wait = (type: 'digest' | 'delay') =>
  fc
    .record({ amount, unit })
    .map((values) => ({ type, controlValues: { type: 'regular', ...values } }));
const step = fc.oneof(
  wait('digest'),
  wait('delay'),
  fc
    .record({ threshold: amount, amount, unit: fc.constantFrom('minutes', 'hours', 'days') })
    .map((values) => ({ type: 'throttle' as const, controlValues: { type: 'fixed', ...values } })),
  fc
    .constantFrom('in_app' as const, 'email' as const, 'sms' as const)
    .chain((type) =>
      fc
        .record({
          subject: fc.constantFrom('{{payload.n}}', '{{subscriber.firstName}}', 'Plain'),
          skip: fc.option(
            fc.integer({ min: 0, max: 9 }).map((than) => ({ '>': [{ var: 'payload.n' }, than] })),
          ),
        })
        .map(({ subject, skip }) => ({
          type,
          controlValues: { subject, body: `${subject}!`, ...(skip ? { skip } : {}) },
        })),
    ),
);

const world = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 4 }),
  events: fc.array(
    fc.record({ to: fc.constantFrom('a', 'b'), after: fc.nat(7_200), n: fc.nat(9) }),
    { minLength: 1, maxLength: 12 },
  ),
});

const start = Date.parse('2026-01-05T08:00:00Z');

it('replay(A, A) has no difference', async () => {
  await fc.assert(
    fc.asyncProperty(world, async ({ steps, events }) => {
      const state: SandboxState = {
        version: 1,
        environments: [
          {
            name: 'Development',
            subscribers: [
              { subscriberId: 'a', email: 'a@example.com' },
              { subscriberId: 'b', phone: '+49151' },
            ],
            workflows: [
              {
                workflowId: 'any',
                steps: steps.map((given, index) => ({ stepId: `s${index}`, ...given })),
              },
            ],
          },
        ],
      };
      const recorded = events
        .map(({ to, after, n }, index) => ({
          workflowId: 'any',
          subscriberId: to,
          at: start + after * 60_000,
          payload: { n },
          hasPayload: true,
          transactionId: `t${index}`,
          observed: [],
        }))
        .sort((a, b) => a.at - b.at);
      const { totals, groups } = await replayEvents({
        sandbox,
        before: state,
        after: state,
        events: recorded,
        horizonMs: 31 * 86_400_000,
        examples: 1,
        pause: async () => undefined,
      });
      expect(groups).toEqual([]);
      const { same, ...differing } = totals;
      expect(differing).toEqual({ changed: 0, gained: 0, lost: 0, moved: 0 });
      const channels = steps.filter(({ type }) => ['in_app', 'email', 'sms'].includes(type)).length;
      expect(same).toBe(channels * events.length);
    }),
    { numRuns: 25 },
  );
});

// The comparison of one event in two replays, and of a replay with what the service did.
import { describe, expect, it } from 'vitest';
import { createConfidence, rateOf } from '../../src/replay/confidence.ts';
import { compareEvent } from '../../src/replay/differences.ts';
import type { RecordedEvent } from '../../src/replay/events.ts';
import type { ReplayedStep } from '../../src/sandbox/index.ts';

const noon = Date.parse('2026-01-15T12:00:00.000Z');
const step = (more: Partial<ReplayedStep> = {}): ReplayedStep => ({
  stepId: 'mail',
  channel: 'email',
  verdict: 'delivered',
  cause: null,
  carrier: 0,
  at: new Date(noon).toISOString(),
  content: { subject: 'Hello', body: 'Text' },
  ...more,
});
const later = (ms: number) => step({ at: new Date(noon + ms).toISOString() });
const skipped = step({ verdict: 'skipped', cause: 'workflow_preference', at: undefined });

describe('a step of an event', () => {
  const compared = (before: ReplayedStep[], after: ReplayedStep[]) =>
    compareEvent({ steps: before }, { steps: after }).map(({ result }) => result);

  it.each([
    ['same', [step()], [step()]],
    ['same', [skipped], [skipped]],
    ['same', [step()], [later(60_000)]],
    ['moved', [step()], [later(60_001)]],
    ['moved', [later(60_001)], [step()]],
    ['moved', [step({ carrier: 1 })], [step({ carrier: 2 })]],
    ['changed', [step()], [step({ content: { subject: 'Hi', body: 'Text' } })]],
    ['lost', [step()], [skipped]],
    ['lost', [step()], []],
    ['gained', [skipped], [step()]],
    ['gained', [], [step()]],
  ])('is %s', (result, before, after) => {
    expect(compared(before, after)).toEqual([result]);
  });

  it('is compared with the step of the same id, in the order of the first replay', () => {
    const [chat, push] = [step({ stepId: 'chat' }), step({ stepId: 'push' })];
    const both = compareEvent({ steps: [step(), chat] }, { steps: [push, chat] });
    expect(both.map(({ stepId, result }) => `${stepId} ${result}`)).toEqual([
      'mail lost',
      'chat same',
      'push gained',
    ]);
    expect(compareEvent({ rejected: 'no' }, { steps: [chat] })).toMatchObject([
      { stepId: 'chat', result: 'gained' },
    ]);
  });

  it('names the changed parts, the shift and the other digest', () => {
    const after = step({ ...later(120_000), carrier: 3, content: { subject: 'Hi', body: 'Text' } });
    expect(compareEvent({ steps: [step()] }, { steps: [after] })).toMatchObject([
      { result: 'changed', parts: ['subject'], shiftMs: 120_000, isInOtherDigest: true },
    ]);
  });
});

describe('the confidence of a replay', () => {
  type Observed = RecordedEvent['observed'][number];
  const seen = (state: Observed['state'], cause: Observed['cause'] = null): Observed => ({
    ...{ channel: 'email', state, cause },
  });
  const confidenceOf = (...pairs: [Observed, ReplayedStep | undefined][]) => {
    const confidence = createConfidence();
    const event = { observed: pairs.map(([observed]) => observed) } as unknown as RecordedEvent;
    const steps = pairs.flatMap(([, replayed]) => replayed ?? []);
    confidence.add(event, 0, { steps });
    return confidence.result();
  };

  it('counts what both have finished', () => {
    const waiting = step({ verdict: 'waiting' });
    expect(
      confidenceOf(
        [seen('delivered'), step()],
        [seen('waiting'), step()],
        [seen('delivered'), waiting],
        [seen('merged'), step({ carrier: 4 })],
        [seen('delivered'), step({ channel: 'sms' })],
      ),
    ).toMatchObject({ steps: 3, reproduced: 2, unfinished: 2 });
  });

  it.each([
    [seen('failed', 'provider_error'), step(), 'a provider failed, which it does not in a replay'],
    [seen('skipped', 'canceled'), step(), 'the event was canceled'],
    [
      seen('delivered'),
      skipped,
      'the preferences of the recipient have changed since, or were changed',
    ],
    [
      seen('skipped', 'missing_email'),
      step(),
      'the addresses of the recipient have changed since, or were changed',
    ],
    [seen('delivered'), undefined, 'the workflow had other steps then'],
    [
      seen('delivered'),
      step({ verdict: 'failed', cause: 'provider_error' }),
      'delivered by the service, failed (provider_error) in the replay',
    ],
  ])('says why they differ: %j', (observed, replayed, reason) => {
    expect(confidenceOf([observed, replayed]).reasons).toEqual([{ reason, steps: 1 }]);
  });

  it('is the share of the steps, and complete without steps', () => {
    expect(rateOf({ steps: 4, reproduced: 3, unfinished: 9, reasons: [] })).toBe(0.75);
    expect(rateOf(confidenceOf())).toBe(1);
  });
});

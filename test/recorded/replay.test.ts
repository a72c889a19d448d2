// The events that were recorded from real servers, replayed: the emulator does what the service did.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { openSandboxRig } from '../commands/sandbox/sandbox-rig.ts';
import { frozenNow } from '../support/fixed.ts';
import { type Exchange, itemsIn, readCorpus, recordedFolder } from '../support/recorded/corpus.ts';
import { parsed, writeInput } from '../support/rig.ts';
import { words } from '../support/words.ts';

const seedText = readFileSync(`${recordedFolder}/seed.yaml`, 'utf8');

/** The recording has no times and payloads of events: both are those of the request that triggered the event. */
function recordedEvents(exchanges: readonly Exchange[]): object[] {
  const triggers = new Map<unknown, { createdAt: string; payload: unknown }>();
  const events = new Map<string, object>();
  let time = frozenNow;
  for (const { request, wait = 0, answer } of exchanges) {
    time += 200 + wait;
    const body = request.body as { events?: unknown[]; payload?: unknown } | undefined;
    if (request.method === 'POST' && request.path.startsWith('/v1/events/trigger'))
      for (const event of [body?.events ?? body].flat())
        triggers.set((event as { transactionId?: string } | undefined)?.transactionId, {
          createdAt: new Date(time).toISOString(),
          payload: (event as { payload?: unknown } | undefined)?.payload ?? {},
        });
    for (const item of itemsIn(answer?.body)) {
      const trigger = triggers.get(item.transactionId);
      const key = `${item.transactionId} ${item.subscriber.subscriberId}`;
      if (trigger) events.set(key, { ...item, ...trigger });
    }
  }
  return [...events.values()];
}

it.each(['corpus', 'corpus-319'])('the replay of %s differs by named causes only', async (name) => {
  const events = recordedEvents(readCorpus(name));
  const rig = await openSandboxRig({}, { seed: parse(seedText), mode: 'novu' });
  expect((await rig.svc(words`workflows pull --dir workflows`)).code).toBe(0);
  writeInput(rig, 'week.ndjson', events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  writeInput(rig, 'week.state.yaml', seedText);
  const line = words`workflows replay workflows --events week.ndjson --min-confidence 0 -o json`;
  const { stdout } = await rig.svc(line);
  const { confidence, leftOut, totals } = parsed(stdout) as {
    confidence: { steps: number; reproduced: number; reasons: { reason: string }[] };
    leftOut: object;
    totals: Record<string, number>;
  };
  // The people had been changed by requests between the events; their state is that before the first one.
  expect(confidence.reasons.map(({ reason }) => reason).sort()).toEqual([
    'a provider failed, which it does not in a replay',
    'the addresses of the recipient have changed since, or were changed',
    'the event was canceled',
    'the preferences of the recipient have changed since, or were changed',
  ]);
  expect(confidence.reproduced).toBeGreaterThan(0.65 * confidence.steps);
  expect({ events: events.length > 40, leftOut }).toEqual({ events: true, leftOut: {} });
  expect(totals).toEqual({ same: confidence.steps, changed: 0, gained: 0, lost: 0, moved: 0 });
});

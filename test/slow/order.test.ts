// Rows of one subscriber: the last row of the file wins, at any concurrency and response order.
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Client } from '../../src/api/client.ts';
import type { RawRequest } from '../../src/api/request.ts';
import { run } from '../../src/bulk/engine/run.ts';
import { createStats } from '../../src/bulk/engine/stats.ts';
import { createDryRunJournal } from '../../src/bulk/journal/journal.ts';
import { rejectsFormat } from '../../src/bulk/journal/rejects.ts';
import { createSubscriberSender } from '../../src/bulk/operations/subscribers.ts';
import type { InputRecord } from '../../src/input/records.ts';
import { seeded } from '../support/chaos-proxy.ts';

interface Subscriber {
  subscriberId: string;
  firstName?: string;
  lastName?: string;
}

/** A service that upserts batches in random order. */
async function imported(rows: Subscriber[], concurrency: number, random: () => number) {
  const store = new Map<string, Subscriber>();
  const client = {
    send: async ({ body }: RawRequest) => {
      for (let left = Math.floor(random() * 6); left > 0; left -= 1) await turn();
      const { subscribers } = JSON.parse(Buffer.from(body ?? []).toString()) as {
        subscribers: Subscriber[];
      };
      for (const one of subscribers) {
        store.set(one.subscriberId, { ...store.get(one.subscriberId), ...one });
      }
      for (let left = Math.floor(random() * 6); left > 0; left -= 1) await turn();
      return {
        value: { created: subscribers, updated: [], failed: [] },
        status: 201,
        headers: {},
        attempts: 1,
      };
    },
  } as unknown as Client;
  const schema = z.looseObject({ subscriberId: z.string() });
  const sender = createSubscriberSender({
    schema,
    dataRest: false,
    cells: { infer: false, clearEmpty: false },
  });
  const records: InputRecord[] = rows.map((value, index) => ({
    row: index + 1,
    line: index + 1,
    start: 0,
    end: 0,
    value: { ...value },
  }));
  await run({
    sender,
    source: {
      format: 'ndjson',
      sample: async () => [],
      name: 'rows',
      close: () => undefined,
      progress: () => ({ bytes: 0, total: undefined }),
      chunks: (async function* () {
        yield records;
      })(),
    },
    journal: createDryRunJournal('r'),
    idScope: 'r',
    rejects: rejectsFormat('ndjson'),
    stats: createStats({ successStates: sender.successStates, ticks: () => 0 }),
    client,
    clock: {
      now: () => 0,
      ticks: () => 0,
      sleep: async () => undefined,
      deadline: () => ({ signal: new AbortController().signal, clear: () => undefined }),
    },
    concurrency,
    maskedSecret: () => undefined,
    maxWaitMs: 0,
    hasTooManyErrors: () => false,
    shutdownSignal: new AbortController().signal,
    forceSignal: new AbortController().signal,
  });
  return store;
}

describe('the order of rows of one subscriber', () => {
  it('is kept field by field at any concurrency, in 1,000 shuffled rounds', {
    timeout: 120_000,
  }, async () => {
    for (let round = 1; round <= 1_000; round += 1) {
      const random = seeded(round);
      // Long rows make small batches, so that many are in flight.
      const filler = 'x'.repeat(20_000);
      const rows: Subscriber[] = Array.from({ length: 40 }, (_unused, index) => {
        const subscriberId = `s${Math.floor(random() * 12)}`;
        return random() < 0.5
          ? { subscriberId, firstName: `${index}`, lastName: filler }
          : { subscriberId, lastName: `${index}${filler}` };
      });
      const wanted = new Map<string, Subscriber>();
      for (const row of rows)
        wanted.set(row.subscriberId, { ...wanted.get(row.subscriberId), ...row });
      const store = await imported(rows, 1 + Math.floor(random() * 64), random);
      expect(store, `round ${round}`).toEqual(wanted);
    }
  });

  it('is kept for rows 100,000 lines apart', async () => {
    const between = Array.from({ length: 100_000 }, (_unused, index) => ({
      subscriberId: `b${index}`,
    }));
    const rows = [
      { subscriberId: 'a', firstName: 'first' },
      ...between,
      { subscriberId: 'a', firstName: 'last' },
    ];
    const store = await imported(rows, 64, seeded(1));
    expect(store.get('a')?.firstName).toBe('last');
    expect(store.size).toBe(100_001);
  });
});

// Imports rows with the engine into a fake service. Time passes only while the run waits.

import { z } from 'zod';
import type { Client } from '../../src/api/client.ts';
import type { RawRequest } from '../../src/api/request.ts';
import { run } from '../../src/bulk/engine/run.ts';
import type { RunOptions } from '../../src/bulk/engine/run-options.ts';
import { createStats } from '../../src/bulk/engine/stats.ts';
import { createDryRunJournal } from '../../src/bulk/journal/journal.ts';
import { rejectsFormat } from '../../src/bulk/journal/rejects.ts';
import { createSubscriberSender } from '../../src/bulk/operations/subscribers.ts';
import type { InputRecord, RecordSource } from '../../src/input/records.ts';

export interface Sent {
  ids: string[];
  bytes: number;
  key: string | undefined;
}

/** Returns the response to a request with these ids. `call` counts from 1. */
export type Reply = (
  ids: string[],
  call: number,
  request: RawRequest,
) => Promise<unknown> | unknown;

export const created = (ids: string[]) => ({
  created: ids.map((subscriberId) => ({ subscriberId })),
  updated: [],
  failed: [],
});

export const people = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_unused, index) => ({ subscriberId: `u${index}`, ...more }));

const schema = z.looseObject({ subscriberId: z.string().min(1, 'is required') });
export const importSender = createSubscriberSender({
  schema,
  dataRest: false,
  cells: { infer: false, clearEmpty: false },
});

export const toRecords = (rows: readonly Record<string, unknown>[]): InputRecord[] =>
  rows.map((value, index) => ({ row: index + 1, line: index + 1, start: 0, end: 0, value }));

/** A source of records, and whether it was closed. */
export function openSource(chunks: RecordSource['chunks']) {
  let isClosed = false;
  const source: RecordSource = {
    format: 'ndjson',
    sample: async () => [],
    name: 'rows',
    close: () => {
      isClosed = true;
    },
    progress: () => ({ bytes: 0, total: undefined }),
    chunks,
  };
  return { source, isClosed: () => isClosed };
}

/** Runs an import. `more` overrides the default run options. */
export async function runImport(
  rows: Record<string, unknown>[],
  reply: Reply,
  more: Partial<RunOptions> & { chunks?: RecordSource['chunks'] } = {},
) {
  const sent: Sent[] = [];
  const rejected: [number, string][] = [];
  const { source, isClosed } = openSource(
    more.chunks ??
      (async function* () {
        yield toRecords(rows);
      })(),
  );
  const client = {
    send: async (request: RawRequest) => {
      const body = request.body ?? Buffer.alloc(0);
      const ids = sentIds(Buffer.from(body).toString());
      sent.push({ ids, bytes: body.byteLength, key: request.idempotencyKey });
      const value = await reply(ids, sent.length, request);
      return { value, status: 201, headers: {}, attempts: 1 };
    },
  } as unknown as Client;
  let slept = 0;
  const clock = {
    now: () => 0,
    ticks: () => slept,
    sleep: async (ms: number) => {
      slept += ms;
    },
    deadline: (_ms: number, signal?: AbortSignal) => ({
      signal: signal ?? new AbortController().signal,
      clear: () => undefined,
    }),
  };
  const sender = more.sender ?? importSender;
  const stats = createStats({ successStates: sender.successStates, ticks: clock.ticks });
  const options: RunOptions = {
    sender,
    idScope: 'r1',
    source,
    journal: createDryRunJournal('r1'),
    rejects: rejectsFormat('ndjson'),
    stats,
    client,
    clock,
    concurrency: 4,
    maskedSecret: () => undefined,
    maxWaitMs: 60_000,
    hasTooManyErrors: () => false,
    shutdownSignal: new AbortController().signal,
    forceSignal: new AbortController().signal,
    onRowFinished: ({ record }, outcome) => {
      if ('reason' in outcome) rejected.push([record.line, outcome.reason]);
      else if (outcome.state === 'unknown') rejected.push([record.line, 'unknown']);
    },
    ...more,
  };
  const ended = run(options);
  return {
    end: await ended,
    sent,
    rejected: rejected.sort(([a], [b]) => a - b),
    stats,
    slept: () => slept,
    isClosed,
  };
}

function sentIds(body: string): string[] {
  const { subscribers = [] } = (body === '' ? {} : JSON.parse(body)) as {
    subscribers?: { subscriberId: string }[];
  };
  return subscribers.map(({ subscriberId }) => subscriberId);
}

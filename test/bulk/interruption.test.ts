// What ends a run early: a person, an input that breaks off, a defect. What is settled stays settled.
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { SvcError } from '../../src/core/errors.ts';
import type { InputRecord, RecordSource } from '../../src/input/records.ts';
import { created, importing, importPlan, people, recordsOf } from './importing.ts';

const chunks = (more: () => Promise<InputRecord[]>, rows = 500): RecordSource['chunks'] =>
  (async function* () {
    yield recordsOf(people(rows));
    yield await more();
  })();

const never = () => new Promise<never>(() => undefined);

it('an interruption ends the reading at once, also while a pipe stays silent', async () => {
  const person = new AbortController();
  const { end, stats, sent } = await importing(
    [],
    (ids) => {
      setImmediate(() => person.abort('interrupted'));
      return created(ids);
    },
    { chunks: chunks(never, 501), shutdownSignal: person.signal },
  );
  expect(end).toEqual({ stopped: { reason: 'interrupted', line: 501 }, cause: undefined });
  // The row that waited for company is left to the run that goes on.
  expect(sent).toHaveLength(1);
  expect(stats.rows()).toBe(500);
});

it('requests in flight may finish after an interruption', async () => {
  const person = new AbortController();
  const { stats } = await importing(
    people(501),
    async (ids) => {
      person.abort('terminated');
      for (let left = 5; left > 0; left -= 1) await turn();
      return created(ids);
    },
    {
      shutdownSignal: person.signal,
      clock: { ...patient, now: () => 0, ticks: () => 0 },
    },
  );
  expect(stats.counts()).toMatchObject({ created: 500, failed: 0, unknown: 0 });
});

it('a request that does not finish after an interruption is given up in bounded time', async () => {
  const person = new AbortController();
  const { end, stats, slept } = await importing(
    people(501),
    (_ids, _call, { signal }) => {
      person.abort('interrupted');
      return new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
      });
    },
    { shutdownSignal: person.signal },
  );
  expect(end.stopped?.reason).toBe('interrupted');
  expect(end.cause).toBeUndefined();
  expect(stats.rows()).toBe(0);
  expect(slept()).toBe(30_000);
});

it('a batch that waits for room when somebody interrupts is not sent', async () => {
  const person = new AbortController();
  const { sent, stats } = await importing(
    people(1_500),
    async (ids) => {
      await turn();
      person.abort('interrupted');
      return created(ids);
    },
    { shutdownSignal: person.signal, concurrency: 1 },
  );
  expect(sent).toHaveLength(1);
  expect(stats.rows()).toBe(500);
});

it('what was read before the input broke off is sent, and the line is said', async () => {
  const { end, stats } = await importing([], created, {
    chunks: chunks(() => Promise.reject(new SvcError('partial', 'The quote is open.')), 7),
  });
  expect(stats.counts().created).toBe(7);
  expect(end.stopped).toEqual({ reason: 'The quote is open.', line: 7 });
  expect(end.cause?.exitReason).toBe('partial');
});

it('an input that fails in no known way ends the run with its error, and is closed', async () => {
  let isClosed = false;
  const source: RecordSource = {
    format: 'ndjson',
    name: 'rows',
    close: () => {
      isClosed = true;
    },
    progress: () => ({ bytes: 0, total: undefined }),
    chunks: chunks(() => Promise.reject(new TypeError('odd'))),
  };
  await expect(importing([], created, { source })).rejects.toThrow('odd');
  expect(isClosed).toBe(true);
});

it('a defect while answers are read stops the run as one', async () => {
  const { end } = await importing(people(1), () => ({}), {
    plan: {
      ...importPlan,
      readOutcomes: () => {
        throw new TypeError('odd');
      },
    },
  });
  expect(end.cause?.exitReason).toBe('bug');
  expect(end.stopped?.reason).toBe('Unexpected: odd');
});

it('after the service refused a batch, those that waited for room are not sent', async () => {
  const { sent, end } = await importing(
    people(2_000),
    async () => {
      await turn();
      throw new SvcError('auth', 'API Key not found', { status: 401 });
    },
    { concurrency: 1 },
  );
  expect(sent).toHaveLength(1);
  expect(end.stopped?.reason).toBe('API Key not found');
});

/** Waits end only when they are called off. */
const patient = {
  sleep: (_ms: number, signal?: AbortSignal) =>
    new Promise<void>((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason));
    }),
  deadline: () => ({ signal: new AbortController().signal, clear: () => undefined }),
};

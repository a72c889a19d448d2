// How a run stops early: after a shutdown signal, an error of the input, or a bug. Finished rows stay finished.
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { SvcError } from '../../src/core/errors.ts';
import type { InputRecord, RecordSource } from '../../src/input/records.ts';
import { created, importSender, openSource, people, runImport, toRecords } from './run-import.ts';

const chunks = (more: () => Promise<InputRecord[]>, rows = 500): RecordSource['chunks'] =>
  (async function* () {
    yield toRecords(people(rows));
    yield await more();
  })();

const never = () => new Promise<never>(() => undefined);

it('a shutdown stops reading immediately, even from a pipe that sends nothing', async () => {
  const shutdown = new AbortController();
  const { end, stats, sent } = await runImport(
    [],
    (ids) => {
      setImmediate(() => shutdown.abort('interrupted'));
      return created(ids);
    },
    { chunks: chunks(never, 501), shutdownSignal: shutdown.signal },
  );
  expect(end).toEqual({ stopped: { reason: 'interrupted', line: 500 }, cause: undefined });
  // The row of the incomplete batch is left to the resumed run.
  expect(sent).toHaveLength(1);
  expect(stats.rows()).toBe(500);
});

it('requests in flight may finish after a shutdown signal', async () => {
  const shutdown = new AbortController();
  const { stats } = await runImport(
    people(501),
    async (ids) => {
      shutdown.abort('terminated');
      for (let left = 5; left > 0; left -= 1) await turn();
      return created(ids);
    },
    { shutdownSignal: shutdown.signal, clock: { ...patient, now: () => 0, ticks: () => 0 } },
  );
  expect(stats.counts()).toMatchObject({ created: 500, failed: 0, unknown: 0 });
});

it('a request that does not finish after a shutdown signal is aborted after a limited time', async () => {
  const shutdown = new AbortController();
  const { end, stats, slept } = await runImport(
    people(501),
    (_ids, _call, { signal }) => {
      shutdown.abort('interrupted');
      return new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
      });
    },
    { shutdownSignal: shutdown.signal },
  );
  expect(end.stopped?.reason).toBe('interrupted');
  expect(end.cause).toBeUndefined();
  expect(stats.rows()).toBe(0);
  expect(slept()).toBe(30_000);
});

it('a batch that waits for the limiter is not sent after a shutdown signal', async () => {
  const shutdown = new AbortController();
  const { sent, stats } = await runImport(
    people(1_500),
    async (ids) => {
      await turn();
      shutdown.abort('interrupted');
      return created(ids);
    },
    { shutdownSignal: shutdown.signal, concurrency: 1 },
  );
  expect(sent).toHaveLength(1);
  expect(stats.rows()).toBe(500);
});

it('rows read before an error of the input are sent, and the line is reported', async () => {
  const { end, stats } = await runImport([], created, {
    chunks: chunks(() => Promise.reject(new SvcError('partial', 'The quote is open.')), 7),
  });
  expect(stats.counts().created).toBe(7);
  expect(end.stopped).toEqual({ reason: 'The quote is open.', line: 7 });
  expect(end.cause?.exitReason).toBe('partial');
});

it('an unexpected error of the input stops the run, and the input is closed', async () => {
  const { source, isClosed } = openSource(chunks(() => Promise.reject(new TypeError('odd'))));
  await expect(runImport([], created, { source })).rejects.toThrow('odd');
  expect(isClosed()).toBe(true);
});

it('an exception while reading responses is reported as a bug', async () => {
  const { end } = await runImport(people(1), () => ({}), {
    sender: {
      ...importSender,
      readOutcomes: () => {
        throw new TypeError('odd');
      },
    },
  });
  expect(end.cause?.exitReason).toBe('bug');
  expect(end.stopped?.reason).toBe('Unexpected error: odd');
});

it('after the service rejects a batch, waiting batches are not sent', async () => {
  const { sent, end } = await runImport(
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

/** Waits end only when they are aborted. */
const patient = {
  sleep: (_ms: number, signal?: AbortSignal) =>
    new Promise<void>((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason));
    }),
  deadline: () => ({ signal: new AbortController().signal, clear: () => undefined }),
};

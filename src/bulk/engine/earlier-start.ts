// Finds the events that the service already has, because an earlier start of the run whose journal is lost has sent them,
// or because the input contains ids that are in use. The service would accept these events and drop them.
import { pollUntil } from '../../core/async.ts';
import { SvcError } from '../../core/errors.ts';
import { type Batch, rowJson } from './batches.ts';
import type { RunOptions } from './run-options.ts';
import type { ExistingRows } from './sender.ts';

const none: ExistingRows = { ids: new Set() };

/** How long the workers of the service may take to create the jobs of an event that it has accepted. */
const settleMs = 5_000;
const pollMs = 500;

export function createEarlierStart(options: RunOptions) {
  const { sender, client, journal, clock, shutdownSignal, onEarlierStart } = options;
  /** Undefined before the first batch. */
  let isFound: boolean | undefined;

  /** Undefined if the activity cannot be read, which not every key can. */
  const readExisting = async ({ rows, body }: Batch, sampleOnly: boolean) => {
    if (!sender.findExisting || !client || rows.length === 0) return undefined;
    const items = rows.map((row) => ({ id: row.id, json: () => rowJson(body, row) }));
    return sender.findExisting(client, items, sampleOnly).catch((error: unknown) => {
      const { status } = error instanceof SvcError ? error.details : {};
      if (status === 403 || status === 404) return undefined;
      throw error;
    });
  };
  const findExisting = async (batch: Batch, sampleOnly: boolean): Promise<ExistingRows> =>
    (await readExisting(batch, sampleOnly)) ?? none;

  return {
    /** Looks up the start of the first batch, with one request. Returns why the run cannot be sent. */
    async begin(batch: Batch): Promise<string | undefined> {
      if (isFound !== undefined) return undefined;
      isFound = false;
      const mayExist = !journal.isComplete || sender.hasExplicitIds?.() === true;
      if (!journal.isEmpty || !mayExist) return undefined;
      const existing = await findExisting(batch, true);
      if ('conflict' in existing) return existing.conflict;
      isFound = existing.ids.size > 0;
      if (isFound) onEarlierStart?.();
      return undefined;
    },
    /** Looks up all rows of a batch if the service has some of the first one. */
    find: (batch: Batch): Promise<ExistingRows> =>
      isFound ? findExisting(batch, false) : Promise.resolve(none),
    /**
     * Looks up a batch that was in flight when an earlier process was killed, until the service has all of it or has had
     * its time.
     */
    findInFlight(batch: Batch): Promise<ExistingRows> {
      const polling = { firstMs: pollMs, factor: 1, timeoutMs: settleMs };
      return pollUntil({ ...polling, clock, signal: shutdownSignal }, async (isLast) => {
        const existing = await readExisting(batch, false);
        if (!existing) return none;
        const isDecided = 'conflict' in existing || existing.ids.size === batch.rows.length;
        return isDecided || isLast() ? existing : undefined;
      });
    },
  };
}

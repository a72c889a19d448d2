// Finds the events that the service already has, because an earlier start of the run whose journal is lost has sent them,
// or because the input contains ids that are in use. The service would accept these events and drop them.
import { SvcError } from '../../core/errors.ts';
import { type Batch, rowJson } from './batches.ts';
import type { RunOptions } from './run-options.ts';

/** The rows of a batch that the service has. `conflict`: one of the ids belongs to another event. */
export type KnownRows = { ids: ReadonlySet<string> } | { conflict: string };

const none: KnownRows = { ids: new Set() };

export function createEarlierStart({ plan, client, journal, onEarlierStart }: RunOptions) {
  /** Undefined before the first batch. */
  let isFound: boolean | undefined;

  const findKnown = async ({ rows, body }: Batch, sampleOnly: boolean): Promise<KnownRows> => {
    if (!plan.findKnown || !client || rows.length === 0) return none;
    const items = rows.map((row) => ({ id: row.id, json: () => rowJson(body, row) }));
    return plan.findKnown(client, items, sampleOnly).catch((error: unknown) => {
      // Not every key can read the activity.
      const { status } = error instanceof SvcError ? error.details : {};
      if (status === 403 || status === 404) return none;
      throw error;
    });
  };

  return {
    /** Looks up the start of the first batch, with one request. Returns why the run cannot be sent. */
    async begin(batch: Batch): Promise<string | undefined> {
      if (isFound !== undefined) return undefined;
      isFound = false;
      const mayBeKnown = !journal.isComplete || plan.hasGivenIds?.() === true;
      if (!journal.isEmpty || !mayBeKnown) return undefined;
      const known = await findKnown(batch, true);
      if ('conflict' in known) return known.conflict;
      isFound = known.ids.size > 0;
      if (isFound) onEarlierStart?.();
      return undefined;
    },
    /** Looks up all rows of a batch if the service has some of the first one. */
    find: (batch: Batch): Promise<KnownRows> =>
      isFound ? findKnown(batch, false) : Promise.resolve(none),
  };
}

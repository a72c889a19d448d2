// Compares the rows of an import with the subscribers of the service, without keeping either: of the people in the file
// it keeps a hash of the id, and of those that are listed a hash of each field.
import type { Client } from '../../api/client.ts';
import type { ListedPage } from '../../api/paginate.ts';
import { isMissing, refuseForeignNotFound, SvcError, usageError } from '../../core/errors.ts';
import { asObject, type JsonObject } from '../../core/objects.ts';
import { counted, grouped, listText } from '../../core/text.ts';
import type { InputRecord } from '../../input/records.ts';
import type { Subscriber } from '../../service/schemas/subscribers.ts';
import { createBodyWriter } from '../engine/body-writer.ts';
import type { ConcurrencyLimiter } from '../engine/concurrency-limiter.ts';
import { createFirstLines, idHash } from '../engine/id-hash.ts';
import type { KnownItem, Outcome, Plan } from '../engine/plan.ts';
import { comparedIds } from '../engine/stats.ts';
import {
  findDifferences,
  findHashDifferences,
  hashesPerPerson,
  hashPerson,
  needsPerson,
} from './compare-people.ts';

/** People in the file, as a share of the subscribers, from which the listing takes fewer requests or less time. */
const listedShare = 10;
const pageSize = 100;
/** Rows of people with several rows are merged, so these people are in memory. */
const maxRepeated = 50_000;
const maxExamples = 20;

export interface PeopleCheckOptions {
  client: Client;
  /** All subscribers of the service. */
  pages: AsyncIterable<ListedPage<Subscriber>>;
  /** Reads the rows of the file once more; undefined if it can be read only once. */
  readAgain: (() => AsyncIterable<readonly InputRecord[]>) | undefined;
  /** Converts these rows. */
  plan: Plan;
  /** Limits the requests for single subscribers. */
  limiter: ConcurrencyLimiter;
  /** Milliseconds of a monotonic clock. */
  ticks: () => number;
  /** Report the result of each row and send nothing; otherwise, find the rows that are unchanged. */
  reports: boolean;
  /** Called with ids of subscribers that are not in the file. Absent if they are not reported. */
  onExtra?: ((ids: readonly string[]) => Promise<void>) | undefined;
  note: (text: string) => void;
}

type Compared = { differences: readonly string[] } | { missing: true } | { problem: string };

export function createPeopleCheck(options: PeopleCheckOptions) {
  const { reports, onExtra, note } = options;
  let file: People | undefined;
  let listed: ListedPeople | undefined;
  let extra = 0;
  const examples = createExamples();
  /** The values of earlier rows of people with several rows, by the hash of the id. */
  const merged = new Map<number, JsonObject>();

  const list = async (people: People, countRequests: (attempts: number) => void) => {
    const hashes = createListedPeople(people);
    const limit = onExtra ? Number.POSITIVE_INFINITY : people.size() * listedShare;
    let isFirst = true;
    let count = 0;
    for await (const { items, info } of options.pages) {
      countRequests(1);
      count += items.length;
      const { totalCount, totalCountCapped } = info;
      if (Math.max(count, totalCount ?? 0) > limit) {
        note(personText(people));
        return undefined;
      }
      if (isFirst) note(listingText(people, totalCountCapped ? undefined : totalCount, limit));
      isFirst = false;
      const others = items
        .filter((item) => !hashes.add(item))
        .map(({ subscriberId }) => subscriberId);
      if (!onExtra || others.length === 0) continue;
      extra += others.length;
      for (const id of others) examples.add('Not in the file', id);
      await onExtra(others);
    }
    return hashes;
  };

  /** Set by the first error: requests that wait are not sent. */
  let isStopped = false;
  const compare = async (
    { id, json }: KnownItem,
    countRequests: (attempts: number) => void,
  ): Promise<Compared | 'later'> => {
    let row = JSON.parse(json()) as JsonObject;
    const hash = idHash(id);
    const isRepeated = file?.isRepeated(hash) === true;
    if (isRepeated && reports) {
      row = { ...merged.get(hash), ...row };
      merged.set(hash, row);
      if (file?.hasMoreRows(hash)) return 'later';
      merged.delete(hash);
    }
    // After an earlier row of the person was sent, the listing is out of date.
    const isListed = listed && !needsPerson(row) && (reports || !isRepeated);
    if (isListed) {
      const hashes = listed?.find(hash);
      return hashes ? { differences: findHashDifferences(row, hashes) } : { missing: true };
    }
    return comparePerson(options, id, row, { countRequests, isStopped: () => isStopped });
  };

  const toOutcome = (id: string, compared: Compared | 'later'): Outcome | undefined => {
    if (compared === 'later') return skipped;
    const isSame = 'differences' in compared && compared.differences.length === 0;
    if (!reports) return isSame ? unchanged : undefined;
    if ('problem' in compared) return { state: 'failed', reason: compared.problem };
    if ('missing' in compared) {
      examples.add('Missing', id);
      return missing;
    }
    if (isSame) return same;
    examples.add('Different', `${id} (${listText(compared.differences)})`);
    return { state: 'different', fields: compared.differences };
  };

  return {
    /** Reads the ids of the file, and lists the subscribers if that takes fewer requests. Prints which it does. */
    async begin(countRequests: (attempts: number) => void): Promise<void> {
      file = await readPeople(options);
      if (!file && onExtra)
        throw usageError(
          options.readAgain
            ? `--extra compares at most ${grouped(comparedIds.most)} people, and the file has more.`
            : '--extra reads the input twice, and standard input can be read only once.',
          { hint: options.readAgain ? 'Run the check without --extra.' : 'Use a file.' },
        );
      if (file) listed = await list(file, countRequests);
      else note('Comparing one by one: one request for each row.');
    },
    async decideRows(
      rows: readonly KnownItem[],
      countRequests: (attempts: number) => void,
    ): Promise<(Outcome | undefined)[]> {
      const comparing = rows.map((row) => compare(row, countRequests));
      const compared = await Promise.all(comparing).catch((error: unknown) => {
        isStopped = true;
        throw error;
      });
      const sentIds = new Set<string>();
      return rows.map(({ id }, index) => {
        const outcome = sentIds.has(id) ? undefined : toOutcome(id, compared[index] ?? 'later');
        // A later row of the person was compared with the values before this one.
        if (!outcome) sentIds.add(id);
        return outcome;
      });
    },
    extra: () => extra,
    hint: () => examples.text(),
  };
}

// Shared objects, because the engine counts a batch with a single outcome faster.
const same: Outcome = { state: 'same' };
const missing: Outcome = { state: 'missing' };
const unchanged: Outcome = { state: 'unchanged' };
const skipped: Outcome = { state: 'skipped' };

type People = NonNullable<Awaited<ReturnType<typeof readPeople>>>;

/** The people in the file; undefined if it can be read only once, or has too many. */
async function readPeople({ readAgain, plan }: PeopleCheckOptions) {
  if (!readAgain) return undefined;
  const positions = createFirstLines(comparedIds.most);
  /** How many rows are left of people with several rows. */
  const rowsLeft = new Map<number, number>();
  const writer = createBodyWriter({ open: '', close: '' });
  let size = 0;
  for await (const records of readAgain()) {
    for (const record of records) {
      if (record.isBlank || record.error !== undefined) continue;
      const item = plan.toItem(record, record.row, writer);
      const isValid = !('error' in item);
      const id = isValid ? item.id : plan.subscriberOf?.(record);
      if (typeof id !== 'string') continue;
      const hash = idHash(id);
      if (positions.add(hash, size + 1) === 0) size += 1;
      else if (isValid) rowsLeft.set(hash, (rowsLeft.get(hash) ?? 1) + 1);
      if (!positions.hasRoom()) return undefined;
    }
    if (rowsLeft.size > maxRepeated)
      throw usageError(`More than ${grouped(maxRepeated)} people have several rows in the file.`, {
        hint: 'Keep one row for each person.',
      });
  }
  return {
    size: () => size,
    /** From 1; 0 if the person is not in the file. */
    position: positions.find,
    isRepeated: (hash: number) => rowsLeft.has(hash),
    /** Counts a row of a person with several rows. Returns whether more rows follow. */
    hasMoreRows(hash: number): boolean {
      const left = (rowsLeft.get(hash) ?? 1) - 1;
      rowsLeft.set(hash, left);
      return left > 0;
    },
  };
}

type ListedPeople = ReturnType<typeof createListedPeople>;

function createListedPeople({ size, position }: People) {
  const hashes = new Float64Array(size() * hashesPerPerson);
  const rangeOf = (at: number) => [(at - 1) * hashesPerPerson, at * hashesPerPerson] as const;
  return {
    /** Adds the hashes of a listed subscriber. Returns whether the subscriber is in the file. */
    add(item: Subscriber): boolean {
      if (typeof item.subscriberId !== 'string')
        throw new SvcError('unavailable', 'The list of subscribers has one without an id.', {
          hint: 'Check the response with --debug=body.',
        });
      const at = position(idHash(item.subscriberId));
      if (at > 0) hashes.set(hashPerson(item), rangeOf(at)[0]);
      return at > 0;
    },
    /** The hashes of a person, which are not 0; undefined if the service does not list the person. */
    find(hash: number): Float64Array | undefined {
      const own = hashes.subarray(...rangeOf(position(hash)));
      return own[0] ? own : undefined;
    },
  };
}

/** Compares a row with the subscriber, which takes one request. */
async function comparePerson(
  { client, limiter, ticks }: PeopleCheckOptions,
  id: string,
  row: JsonObject,
  {
    countRequests,
    isStopped,
  }: { countRequests: (attempts: number) => void; isStopped: () => boolean },
): Promise<Compared> {
  const isAllowed = await limiter.acquire(1);
  try {
    if (!isAllowed || isStopped()) throw new SvcError('interrupted', 'The comparison was stopped.');
    let attemptStartedAt = ticks();
    const request = await client.prepare('getSubscriber', { path: { subscriberId: id } });
    const response = await client.send({
      ...request,
      onRetry({ status, afterMs }) {
        attemptStartedAt = ticks() + afterMs;
        if (status === 429) limiter.backOff(afterMs);
        else limiter.onFailure(status);
      },
    });
    limiter.onResponse(ticks() - attemptStartedAt, response.headers);
    countRequests(response.attempts);
    const stored = asObject(response.value);
    if (stored.subscriberId === id) return { differences: findDifferences(row, stored) };
    return { problem: 'the service returned another subscriber' };
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    countRequests(error.details.attempts ?? 1);
    if (isMissing(error)) {
      if (error.details.isForeignNotFound) throw refuseForeignNotFound(error);
      return { missing: true };
    }
    // An id that cannot be in a path, or that the service rejects.
    const { status } = error.details;
    if (error.exitReason === 'usage' || status === 400 || status === 422)
      return { problem: error.message };
    throw error;
  } finally {
    if (isAllowed) limiter.release();
  }
}

const peopleText = (people: People) =>
  `Comparing ${people.size() === 1 ? '1 person' : `${grouped(people.size())} people`}`;

const personText = (people: People) =>
  `${peopleText(people)} one by one: about ${counted(people.size(), 'request')}.`;

/** The service does not count more subscribers than a limit. */
function listingText(people: People, total: number | undefined, limit: number): string {
  const requests = (subscribers: number) =>
    counted(Math.max(1, Math.ceil(subscribers / pageSize)), 'request');
  const number =
    total !== undefined
      ? `about ${requests(total)}`
      : Number.isFinite(limit)
        ? `at most ${requests(limit)}`
        : 'an unknown number of requests';
  return `${peopleText(people)} with the list of subscribers: ${number}.`;
}

/** The first ids of each kind. */
function createExamples() {
  const kinds = new Map<string, { texts: string[]; count: number }>();
  return {
    add(kind: string, text: string) {
      const entry = kinds.get(kind) ?? { texts: [], count: 0 };
      kinds.set(kind, entry);
      entry.count += 1;
      if (entry.count <= maxExamples) entry.texts.push(text);
    },
    text: (): string | undefined =>
      [...kinds]
        .map(([kind, { texts, count }]) => {
          const more = count > maxExamples ? `, and ${grouped(count - maxExamples)} more` : '';
          return `${kind}: ${texts.join(', ')}${more}.`;
        })
        .join('\n') || undefined,
  };
}

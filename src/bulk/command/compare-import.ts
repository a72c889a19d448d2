// Compares the rows of an import with the subscribers of the service, without keeping either: of the people in the file
// it keeps a hash of the id, and of those that are listed a hash of each field.
import type { Client } from '../../api/client.ts';
import type { Context } from '../../app/context.ts';
import { mapConcurrently } from '../../core/async.ts';
import { isMissing, refuseForeignNotFound, SvcError, usageError } from '../../core/errors.ts';
import { asObject, type JsonObject } from '../../core/objects.ts';
import { counted, grouped, listText } from '../../core/text.ts';
import type { Subscriber } from '../../service/schemas/subscribers.ts';
import { createBodyWriter } from '../engine/body-writer.ts';
import { createFirstLines, idHash } from '../engine/id-hash.ts';
import type { Outcome, Sender, UnsentItem } from '../engine/sender.ts';
import { comparedIds } from '../engine/stats.ts';
import * as values from '../operations/compare-people.ts';
import type { SubscriberSender } from '../operations/subscribers.ts';
import type { OpenedSender } from './bulk-command.ts';
import type { Input } from './input.ts';
import { createRowEvents } from './progress.ts';

/** A file with more than a tenth of the subscribers is compared with their list. */
const listedShare = 10;
const pageSize = 100;
/** Rows of people with several rows are merged, so these people are in memory. */
const maxRepeated = 50_000;
const maxExamples = 20;

type Count = (requests: number) => void;
/** `later`: another row of the person follows. */
type Compared = { differences: readonly string[] } | { problem: string } | 'missing' | 'later';

interface Comparison {
  /** Report the result of each row and send nothing; otherwise, find the rows that are unchanged. */
  check?: boolean;
  /** Report subscribers that are not in the file. */
  extra?: boolean;
  concurrency?: number;
  readAgain: Input['readAgain'];
}

/** Makes the sender of an import compare its rows with the subscribers. `rows` converts them once before. */
export async function openComparison(
  context: Context,
  [sender, rows]: readonly [SubscriberSender, SubscriberSender],
  { check = false, extra = false, concurrency = 16, readAgain }: Comparison,
): Promise<OpenedSender> {
  const { note } = context;
  const client = await context.client();
  const rowEvents = createRowEvents(context);
  let people: People | undefined;
  let isListed = false;
  let extraCount = 0;
  const examples = new Map<string, string[]>();
  const addExample = (kind: string, text: string) => {
    const texts = examples.get(kind) ?? [];
    if (texts.length <= maxExamples)
      examples.set(kind, [...texts, texts.length < maxExamples ? text : '…']);
  };
  /** The values of earlier rows of people with several rows, by the hash of the id. */
  const merged = new Map<number, JsonObject>();
  /** One batch is compared after the other. An error ends all. */
  let comparing: Promise<unknown> = Promise.resolve();

  const list = async (file: People, count: Count): Promise<boolean> => {
    if (file.size() === 0 && !extra) return false;
    const limit = extra ? Number.POSITIVE_INFINITY : file.size() * listedShare;
    const query = { orderDirection: 'ASC' } as const;
    const pages = context.pages('listSubscribers', { query }, { all: true });
    let listed = 0;
    for await (const { items, info } of pages) {
      count(1);
      const { totalCount = 0, totalCountCapped = !('totalCount' in info) } = info;
      if (Math.max(listed + items.length, totalCount) > limit) {
        note(`Comparing one by one: about ${counted(file.size(), 'request')}.`);
        return false;
      }
      if (listed === 0) {
        const requests = counted(Math.max(1, Math.ceil(totalCount / pageSize)), 'request');
        const about = totalCountCapped ? 'at least' : 'about';
        note(`Comparing with the list of subscribers: ${about} ${requests}.`);
      }
      listed += items.length;
      for (const item of items) {
        const { subscriberId: id } = item;
        if (file.addListed(item) || !extra) continue;
        extraCount += 1;
        addExample('Not in the file', id);
        rowEvents?.add({ id, result: 'extra' });
      }
      await rowEvents?.flush();
    }
    return true;
  };

  const compare = async ({ id, json }: UnsentItem, count: Count): Promise<Compared> => {
    const sent = JSON.parse(json()) as JsonObject;
    const hash = idHash(id);
    const isRepeated = people?.isRepeated(hash) === true;
    const row = isRepeated && check ? { ...merged.get(hash), ...sent } : sent;
    if (isRepeated && check) {
      merged.set(hash, row);
      if (people?.hasMoreRows(hash)) return 'later';
      merged.delete(hash);
    }
    // After an earlier row of the person was sent, the list is out of date.
    if (!isListed || values.needsPerson(row) || (isRepeated && !check))
      return comparePerson(client, id, row, count);
    const hashes = people?.findListed(hash);
    return hashes ? { differences: values.findDifferences(row, hashes) } : 'missing';
  };

  const toOutcome = (id: string, compared: Compared): Outcome | undefined => {
    if (compared === 'later') return skipped;
    const isSame = compared !== 'missing' && 'differences' in compared && !compared.differences[0];
    if (!check) return isSame ? unchanged : undefined;
    if (isSame) return same;
    if (compared === 'missing') {
      addExample('Missing', id);
      return missing;
    }
    if ('problem' in compared) return { state: 'failed', reason: compared.problem };
    addExample('Different', `${id} (${listText(compared.differences)})`);
    return { state: 'different', fields: compared.differences };
  };

  const decide = async (batch: readonly UnsentItem[], count: Count) => {
    const outcomes: (Outcome | undefined)[] = [];
    const sentIds = new Set<string>();
    const results = mapConcurrently(batch, concurrency, async (row) => ({
      id: row.id,
      compared: await compare(row, count),
    }));
    for await (const { id, compared } of results) {
      // A later row of a person who is sent was compared with the values before.
      const outcome = sentIds.has(id) ? undefined : toOutcome(id, compared);
      if (!outcome) sentIds.add(id);
      outcomes.push(outcome);
    }
    return outcomes;
  };

  return {
    ...sender,
    successStates: check
      ? ['same', 'different', 'missing']
      : [...sender.successStates, 'unchanged'],
    async begin(count) {
      people = await readPeople(rows, readAgain);
      if (people) isListed = await list(people, count);
      else if (extra)
        throw usageError(
          `--extra needs a file that can be read twice, with fewer than ${grouped(comparedIds.most)} people.`,
        );
      else note('Comparing one by one: one request for each row.');
    },
    decideRows(batch, count) {
      const decided = comparing.then(() => decide(batch, count));
      comparing = decided;
      return decided;
    },
    summary: () => ({ ...sender.summary?.(), ...(extra ? { extra: extraCount } : {}) }),
    hint() {
      const texts = [...examples].map(([kind, people]) => `${kind}: ${people.join(', ')}.`);
      return [sender.hint?.() ?? [], ...texts].flat().join('\n') || undefined;
    },
  };
}

// Shared objects, because the engine counts a batch with a single outcome faster.
const same: Outcome = { state: 'same' };
const missing: Outcome = { state: 'missing' };
const unchanged: Outcome = { state: 'unchanged' };
const skipped: Outcome = { state: 'skipped' };

type People = NonNullable<Awaited<ReturnType<typeof readPeople>>>;

/** The people in the file; undefined if it can be read only once, or has too many. */
async function readPeople(sender: Sender, readAgain: Input['readAgain']) {
  if (!readAgain) return undefined;
  const positions = createFirstLines(comparedIds.most);
  /** How many rows are left of people with several rows. */
  const rowsLeft = new Map<number, number>();
  const writer = createBodyWriter({ open: '', close: '' });
  let size = 0;
  for await (const records of readAgain()) {
    for (const record of records) {
      if (record.isBlank || record.error !== undefined) continue;
      const item = sender.toItem(record, record.row, writer);
      const isValid = !('error' in item);
      const id = isValid ? item.id : sender.subscriberOf?.(record);
      if (typeof id !== 'string') continue;
      const hash = idHash(id);
      if (positions.add(hash, size + 1) === 0) size += 1;
      else if (isValid) rowsLeft.set(hash, (rowsLeft.get(hash) ?? 1) + 1);
      if (!positions.hasRoom()) return undefined;
    }
    if (rowsLeft.size > maxRepeated)
      throw usageError(`More than ${grouped(maxRepeated)} people have several rows in the file.`);
  }
  const hashes = new Float64Array(size * values.hashesPerPerson);
  return {
    size: () => size,
    isRepeated: (hash: number) => rowsLeft.has(hash),
    /** Counts a row of a person with several rows. Returns whether more rows follow. */
    hasMoreRows(hash: number): boolean {
      const left = (rowsLeft.get(hash) ?? 1) - 1;
      rowsLeft.set(hash, left);
      return left > 0;
    },
    /** Keeps the hashes of a subscriber. Returns false for one who is not in the file. */
    addListed(item: Subscriber): boolean {
      if (typeof item.subscriberId !== 'string')
        throw new SvcError('unavailable', 'The list of subscribers has one without an id.');
      const position = positions.find(idHash(item.subscriberId));
      if (position > 0)
        hashes.set(values.hashPerson(item), (position - 1) * values.hashesPerPerson);
      return position > 0;
    },
    /** The hashes of a person, which are not 0; undefined if the service does not list the person. */
    findListed(hash: number): Float64Array | undefined {
      const end = positions.find(hash) * values.hashesPerPerson;
      const own = hashes.subarray(end - values.hashesPerPerson, end);
      return own[0] ? own : undefined;
    },
  };
}

/** Compares a row with the subscriber, which takes one request. */
async function comparePerson(
  client: Client,
  id: string,
  row: JsonObject,
  count: Count,
): Promise<Compared> {
  try {
    const { value, attempts } = await client.exchange('getSubscriber', {
      path: { subscriberId: id },
    });
    count(attempts);
    const stored = asObject(value);
    if (stored.subscriberId !== id) return { problem: 'the service returned another subscriber' };
    const hashes = values.hashPerson(stored);
    return { differences: values.findDifferences(row, hashes, stored.channels) };
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    count(error.details.attempts ?? 1);
    if (isMissing(error) && !error.details.isForeignNotFound) return 'missing';
    // An id that cannot be in a path, or that the service rejects.
    const isAboutRow =
      error.exitReason === 'usage' || [400, 422].includes(error.details.status ?? 0);
    if (isAboutRow) return { problem: error.message };
    throw refuseForeignNotFound(error);
  }
}

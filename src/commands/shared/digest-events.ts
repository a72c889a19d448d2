// Reads the events whose digests carry steps of other events, because these steps have the outcomes of the digests.

import type { Context } from '../../app/context.ts';
import { type FindEvent, findDigestId } from '../../explain/verdict.ts';
import { chooseShape, type Format } from '../../output/printer.ts';
import type { ListPage } from '../../output/result.ts';
import type { ActivityItem } from '../../service/schemas/activity.ts';
import { readOptional } from './read-optional.ts';

/** Requests for a page of the listing, at most. Steps of other digests count as skipped. */
const maxReads = 40;
/** Events to keep: the events of a digest follow each other closely in the listing. */
const maxKept = 1_000;

export interface DigestEvents {
  find: FindEvent;
  /** Reads events; those that cannot be read are absent. */
  read(ids: readonly string[]): Promise<ActivityItem[]>;
  /** The same pages, after the events that they refer to are known. */
  follow(pages: AsyncIterable<ListPage<ActivityItem>>): AsyncGenerator<ListPage<ActivityItem>>;
  /** Follows only if the output has outcomes: a JSON item is the service's. */
  followFor(
    pages: AsyncIterable<ListPage<ActivityItem>>,
    defaultFormat?: Format,
  ): AsyncIterable<ListPage<ActivityItem>>;
}

export function createDigestEvents(context: Context): DigestEvents {
  const events = new Map<string, ActivityItem>();
  /** Not every server can return one event. */
  let canRead = true;

  async function read(ids: readonly string[]): Promise<ActivityItem[]> {
    if (!canRead || ids.length === 0) return [];
    const client = await context.client();
    const responses = await Promise.all(
      ids
        .slice(0, maxReads)
        .map((notificationId) => readOptional(client, 'getActivity', { path: { notificationId } })),
    );
    canRead = responses.some((event) => event !== undefined);
    return responses.filter((event) => event !== undefined);
  }

  const self: DigestEvents = {
    read,
    find: (id) => events.get(id),
    async *follow(pages) {
      for await (const page of pages) {
        if (events.size > maxKept) events.clear();
        const wanted = new Set(page.items.flatMap((item) => findDigestId(item) ?? []));
        for (const item of page.items)
          if (item._id !== undefined && wanted.has(item._id)) events.set(item._id, item);
        const missing = [...wanted].filter((id) => !events.has(id));
        for (const event of await read(missing)) events.set(event._id ?? '', event);
        yield page;
      }
    },
    followFor(pages, defaultFormat) {
      const { globals, settings, host } = context;
      const { isTty } = host.stdout;
      const shape = chooseShape({
        format: settings.output ?? defaultFormat,
        jq: globals.jq,
        isTty,
      });
      return ['table', 'lines', 'csv', 'tsv'].includes(shape) ? self.follow(pages) : pages;
    },
  };
  return self;
}

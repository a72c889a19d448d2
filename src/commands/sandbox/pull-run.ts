// The parts that all steps of `svc sandbox pull` share: the source, the file, the counts and what is left out.

import type { Service } from '../../app/context.ts';
import type { FollowUps } from '../../config/follow-up.ts';
import { isNotOffered } from '../../core/errors.ts';
import type { PersonalDataFilter } from '../../state-files/personal-data.ts';
import { type Section, sections } from '../../state-files/state-writer.ts';

export interface PullCounts extends Record<Section, number> {
  steps: number;
  /** Subscribers with preferences of their own. */
  preferences: number;
  subscriptions: number;
}

export interface LeftOut {
  kind: string;
  id: string;
  reason: string;
}

export interface PullRun {
  service: Service;
  followUps: FollowUps;
  filter: PersonalDataFilter;
  counts: PullCounts;
  leftOut: LeftOut[];
  /** Sentences about parts that the service does not offer. */
  notOffered: string[];
  /** Writes an item. Returns false if a state file cannot contain it. `id` is for messages. */
  add(section: Section, item: object, id: string): boolean;
}

export const kinds: Record<Section, string> = {
  integrations: 'integration',
  layouts: 'layout',
  workflows: 'workflow',
  subscribers: 'subscriber',
  topics: 'topic',
  contexts: 'context',
};

interface RunOptions {
  service: Service;
  followUps: FollowUps;
  filter: PersonalDataFilter;
  /** Returns why a state file cannot contain an item. */
  itemError: (section: Section, item: object) => string | undefined;
  write: (section: Section, item: object) => void;
}

export function createPullRun({ itemError, write, ...shared }: RunOptions): PullRun {
  const counts: PullCounts = {
    ...(Object.fromEntries(sections.map((section) => [section, 0])) as Record<Section, number>),
    steps: 0,
    preferences: 0,
    subscriptions: 0,
  };
  const leftOut: LeftOut[] = [];
  const keys = new Set<string>();
  return {
    ...shared,
    counts,
    leftOut,
    notOffered: [],
    add(section, item, id) {
      const isDuplicate = section !== 'contexts' && keys.has(`${section} ${id}`);
      const reason = isDuplicate
        ? 'the service lists another one with this identifier'
        : itemError(section, item);
      if (reason !== undefined) {
        leftOut.push({ kind: kinds[section], id, reason });
        return false;
      }
      keys.add(`${section} ${id}`);
      write(section, item);
      counts[section] += 1;
      return true;
    },
  };
}

/** Whether an id can be part of the address of a request. If not, the resource is left out. */
export function isRequestable(run: PullRun, kind: string, id: string): boolean {
  const isValid = !/^\.{0,2}$/.test(id) && id.isWellFormed();
  if (!isValid) run.leftOut.push({ kind, id, reason: 'a request cannot contain its identifier' });
  return isValid;
}

/** Reads a part. If the service does not offer it, adds the sentence to the run. */
export async function ifOffered(run: PullRun, sentence: string, read: () => Promise<void>) {
  try {
    await read();
  } catch (error) {
    if (!isNotOffered(error)) throw error;
    run.notOffered.push(sentence);
  }
}

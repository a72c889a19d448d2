// Generates ids in the formats of the service, from an injected clock and random source.

import { createHash } from 'node:crypto';
import type { Scope } from './scope.ts';

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export type RandomBytes = (size: number) => Buffer;

export interface Ids {
  /** 24 lowercase hex digits; newer ids sort after older ones. */
  objectId(): string;
  /** `txn_` and 20 lowercase letters and digits. */
  transactionId(): string;
  /** 32 lowercase hex digits. */
  apiKey(): string;
}

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz';

/** Returns an object id that is always the same for a label, for records that are not stored. */
export const derivedId = (label: string): string =>
  createHash('sha256').update(label).digest('hex').slice(0, 24);

export const withBothIds = (_id: string) => ({ _id, id: _id });

/** Has the form of an encrypted secret, and nothing of it. */
export const encryptedText = (id: string, name: string): string =>
  `nvsk.${derivedId(id)}${derivedId(name)}`;

/** A UUID that is always the same for a label. */
export function derivedUuid(label: string): string {
  const digits = createHash('sha256').update(label).digest('hex').slice(0, 32);
  const parts = [digits.slice(0, 8), digits.slice(8, 12), `4${digits.slice(13, 16)}`];
  return [...parts, `8${digits.slice(17, 20)}`, digits.slice(20)].join('-');
}

/** Random lowercase letters and digits, which make a taken identifier unique. */
export const shortId = ({ ids, dialect }: Pick<Scope, 'ids' | 'dialect'>): string =>
  ids.transactionId().slice(4, dialect.hasLongSuffixes ? 12 : 8);

/**
 * An object id is the clock's time in seconds, five random bytes chosen once, and a counter. `secret` is the source of
 * API keys.
 */
export function createIds(clock: Clock, random: RandomBytes, secret = random): Ids {
  const generatorId = random(5).toString('hex');
  let counter = random(3).readUIntBE(0, 3);
  const objectId = () => {
    counter = (counter + 1) % 0x1000000;
    // An id has room for times up to the year 2106.
    const seconds = Math.min(Math.max(Math.floor(clock.now() / 1000), 0), 0xffffffff);
    return (
      seconds.toString(16).padStart(8, '0') + generatorId + counter.toString(16).padStart(6, '0')
    );
  };
  return {
    objectId,
    transactionId() {
      let id = 'txn_';
      for (const byte of random(20)) id += alphabet[byte % alphabet.length];
      return id;
    },
    apiKey: () => secret(16).toString('hex'),
  };
}

export interface RepeatableIds extends Ids {
  /** Begins the sequence of a part of the data. Its ids repeat if that part is created again; API keys do not. */
  begin(part: string): void;
}

/** Stores with the same origin have the same sequences. */
export function createRepeatableIds(
  clock: Clock,
  origin: string,
  random: RandomBytes,
): RepeatableIds {
  let current = createIds(clock, random);
  return {
    objectId: () => current.objectId(),
    transactionId: () => current.transactionId(),
    apiKey: () => current.apiKey(),
    begin(part) {
      current = createIds(clock, repeatableBytes(`${origin} ${part}`), random);
    },
  };
}

/** At most 32 bytes a call. */
function repeatableBytes(label: string): RandomBytes {
  let calls = 0;
  return (size) => {
    calls += 1;
    return createHash('sha256').update(`${label} ${calls}`).digest().subarray(0, size);
  };
}

// Ids of seeded records. They are the same in every sandbox, so that examples and tests can use them.

/** Before all other ids, so that records created later sort after the seeded ones. */
export const seedTimestamp = Date.UTC(2025, 0, 1);

/** Returns the id of a seeded record: `seedId('topic:announcements')`. */
export const seedId = (label: string): string =>
  (seedTimestamp / 1000).toString(16) +
  createHash('sha256').update(label).digest('hex').slice(0, 16);

/** The one organization of a sandbox, and its user. */
export const organizationId = seedId('organization:sandbox');
export const userId = seedId('user:sandbox');

export const developmentId = seedId('environment:development');
export const productionId = seedId('environment:production');

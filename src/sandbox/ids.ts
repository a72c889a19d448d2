// Identifiers as the service makes them, from an injected clock and source of chance.

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export type RandomBytes = (size: number) => Buffer;

export interface Ids {
  /** 24 lowercase hex digits; later ones sort behind earlier ones. */
  objectId(): string;
  /** `txn_` and 24 hex digits. */
  transactionId(): string;
  /** 32 lowercase hex digits. */
  apiKey(): string;
}

/** Object ids of the clock's second, five bytes of this source and a counter. */
export function createIds(clock: Clock, random: RandomBytes): Ids {
  const source = random(5).toString('hex');
  let counter = random(3).readUIntBE(0, 3);
  const objectId = () => {
    counter = (counter + 1) % 0x1000000;
    const seconds = Math.floor(clock.now() / 1000);
    return seconds.toString(16).padStart(8, '0') + source + counter.toString(16).padStart(6, '0');
  };
  return {
    objectId,
    transactionId: () => `txn_${objectId()}`,
    apiKey: () => random(16).toString('hex'),
  };
}

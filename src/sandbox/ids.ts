// Generates ids in the formats of the service, from an injected clock and random source.

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export type RandomBytes = (size: number) => Buffer;

export interface Ids {
  /** 24 lowercase hex digits; newer ids sort after older ones. */
  objectId(): string;
  /** `txn_` and 24 hex digits. */
  transactionId(): string;
  /** 32 lowercase hex digits. */
  apiKey(): string;
}

/** An object id is the clock's time in seconds, five random bytes chosen once, and a counter. */
export function createIds(clock: Clock, random: RandomBytes): Ids {
  const generatorId = random(5).toString('hex');
  let counter = random(3).readUIntBE(0, 3);
  const objectId = () => {
    counter = (counter + 1) % 0x1000000;
    const seconds = Math.floor(clock.now() / 1000);
    return (
      seconds.toString(16).padStart(8, '0') + generatorId + counter.toString(16).padStart(6, '0')
    );
  };
  return {
    objectId,
    transactionId: () => `txn_${objectId()}`,
    apiKey: () => random(16).toString('hex'),
  };
}

// Repeatedly kills a sandbox while clients write to it, and checks that no acknowledged write is lost.
import { once } from 'node:events';
import { openStore } from '../support/sandbox-311.ts';
import { startChild } from './child.ts';
import type { DriverName } from './drivers.ts';

export interface ChaosOptions {
  script: string;
  driver: DriverName;
  directory: string;
  rounds: number;
  /** Stops before the last round when it returns true. */
  until?: () => boolean;
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  random: () => number;
}

export interface ChaosOutcome {
  rounds: number;
  acknowledged: number;
  /** Acknowledged subscribers that are not stored. */
  lost: string[];
  /** Idempotency keys of acknowledged requests that were processed a second time. */
  repeated: string[];
  integrity: unknown;
}

const writerCount = 4;
const subscribersPerRequest = 20;

export async function runChaos(options: ChaosOptions): Promise<ChaosOutcome> {
  const { script, driver, directory, rounds, until = () => false, random } = options;
  const acknowledged = new Set<string>();
  const repeated: string[] = [];
  let lastWrite: Write | undefined;
  let round = 0;
  for (; round < rounds && !until(); round += 1) {
    const child = await startChild(script, directory, driver);
    const retried = lastWrite && (await send(child, lastWrite));
    if (lastWrite && retried && !retried.replayed) repeated.push(lastWrite.key);
    const exited = once(child.process, 'exit');
    let isKillPlanned = false;
    const killSoon = () => {
      if (!isKillPlanned) setTimeout(() => child.process.kill('SIGKILL'), 2 + random() * 60);
      isKillPlanned = true;
    };
    // In every second round, the first write is acknowledged before the kill, however slow the machine is.
    if (round % 2 === 0) killSoon();
    await Promise.all(
      Array.from({ length: writerCount }, async (_, writer) => {
        for (let batch = 0; ; batch += 1) {
          const write = createWrite(`${round}-${writer}-${batch}`);
          if (!(await send(child, write))) return;
          for (const id of write.ids) acknowledged.add(id);
          killSoon();
          lastWrite = write;
        }
      }),
    );
    await exited;
  }
  return {
    rounds: round,
    acknowledged: acknowledged.size,
    repeated,
    ...(await inspect(directory, acknowledged)),
  };
}

interface Write {
  key: string;
  ids: string[];
}

const createWrite = (key: string): Write => ({
  key,
  ids: Array.from({ length: subscribersPerRequest }, (_, index) => `${key}-${index}`),
});

/** Sends a write. Returns undefined if it was not acknowledged. */
async function send(
  { baseUrl, key: apiKey }: { baseUrl: string; key: string },
  { key, ids }: Write,
): Promise<{ replayed: boolean } | undefined> {
  try {
    const response = await fetch(`${baseUrl}/v1/subscribers/bulk`, {
      method: 'POST',
      headers: {
        authorization: `ApiKey ${apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify({ subscribers: ids.map((subscriberId) => ({ subscriberId })) }),
    });
    if (response.status !== 201) return undefined;
    await response.text();
    return { replayed: response.headers.has('idempotency-replay') };
  } catch {
    return undefined;
  }
}

async function inspect(directory: string, acknowledged: ReadonlySet<string>) {
  const store = await openStore({ directory, clock: { now: () => Date.now() } });
  try {
    const rows = store.sql.all<{ id: string }>('SELECT subscriber_id AS id FROM subscribers');
    const stored = new Set(rows.map(({ id }) => id));
    const integrity = store.sql
      .all<{ integrity_check: string }>('PRAGMA integrity_check')
      .map(({ integrity_check }) => integrity_check);
    return { lost: [...acknowledged].filter((id) => !stored.has(id)), integrity };
  } finally {
    store.close();
  }
}

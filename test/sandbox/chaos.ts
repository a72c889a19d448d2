// Kills a sandbox again and again while clients write to it, and looks for what got lost.
import { once } from 'node:events';
import { openStore } from '../../src/sandbox/index.ts';
import { startChild } from './child.ts';
import type { DriverName } from './drivers.ts';

export interface ChaosOptions {
  script: string;
  driver: DriverName;
  directory: string;
  rounds: number;
  /** Ends before its rounds are over. */
  until?: () => boolean;
  /** A number from 0 up to 1. */
  random: () => number;
}

export interface ChaosOutcome {
  rounds: number;
  acknowledged: number;
  /** Acknowledged subscribers that are not stored. */
  lost: string[];
  /** Keys whose work was done, and is done again by a repetition. */
  repeated: string[];
  integrity: unknown;
}

const writers = 4;
const perRequest = 20;

export async function chaos(options: ChaosOptions): Promise<ChaosOutcome> {
  const { script, driver, directory, rounds, until = () => false, random } = options;
  const acknowledged = new Set<string>();
  const repeated: string[] = [];
  let keyed: Write | undefined;
  let round = 0;
  for (; round < rounds && !until(); round += 1) {
    const child = await startChild(script, directory, driver);
    const again = keyed && (await send(child, keyed));
    if (keyed && again && !again.replayed) repeated.push(keyed.key);
    const ended = once(child.process, 'exit');
    setTimeout(() => child.process.kill('SIGKILL'), 2 + random() * 60);
    await Promise.all(
      Array.from({ length: writers }, async (_, writer) => {
        for (let batch = 0; ; batch += 1) {
          const write = writeOf(`${round}-${writer}-${batch}`);
          if (!(await send(child, write))) return;
          for (const id of write.ids) acknowledged.add(id);
          keyed = write;
        }
      }),
    );
    await ended;
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

const writeOf = (key: string): Write => ({
  key,
  ids: Array.from({ length: perRequest }, (_, index) => `${key}-${index}`),
});

/** What was acknowledged, or nothing when the connection broke. */
async function send(
  { baseUrl, key: apiKey }: { baseUrl: string; key: string },
  { key, ids }: Write,
): Promise<{ replayed: boolean } | undefined> {
  try {
    const answer = await fetch(`${baseUrl}/v1/subscribers/bulk`, {
      method: 'POST',
      headers: {
        authorization: `ApiKey ${apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify({ subscribers: ids.map((subscriberId) => ({ subscriberId })) }),
    });
    if (answer.status !== 201) return undefined;
    await answer.text();
    return { replayed: answer.headers.has('idempotency-replay') };
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

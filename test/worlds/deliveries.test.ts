// Explanations and statistics of the events of any world.
import { expect, it } from 'vitest';
import { isId } from '../../src/core/whitespace.ts';
import { isChannel } from '../../src/service/schemas/vocabulary.ts';
import { openRig, parsed, type Rig } from '../support/rig.ts';
import { anyWorld, inWorlds, type World, worldsTimeout } from '../support/worlds.ts';

interface Item {
  transactionId: string;
  subscriber: { subscriberId: string };
  jobs: { type: string }[];
}

type Outcomes = Record<'delivered' | 'failed' | 'skipped' | 'waiting', number>;
type Counts = Outcomes & Record<'events' | 'recipients', number>;

interface Stats {
  total: Counts;
  groups: Counts[];
  reasons: { count: number }[];
}

interface Explanation {
  message: string;
  channels: { channel: string; verdict: keyof Outcomes; message: string }[];
}

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);

async function readJson<T>(
  { svc }: Rig,
  line: string,
  codes: readonly number[],
  more: string[] = [],
) {
  const { code, stdout, stderr } = await svc([...line.split(' '), '--json', ...more]);
  expect(codes, `svc ${line} ${more.join(' ')}: ${stderr}`).toContain(code);
  return parsed(stdout) as T;
}

const isPlain = expect.not.stringMatching(/\bundefined\b|\bNaN\b|\[object Object\]|^\s*$/);

async function explainEverything({ mode, service, seed }: World) {
  const rig = await openRig({ mode, service, seed });
  const items = await readJson<Item[]>(rig, 'activity list --all', [0]);
  const channelsOf = ({ jobs }: Item) => jobs.map(({ type }) => type).filter(isChannel);
  const explained: Outcomes = { delivered: 0, failed: 0, skipped: 0, waiting: 0 };
  for (const item of items) {
    const line = `activity explain --transaction ${item.transactionId}`;
    const more = ['--', item.subscriber.subscriberId];
    const { message, channels } = await readJson<Explanation>(rig, line, [0, 9], more);
    expect(channels.map(({ channel }) => channel)).toEqual(channelsOf(item));
    expect([message, ...channels.map((one) => one.message)]).toEqual(
      [message, ...channels].map(() => isPlain),
    );
    for (const { verdict } of channels) explained[verdict] += 1;
    const delivered = channels.filter(({ verdict }) => verdict === 'delivered').length;
    const [, count, of] = /^(\d+) of (\d+) messages/.exec(message) ?? [];
    if (count !== undefined)
      expect({ message, count, of }).toEqual({
        ...{ message, count: String(delivered), of: String(channels.length) },
      });
  }
  for (const by of ['workflow', 'channel', 'day', 'reason']) {
    const stats = await readJson<Stats>(rig, `activity stats --since 30d --by ${by}`, [0]);
    const { total, groups, reasons } = stats;
    expect(total).toEqual({
      ...explained,
      events: new Set(items.map(({ transactionId }) => transactionId)).size,
      recipients: items.length,
    });
    expect(sum(reasons.map(({ count }) => count))).toBe(
      total.failed + total.skipped + total.waiting,
    );
    const names =
      by === 'reason'
        ? (['failed', 'skipped', 'waiting'] as const)
        : (Object.keys(explained) as (keyof Outcomes)[]);
    for (const name of names) expect(sum(groups.map((group) => group[name]))).toBe(total[name]);
  }
}

/** The command line refuses ids that look as if they were copied with something else. */
const typedWorld = anyWorld.filter(({ seed: { environments } }) =>
  (environments[0]?.subscribers ?? []).every(({ subscriberId }) => isId(subscriberId)),
);

it(
  'every event of any world has an explanation, and the counts add up',
  () => inWorlds(5, typedWorld, explainEverything),
  worldsTimeout(5),
);

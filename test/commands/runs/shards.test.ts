import { rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { filterWrites, transactionIds } from '../../support/requests.ts';
import { openRig, parsed, type Rig, writeInput } from '../../support/rig.ts';
import { words } from '../../support/words.ts';

const subscribers = Array.from({ length: 300 }, (_unused, index) => `s${index % 100}`);
const csv = `subscriberId,lastName\n${subscribers.map((id, row) => `${id},${row + 1}\n`).join('')}`;

interface SentRow {
  subscriberId: string;
  lastName: string;
}

/** Imports one shard. Returns the rows that were sent, in order. */
async function importShard(rig: Rig, shard: string, env: Record<string, string> = {}) {
  const file = path.join(rig.folder, 'users.csv');
  const line = ['subscribers', 'bulk-import', file, '--shard', shard];
  const { code, stdout, stderr, requests } = await rig.svc([...line, '--json'], { env });
  const bodies = requests.map(({ body }) => body as { subscribers: SentRow[] });
  const summary = stdout === '' ? {} : parsed(stdout);
  return { code, stderr, summary, rows: bodies.flatMap((body) => body.subscribers) };
}

describe('--shard', () => {
  it('says that a shard has no row, not that the file is empty', async () => {
    const rig = await openRig();
    writeInput(rig, 'users.csv', 'subscriberId\nu1\n');
    const file = path.join(rig.folder, 'users.csv');
    const line = ['subscribers', 'bulk-import', file, '--shard'];
    const ended = [await rig.svc([...line, '0/2']), await rig.svc([...line, '1/2'])];
    const [warning, ...others] = ended.flatMap(({ stderr }) => stderr.match(/Warning: .*/g) ?? []);
    expect(others).toEqual([]);
    expect(warning).toMatch(/^Warning: no row of .*users\.csv is in shard [01]\/2\.$/);
  });

  it('sends each row in exactly one of 16 shards, with the rows of a subscriber in order', async () => {
    const rig = await openRig();
    writeInput(rig, 'users.csv', `${csv}bad row\n,no id\n`);
    const shards: Awaited<ReturnType<typeof importShard>>[] = [];
    for (let shard = 0; shard < 16; shard += 1) shards.push(await importShard(rig, `${shard}/16`));
    const shardById = new Map<string, number>();
    shards.forEach(({ rows }, shard) => {
      for (const { subscriberId } of rows) {
        expect(shardById.get(subscriberId) ?? shard).toBe(shard);
        shardById.set(subscriberId, shard);
      }
    });
    const sent = shards.flatMap(({ rows }) => rows.map(({ lastName }) => Number(lastName)));
    expect(sent.sort((a, b) => a - b)).toEqual(subscribers.map((_id, row) => row + 1));
    for (const { rows } of shards) {
      const numbers = rows.map(({ lastName }) => Number(lastName));
      expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    }
    // Rows without a readable id are in the first shard only.
    expect(shards.map(({ summary }) => summary.invalid)).toEqual([2, ...Array(15).fill(0)]);
    expect(Math.max(...shards.map(({ rows }) => rows.length))).toBeLessThan(60);
  });

  it('prints which shard is sent', async () => {
    const rig = await openRig();
    const file = writeInput(rig, 'users.csv', csv);
    const line = ['subscribers', 'bulk-import', file, '--shard', '3/16'];
    expect((await rig.svc(line)).stderr).toContain('Shard 3 of 16.\n');
  });

  it('applies to a list of ids for a topic', async () => {
    const rig = await openRig();
    const ids = ['u1', 'u2', 'u3', 'u4', 'u5', 'u6'];
    const file = writeInput(rig, 'ids.txt', `${ids.join('\n')}\n`);
    const sent: string[] = [];
    for (const shard of ['0/2', '1/2']) {
      const line = ['topics', 'subscribe', 'announcements', '--file', file, '--shard', shard];
      const { requests } = await rig.svc(line);
      for (const { body } of requests)
        sent.push(...((body as { subscriberIds?: string[] } | undefined)?.subscriberIds ?? []));
    }
    expect(sent.sort()).toEqual(ids);
  });

  it('asks with the number of rows in the shard', async () => {
    const rig = await openRig();
    const file = writeInput(rig, 'users.csv', 'subscriberId\nu1\nu2\nu3\nu4\nu5\n');
    const counts: number[] = [];
    for (const shard of ['0/2', '1/2']) {
      const line = ['events', 'trigger', 'welcome', '--recipients', file, '--shard', shard];
      const { code, stderr } = await rig.svc(line);
      expect(code).toBe(2);
      counts.push(Number(/for (\d+) rows?/.exec(stderr)?.[1]));
    }
    expect(counts[0]).toBeGreaterThan(0);
    expect((counts[0] ?? 0) + (counts[1] ?? 0)).toBe(5);
  });

  it('records only the rows of the shard, for a later cancellation', async () => {
    const rig = await openRig();
    const file = writeInput(rig, 'users.csv', 'subscriberId\nu1\nu2\nu3\nu4\nu5\n');
    const line = ['events', 'trigger', 'trial-ending', '--recipients', file, '--yes', '--json'];
    const triggered = parsed((await rig.svc([...line, '--shard', '0/2'])).stdout);
    expect(triggered.triggered).toBeLessThan(5);
    const cancelled = await rig.svc(['events', 'cancel', '--run', 'last', '--yes', '--json']);
    expect(parsed(cancelled.stdout)).toMatchObject({
      rows: triggered.triggered,
      cancelled: triggered.triggered,
    });
  });

  it.each<[string, Record<string, string>, string]>([
    ['auto', { AWS_BATCH_JOB_ARRAY_INDEX: '1', AWS_BATCH_JOB_ARRAY_SIZE: '4' }, '1 of 4'],
    [
      'auto',
      {
        ...{ SLURM_ARRAY_TASK_ID: '3', SLURM_ARRAY_TASK_COUNT: '4' },
        ...{ SLURM_ARRAY_TASK_MIN: '1', SLURM_ARRAY_TASK_MAX: '4' },
      },
      '2 of 4',
    ],
    [
      'auto',
      {
        ...{ SLURM_ARRAY_TASK_ID: '6', SLURM_ARRAY_TASK_COUNT: '4' },
        ...{ SLURM_ARRAY_TASK_MIN: '0', SLURM_ARRAY_TASK_MAX: '6' },
      },
      '3 of 4',
    ],
    ['auto/16', { JOB_COMPLETION_INDEX: '5' }, '5 of 16'],
  ])('%s reads the variables of the job scheduler %j', async (shard, env, expected) => {
    const rig = await openRig();
    const file = writeInput(rig, 'users.csv', csv);
    const line = ['subscribers', 'bulk-import', file, '--shard', shard, '--validate-only'];
    expect((await rig.svc(line, { env })).stderr).toContain(`Shard ${expected}.`);
  });

  it.each<[string, Record<string, string>, string]>([
    ['4/4', {}, 'the index must be from 0 to n - 1'],
    ['1', {}, 'must be i/n such as 0/4, auto, or auto/n'],
    ['auto', {}, 'AWS_BATCH_JOB_ARRAY_INDEX'],
    ['auto/4', {}, 'JOB_COMPLETION_INDEX, which is not set'],
    ['auto/4', { JOB_COMPLETION_INDEX: '4' }, '`auto/4` is 4/4: the index must be'],
    [
      'auto',
      {
        ...{ SLURM_ARRAY_TASK_ID: '5', SLURM_ARRAY_TASK_COUNT: '3' },
        ...{ SLURM_ARRAY_TASK_MIN: '1', SLURM_ARRAY_TASK_MAX: '10' },
      },
      'the index must be from 0 to n - 1',
    ],
  ])('rejects %s with %j', async (shard, env, expected) => {
    const rig = await openRig();
    writeInput(rig, 'users.csv', csv);
    const { code, stderr, rows } = await importShard(rig, shard, env);
    expect({ code, rows }).toEqual({ code: 2, rows: [] });
    expect(stderr).toContain(expected);
  });

  it('must be the same when a run is resumed', async () => {
    const rig = await openRig();
    const file = writeInput(rig, 'users.csv', csv);
    // The environment is read first.
    rig.answerWrites({ status: 401, body: { message: 'no' } });
    const line = ['subscribers', 'bulk-import', file, '--run-id', 'job-1'];
    expect((await rig.svc([...line, '--shard', '0/4'])).code).toBe(4);
    const other = await rig.svc([...line, '--shard', '1/4']);
    expect(other.code).toBe(2);
    expect(other.stderr).toContain('Run id job-1 belongs to other work: --shard changed');
    const { code, requests } = await rig.svc(['runs', 'resume', 'job-1']);
    expect({ code, requests: requests.length }).toEqual({ code: 0, requests: 1 });
  });
});

describe('--run-id', () => {
  const trigger = (file: string, ...options: string[]) => words`
    events trigger welcome --recipients ${file} --yes --json --run-id news-2026-0 ${options}
  `;

  it('sends nothing again after the disk was lost, and counts its rows as replayed', async () => {
    const rig = await openRig();
    const file = writeInput(rig, 'users.csv', csv.replaceAll('lastName', 'payload.product'));
    const first = await rig.svc(trigger(file, '--shard', '1/4'));
    expect(first.code).toBe(0);
    rmSync(path.join(rig.folder, 'state'), { recursive: true });
    const second = await rig.svc(trigger(file, '--shard', '1/4'));
    expect(second.code).toBe(0);
    expect(filterWrites(second.requests)).toEqual([]);
    const { rows, triggered: all, replayed } = parsed(second.stdout);
    expect({ all, replayed }).toEqual({ all: rows, replayed: rows });
    const activity = await rig.svc(words`activity list --all --json --workflow welcome`);
    const items = JSON.parse(activity.stdout) as { transactionId: string }[];
    const ids = transactionIds(first.requests);
    const triggered = items.filter(({ transactionId }) => ids.includes(transactionId));
    expect(ids.length).toBeGreaterThan(50);
    expect(triggered).toHaveLength(ids.length);
  });

  it('resumes a run that exists, and prints the summary of a finished one', async () => {
    const rig = await openRig();
    const file = writeInput(rig, 'users.csv', 'subscriberId\nu1\nu2\n');
    rig.answerWrites({ status: 401, body: { message: 'no' } });
    expect((await rig.svc(trigger(file))).code).toBe(4);
    const resumed = await rig.svc(trigger(file));
    expect(parsed(resumed.stdout)).toMatchObject({
      runId: 'news-2026-0',
      resumed: true,
      triggered: 2,
    });
    const again = await rig.svc(trigger(file));
    expect({ code: again.code, requests: again.requests.map(({ line }) => line) }).toEqual({
      code: 0,
      requests: ['GET /v1/environments'],
    });
    expect(parsed(again.stdout)).toMatchObject({ triggered: 2, alreadyFinished: true });
  });

  it.each(['last', '../x', 'a b', ''])('rejects the id %j', async (id) => {
    const rig = await openRig();
    const file = writeInput(rig, 'users.csv', csv);
    const line = ['subscribers', 'bulk-import', file, '--run-id', id];
    const { code, stderr, requests } = await rig.svc(line);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain('--run-id');
  });

  it('cannot be combined with --resume', async () => {
    const rig = await openRig();
    const file = writeInput(rig, 'users.csv', csv);
    const line = ['subscribers', 'bulk-import', file, '--run-id', 'a', '--resume', 'b'];
    expect((await rig.svc(line)).stderr).toContain('--run-id cannot be combined with --resume');
  });
});

// Splits an input into shards by subscriber, so that several machines can send it and all rows of a subscriber are in
// one shard, in order.
import { usageError } from '../../core/errors.ts';
import { trimSpaces } from '../../core/whitespace.ts';
import type { InputRecord } from '../../input/records.ts';
import { idHash } from './id-hash.ts';
import type { Sender } from './sender.ts';

export interface Shard {
  /** From 0. */
  index: number;
  count: number;
}

/** Returns whether a row belongs to the shard. Rows without a readable id belong to the first shard. */
export function createShardFilter(
  { subscriberOf }: Sender,
  { index, count }: Shard,
): (record: InputRecord) => boolean {
  return (record) => {
    const value = record.error === undefined ? subscriberOf?.(record) : undefined;
    const id = typeof value === 'string' ? trimSpaces(value) : '';
    return (id === '' ? 0 : idHash(id) % count) === index;
  };
}

type Variables = Record<string, string | undefined>;

/** Parses --shard. Throws a usage error if it is invalid, or if the variables for `auto` are missing. */
export function readShard(value: string, env: Variables): Shard {
  const [, autoCount] = /^auto(?:\/(\d+))?$/.exec(value) ?? [];
  const [, index, count] = /^(\d+)\/(\d+)$/.exec(value) ?? [];
  if (index !== undefined && count !== undefined)
    return checkShard({ index: Number(index), count: Number(count) }, value);
  if (autoCount !== undefined) return checkShard(kubernetesShard(Number(autoCount), env), value);
  if (value === 'auto') return checkShard(schedulerShard(env), value);
  throw usageError(`--shard: \`${value}\` must be i/n such as 0/4, auto, or auto/n.`);
}

export const shardText = ({ index, count }: Shard) => `${index}/${count}`;

function checkShard(shard: Shard, value: string): Shard {
  const { index, count } = shard;
  const isValid = [index, count].every(Number.isSafeInteger) && index >= 0 && index < count;
  if (isValid) return shard;
  const resolved = value.startsWith('auto') ? ` is ${shardText(shard)}` : '';
  throw usageError(`--shard: \`${value}\`${resolved}: the index must be from 0 to n - 1.`, {
    hint: 'The first of four shards is 0/4, the last one is 3/4.',
  });
}

function kubernetesShard(count: number, env: Variables): Shard {
  const index = env.JOB_COMPLETION_INDEX;
  if (!index) {
    throw usageError('--shard: auto/n reads the variable JOB_COMPLETION_INDEX, which is not set.', {
      hint: 'Kubernetes sets it in a Job with completionMode: Indexed.',
    });
  }
  return { index: Number(index), count };
}

function schedulerShard(env: Variables): Shard {
  const { AWS_BATCH_JOB_ARRAY_INDEX: awsIndex, AWS_BATCH_JOB_ARRAY_SIZE: awsSize } = env;
  if (awsIndex && awsSize) return { index: Number(awsIndex), count: Number(awsSize) };
  const { SLURM_ARRAY_TASK_ID: id, SLURM_ARRAY_TASK_COUNT: count } = env;
  if (id && count) {
    const [min, max] = [Number(env.SLURM_ARRAY_TASK_MIN ?? 0), Number(env.SLURM_ARRAY_TASK_MAX)];
    const step = count === '1' ? 1 : (max - min) / (Number(count) - 1);
    return { index: (Number(id) - min) / (Number.isNaN(step) ? 1 : step), count: Number(count) };
  }
  throw usageError(
    '--shard: auto needs the variables of AWS Batch (AWS_BATCH_JOB_ARRAY_INDEX, AWS_BATCH_JOB_ARRAY_SIZE) or Slurm (SLURM_ARRAY_TASK_ID, SLURM_ARRAY_TASK_COUNT).',
    { hint: 'In a Kubernetes Job, give the number of shards: --shard auto/16.' },
  );
}

// The options for fault injection, and their conversion to arguments and text.
import type { Option, Values } from '../../../cli/command.ts';
import { choice, duration, integer } from '../../../cli/options.ts';
import { usageError } from '../../../core/errors.ts';
import { kebabCase } from '../../../core/text.ts';

const group = 'Faults';

/** Reads `5%` or `0.05` as a number from 0 to 1. */
const rateOption = (flags: string, summary: string): Option<number> => ({
  flags,
  summary,
  group,
  read(text) {
    const percent = /^(\d+(?:\.\d+)?)%$/.exec(text)?.[1];
    const given = percent === undefined ? Number(text || Number.NaN) : Number(percent) / 100;
    if (given >= 0 && given <= 1) return given;
    throw usageError(`\`${text}\` is not a rate such as 5% or 0.05`);
  },
});

export const faultOptions = {
  latency: duration('--latency <duration>', 'Delay every request, for example by 100ms', { group }),
  fail: rateOption(
    '--fail <rate>',
    'Reject this percentage of requests, such as 5%, without processing them',
  ),
  failNext: integer(
    '--fail-next <n>',
    'Reject the next n requests without processing them, then no more',
    { min: 0, max: 1_000_000, group },
  ),
  status: integer('--status <n>', 'HTTP status of failed requests', {
    min: 400,
    max: 599,
    group,
    defaultText: '503',
  }),
  rateLimit: choice(
    '--rate-limit <plan>',
    ['free', 'pro', 'team', 'enterprise'],
    'Apply the rate limits and the activity retention of this plan',
    { group },
  ),
  reset: rateOption(
    '--reset <rate>',
    'Close the connection of this percentage of requests without processing them',
  ),
  truncate: rateOption('--truncate <rate>', 'Cut off this percentage of responses in the middle'),
  afterCommit: rateOption(
    '--after-commit <rate>',
    'Process this percentage of requests, then fail or close the connection',
  ),
  faultSeed: integer(
    '--fault-seed <n>',
    'Seed of the random sequence; the same seed repeats the same faults',
    {
      min: 0,
      group,
      defaultText: '0',
    },
  ),
};

export type FaultValues = Partial<Values<typeof faultOptions>>;

/** Returns the fault options that were given. */
export const pickFaults = (options: FaultValues): FaultValues =>
  Object.fromEntries(
    (Object.keys(faultOptions) as (keyof typeof faultOptions)[])
      .filter((name) => options[name] !== undefined)
      .map((name) => [name, options[name]]),
  );

/** Converts fault settings back to command-line arguments. */
export const faultArguments = (faults: FaultValues): string[] =>
  Object.entries(pickFaults(faults)).map(
    ([name, value]) => `--${kebabCase(name)}=${value}${name === 'latency' ? 'ms' : ''}`,
  );

/** Formats faults as text: `latency 100ms, fail 0.05`. */
export const formatFaults = (faults: object): string =>
  Object.entries(faults)
    .map(([name, value]) => `${name} ${value}${name === 'latency' ? 'ms' : ''}`)
    .join(', ');

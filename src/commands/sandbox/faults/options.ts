// The options for fault injection, and their conversion to arguments and text.
import type { Option, Values } from '../../../cli/command.ts';
import { choice, duration, id, integer, text } from '../../../cli/options.ts';
import { usageError } from '../../../core/errors.ts';
import { kebabCase } from '../../../core/text.ts';
import { channelTypes } from '../../../service/schemas/vocabulary.ts';

const group = 'Faults';

/** Reads `5%` or `0.05` as a number from 0 to 1. */
const rateOption = (flags: string, summary: string): Option<number> => ({
  flags,
  summary,
  group,
  read(value) {
    const percent = /^(\d+(?:\.\d+)?)%$/.exec(value)?.[1];
    const rate = percent === undefined ? Number(value || Number.NaN) : Number(percent) / 100;
    if (rate >= 0 && rate <= 1) return rate;
    throw usageError(`\`${value}\` is not a rate such as 5% or 0.05`);
  },
});

/** Reads `status=500`. */
const httpStepOption: Option<number> = {
  flags: '--http-step <response>',
  summary: 'Give http_request steps this response, such as status=500, and send nothing',
  group,
  read(value) {
    const status = Number(/^status=(\d{3})$/.exec(value)?.[1]);
    if (status >= 100 && status <= 599) return status;
    throw usageError(`\`${value}\` is not a status from 100 to 599 such as status=500`);
  },
};

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
  httpStep: httpStepOption,
  loseJobs: rateOption(
    '--lose-jobs <rate>',
    'Lose this percentage of jobs: they are not created, never run, or wait forever',
  ),
  repeatEvents: rateOption(
    '--repeat-events <rate>',
    'Process this percentage of events twice for a recipient, so that messages repeat',
  ),
  faultSeed: integer(
    '--fault-seed <n>',
    'Seed of the random sequence; the same seed repeats the same faults',
    { min: 0, group, defaultText: '0' },
  ),
};

/** A fault with one of the first two is about deliveries instead of requests. */
export const deliveryOptions = {
  channel: choice(
    '--channel <channel>',
    channelTypes.filter((channel) => channel !== 'in_app'),
    'Fail deliveries of this channel, instead of requests, with --fail or --fail-next',
    { group },
  ),
  provider: id(
    '--provider <provider-id>',
    'Fail deliveries through this provider, such as sendgrid, instead of requests',
    { group, complete: 'providers' },
  ),
  error: text('--error <text>', 'The error of the provider, for --channel and --provider', {
    group,
  }),
};

export type DeliveryValues = Partial<Values<typeof deliveryOptions>>;

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
    ([name, value]) => `--${kebabCase(name)}=${valueText(name, value)}`,
  );

/** With the words that an option reads. */
const valueText = (name: string, value: unknown): string => {
  if (name === 'latency') return `${value}ms`;
  return name === 'httpStep' ? `status=${value}` : `${value}`;
};

/** Formats faults as text: `latency 100ms, fail 0.05`. */
export const formatFaults = ({ deliveries = [], ...faults }: Members): string =>
  [pairs(faults), ...deliveries.map(pairs)].filter(Boolean).join('; ');

interface Members {
  deliveries?: readonly object[] | undefined;
}

const pairs = (members: object): string =>
  Object.entries(members)
    .map(([name, value]) => `${name} ${valueText(name, value)}`)
    .join(', ');

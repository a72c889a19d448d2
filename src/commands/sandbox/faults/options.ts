// The faults a sandbox can be told to make, as options, and what the sandbox is told.
import type { Option, Values } from '../../../cli/command.ts';
import { choice, duration, integer } from '../../../cli/options.ts';
import { usageError } from '../../../core/errors.ts';

const group = 'Faults';

/** `5%` or `0.05`; gives a number from 0 to 1. */
const rateOption = (flags: string, summary: string): Option<number> => ({
  flags,
  summary,
  group,
  read(text) {
    const percent = /^(\d+(?:\.\d+)?)%$/.exec(text)?.[1];
    const given = percent === undefined ? Number(text || Number.NaN) : Number(percent) / 100;
    if (given >= 0 && given <= 1) return given;
    throw usageError(`\`${text}\` is not a share such as 5% or 0.05`);
  },
});

export const faultOptions = {
  latency: duration('--latency <duration>', 'Let every request wait: 100ms', { group }),
  fail: rateOption(
    '--fail <share>',
    'Refuse this share of the requests, before anything is done: 5%',
  ),
  status: integer('--status <n>', 'What a failed request is answered', {
    min: 400,
    max: 599,
    group,
    defaultText: '503',
  }),
  rateLimit: choice(
    '--rate-limit <plan>',
    ['free', 'pro', 'team', 'enterprise'],
    'Hold the rate limits of this plan',
    { group },
  ),
  reset: rateOption('--reset <share>', 'Cut the connection of this share, before anything is done'),
  truncate: rateOption('--truncate <share>', 'Cut the connection in the middle of the answer'),
  afterCommit: rateOption('--after-commit <share>', 'Do the work, then fail or cut the connection'),
  faultSeed: integer('--fault-seed <n>', 'The same seed makes the same faults', {
    min: 0,
    group,
    defaultText: '0',
  }),
};

export type FaultValues = Partial<Values<typeof faultOptions>>;

/** The faults among the given options. */
export const pickFaults = (options: FaultValues): FaultValues =>
  Object.fromEntries(
    (Object.keys(faultOptions) as (keyof typeof faultOptions)[])
      .filter((name) => options[name] !== undefined)
      .map((name) => [name, options[name]]),
  );

/** The options that give these faults, for another command line. */
export const faultArguments = (faults: FaultValues): string[] =>
  Object.entries(pickFaults(faults)).map(([name, value]) => {
    const word = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return `--${word}=${value}${name === 'latency' ? 'ms' : ''}`;
  });

/** The faults in words: `latency 100ms, fail 0.05`. */
export const formatFaults = (faults: object): string =>
  Object.entries(faults)
    .map(([name, value]) => `${name} ${value}${name === 'latency' ? 'ms' : ''}`)
    .join(', ');

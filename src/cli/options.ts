// Builders for options and arguments, and the options that several commands share.

import { readDuration } from '../core/durations.ts';
import { usageError } from '../core/errors.ts';
import type { Argument, CandidateKind, Option, Values } from './command.ts';

type OptionDetails = Pick<
  Option,
  | 'group'
  | 'complete'
  | 'hidden'
  | 'rare'
  | 'variable'
  | 'defaultText'
  | 'stored'
  | 'shorthandFor'
  | 'conflicts'
  | 'value'
  | 'run'
  | 'tool'
>;

/** Creates a builder of options, with what all of its options have in common. */
const builder =
  <T>(common: Pick<Option<T>, 'repeat' | 'value' | 'read'> = {}) =>
  (flags: string, summary: string, more: OptionDetails = {}): Option<T> => ({
    flags,
    summary,
    ...common,
    ...more,
  });

export const text = builder<string>();
/** A text that chooses a target: without its variable, `--profile "$NAME"` must not mean the current profile. */
export const target = builder<string>({
  read: (value) => {
    if (value.trim() === '') throw usageError('the value is empty');
    return value;
  },
});
/** An id that Tab completion does not offer. */
export const id = builder<string>({ value: 'id' });
export const json = builder<string>({ value: 'json' });
/** A switch; with `--no-…` in the flags its value is false. */
export const flag = builder<boolean>();
/** A repeatable option: one value each time it is given. */
export const several = builder<string[]>({ repeat: true });
/** Values separated by commas. */
export const commaList = builder<string[]>({
  read: (value) =>
    value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  repeat: true,
});
/** A time span, in milliseconds. */
export const duration = builder<number>({ read: readDuration });

export const choice = <const V extends string>(
  flags: string,
  choices: readonly V[],
  summary: string,
  more: OptionDetails = {},
): Option<V> => ({ flags, summary, choices, ...more });

/** A repeatable option with a fixed set of values. */
export const severalOf = <const V extends string>(
  flags: string,
  choices: readonly V[],
  summary: string,
  more: OptionDetails = {},
): Option<V[]> => ({ flags, summary, choices, repeat: true, ...more });

export const integer = (
  flags: string,
  summary: string,
  { min, max, unit = '', ...more }: OptionDetails & { min: number; max?: number; unit?: string },
): Option<number> => ({
  flags,
  summary,
  read: (value) => {
    const digits = unit && value.endsWith(unit) ? value.slice(0, -unit.length).trimEnd() : value;
    const number = Number(digits);
    const fits =
      /^-?\d+$/.test(digits) && number >= min && number <= (max ?? Number.MAX_SAFE_INTEGER);
    if (fits) return number;
    const range = max === undefined ? `of ${min} or more` : `from ${min} to ${max}`;
    throw usageError(`\`${value}\` is not a whole number ${range}`);
  },
  whole: { min, max },
  ...more,
});

const argument =
  <T>() =>
  (
    syntax: string,
    summary: string,
    values: CandidateKind | Pick<Argument, 'complete' | 'value'> = {},
  ): Argument<T> => ({
    syntax,
    summary,
    ...(typeof values === 'string' ? { complete: values } : values),
  });

export const required = argument<string>();
export const optional = argument<string | undefined>();
/** An argument that takes any number of values. */
export const rest = argument<string[]>();

/** An argument with a fixed set of values. */
export const oneOf = <const V extends string>(
  syntax: string,
  choices: readonly V[],
  summary: string,
): Argument<V> => ({ syntax, summary, choices });

const listGroup = 'List options';

export const listOptions = {
  limit: integer('--limit <n>', 'Maximum number of items', {
    min: 1,
    group: listGroup,
    defaultText: '50',
    conflicts: ['all'],
  }),
  all: flag('--all', 'List all items', { group: listGroup }),
  pageSize: integer('--page-size <n>', 'Items per request', {
    min: 1,
    group: listGroup,
    rare: true,
  }),
  pageInfo: flag('--page-info', 'Include totals and cursors in JSON: {items, page}', {
    group: listGroup,
    rare: true,
  }),
};

export const pageOption = {
  page: integer('--page <n>', 'Start with this page; the first page is 0', {
    min: 0,
    group: listGroup,
  }),
};

export const orderOption = {
  order: choice('--order <direction>', ['asc', 'desc'], 'Sort direction', { group: listGroup }),
};

/** The query parameter for `--order`. */
export const orderDirection = (order: 'asc' | 'desc' | undefined) =>
  order === undefined ? undefined : order === 'asc' ? ('ASC' as const) : ('DESC' as const);

export const cursorOptions = {
  orderBy: text('--order-by <field>', 'Sort by this field', { group: listGroup }),
  ...orderOption,
  after: text('--after <cursor>', 'List the items after this cursor', {
    group: listGroup,
    conflicts: ['before'],
  }),
  before: text('--before <cursor>', 'List the items before this cursor, backwards', {
    group: listGroup,
  }),
  includeCursor: flag('--include-cursor', 'Include the item at the cursor', {
    group: listGroup,
    rare: true,
  }),
};

export const cursorQuery = (options: Partial<Values<typeof cursorOptions>>) => ({
  orderBy: options.orderBy,
  orderDirection: orderDirection(options.order),
  after: options.after,
  before: options.before,
  includeCursor: options.includeCursor,
});

// The options of commands that write a file.

export const forceOption = {
  force: flag('--force', 'Replace a file that svc did not write for this purpose', { tool: false }),
};

export const resumeOption = {
  resume: flag('--resume', 'Continue an interrupted export of this file, if there is one'),
};

// What a command is, as data: summary, arguments, options, examples, the operations it calls, and `run`.
// Knows no parser and no service; a definition that lacks a part does not compile.
import type { OperationId } from '../api/operations/index.ts';
import type { Context } from '../app/context.ts';
import type { ExitReason } from '../core/errors.ts';
import type { Result } from '../output/result.ts';

/** Where Tab finds values: answers of earlier commands, kept by kind. */
export type CandidateKind =
  | 'profiles'
  | 'topics'
  | 'workflows'
  | 'steps'
  | 'contexts'
  | 'contextTypes'
  | 'providers'
  | 'subscribers'
  | 'integrations'
  | 'transactions'
  | 'runs'
  | 'files';

export interface Argument<T = unknown> {
  /** As shown: `<topic-key>`, `[subscriber-id...]`. */
  syntax: string;
  summary: string;
  complete?: CandidateKind;
  choices?: readonly string[];
  /** Carries the type of the value; never read. */
  readonly type?: T;
}

export interface Option<T = unknown> {
  /** As shown: `--limit <n>`, `-p, --profile <name>`, `--no-header`. */
  flags: string;
  summary: string;
  group?: string;
  choices?: readonly string[];
  complete?: CandidateKind;
  /** May be given several times; the values make a list. */
  repeat?: true;
  hidden?: true;
  /** The environment variable that sets it, for help. */
  variable?: string;
  /** Shown in help as the default. */
  defaultText?: string;
  /** Options that cannot be given together with this one, by attribute. */
  conflicts?: readonly string[];
  /** Reads one value, or throws a usage error that need not name the option. */
  read?: (text: string) => T;
  readonly type?: T;
}

export type Arguments = Record<string, Argument>;
export type Options = Record<string, Option>;

export type Values<Specs> = { [K in keyof Specs]: Specs[K] extends { type?: infer T } ? T : never };

/** What a command's `run` gets: values by attribute, typed by their definitions. */
export interface CommandInput<A, O> {
  args: Values<A>;
  options: Partial<Values<O>>;
}

export interface CommandExample {
  line: string;
  description: string;
}

export interface Command<A extends Arguments = Arguments, O extends Options = Options> {
  /** One sentence, without a full stop. */
  summary: string;
  /** Paragraphs below the usage line, with empty lines between them. */
  details?: string;
  arguments?: A;
  options?: O;
  /** What comes out: what a person sees, the shape for programs, what ids are. */
  output: string;
  /**
   * The names of its data for programs, where that is not the response of the first operation in `calls`: for
   * checking `--fields`.
   */
  fields?: readonly string[] | ((input: CommandInput<A, O>) => readonly string[] | undefined);
  /** Endings of its own, besides those that follow from what it calls and asks for. */
  exitCodes?: readonly ExitReason[];
  /** Lines that work against a new sandbox. */
  examples: readonly [CommandExample, CommandExample, ...CommandExample[]];
  /** What a word that it has no argument for was probably meant as. */
  unexpected?: string;
  /** Operations it calls, for coverage and for `--read-only`. */
  operations?: readonly OperationId[];
  /** Whether it changes something at the service: refused by `--read-only`, confirmed on protected profiles. */
  writes: boolean | ((input: CommandInput<A, O>) => boolean);
  /** Changes something on this machine, without the service: a dry run cannot show it and refuses it. */
  localOnly?: true;
  /** With `--dry-run` it lists what it would change on this machine, although it sends no requests. */
  localDryRun?: true;
  /** The profile that it means where no service is named: that of a run, whichever is current. */
  defaultProfile?: (context: Context, input: CommandInput<A, O>) => Promise<string | undefined>;
  /** Sends many requests, so the faster engine is worth its loading time. */
  concurrent?: true;
  /** Works even when the configuration file cannot be read. */
  allowInvalidConfig?: true;
  hidden?: true;
  run(context: Context, input: CommandInput<A, O>): Promise<Result>;
}

/** Declares a command and keeps the types of its arguments and options. */
export const command = <
  A extends Arguments = Record<never, never>,
  O extends Options = Record<never, never>,
>(
  definition: Command<A, O>,
): Command => definition as unknown as Command;

export interface Group {
  summary: string;
  /** Shown in the group's help: what it cannot do, and the way around. */
  details?: string;
  commands: Record<string, Command | Group>;
}

/** A group that is loaded when it is named. */
export interface LazyGroup {
  summary: string;
  /** Heading in the top-level help. */
  section: string;
  /** Another spelling that works and is not shown. */
  alias?: string;
  load: () => Promise<Group | Command>;
}

export const isGroup = (node: Group | Command): node is Group => 'commands' in node;

/** Hidden spellings of verbs. */
export const verbAliases: Record<string, string> = {
  ls: 'list',
  rm: 'delete',
  show: 'get',
  import: 'bulk-import',
};

// The types of commands, options and arguments as data: summary, examples, the operations a command calls, and `run`.
// Independent of the parser. A definition without a required part does not compile.

import type { Context } from '../app/context.ts';
import type { ExitReason } from '../core/errors.ts';
import type { Result } from '../output/result.ts';
import type { Host } from '../platform/host.ts';
import type { OperationId } from '../service/operations/index.ts';
import type { Environment } from '../service/schemas/environments.ts';

export type Arguments = Record<string, Argument>;
export type Options = Record<string, Option>;

/** The input of `run`: values by attribute, typed by their definitions. */
export interface CommandInput<A, O> {
  args: Values<A>;
  options: Partial<Values<O>>;
  /** The words of the command, such as `topics subscribe`. */
  command: string;
  declaredOptions: Options;
}

/** The whole program, for the few commands that need it. */
export interface Program {
  tree: CommandTree;
  /** Runs another command line in this process, with a host that differs in these members. Returns its exit code. */
  runLine(argv: readonly string[], changed: Partial<Host>): Promise<number>;
}

/** The environments that a write affects. */
export interface Affected {
  /** Undefined is the active environment. */
  environments: readonly (Environment | undefined)[];
  /** The command writes to something in the last environment, so questions and success lines name it. */
  isInside?: true;
}

export interface Command<A extends Arguments = Arguments, O extends Options = Options> {
  /** One sentence, without a full stop. */
  summary: string;
  /** Paragraphs below the usage line, separated by empty lines. */
  details?: string;
  arguments?: A;
  options?: O;
  /** Describes the output: the table, the JSON shape and the ids. */
  output: string;
  /**
   * The field names of the JSON output, for checking `--fields`. By default the fields in the response of the first
   * operation in `operations`.
   */
  fields?: readonly string[] | ((input: CommandInput<A, O>) => readonly string[] | undefined);
  /** Exit codes in addition to those that follow from its operations and arguments. */
  exitCodes?: readonly ExitReason[];
  /** Lines that work against a new sandbox, at least two, with their descriptions. */
  examples: Readonly<Record<string, string>>;
  /** The examples that change nothing, of a command that can change data. */
  readExamples?: readonly string[];
  /** Hint for an unexpected argument. */
  unexpected?: string;
  /** The operations it calls, for the coverage test and the exit codes in help. */
  operations?: readonly OperationId[];
  /** Leave out the parts for which the server lacks the operation. Otherwise the command exits with 5. */
  skipsMissingOperations?: true;
  /** Whether it changes data of the service or the sandbox: rejected by `--read-only`, confirmed on protected profiles. */
  writes: boolean | ((input: CommandInput<A, O>) => boolean);
  /**
   * The tool of `svc mcp` for it. `read`: it changes nothing, neither in the service nor in files, runs, the sandbox or
   * the configuration. `rare`: the same, but a server that only reads lists it only on request. Required with
   * `writes: false`; without it, the tool counts as one that writes.
   */
  tool?: 'read' | 'rare' | 'write' | 'none';
  /** Sends no requests, so its help lists no exit codes for responses of the service. */
  offline?: true;
  /**
   * What selects the service in a command line of it that svc proposes. By default all of the options, or nothing if it is
   * offline. `address`: all but the key; `profile`: the profile alone.
   */
  selectedBy?: 'address' | 'profile' | 'nothing';
  /** Changes only local data. `--dry-run` is rejected, because the command sends no write requests. */
  localOnly?: true;
  /** With `--dry-run` it lists what it would change on this machine, although it sends no requests. */
  localDryRun?: true;
  /** The profile to use if no service is given, for example the profile that started a run. */
  defaultProfile?: (context: Context, input: CommandInput<A, O>) => Promise<string | undefined>;
  /** The profile that it writes to, if not the active one. If that profile is protected, its name is required. */
  targetProfile?: (
    context: Context,
    input: CommandInput<A, O>,
  ) => Promise<string | undefined> | string | undefined;
  /**
   * The environments that it affects, if it names them or finds them by an id. Their protection applies, whichever
   * profile has the key.
   */
  affects?: (context: Context, input: CommandInput<A, O>) => Promise<Affected | undefined>;
  /** Show the changes before asking: on a terminal, the name of a protected profile is asked for afterwards. */
  plansFirst?: true;
  /** Finish pending requests and print a result after the first signal. Otherwise a signal ends the command at once. */
  gracefulShutdown?: boolean | ((input: CommandInput<A, O>) => boolean);
  /** Works even when the configuration file cannot be read. */
  allowInvalidConfig?: true;
  hidden?: true;
  run(context: Context, input: CommandInput<A, O>, program: Program): Promise<Result>;
}

/** Declares a command with typed arguments and options. */
export const command = <
  A extends Arguments = Record<never, never>,
  O extends Options = Record<never, never>,
>(
  definition: Command<A, O>,
): Command => definition as unknown as Command;

export interface Group {
  summary: string;
  /** Shown in the group's help: missing operations and alternatives. */
  details?: string;
  /** A command line to propose for a common verb that the group does not have. */
  alternative?: string;
  commands: Record<string, Command | Group>;
}

/** A group or command that is loaded only when it is used. */
export interface LazyGroup {
  summary: string;
  /** Heading in the top-level help. */
  section: string;
  /** A hidden alias, such as the singular. */
  alias?: string;
  /** False: `svc mcp` has no tools for its commands. */
  tools?: false;
  load: () => Promise<Group | Command>;
}

export type CommandTree = Record<string, LazyGroup>;

export const isGroup = (node: Group | Command): node is Group => 'commands' in node;

/** Hidden aliases of verbs. */
export const verbAliases: Record<string, string> = {
  ls: 'list',
  rm: 'delete',
  show: 'get',
  import: 'bulk-import',
};

// Options and arguments.

/** Kinds of values for Tab completion. Most are recorded from responses to earlier commands. */
export type CandidateKind =
  | 'profiles'
  | 'topics'
  | 'workflows'
  | 'steps'
  | 'layouts'
  | 'contexts'
  | 'contextTypes'
  | 'variables'
  | 'providers'
  | 'credentialProviders'
  | 'subscribers'
  | 'integrations'
  | 'transactions'
  | 'runs'
  | 'files';

/**
 * The type of a value that is not any text. An id is also what Tab completion offers for topics and other resources, and
 * a path what it offers as a file. `idOrPath` is an id if it has only word characters.
 */
export type ValueType = 'id' | 'idOrPath' | 'json' | 'jsonList';

export type RunTrait =
  /** The manifest does not record it, because it does not affect what is sent. */
  | 'unrecorded'
  /** The value may change when the run is resumed. */
  | 'changeable'
  /** The option belongs to the original input or run: the command to send the rejected rows does not repeat it. */
  | 'original';

export interface Argument<T = unknown> {
  /** As shown: `<topic-key>`, `[subscriber-id...]`. */
  syntax: string;
  summary: string;
  complete?: CandidateKind;
  choices?: readonly string[];
  /** The text of the prompt for a missing value; by default, the kind of the candidates. */
  prompt?: string;
  defaultText?: string;
  value?: ValueType;
  /** False: no parameter of the tool of its command (`svc mcp`). */
  tool?: false;
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
  /** Can be given several times; the values are collected in an array. */
  repeat?: true;
  hidden?: true;
  /** Shown by `--help --all` only, if the help of its command is long. */
  rare?: true;
  /** The environment variable that sets it, for help. */
  variable?: string;
  /** The default as text, for help and for resolving a setting. */
  defaultText?: string;
  /** `svc config set` can store it, under the name of its attribute. */
  stored?: true;
  /** Another option, the value that this one sets it to, and the flag that was typed if it is not this one's. */
  shorthandFor?: readonly [option: string, value: string, flag?: string];
  /** Options that cannot be given together with this one, by attribute. */
  conflicts?: readonly string[];
  /** Its value is a whole number within these bounds. */
  whole?: { min: number; max?: number | undefined };
  value?: ValueType;
  /**
   * False: for a person at a terminal, so no parameter of the tool of its command (`svc mcp`). Or the summary for an
   * assistant, without the forms that are for a command line; `isSwitch` leaves out the modes.
   */
  tool?: false | { summary: string; isSwitch?: true };
  /** How a bulk run treats it. By default it is recorded, must not change, and is repeated for the rejected rows. */
  run?: readonly RunTrait[];
  /** Reads one value, or throws a usage error that need not name the option. */
  read?: (text: string) => T;
  readonly type?: T;
}

export type Values<Specs> = { [K in keyof Specs]: Specs[K] extends { type?: infer T } ? T : never };

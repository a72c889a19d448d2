// The types of options and arguments as data.

/** Kinds of values for Tab completion. Most are recorded from responses to earlier commands. */
export type CandidateKind =
  | 'profiles'
  | 'topics'
  | 'workflows'
  | 'steps'
  | 'layouts'
  | 'contexts'
  | 'contextTypes'
  | 'providers'
  | 'credentialProviders'
  | 'subscribers'
  | 'integrations'
  | 'transactions'
  | 'runs'
  | 'files';

export type RunTrait =
  /** The manifest does not record it, because it does not affect what is sent. */
  | 'unrecorded'
  /** It may change when the run is resumed. */
  | 'changeable'
  /** It belongs to the original input or run, so the command to send the rejected rows does not repeat it. */
  | 'original';

export interface Argument<T = unknown> {
  /** As shown: `<topic-key>`, `[subscriber-id...]`. */
  syntax: string;
  summary: string;
  complete?: CandidateKind;
  choices?: readonly string[];
  /** The text of the prompt for a missing value; by default, the kind of the candidates. */
  prompt?: string;
  /** The default as text. */
  defaultText?: string;
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
  /** Its value is JSON: a list, not an object. */
  json?: 'list';
  /** False: for a person at a terminal, so no parameter of the tool of its command (`svc mcp`). */
  tool?: false;
  /** How a bulk run treats it. By default it is recorded, must not change, and is repeated for the rejected rows. */
  run?: readonly RunTrait[];
  /** Reads one value, or throws a usage error that need not name the option. */
  read?: (text: string) => T;
  readonly type?: T;
}

export type Values<Specs> = { [K in keyof Specs]: Specs[K] extends { type?: infer T } ? T : never };

// Everything a command can use: settings, client, prompts, profiles, sandbox. Each is created on demand.
import type { Client } from '../api/client.ts';
import type { Cursor } from '../api/pages-by-cursor.ts';
import type { Item, ListedPage } from '../api/paginate.ts';
import type { CandidateKind } from '../cli/command.ts';
import type { Globals } from '../cli/globals.ts';
import type { Propose } from '../config/propose.ts';
import type { Settings } from '../config/settings.ts';
import type { ConfigStore } from '../config/store.ts';
import type { ChosenProfile, Target } from '../config/target.ts';
import type { Prompter } from '../input/prompts.ts';
import type { Line } from '../output/result.ts';
import type { Style } from '../output/style.ts';
import type { Host } from '../platform/host.ts';
import type { Input, OperationId } from '../service/operations/index.ts';
import type { ClientOverrides } from './client.ts';

export interface ListRange {
  limit?: number;
  all?: boolean;
  pageSize?: number;
  /** Where a listing with cursors continues. */
  from?: Cursor;
}

/** The service of a profile, for commands that use two of them. */
export interface Service {
  client: Client;
  /** Null if address and key come from options or variables. */
  profile: string | null;
  /** `in Production (profile live)`. */
  place: string;
  /** The id of the environment, if the profile has it. */
  environmentId: string | undefined;
  /** The API key, for finding out which environment it belongs to. */
  apiKey: string;
  pages<Id extends OperationId>(
    id: Id,
    input: Input<Id>,
    limit?: number,
  ): AsyncGenerator<ListedPage<Item<Id>>, void, void>;
  listAll<Id extends OperationId>(id: Id, input: Input<Id>): Promise<Item<Id>[]>;
}

export interface Connection {
  /** Address and source of the key. Throws an auth error if it cannot be resolved. */
  target(): Target;
  /** The same; undefined if no service is selected. */
  findTarget(): Target | undefined;
  apiKey(): Promise<string>;
  /** The stored profiles for an address and key from options or variables: their rules for writes apply. */
  profilesOfKey(): Promise<readonly ChosenProfile[]>;
  /** A client for an address and key that are not stored yet, or for the control API of the sandbox. */
  clientFor(baseUrl: string, apiKey: string, overrides?: ClientOverrides): Promise<Client>;
  /** Where a write happens, for questions and success lines: `in Production (profile live)`. */
  place(): string;
  /** The active service, or the service of another profile. */
  service(profile?: string): Promise<Service>;
}

export interface ContextPrompter extends Prompter {
  readonly isPossible: boolean;
  /** Prompts for an existing resource. Throws a usage error if prompts are not possible. */
  resource(kind: CandidateKind, label: string): Promise<string>;
}

export interface Context {
  /** Streams, environment, clock, randomness and signals. */
  host: Host;
  globals: Globals;
  settings: Settings;
  configuration: ConfigStore;
  profile(): ChosenProfile | undefined;
  connection: Connection;
  client(): Promise<Client>;
  /** Calls an operation with the client. */
  call: Client['call'];
  /** The pages of a listing within `--limit`, `--all` and `--page-size`. */
  pages<Id extends OperationId>(
    id: Id,
    input: Input<Id>,
    range: ListRange,
  ): AsyncGenerator<ListedPage<Item<Id>>, void, void>;
  prompt: ContextPrompter;
  /** Asks before an action such as `Delete topic x`. The question of a write names the environment, or `place`. */
  confirm(action: string, warning?: string, place?: string): Promise<void>;
  /** The time of the service by its latest response; before the first response, the time of this machine. */
  serviceNow(): number;
  /** Adds what selects the service to a command line that the command proposes. */
  propose: Propose;
  /** Prints a line on standard error, except with --quiet or if a program reads the output. Without a style, plain. */
  note(line: Line, style?: Style): void;
  /** Prints a warning on standard error, also if a program reads the output, except with --quiet. */
  warn(text: string): void;
  /** Loads the code of the sandbox. */
  sandbox(): Promise<typeof import('../sandbox/index.ts')>;
}

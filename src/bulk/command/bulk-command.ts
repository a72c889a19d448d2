// The input of `runBulk`: the properties of a bulk command, and of a run at its start.
import type { Options } from '../../cli/command.ts';
import type { RecordSource } from '../../input/records.ts';
import type { Sender } from '../engine/sender.ts';
import type { Shard } from '../engine/shard.ts';
import type { Summary } from '../engine/stats.ts';
import type { LoadedRun, RunStore } from '../journal/run-store.ts';
import type { RowTransactionId } from '../operations/transaction-ids.ts';
import type { CanaryCommand } from './canary.ts';
import type { Targets } from './column-mapping.ts';
import type { Input } from './input.ts';
import type { BulkOptions } from './options.ts';
import type { ReportTexts } from './report.ts';

/** The first four members are those of the command's input. */
export interface BulkCommand {
  command: string;
  /** For progress and report, such as `Importing` and `Imported`. */
  activeVerb: string;
  pastVerb: string;
  args: Record<string, unknown>;
  options: BulkOptions & Record<string, unknown>;
  declaredOptions: Options;
  /** Options to record for a resumed run, where they differ from the given ones. */
  recordedOptions?: Record<string, unknown>;
  /** SHA-256 of file contents that options refer to, by option. */
  content?: Record<string, string>;
  /** The file, or `-`. */
  file: string;
  /** Makes the rows as NDJSON lines, instead of a file. The run keeps a copy, so that it can be resumed. */
  makeRows?: () => AsyncIterable<string>;
  /** The command only compares: it keeps no run, and its summary names none. */
  isCheck?: boolean;
  /** The id of the run, if it is derived: a process that lost its state sends the same keys again. */
  runId?: string;
  /** Members of the summary that the command knows. */
  summary?: Pick<Summary, 'origin' | 'unfinished'>;
  /** The field of a list of ids: one id per line unless the file extension or --format differ. */
  idField?: string;
  /** The fields of a row, which --map can fill; by default `idField`. Absent if the command maps columns itself. */
  fields?: readonly string[];
  /** The columns that are not sent; absent if the command has no --ignore-column. */
  ignoreColumns?: readonly string[];
  /**
   * The command line before the rejects file, if it is not that of the command. With `fromStdin` the file is passed on
   * standard input; with `fromRun` it is not passed at all.
   */
  retry?: { line: string; fromStdin?: boolean; fromRun?: boolean };
  reportTexts?: Pick<
    ReportTexts,
    'rejectsAdvice' | 'absentIsNotFound' | 'unknownLabel' | 'nextStep'
  >;
  /** Whether sending a row twice has the same effect as sending it once. */
  isRepeatable: boolean;
  /** Asks for confirmation. Called once the input can be read. */
  confirm?: (count: () => Promise<number>) => Promise<void>;
  /** The rule for rows with the id of an earlier row, as a sentence. Absent if such rows do not matter. */
  repeatedIdsRule?: string;
  comparesMostIds?: boolean;
  /**
   * Checks the subscribers that the rows notify, before the question. `ids` is undefined if the input can be read only
   * once. `isResumed`: an earlier process has sent rows.
   */
  checkRecipients?: (
    ids: (() => Promise<ReadonlySet<string>>) | undefined,
    isResumed: boolean,
  ) => Promise<void>;
  /** Checks the first rows before the others are sent. */
  canary?: CanaryCommand | undefined;
  openSender: (
    source: RecordSource,
    transactionId: RowTransactionId,
    readAgain?: Input['readAgain'],
  ) => Promise<OpenedSender>;
}

export interface OpenedSender extends Sender {
  /** Called before the first row is read. `countRequests` adds requests to the statistics. */
  begin?: (countRequests: (attempts: number) => void) => Promise<void>;
  /** Problems that --validate-only found besides invalid rows. */
  problems?: readonly string[];
  /** Whether the problems affect all rows. */
  isBlocked?: boolean;
  /** Members that the command adds to the summary, at the end of the run. */
  summary?: () => Partial<Summary> | Promise<Partial<Summary>>;
  /** Options that follow from the input, to record for a resumed run. */
  options?: Record<string, unknown>;
  /** A confirmed mapping of columns, to import the rejects file with. */
  mapping?: Targets;
}

export interface RunStart {
  store: RunStore;
  runId: string;
  earlierRun: LoadedRun | undefined;
  isDryRun: boolean;
  /** False when the rows are only validated. */
  isSent: boolean;
  shard: Shard | undefined;
  /** Protect CSV cells of the rejected rows that a spreadsheet would run as formulas. */
  csvSafe: boolean;
}

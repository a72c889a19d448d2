// Commands for several ids. The ids on the command line are sent one request after another, without a journal; a list of
// ids, in a file or on standard input, becomes a bulk run. Both use the sender that the command opens.
import type { Client } from '../../api/client.ts';
import { DryRun, type UnsentRequest } from '../../api/dry-run.ts';
import type { Context } from '../../app/context.ts';
import { raceAbort } from '../../core/async.ts';
import { SvcError, stopsRequests, usageError } from '../../core/errors.ts';
import { counted } from '../../core/text.ts';
import { findIdProblem, trimSpaces } from '../../core/whitespace.ts';
import type { RecordSource } from '../../input/records.ts';
import { textOrStdin } from '../../input/values.ts';
import * as result from '../../output/result.ts';
import type { Input, OperationId } from '../../service/operations/index.ts';
import type { Row } from '../engine/batches.ts';
import type { Outcome, Sender } from '../engine/sender.ts';
import { createIdReader, type IdReader } from '../operations/id-list.ts';
import type { BulkCommand, OpenedSender } from './bulk-command.ts';
import type { BulkOptions } from './options.ts';

interface NamedCommand {
  /** As on the command line. */
  ids: readonly string[];
  /** `subscriber`. */
  noun: string;
  /** Commands to run instead if no id is given. */
  next: readonly string[];
  /** Asks before the first request, about `subscriber u1`, `3 subscribers`. Without `ids`, the run has a list. */
  confirm?: (target: string, ids?: readonly string[]) => Promise<void>;
  openSender: (readId: IdReader, source?: RecordSource) => OpenedSender | Promise<OpenedSender>;
  explain?: Explain;
  report: (sent: SentRequests) => result.Result | Promise<result.Result>;
  /** How a list becomes a bulk run. Without it, `-` reads ids from standard input that are sent like those given. */
  bulk?: Omit<BulkCommand, 'file' | 'isRepeatable' | 'confirm' | 'openSender'> & {
    options: ListOptions;
    idField: string;
    /** By default that of --file. */
    file?: string;
  };
}

type ListOptions = BulkOptions & { file?: string | undefined };
type Explain = (error: SvcError, ids: readonly string[]) => SvcError | Promise<SvcError>;

export const readCell: IdReader = ({ cells }) => cells?.()[0];

/** Whether the ids are in a list, which becomes a bulk run. */
export const isList = (ids: readonly string[], { file }: ListOptions = {}) =>
  file !== undefined || (ids.length === 1 && ids[0] === '-');

export async function runNamed(context: Context, named: NamedCommand): Promise<result.Result> {
  const { noun, confirm, openSender, bulk } = named;
  const file = bulk?.file ?? bulk?.options.file;
  if (bulk && isList(named.ids, { file })) return runList(context, named, bulk, file);
  const ids = await readIds(context, named);
  await confirm?.(idsText(ids, noun), ids);
  return named.report(await sendNamed(context, await openSender(readCell), ids, named.explain));
}

async function runList(
  context: Context,
  { ids, noun, confirm, openSender }: NamedCommand,
  bulk: NonNullable<NamedCommand['bulk']>,
  file: string | undefined,
) {
  if (file !== undefined && ids.length > 0) throw usageError('--file cannot be combined with ids.');
  const { runBulk } = await import('./run-bulk.ts');
  return runBulk(context, {
    ...bulk,
    file: file ?? '-',
    isRepeatable: true,
    ...(confirm ? { confirm: async (count) => confirm(await listText(count, noun)) } : {}),
    openSender: async (source) => openSender(createIdReader(source, bulk.idField), source),
  });
}

/** `subscriber u1`, `3 subscribers`. */
export const idsText = (ids: readonly string[], noun: string) =>
  ids.length === 1 ? `${noun} ${ids[0]}` : counted(ids.length, noun);

/** `3 subscribers`, for a question before a bulk run; `count` is NaN for a list that is read only once. */
export async function listText(count: () => Promise<number>, noun: string): Promise<string> {
  const rows = await count();
  return Number.isNaN(rows) ? `the ${noun}s of a list` : counted(rows, noun);
}

/** Returns the ids without duplicates. Throws a usage error if there are none. */
async function readIds({ host }: Context, { ids, noun, next }: NamedCommand): Promise<string[]> {
  const isFromStdin = ids.includes('-');
  if (isFromStdin && ids.length > 1)
    throw usageError('- cannot be combined with other ids.', { next });
  const read = isFromStdin
    ? readIdLines(await textOrStdin('-', host.stdin), 'standard input')
    : ids;
  if (read.length > 0) return [...new Set(read)];
  throw usageError(isFromStdin ? 'Standard input contains no ids.' : `No ${noun} is given.`, {
    next,
  });
}

/** The ids of a list with one on each line. */
export const readIdLines = (text: string, source: string) =>
  text.split('\n').flatMap((line, index) => {
    const id = trimSpaces(line);
    const problem = findIdProblem(id);
    if (problem === undefined) return id === '' ? [] : [id];
    throw usageError(`The id on line ${index + 1} of ${source} ${problem}.`, {
      hint: 'Remove the character. Nothing was sent.',
    });
  });

export interface SentId {
  id: string;
  outcome: Outcome;
  error?: SvcError;
}

export interface SentRequests {
  ids: readonly string[];
  /** The ids whose request was sent, in order. */
  sent: SentId[];
  values: unknown[];
  errors: SvcError[];
  /** How the command ends if a request failed: partial, or with the error that stopped it. */
  end: Exclude<result.ReportEnd, { type: 'work' }> | undefined;
}

/**
 * Sends the requests for these ids, after validating all of them. A rejected request does not stop the others; any other
 * error does. Throws if every request failed.
 */
export async function sendNamed(
  context: Context,
  sender: Sender,
  ids: readonly string[],
  explain: Explain = (error) => error,
): Promise<SentRequests> {
  const client = await context.client();
  const requests = await prepareRequests(client, sender, ids);
  const sent: SentId[] = [];
  const values: unknown[] = [];
  const errors: SvcError[] = [];
  const send = async () => {
    for await (const { rows, response } of inOrder(requests)) {
      if (response instanceof SvcError) {
        const error = await explain(response, ids);
        const { message: reason, details } = error;
        const state = details.maybeApplied ? 'unknown' : 'failed';
        errors.push(error);
        sent.push(...rows.map(({ id }) => ({ id, outcome: { state, reason }, error }) as const));
      } else {
        values.push(response.value);
        sent.push(
          ...rows.map(({ id }, index) => ({ id, outcome: response.outcomes[index] ?? unknown })),
        );
      }
    }
  };
  // After Ctrl-C, the outcomes are printed only if every request was sent.
  await raceAbort(send(), context.host.shutdownSignal);
  if (!errors.some(stopsRequests)) errors.push(...(await followUp(context, sender, sent)));
  const [first] = errors;
  const last = errors.at(-1);
  if (!first || !last) return { ids, sent, values, errors, end: undefined };
  const isFatal = stopsRequests(last);
  if (errors.length === requests.length) throw isFatal ? last : first;
  const end = isFatal ? ({ type: 'error', cause: last } as const) : result.exit('partial');
  return { ids, sent, values, errors, end };
}

const unknown: Outcome = { state: 'unknown' };

interface Request {
  rows: readonly Row[];
  send: () => Promise<{ value?: unknown; outcomes: Outcome[] }>;
}

/** Throws a usage error if an id or a request is not valid. */
async function prepareRequests(
  client: Client,
  sender: Sender,
  ids: readonly string[],
): Promise<Request[]> {
  const { operation, sendRow } = sender;
  const { record: operationRecord } = await import('../../service/operations/index.ts');
  const { createBatchCollector, requestBody } = await import('../engine/batches.ts');
  const { pathValues } = await import('../engine/sender.ts');
  const { batch: limits, bodyLimit } = operationRecord(operation);
  const collector = createBatchCollector(sender, limits ?? { count: 1, bytes: bodyLimit });
  const batches = ids.map((id, index) => {
    const number = index + 1;
    const record = { row: number, line: number, start: 0, end: 0, cells: () => [id] };
    const item = sender.toItem(record, number, collector.writer);
    if ('error' in item) throw usageError(item.error);
    if (item.json !== undefined) collector.writeItem(item.json);
    const row = { id, group: item.group, number, record, bodyStart: 0, bodyEnd: 0 };
    return collector.add(row, 0, false);
  });
  const requests: Request[] = [];
  for (const batch of [...batches, collector.takeRest()]) {
    if (!batch) continue;
    const { rows } = batch;
    const body = requestBody(sender, batch, rows)?.toString('utf8');
    const input = {
      path: pathValues(sender, rows),
      body: body === undefined ? undefined : JSON.parse(body),
    } as Input<OperationId>;
    const [first] = rows;
    if (sendRow && first) {
      const send = async () => [await sendRow(first, { call: client.call, maybeApplied: false })];
      requests.push({ rows, send: async () => ({ outcomes: await send() }) });
      continue;
    }
    await client.prepare(operation, input);
    const send = async () => {
      const response = await client.exchange(operation, input);
      return { value: response.value, outcomes: sender.readOutcomes(response, rows) };
    };
    requests.push({ rows, send });
  }
  return requests;
}

/** Yields the response of each request, or its error. A dry run shows all requests. */
async function* inOrder(requests: readonly Request[]) {
  const unsent: UnsentRequest[] = [];
  for (const { rows, send } of requests) {
    try {
      yield { rows, response: await send() };
    } catch (error) {
      if (error instanceof DryRun) unsent.push(...error.requests);
      else if (!(error instanceof SvcError)) throw error;
      else {
        yield { rows, response: error };
        if (stopsRequests(error)) return;
      }
    }
  }
  if (unsent.length > 0) throw new DryRun(unsent);
}

/** Determines the outcomes of undecided ids, which stay unknown if a request fails or the user interrupts the command. */
async function followUp({ host }: Context, sender: Sender, sent: SentId[]): Promise<SvcError[]> {
  const undecided = sent.flatMap(({ id, outcome }, index) =>
    'isUndecided' in outcome ? [{ id, number: index + 1, outcome }] : [],
  );
  if (!sender.followUp || undecided.length === 0) return [];
  for (const { id, number } of undecided) sent[number - 1] = { id, outcome: { state: 'unknown' } };
  const progress = { lastSentRow: sent.length, countRequests: () => undefined };
  try {
    for await (const { row, outcome } of sender.followUp(undecided, progress))
      sent[row.number - 1] = { id: row.id, outcome };
    return [];
  } catch (error) {
    if (host.shutdownSignal.aborted) return [];
    if (error instanceof SvcError) return [error];
    throw error;
  }
}

// The report of a command that deletes what the ids name.

/** The JSON output is an array of {<field>, deleted, error}. */
export const reportDeletions =
  (field: string, noun: string) =>
  ({ ids, sent, end }: SentRequests) => {
    const deletions = ids.map((id, index) => toDeletion(id, sent[index]));
    const failed = deletions.filter(({ deleted }) => deleted !== true);
    const count = failed.length === 0 ? '' : `${ids.length - failed.length} of `;
    const failure = {
      message: `${failed.length} of ${counted(ids.length, noun)} were not deleted.`,
      fieldErrors: failed.map(({ id, error = '' }) => ({ field: id, message: error })),
    };
    return result.report({
      value: deletions.map(({ id, ...rest }) => ({ [field]: id, ...rest })),
      columns: [field, 'deleted', 'error'].map((name) => ({
        field: name,
        header: name.toUpperCase(),
      })),
      headline: `Deleted ${count}${idsText(ids, noun)}`,
      lines: failed.map(({ id, error }) => `${id}: not deleted: ${error}`),
      ids: deletions.filter(({ deleted }) => deleted === true).map(({ id }) => id),
      ...(end ? { end: end.type === 'exit' ? { ...end, failure } : end } : {}),
    });
  };

/** `deleted` is null if the outcome is unknown. */
function toDeletion(id: string, sent: SentId | undefined) {
  if (!sent) return { id, deleted: false, error: 'not sent after an earlier error' };
  const { error, outcome } = sent;
  if (!error) return { id, deleted: true };
  return { id, deleted: outcome.state === 'unknown' ? null : false, error: error.message };
}

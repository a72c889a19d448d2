// Carries out a plan, one resource after another. Stops at the first failure, and after the current one on Ctrl-C.

import path from 'node:path';
import type { Client } from '../api/client.ts';
import type { Context } from '../app/context.ts';
import { createRunId, createRunTarget } from '../bulk/command/run-target.ts';
import { type Counts, createStats, createSummary } from '../bulk/engine/stats.ts';
import { ledgerFile, openLedger } from '../bulk/journal/ledger.ts';
import { openRunStore } from '../bulk/journal/run-store.ts';
import { type ExitReason, SvcError } from '../core/errors.ts';
import type { JsonObject } from '../core/objects.ts';
import { joinSentences } from '../core/text.ts';
import type { Mode } from '../service/mode.ts';
import { mask } from '../service/secret-fields.ts';
import type { Access } from './access.ts';
import { compare } from './compare.ts';
import { compareCredentials, isReference, readableCredentials } from './credentials.ts';
import { toFiles } from './definition-text.ts';
import { toEnvironmentFiles } from './folder.ts';
import type { KindAccess } from './listed-access.ts';
import {
  emptyResult,
  issueRows,
  type PlannedItem,
  type Push,
  type Stop,
  type WriteResult,
  type Written,
} from './push-types.ts';
import type { FoundResource, RemoteReader } from './remote.ts';
import { credentialsOf, isDefinition, keyText, type Resource } from './resource.ts';
import { openSafeFolder } from './safe-folder.ts';

interface Writing {
  items: readonly PlannedItem[];
  reader: RemoteReader;
  access: Access;
  /** The credentials to send, by the key of the resource. */
  credentials: ReadonlyMap<string, JsonObject>;
}

export async function applyPlan(
  context: Context,
  push: Push,
  { items, reader, access, credentials }: Writing,
) {
  const { client } = push.target;
  const { shutdownSignal } = context.host;
  const run = await openRunFolder(context, push, items, await reader.mode());
  const results: WriteResult[] = [];
  let stop: Stop | undefined;
  const skip = (item: PlannedItem, message: string) => {
    results.push({ ...emptyResult(item), result: 'skipped', message });
    run.record('skipped');
  };
  try {
    for (const item of items) {
      if (shutdownSignal.aborted) stop ??= { signal: shutdownSignal.reason as ExitReason };
      if (stop) {
        skip(item, stop.signal ? 'the push was interrupted' : 'the push stopped before it');
        continue;
      }
      let isWritten: Written = 'no';
      const writes = watchWrites(client, (state) => {
        if (isWritten !== 'yes') isWritten = state;
      });
      const own = credentials.get(keyText(item));
      try {
        const { problem, written } = await writeItem(writes, access[item.kind], item, own);
        results.push({ ...emptyResult(item), ...problem, ...reportedState(written) });
        // A resource that is still there was not deleted, whatever the response was.
        if (problem?.result === 'failed')
          stop = { item, written: item.action === 'delete' ? 'no' : isWritten };
        run.record(problem?.result ?? (item.action === 'create' ? 'created' : 'updated'));
      } catch (error) {
        if (!(error instanceof SvcError)) throw error;
        results.push({
          ...emptyResult(item),
          result: 'failed',
          message: failureText(error, item, own),
        });
        run.record('failed');
        stop = { item, error, written: isWritten };
      }
    }
    run.finish();
    return { results, stop, backup: run.backup };
  } finally {
    run.close();
  }
}

function reportedState(written: FoundResource | undefined): Partial<WriteResult> {
  if (written?.resource.kind !== 'workflow') return {};
  const { status, steps } = written.response;
  return {
    status: String(status),
    issues: ((steps ?? []) as Parameters<typeof issueRows>[0][]).flatMap(issueRows),
  };
}

/** Without the values of variables, which a response may repeat. */
function failureText(
  { message, details: { fieldErrors = [] } }: SvcError,
  { wanted }: PlannedItem,
  sent: JsonObject = {},
): string {
  const fields = fieldErrors.map(({ field, message: text }) =>
    field ? `${field}: ${text}` : text,
  );
  const text = fields.length === 0 ? message : joinSentences([message, ...fields]);
  return Object.entries(credentialsOf(wanted) ?? {}).reduce(
    (masked, [name, value]) =>
      isReference(value) && sent[name] ? masked.replaceAll(String(sent[name]), mask) : masked,
    text,
  );
}

// Writes one resource of a plan: reads it again, refuses to overwrite a change that the plan does not know, writes, and
// reads back what the service stored.

/** A reason not to write, or why the write is not as planned. */
interface WriteProblem {
  result: 'skipped' | 'failed';
  message: string;
}

/** A client for writes. `onWrite` is called with whether the service has made each change. */
const watchWrites = (client: Client, onWrite: (written: Written) => void): Client => ({
  ...client,
  async call(id, input, options) {
    try {
      const response = await client.call(id, input, options);
      onWrite('yes');
      return response;
    } catch (error) {
      if (error instanceof SvcError && error.details.maybeApplied) onWrite('maybe');
      throw error;
    }
  },
});

interface ItemResult {
  /** Undefined if the environment now has what was planned. */
  problem: WriteProblem | undefined;
  written: FoundResource | undefined;
}

const skipped = (message: string): ItemResult => ({
  problem: { result: 'skipped', message },
  written: undefined,
});

const notDeleted: WriteProblem = {
  result: 'failed',
  message: 'the service still has it after the deletion',
};

/** `credentials`: those to send. */
async function writeItem(
  client: Client,
  access: KindAccess,
  item: PlannedItem,
  credentials: JsonObject | undefined,
): Promise<ItemResult> {
  const { wanted } = item;
  const latest = await access.find(item.id);
  const changed = changedSince(access, item, latest);
  if (changed !== undefined) return skipped(changed);
  if (!wanted) {
    if (latest) await access.delete(client, latest);
    const isLeft = (await access.find(item.id)) !== undefined;
    return { problem: isLeft ? notDeleted : undefined, written: undefined };
  }
  const refused = await access.write(client, { wanted, latest, credentials });
  if (refused !== undefined) return skipped(refused);
  const written = await access.find(item.id);
  return { problem: findProblem(wanted, written, credentials), written };
}

/** Why the item must not be written: it was changed after the plan was made. */
function changedSince(
  access: KindAccess,
  { current, wanted }: PlannedItem,
  latest: FoundResource | undefined,
): string | undefined {
  if (!current) return latest ? 'it was created after the plan was made' : undefined;
  if (!latest) return wanted ? 'it was deleted after the plan was made' : 'it is already deleted';
  return access.isSame(access.expected(current), latest)
    ? undefined
    : 'it was changed after the plan was made';
}

function findProblem(
  wanted: Resource,
  written: FoundResource | undefined,
  credentials: JsonObject | undefined,
): WriteProblem | undefined {
  if (!written)
    return { result: 'failed', message: 'the service no longer has it after the write' };
  const { resource } = written;
  const stored = credentialsOf(resource);
  const differences = [
    ...compare(resource.value, wanted.value),
    ...(credentials && stored
      ? compareCredentials(readableCredentials(credentials), stored, {}, () => undefined).readable
      : []),
  ];
  if (differences.length > 0)
    return {
      result: 'failed',
      message: `the service stored other values than were sent: ${differences.map(({ path }) => path).join(', ')}`,
    };
  return written.response.status === 'ERROR'
    ? { result: 'failed', message: 'the service reports errors in the workflow' }
    : undefined;
}

// The folder of a push among the runs: a backup of what is overwritten or deleted, and a journal for `svc runs`.

/** Creates the folder. The backup is on disk before the first write. */
async function openRunFolder(
  context: Context,
  { command, run }: Push,
  items: readonly PlannedItem[],
  mode: Mode,
) {
  const { host } = context;
  const store = openRunStore(host);
  const runId = createRunId(context);
  const folder = store.runFolder(runId);
  const target = await createRunTarget(context, runId);
  const lock = store.hold(runId);
  store.create({
    runId,
    command,
    ...run,
    ...target,
    idScope: runId,
    file: null,
    rejects: path.join(folder, 'rejects'),
    startedAt: new Date(host.clock.now()).toISOString(),
    version: host.version,
  });
  const backup = path.join(folder, 'backup');
  const overwritten = items.flatMap(({ current }) => (current ? [current.resource] : []));
  const files = openSafeFolder(backup, folder, backup);
  const texts =
    command === 'environments push'
      ? toEnvironmentFiles(overwritten, mode)
      : overwritten.filter(isDefinition).flatMap((resource) => toFiles(resource, mode));
  for (const { path: name, text } of texts) files.write(name, text);
  const ledger = openLedger(ledgerFile(folder));
  const stats = createStats({ successStates: ['created', 'updated'], ticks: host.clock.ticks });
  return {
    /** The folder with the previous versions, in the format of the files that are pushed; undefined if there are none. */
    backup: overwritten.length > 0 ? backup : undefined,
    /** Records the outcome of one item. */
    record: (outcome: keyof Counts) => {
      stats.addBatch();
      stats.addRequest(1);
      const counts = { [outcome]: 1 };
      stats.addOutcomes(counts);
      const row = stats.rows();
      ledger.append({ done: [row, row], counts, rejects: 0, wire: stats.totals() });
    },
    /** Ends the run; without this it counts as stopped. */
    finish: () => {
      const details = { runId, rejectsFiles: [], resumed: false, stopped: null };
      ledger.append({ end: createSummary(stats, details) });
    },
    close: () => {
      ledger.close();
      lock.release();
    },
  };
}

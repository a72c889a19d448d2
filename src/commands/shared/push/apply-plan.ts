// Carries out a plan, one resource after another. Stops at the first failure, and after the current one on Ctrl-C.

import type { Context } from '../../../app/context.ts';
import { type ExitReason, SvcError } from '../../../core/errors.ts';
import type { JsonObject } from '../../../core/objects.ts';
import { joinSentences } from '../../../core/text.ts';
import { isReference } from '../../../environment-files/credentials.ts';
import { mask } from '../../../service/secret-fields.ts';
import type { FoundResource, RemoteReader } from '../remote-workflows.ts';
import { issueRows } from '../workflow-issues.ts';
import type { Access } from './access.ts';
import type { PlannedItem, Push, Stop, WriteResult, Written } from './push-types.ts';
import { openRunFolder } from './run-folder.ts';
import { watchWrites, writeItem } from './write-item.ts';

export interface Applied {
  results: WriteResult[];
  stop: Stop | undefined;
  /** The folder with the previous versions. */
  backup: string | undefined;
}

interface Writing {
  items: readonly PlannedItem[];
  reader: RemoteReader;
  access: Access;
  /** The credentials to send, by the id of the integration. */
  credentials: ReadonlyMap<string, JsonObject>;
}

export async function applyPlan(
  context: Context,
  push: Push,
  { items, reader, access, credentials }: Writing,
): Promise<Applied> {
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
      const own = item.kind === 'integration' ? credentials.get(item.id) : undefined;
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
          message: errorText(error, item, own),
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

export const emptyResult = ({ kind, id }: Pick<PlannedItem, 'kind' | 'id'>): WriteResult => ({
  kind,
  id,
  result: 'written',
  status: null,
  issues: [],
});

function reportedState(written: FoundResource | undefined): Partial<WriteResult> {
  if (written?.resource.kind !== 'workflow') return {};
  const { status, steps } = written.given;
  return {
    status: String(status),
    issues: ((steps ?? []) as Parameters<typeof issueRows>[0][]).flatMap(issueRows),
  };
}

/** Without the values of variables, which a response may repeat. */
function errorText(
  { message, details: { fieldErrors = [] } }: SvcError,
  { wanted }: PlannedItem,
  sent: JsonObject = {},
): string {
  const fields = fieldErrors.map(({ field, message: text }) =>
    field ? `${field}: ${text}` : text,
  );
  const text = fields.length === 0 ? message : joinSentences([message, ...fields]);
  const given = wanted?.kind === 'integration' ? wanted.credentials : undefined;
  return Object.entries(given ?? {}).reduce(
    (shown, [name, value]) =>
      isReference(value) && sent[name] ? shown.replaceAll(String(sent[name]), mask) : shown,
    text,
  );
}

// Writes one resource of a plan: reads it again, refuses to overwrite a change that the plan does not know, writes, and
// reads back what the service stored.

import type { Client } from '../../../api/client.ts';
import { SvcError } from '../../../core/errors.ts';
import type { JsonObject } from '../../../core/objects.ts';
import { compare, isSame } from '../../../diff/compare.ts';
import { compareCredentials, readableCredentials } from '../../../environment-files/credentials.ts';
import type { Resource } from '../../../environment-files/resource.ts';
import type { FoundResource } from '../remote-workflows.ts';
import type { KindAccess } from './kind-access.ts';
import type { PlannedItem, Written } from './push-types.ts';

/** A reason not to write, or why the write is not as planned. */
export interface WriteProblem {
  result: 'skipped' | 'failed';
  message: string;
}

/** A client for writes. `onWrite` is called with whether the service has made each change. */
export const watchWrites = (client: Client, onWrite: (written: Written) => void): Client => ({
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

/** `credentials`: those to send with an integration. */
export async function writeItem(
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
  // A write before this one may have had this effect.
  if (latest && !credentials && isSame(latest.resource.value, wanted.value))
    return { problem: undefined, written: latest };
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
  const stored = resource.kind === 'integration' ? resource.credentials : undefined;
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
  return written.given.status === 'ERROR'
    ? { result: 'failed', message: 'the service reports errors in the workflow' }
    : undefined;
}

// A workflow that does not exist: the error gains the identifiers there are, so that the nearest can be offered.
import type { Context } from '../../context.ts';
import { SvcError } from '../../errors.ts';

/** Runs a call on a workflow; when it is missing, looks up those there are. */
export async function orNearest<T>(
  context: Context,
  workflowId: string,
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const missing =
      error instanceof SvcError && error.facts.status === 404 && error.ending === 'notFound';
    if (!missing) throw error;
    const among = await workflowIds(context).catch(() => []);
    throw new SvcError('notFound', `There is no workflow \`${workflowId}\`.`, {
      ...error.facts,
      meant: { typed: workflowId, among },
      next: ['svc workflows list'],
    });
  }
}

async function workflowIds(context: Context): Promise<string[]> {
  const ids: string[] = [];
  for await (const { items } of context.pages('listWorkflows', {}, { limit: 200 })) {
    ids.push(...items.map(({ workflowId }) => workflowId));
  }
  return ids;
}

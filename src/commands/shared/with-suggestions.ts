// A topic or workflow that does not exist: the error gains those there are, so that the nearest can be offered.
import type { Context } from '../../app/context.ts';
import { SvcError } from '../../core/errors.ts';

/** As many of the newest as are enough to catch a slip. */
const enough = { limit: 200 };

/** Runs a call on a topic; when the topic is missing, looks up those there are. */
export const withTopicSuggestions = <T>(
  context: Context,
  topicKey: string,
  call: () => Promise<T>,
) =>
  orNearest(call, `topic \`${topicKey}\``, topicKey, 'svc topics list', async () => {
    const keys: string[] = [];
    for await (const { items } of context.pages('listTopics', {}, enough))
      keys.push(...items.map(({ key }) => key));
    return keys;
  });

/** Runs a call on a workflow; when the workflow is missing, looks up those there are. */
export const withWorkflowSuggestions = <T>(context: Context, id: string, call: () => Promise<T>) =>
  orNearest(call, `workflow \`${id}\``, id, 'svc workflows list', async () => {
    const ids: string[] = [];
    for await (const { items } of context.pages('listWorkflows', {}, enough))
      ids.push(...items.map(({ workflowId }) => workflowId));
    return ids;
  });

async function orNearest<T>(
  call: () => Promise<T>,
  what: string,
  typed: string,
  next: string,
  lookUp: () => Promise<string[]>,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const isMissing =
      error instanceof SvcError && error.details.status === 404 && error.exitReason === 'notFound';
    if (!isMissing) throw error;
    const among = await lookUp().catch(() => []);
    throw new SvcError('notFound', `There is no ${what}.`, {
      ...error.details,
      suggestion: { input: typed, candidates: among },
      next: [next],
    });
  }
}

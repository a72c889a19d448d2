// Adds existing topics, workflows or layouts to a not-found error, so that the closest one can be suggested.
import type { Context } from '../../app/context.ts';
import { collectItems } from '../../core/async.ts';
import { isMissing, SvcError } from '../../core/errors.ts';

/** The newest items are enough to find a typo. */
const candidateRange = { limit: 200 };

/** Runs a call for a topic. If the topic does not exist, looks up candidates for a suggestion. */
export const withTopicSuggestions = <T>(
  context: Context,
  topicKey: string,
  call: () => Promise<T>,
) =>
  withSuggestion(call, `Topic \`${topicKey}\``, topicKey, 'svc topics list', async () => {
    const topics = await collectItems(context.pages('listTopics', {}, candidateRange));
    return topics.map(({ key }) => key);
  });

export async function readTopic(context: Context, topicKey: string) {
  const client = await context.client();
  return withTopicSuggestions(context, topicKey, () =>
    client.call('getTopic', { path: { topicKey } }),
  );
}

export async function readWorkflow(context: Context, workflowId: string) {
  const client = await context.client();
  return withWorkflowSuggestions(context, workflowId, () =>
    client.call('getWorkflow', { path: { workflowId } }),
  );
}

/** Runs a call for a workflow. If the workflow does not exist, looks up candidates for a suggestion. */
export const withWorkflowSuggestions = <T>(context: Context, id: string, call: () => Promise<T>) =>
  withSuggestion(call, `Workflow \`${id}\``, id, 'svc workflows list', async () => {
    const workflows = await collectItems(context.pages('listWorkflows', {}, candidateRange));
    return workflows.map(({ workflowId }) => workflowId);
  });

/** Runs a call for a layout. If the layout does not exist, looks up candidates for a suggestion. */
export const withLayoutSuggestions = <T>(context: Context, id: string, call: () => Promise<T>) =>
  withSuggestion(call, `Layout \`${id}\``, id, 'svc layouts list', async () => {
    const layouts = await collectItems(context.pages('listLayouts', {}, candidateRange));
    return layouts.map(({ layoutId }) => layoutId);
  });

async function withSuggestion<T>(
  call: () => Promise<T>,
  target: string,
  input: string,
  listCommand: string,
  findCandidates: () => Promise<string[]>,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof SvcError) || !isMissing(error) || error.details.status !== 404)
      throw error;
    const candidates = await findCandidates().catch(() => []);
    throw error.with({
      message: `${target} does not exist.`,
      suggestion: { input, candidates },
      next: [listCommand],
    });
  }
}

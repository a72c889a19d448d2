// Resources of the service that may not exist: errors for them suggest the existing ones, so that a typo is found.
import type { Context } from '../../app/context.ts';
import { collectItems } from '../../core/async.ts';
import { isMissing, SvcError } from '../../core/errors.ts';
import type { ListingId } from '../../service/operations/index.ts';

/** How the resources of each kind are listed, and which member is the id. */
const listings = {
  topic: ['listTopics', 'key'],
  workflow: ['listWorkflows', 'workflowId'],
  layout: ['listLayouts', 'layoutId'],
} as const satisfies Record<string, readonly [ListingId, string]>;

type Kind = keyof typeof listings;

/** The ids of the newest resources, which are enough to find a typo. */
export async function newestIds(context: Context, kind: Kind): Promise<string[]> {
  const [listing, field] = listings[kind];
  const items = await collectItems<object>(context.pages(listing, {}, { limit: 200 }));
  return items.map((item) => String(Reflect.get(item, field)));
}

/** Runs a call for a resource. If the resource does not exist, the error has candidates for a suggestion. */
export const withSuggestions = <T>(
  context: Context,
  kind: Kind,
  id: string,
  call: () => Promise<T>,
): Promise<T> =>
  call().catch(async (error: unknown) => {
    throw error instanceof SvcError ? await withCandidates(context, kind, id, error) : error;
  });

/** The error of a request for a resource, with candidates for a suggestion if the resource does not exist. */
export async function withCandidates(
  context: Context,
  kind: Kind,
  id: string,
  error: SvcError,
): Promise<SvcError> {
  if (!isMissing(error) || error.details.status !== 404) return error;
  return error.with({
    message: `${kind.charAt(0).toUpperCase()}${kind.slice(1)} \`${id}\` does not exist.`,
    suggestion: { input: id, candidates: await newestIds(context, kind).catch(() => []) },
    next: [`svc ${kind}s list`],
  });
}

export async function readTopic(context: Context, topicKey: string) {
  const { call } = await context.client();
  return withSuggestions(context, 'topic', topicKey, () =>
    call('getTopic', { path: { topicKey } }),
  );
}

export async function readWorkflow(context: Context, workflowId: string) {
  const { call } = await context.client();
  return withSuggestions(context, 'workflow', workflowId, () =>
    call('getWorkflow', { path: { workflowId } }),
  );
}

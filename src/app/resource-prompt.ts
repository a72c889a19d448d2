// Prompts for a missing identifier with a searchable list of existing resources. Loaded only when it asks.
import type { CandidateKind } from '../cli/command.ts';
import { SvcError } from '../core/errors.ts';
import type { Choice } from '../input/prompts.ts';
import { safeText } from '../output/safe-text.ts';
import type { Context } from './context.ts';

type CandidateSearch = (typed: string) => Promise<readonly Choice[]>;

const maxCandidates = 50;

/** How to search for resources of each kind. The second parameter holds the arguments given so far. */
const sources: Partial<
  Record<CandidateKind, (context: Context, before: Record<string, unknown>) => CandidateSearch>
> = {
  topics: (context) => async (key) =>
    collectCandidates(
      context.pages('listTopics', { query: key ? { key } : {} }, { limit: maxCandidates }),
      (topic) => ({
        value: topic.key,
        name: labelOf(topic.key, topic.name),
      }),
    ),
  workflows: (context) => async (query) =>
    collectCandidates(
      context.pages('listWorkflows', { query: query ? { query } : {} }, { limit: maxCandidates }),
      ({ workflowId, name, status }) => ({
        value: workflowId,
        name: labelOf(workflowId, name),
        description: status,
      }),
    ),
  contexts: (context) => async (search) =>
    collectCandidates(
      context.pages('listContexts', { query: search ? { search } : {} }, { limit: maxCandidates }),
      ({ type, id }) => ({ value: `${type}:${id}` }),
    ),
  steps: (context, { workflowId }) =>
    searchLoaded(async () => {
      const client = await context.client();
      const { steps } = await client.call('getWorkflow', {
        path: { workflowId: String(workflowId) },
      });
      return steps.map(({ stepId, name, type }) => ({
        value: stepId,
        name: labelOf(stepId, name),
        description: type,
      }));
    }),
  profiles: (context) =>
    searchLoaded(async () =>
      Object.entries(context.configuration.read().profiles).map(([value, { baseUrl }]) => ({
        value,
        description: baseUrl,
      })),
    ),
};

const labels: Partial<Record<CandidateKind, string>> = {
  topics: 'Topic',
  workflows: 'Workflow',
  contexts: 'Context',
  steps: 'Step',
  profiles: 'Profile',
};

export const canPick = (kind: CandidateKind | undefined) => kind !== undefined && kind in sources;

/** Asks for one resource. Throws a notFound error if none exist. */
export async function pick(
  context: Context,
  kind: CandidateKind,
  knownArguments: Record<string, unknown>,
): Promise<string> {
  const find = sources[kind]?.(context, knownArguments);
  if (!find) throw new Error(`cannot list ${kind}`);
  if ((await find('')).length === 0) {
    throw new SvcError('notFound', `There are no ${kind} to choose from.`);
  }
  return context.prompter().pick(`${labels[kind]}:`, find);
}

async function collectCandidates<T>(
  pages: AsyncIterable<{ items: readonly T[] }>,
  toCandidate: (item: T) => Choice,
): Promise<Choice[]> {
  const found: Choice[] = [];
  for await (const { items } of pages) found.push(...items.map(toCandidate));
  return found.map(sanitized);
}

/** Loads the whole list once and filters it by the entered text. */
function searchLoaded(load: () => Promise<Choice[]>): CandidateSearch {
  let loaded: Promise<Choice[]> | undefined;
  return async (entered) => {
    loaded ??= load();
    const wanted = entered.toLowerCase();
    const all = await loaded;
    return all
      .filter(({ value, name = '' }) => `${value} ${name}`.toLowerCase().includes(wanted))
      .map(sanitized);
  };
}

const labelOf = (id: string, name: string | undefined) =>
  name === undefined || name === id ? id : `${id}  ${name}`;

/** Names come from the service, so they are made safe for the terminal. */
const sanitized = ({ value, name = value, description }: Choice): Choice => ({
  value,
  name: safeText(name),
  ...(description === undefined ? {} : { description: safeText(description) }),
});

// Missing identifiers: what a person left out is picked from what there is. Loaded only when somebody is asked.
import type { CandidateKind } from '../cli/command.ts';
import { SvcError } from '../core/errors.ts';
import type { Candidate } from '../input/prompts.ts';
import { safeText } from '../output/safe-text.ts';
import type { Context } from './context.ts';

type CandidateSearch = (typed: string) => Promise<readonly Candidate[]>;

const maxCandidates = 50;

/** Where candidates of a kind come from. `before` holds the arguments that are known already. */
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

/** Asks which one is meant. Ends with notFound when there is none to choose from. */
export async function pick(
  context: Context,
  kind: CandidateKind,
  before: Record<string, unknown>,
): Promise<string> {
  const find = sources[kind]?.(context, before);
  if (!find) throw new Error(`there is no list of ${kind}`);
  if ((await find('')).length === 0) {
    throw new SvcError('notFound', `There are no ${kind} to choose from.`);
  }
  return context.prompter().pick(`${labels[kind]}:`, find);
}

async function collectCandidates<T>(
  pages: AsyncIterable<{ items: readonly T[] }>,
  candidate: (item: T) => Candidate,
): Promise<Candidate[]> {
  const found: Candidate[] = [];
  for await (const { items } of pages) found.push(...items.map(candidate));
  return found.map(sanitized);
}

/** Candidates that come as one list are searched here. */
function searchLoaded(load: () => Promise<Candidate[]>): CandidateSearch {
  let loaded: Promise<Candidate[]> | undefined;
  return async (typed) => {
    loaded ??= load();
    const wanted = typed.toLowerCase();
    const all = await loaded;
    return all
      .filter(({ value, name = '' }) => `${value} ${name}`.toLowerCase().includes(wanted))
      .map(sanitized);
  };
}

const labelOf = (id: string, name: string | undefined) =>
  name === undefined || name === id ? id : `${id}  ${name}`;

/** Names come from the service; on the screen they are text and nothing else. */
const sanitized = ({ value, name = value, description }: Candidate): Candidate => ({
  value,
  name: safeText(name),
  ...(description === undefined ? {} : { description: safeText(description) }),
});

// Prompts for a missing identifier with a searchable list of existing resources. Loaded on demand.
import type { CandidateKind } from '../cli/command.ts';
import { collectItems } from '../core/async.ts';
import { SvcError, usageError } from '../core/errors.ts';
import type { Choice } from '../input/prompts.ts';
import { safeText } from '../output/safe-text.ts';
import type { Context } from './context.ts';

type CandidateSearch = (searchText: string) => Promise<readonly Choice[]>;

const maxCandidates = 50;

/** Creates the search for each kind of resource. */
const searchers: Partial<
  Record<
    CandidateKind,
    (context: Context, knownArguments: Record<string, unknown>) => CandidateSearch
  >
> = {
  topics: (context) => async (key) =>
    collectCandidates(
      context.pages('listTopics', { query: key ? { key } : {} }, { limit: maxCandidates }),
      (topic) => ({ value: topic.key, name: choiceLabel(topic.key, topic.name) }),
    ),
  workflows: (context) => async (query) =>
    collectCandidates(
      context.pages('listWorkflows', { query: query ? { query } : {} }, { limit: maxCandidates }),
      ({ workflowId, name, status }) => ({
        value: workflowId,
        name: choiceLabel(workflowId, name),
        description: status,
      }),
    ),
  layouts: (context) => async (query) =>
    collectCandidates(
      context.pages('listLayouts', { query: query ? { query } : {} }, { limit: maxCandidates }),
      ({ layoutId, name }) => ({ value: layoutId, name: choiceLabel(layoutId, name) }),
    ),
  contexts: (context) => async (search) =>
    collectCandidates(
      context.pages('listContexts', { query: search ? { search } : {} }, { limit: maxCandidates }),
      ({ type, id }) => ({ value: `${type}:${id}` }),
    ),
  steps: (context, { workflowId }) =>
    searchLoaded(async () => {
      const { steps } = await context.call('getWorkflow', {
        path: { workflowId: String(workflowId) },
      });
      return steps.map(({ stepId, name, type }) => ({
        value: stepId,
        name: choiceLabel(stepId, name),
        description: type,
      }));
    }),
  subscribers: (context) => async (subscriberId) =>
    collectCandidates(
      context.pages(
        'listSubscribers',
        { query: subscriberId ? { subscriberId } : {} },
        { limit: maxCandidates },
      ),
      ({ subscriberId, email }) => ({
        value: subscriberId,
        name: choiceLabel(subscriberId, email ?? undefined),
      }),
    ),
  integrations: (context) =>
    searchLoaded(async () => {
      return (await context.call('listIntegrations', {})).map(
        ({ _id = '', identifier, providerId }) => ({
          value: _id,
          name: choiceLabel(_id, identifier),
          description: providerId,
        }),
      );
    }),
  variables: (context) =>
    searchLoaded(async () => {
      const variables = await context.call('listEnvironmentVariables', {});
      return variables.map(({ key, isSecret }) => ({
        value: key,
        ...(isSecret ? { description: 'secret' } : {}),
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
  layouts: 'Layout',
  contexts: 'Context',
  steps: 'Step',
  subscribers: 'Subscriber',
  integrations: 'Integration',
  variables: 'Variable',
  profiles: 'Profile',
};

export const canPromptFor = (kind: CandidateKind | undefined) =>
  kind !== undefined && kind in searchers;

/** Asks for one resource. Throws a notFound error if there are none, a usage error if the server cannot list them. */
export async function promptForResource(
  context: Context,
  kind: CandidateKind,
  knownArguments: Record<string, unknown>,
  label = labels[kind],
): Promise<string> {
  const search = searchers[kind]?.(context, knownArguments);
  if (!search) throw new Error(`cannot list ${kind}`);
  const first = await search('').catch((error: unknown) => {
    const cannotList = error instanceof SvcError && error.details.notOffered;
    if (!cannotList) throw error;
    throw usageError(`The ${labels[kind]?.toLowerCase()} is missing.`, {
      hint: `This server does not list ${kind}, so svc cannot offer a choice.`,
    });
  });
  if (first.length === 0) {
    throw new SvcError('notFound', `There are no ${kind} to choose from.`);
  }
  return context.prompt.pick(`${label}:`, async (text) => prefixesFirst(await search(text), text));
}

/** Puts what begins with the text before what only contains it, so that Enter selects the id that is typed. */
function prefixesFirst(choices: readonly Choice[], text: string): Choice[] {
  const isOther = ({ value }: Choice) => !value.toLowerCase().startsWith(text.toLowerCase());
  return [...choices].sort((a, b) => Number(isOther(a)) - Number(isOther(b)));
}

async function collectCandidates<T>(
  pages: AsyncIterable<{ items: readonly T[] }>,
  toCandidate: (item: T) => Choice,
): Promise<Choice[]> {
  return (await collectItems(pages)).map((item) => sanitize(toCandidate(item)));
}

/** Loads the whole list once and filters it by the search text. */
function searchLoaded(load: () => Promise<Choice[]>): CandidateSearch {
  let loaded: Promise<Choice[]> | undefined;
  return async (searchText) => {
    loaded ??= load();
    const lowerCaseText = searchText.toLowerCase();
    const choices = await loaded;
    return choices
      .filter(({ value, name = '' }) => `${value} ${name}`.toLowerCase().includes(lowerCaseText))
      .map(sanitize);
  };
}

const choiceLabel = (id: string, name: string | undefined) =>
  name === undefined || name === id ? id : `${id}  ${name}`;

/** Makes the texts safe for the terminal, because they come from the service. */
const sanitize = ({ value, name = value, description }: Choice): Choice => ({
  value,
  name: safeText(name),
  ...(description === undefined ? {} : { description: safeText(description) }),
});

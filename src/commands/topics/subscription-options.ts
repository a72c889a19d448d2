// Options of `svc topics subscribe` and `svc topics subscriptions update` for subscriptions with identifiers, which
// servers have since 3.12, and the responses.
import type { SubscriptionRow } from '../../bulk/operations/subscriptions.ts';
import type { Values } from '../../cli/command.ts';
import { id, json, several, text } from '../../cli/options.ts';
import { type SvcError, usageError } from '../../core/errors.ts';
import { readJsonObject, type WorkingFolder } from '../../input/values.ts';
import type { SubscribeResponse, SubscriptionChoice } from '../../service/schemas/topics.ts';

/** The name and the choice of workflows. */
export const contentOptions = (
  details: { group?: string; conflicts?: readonly string[] } = {},
) => ({
  name: text('--name <text>', 'Name of the subscription', details),
  workflow: several(
    '--workflow <id>',
    'Get the events of this workflow; <id>=off: do not get them',
    { ...details, complete: 'workflows' },
  ),
  condition: json(
    '--condition <json|@file>',
    'JSON logic that decides for each event whether the workflows are run',
    details,
  ),
});

/** A file has these in its columns. */
const details = { group: 'Subscriptions with identifiers', conflicts: ['file'] };

export const subscriptionOptions = {
  identifier: id(
    '--identifier <id>',
    'Identifier of the subscription, for one subscriber',
    details,
  ),
  ...contentOptions(details),
};

type SubscriptionOptions = Partial<Values<typeof subscriptionOptions>>;

/** Reads the subscription of each subscriber; undefined for plain ids, which every version of the service understands. */
export async function readSubscription(
  { identifier, name, ...choices }: SubscriptionOptions,
  subscriberIds: readonly string[],
  folder: WorkingFolder,
): Promise<SubscriptionRow | undefined> {
  if (identifier !== undefined && subscriberIds.length > 1)
    throw usageError(
      `--identifier names one subscription, but ${subscriberIds.length} subscribers are given.`,
    );
  const preferences = await readChoices(choices, folder);
  if (identifier === undefined && name === undefined && preferences.length === 0) return undefined;
  return {
    ...(identifier === undefined ? {} : { identifier }),
    ...(name === undefined ? {} : { name }),
    shared: preferences.length > 0 ? { preferences } : {},
  };
}

export async function readChoices(
  { workflow: workflows = [], condition: conditionText }: SubscriptionOptions,
  folder: WorkingFolder,
): Promise<SubscriptionChoice[]> {
  if (conditionText !== undefined && workflows.length === 0)
    throw usageError(
      '--condition needs --workflow <id>: it decides about the events of workflows.',
    );
  const condition =
    conditionText === undefined
      ? undefined
      : await readJsonObject(conditionText, '--condition', folder);
  const choices = workflows.map((workflow) => toChoice(workflow, condition));
  const ids = choices.map(({ workflowId }) => workflowId);
  const repeated = ids.find((workflowId, index) => ids.indexOf(workflowId) !== index);
  if (repeated !== undefined) throw usageError(`--workflow names \`${repeated}\` twice.`);
  return choices;
}

function toChoice(text: string, condition?: Record<string, unknown>): SubscriptionChoice {
  const [, workflowId = '', word] = /^(.*?)(?:=(\w+))?$/.exec(text) ?? [];
  if (workflowId === '' || (word !== undefined && word !== 'on' && word !== 'off'))
    throw usageError(`--workflow: \`${text}\` must be a workflow, or a workflow and =off.`);
  return { workflowId, enabled: word !== 'off', ...(condition ? { condition } : {}) };
}

/** The workflows whose choice the service did not store, because it does not know them. */
export function lostWorkflows(
  choices: readonly SubscriptionChoice[] = [],
  data: SubscribeResponse['data'],
): string[] {
  const isStored = (workflowId: string) =>
    data.every((subscription) =>
      subscription.preferences?.some(({ workflow }) => workflow?.identifier === workflowId),
    );
  return choices.map(({ workflowId }) => workflowId).filter((id) => !isStored(id));
}

export const lostChoiceLine = (workflowId: string) =>
  `  ${workflowId}: the choice was not stored: the workflow does not exist`;

/** The responses as one. */
export function joined(responses: readonly SubscribeResponse[]): SubscribeResponse {
  const [only] = responses;
  if (responses.length === 1 && only) return only;
  const sum = (name: keyof SubscribeResponse['meta']) =>
    responses.reduce((total, { meta }) => total + Number(meta[name]), 0);
  return {
    data: responses.flatMap(({ data }) => data),
    meta: { totalCount: sum('totalCount'), successful: sum('successful'), failed: sum('failed') },
    errors: responses.flatMap(({ errors = [] }) => errors),
  };
}

/** Says which version has subscriptions, if a server that ignores them misses the ids. Returns other errors as they are. */
export function olderServer(error: SvcError, needsSubscriptions: boolean): SvcError {
  const isOlder =
    needsSubscriptions &&
    error.details.status === 422 &&
    error.details.fieldErrors?.some(({ message }) => message.startsWith('subscriberIds '));
  if (!isOlder) return error;
  const message =
    'This server does not have subscriptions with identifiers, names or workflows: it needs version 3.12.';
  return error.with({ message, fieldErrors: [] });
}

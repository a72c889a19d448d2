// `svc topics subscriptions get` and `update`: one subscription by its identifier, on servers since 3.12.
import type { Context } from '../../app/context.ts';
import { command, type Group } from '../../cli/command.ts';
import { flag, required } from '../../cli/options.ts';
import { collectItems } from '../../core/async.ts';
import { ifExists, SvcError, usageError } from '../../core/errors.ts';
import { stringifyExact } from '../../core/lossless-json.ts';
import { counted, listText, shellWord } from '../../core/text.ts';
import type { Column } from '../../output/result.ts';
import * as result from '../../output/result.ts';
import type { SubscriptionDetails } from '../../service/schemas/topics.ts';
import { choicesOf } from '../../state-files/subscriptions.ts';
import { topicArgument } from '../shared/arguments.ts';
import { withSuggestions } from '../shared/missing-resources.ts';
import {
  contentOptions,
  lostChoiceLine,
  lostWorkflows,
  readChoices,
} from './subscription-options.ts';

type Details = NonNullable<SubscriptionDetails>;

const args = {
  topicKey: topicArgument,
  identifier: required(
    '<subscription-id>',
    'Identifier of the subscription, as `svc topics subscribers --json` lists it',
    { value: 'id' },
  ),
};

/** `welcome, digest (off), news (if {"===":[…]})` */
const choicesText = ({ preferences }: Pick<Details, 'preferences'>) =>
  choicesOf(preferences)
    .map(({ workflowId, enabled, condition }) => {
      const notes = [
        ...(enabled === false ? ['off'] : []),
        ...(condition !== undefined && condition !== null
          ? [`if ${stringifyExact(condition)}`]
          : []),
      ];
      return notes.length === 0 ? workflowId : `${workflowId} (${notes.join(', ')})`;
    })
    .join(', ');

const columns: readonly Column<Details>[] = [
  { field: 'identifier', header: 'IDENTIFIER', tone: () => 'strong' },
  { field: 'name', header: 'NAME' },
  { field: 'preferences', header: 'WORKFLOWS', tableText: choicesText },
  { field: 'contextKeys', header: 'CONTEXTS' },
];

const get = command({
  summary: 'Show a subscription with its name and its choice of workflows',
  arguments: args,
  output: 'The subscription: {id, identifier, name, preferences, contextKeys}.',
  examples: {
    'svc topics subscriptions get announcements tk_announcements:si_u1':
      'Show the subscription that has no identifier of its own',
    'svc topics subscriptions get announcements u1-premium --jq .preferences':
      'Print only the choice of workflows',
  },
  operations: ['getTopicSubscription', 'listTopicSubscriptions', 'listTopics'],
  exitCodes: ['notFound'],
  writes: false,
  tool: 'rare',
  async run(context, { args: { topicKey, identifier } }) {
    const value = await readSubscription(context, topicKey, identifier);
    return result.one({ value, fields: columns, id: () => identifier });
  },
});

const options = {
  ...contentOptions(),
  clearWorkflows: flag(
    '--clear-workflows',
    'Remove all choices, except those of --workflow: the events of all other workflows arrive',
  ),
};

const update = command({
  summary: 'Change the name of a subscription and its choice of workflows',
  details:
    '--workflow changes the choice for one workflow and keeps the others. A new choice without --condition has no condition.',
  arguments: args,
  options,
  output: 'The changed subscription.',
  exitCodes: ['partial', 'notFound'],
  examples: {
    'svc topics subscriptions update announcements u1-premium --name Premium': 'Change the name',
    'svc topics subscriptions update announcements u1-premium --workflow comment-digest=off':
      'Stop the events of one workflow',
    'svc topics subscriptions update announcements u1-premium --clear-workflows':
      'Get the events of all workflows again',
  },
  operations: [
    'updateTopicSubscription',
    'getTopicSubscription',
    'listTopicSubscriptions',
    'listTopics',
  ],
  writes: true,
  async run(
    context,
    { args: { topicKey, identifier }, options: { name, clearWorkflows, ...rest } },
  ) {
    const changed = await readChoices(rest, context.host);
    const changesChoices = clearWorkflows === true || changed.length > 0;
    if (name === undefined && !changesChoices)
      throw usageError('Nothing to change is given.', {
        hint: 'Give --name, --workflow or --clear-workflows.',
      });
    const { preferences: before } = await readSubscription(context, topicKey, identifier);
    const kept = clearWorkflows
      ? []
      : choicesOf(before).filter(
          ({ workflowId }) => !changed.some((choice) => choice.workflowId === workflowId),
        );
    const value = await context.call('updateTopicSubscription', {
      path: { topicKey, identifier },
      body: {
        ...(name === undefined ? {} : { name }),
        ...(changesChoices ? { preferences: [...kept, ...changed] } : {}),
      },
    });
    const lost = lostWorkflows(changed, [value]);
    const choices = choicesText(value);
    return result.report({
      value,
      headline: `Updated subscription ${identifier} of ${topicKey}`,
      lines: [
        ...lost.map(lostChoiceLine),
        ...(changesChoices ? [`Workflows: ${choices === '' ? 'all' : choices}`] : []),
      ],
      ids: [identifier],
      end: result.exit(lost.length > 0 ? 'partial' : 'ok'),
    });
  },
});

export const group: Group = {
  summary: 'Show and change one subscription, which has an identifier since server 3.12',
  details:
    'A subscriber can have several subscriptions in a topic, each with its own choice of workflows. `svc topics subscribers` lists them, `svc topics subscribe --identifier` creates one, and `svc topics unsubscribe --identifier` removes one.',
  commands: { get, update },
};

/** The service returns nothing for an unknown identifier. Throws an error with similar ones. */
async function readSubscription(
  context: Context,
  topicKey: string,
  identifier: string,
): Promise<Details> {
  const client = await context.client();
  const found = await ifExists(
    client.call('getTopicSubscription', { path: { topicKey, identifier } }),
  );
  if (found) return found;
  const pages = context.pages('listTopicSubscriptions', { path: { topicKey } }, { limit: 200 });
  const all = await withSuggestions(context, 'topic', topicKey, () => collectItems(pages));
  const identifiersOf = (items: typeof all) => items.flatMap((item) => item.identifier ?? []);
  const own = identifiersOf(all.filter(({ subscriber }) => subscriber.subscriberId === identifier));
  throw new SvcError('notFound', `Topic ${topicKey} has no subscription \`${identifier}\`.`, {
    ...(own.length > 0
      ? {
          hint: `The subscriber ${identifier} has ${counted(own.length, 'subscription')}: ${listText(own)}.`,
        }
      : { suggestion: { input: identifier, candidates: identifiersOf(all) } }),
    next: [`svc topics subscribers ${shellWord(topicKey)} --json`],
  });
}

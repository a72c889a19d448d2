// `svc events trigger`
import { command, type Values } from '../../cli/command.ts';
import { required, several, text } from '../../cli/options.ts';
import type { Context } from '../../context.ts';
import { type Ending, usageError } from '../../errors.ts';
import { readFields } from '../../input/assignments.ts';
import { readJsonObject } from '../../input/values.ts';
import * as result from '../../output/result.ts';

const recipients = 'Recipients';
const content = 'Content';
const mostRecipients = 100;

const options = {
  to: several('--to <subscriber-id>', 'A subscriber; created when there is none', {
    group: recipients,
    complete: 'subscribers',
  }),
  toData: text('--to-data <json|@file>', 'A subscriber with fields, created or updated', {
    group: recipients,
  }),
  toTopic: several('--to-topic <topic-key>', 'All subscribers of a topic', {
    group: recipients,
    complete: 'topics',
  }),
  payload: text('--payload <json|@file>', 'What the templates are filled with', { group: content }),
  field: several('-f, --field <key=text>', 'One member of the payload; a.b=x nests', {
    group: content,
  }),
  jsonField: several('-F, --json-field <key:=json>', 'The same with a JSON value', {
    group: content,
  }),
  overrides: text('--overrides <json|@file>', 'Overrides keyed by provider', { group: content }),
  context: several('--context <type=id>', 'A context; created when there is none', {
    group: content,
    complete: 'contexts',
  }),
  actor: text('--actor <subscriber-id>', 'Who caused it; left out of topics', { group: content }),
  tenant: text('--tenant <id>', 'The tenant it belongs to', { group: content }),
  transactionId: text('--transaction-id <id>', 'Id of the transaction; one is made when absent', {
    group: content,
  }),
};

export const trigger = command({
  summary: 'Trigger a workflow for one or more recipients',
  details:
    'The service creates recipients it does not know. A transaction id is sent with every event, so that a repetition after a lost answer is dropped by the service.',
  arguments: { workflowId: required('<workflow-id>', 'Identifier of the workflow', 'workflows') },
  options,
  examples: [
    { line: 'svc events trigger welcome --to u1', means: 'One recipient' },
    {
      line: 'svc events trigger comment-digest --to u1 -f author=Bo -F post:=\'{"id":1}\'',
      means: 'With a payload',
    },
    {
      line: 'svc events trigger welcome --to-topic announcements --yes',
      means: 'Everybody subscribed to a topic',
    },
  ],
  calls: ['triggerEvents'],
  writes: true,
  async run(context, { args: { workflowId }, options: given }) {
    const to = recipientsOf(given);
    if (to.length === 0) {
      throw usageError('No recipient is named.', {
        next: [`svc events trigger ${workflowId} --to <subscriber-id>`],
      });
    }
    if (to.length > mostRecipients) {
      throw usageError(
        `${to.length} recipients are more than one event may have (${mostRecipients}).`,
      );
    }
    if (to.length > 1 || given.toTopic) {
      const topics = given.toTopic?.length ?? 0;
      const what = [
        ...(to.length > topics ? [`${to.length - topics} subscribers`] : []),
        ...(topics > 0 ? [`everybody in ${given.toTopic?.join(', ')}`] : []),
      ];
      await context.confirm(`Trigger ${workflowId} for ${what.join(' and ')}?`);
    }
    const client = await context.client();
    const event = { name: workflowId, to, ...contentOf(given, context) };
    const value = await client.call('triggerEvents', { body: { events: [event] } });
    const [answer] = value;
    const processed = answer?.status === 'processed';
    const why = answer?.error?.join('; ');
    const line = processed
      ? `Triggered ${workflowId} for ${to.length === 1 ? nameOf(to[0]) : `${to.length} recipients`}: transaction ${answer?.transactionId ?? event.transactionId}.`
      : `Not triggered: ${answer?.status ?? 'no result'}${why ? ` (${why})` : ''}.`;
    return result.report({
      value,
      lines: [line],
      ids: value.flatMap(({ transactionId }) =>
        transactionId === undefined ? [] : [transactionId],
      ),
      ...(processed ? {} : { ending: 'refused' as Ending }),
    });
  },
});

type Given = Partial<Values<typeof options>>;
type To = string | { type: 'Topic'; topicKey: string } | { subscriberId: string };

function recipientsOf({ to = [], toData, toTopic = [] }: Given): To[] {
  const subscribers = to.map((subscriberId) => ({ subscriberId }));
  const topics = toTopic.map((topicKey) => ({ type: 'Topic' as const, topicKey }));
  const described =
    toData === undefined ? [] : [readJsonObject(toData, '--to-data') as { subscriberId: string }];
  return [...subscribers, ...described, ...topics];
}

function contentOf(given: Given, { world }: Context) {
  const payload = {
    ...(given.payload === undefined ? {} : readJsonObject(given.payload, '--payload')),
    ...readFields(given.field, given.jsonField),
  };
  return {
    payload,
    transactionId: given.transactionId ?? `txn_${world.newId().replaceAll('-', '').slice(0, 24)}`,
    ...(given.overrides === undefined
      ? {}
      : { overrides: readJsonObject(given.overrides, '--overrides') }),
    ...(given.actor === undefined ? {} : { actor: given.actor }),
    ...(given.tenant === undefined ? {} : { tenant: given.tenant }),
    ...(given.context === undefined
      ? {}
      : { context: Object.fromEntries(given.context.map(contextEntry)) }),
  };
}

function contextEntry(typed: string): [string, string] {
  const found = /^([^=:]+)[=:](.+)$/.exec(typed);
  if (found?.[1] && found[2]) return [found[1], found[2]];
  throw usageError(`--context: \`${typed}\` is not of the form type=id.`);
}

const nameOf = (to: To | undefined) =>
  typeof to === 'object'
    ? 'topicKey' in to
      ? `topic ${to.topicKey}`
      : to.subscriberId
    : (to ?? '');

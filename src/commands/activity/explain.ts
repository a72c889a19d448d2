// `svc activity explain`

import type { Context } from '../../app/context.ts';
import { command } from '../../cli/command.ts';
import { optional, severalOf, text } from '../../cli/options.ts';
import { usageError } from '../../core/errors.ts';
import { chosenVerdicts, type Explanation, explainEvent } from '../../deliveries/explanation.ts';
import { neededFacts, nowEvidence, recordedValues, refineVerdict } from '../../deliveries/now.ts';
import { allChannels } from '../../service/schemas/vocabulary.ts';
import { subscriberArgument } from '../shared/arguments.ts';
import { explanationResult, readDigestEvent, readFacts } from './explain-view.ts';
import { createServiceTime, resolveTime } from './filters.ts';
import {
  type Address,
  findEvent,
  findSubscriber,
  findWorkflow,
  type Question,
  searchReasons,
} from './find-event.ts';

const maxRequests = 6;

export const explain = command({
  summary: 'Explain why a subscriber did or did not get a message',
  details: `Explains the newest event that matches. The verdict comes from the jobs and execution details of that event, which show what happened at the time. Evidence that begins with \`now:\` shows the current settings, which may have changed since. For a condition, svc also shows the values of its variables in the payload of the event.

Each step that sends a message is delivered, failed, skipped or waiting; a step merged into a digest has the verdict of that digest. Sends at most ${maxRequests} requests, plus one to find the subscriber of --email or --phone, and one to read the clock of a sandbox. If several subscribers have the address, svc lists them and exits with 2.`,
  arguments: {
    subscriberId: optional('[subscriber-id]', subscriberArgument.summary, 'subscribers'),
  },
  options: {
    email: text('--email <address>', 'The subscriber with this e-mail address'),
    phone: text('--phone <number>', 'The subscriber with this phone number'),
    phoneRegion: text(
      '--phone-region <country>',
      'The country of a phone number without a country code, such as DE',
    ),
    workflow: text('--workflow <workflow-id>', 'Only events of this workflow', {
      complete: 'workflows',
    }),
    channel: severalOf('--channel <channel>', allChannels, 'Only steps of this channel'),
    transaction: text('--transaction <id>', 'Only the event with this transaction id', {
      complete: 'transactions',
    }),
    topic: text('--topic <topic-key>', 'Only events sent through this topic', {
      complete: 'topics',
    }),
    since: text('--since <2h|ISO>', 'Only events after this time'),
  },
  output:
    'The verdict of each channel with its cause, evidence and next commands. As JSON, {transactionId, workflow, at, cause, message, channels: [{channel, verdict, cause, message, evidence, next}]}; without an event, `channels` is empty and `cause` says why. With -o ids, the transaction id.',
  fields: ['transactionId', 'workflow', 'at', 'cause', 'message', 'channels'],
  exitCodes: ['undelivered', 'notFound'],
  examples: [
    {
      line: 'svc activity explain u1 --workflow welcome',
      description: 'Explain the newest event of a workflow for a subscriber',
    },
    {
      line: 'svc activity explain u1 --channel email --jq .cause',
      description: 'Print why the newest e-mail did not arrive; null if it did',
    },
    {
      line: 'svc activity explain --email ada@example.com --workflow welcome',
      description: 'The subscriber with an e-mail address',
    },
  ],
  operations: [
    'listActivity',
    'listSubscribers',
    'getWorkflow',
    'listWorkflows',
    'getSubscriberPreferences',
    'listInboxNotifications',
    'getTopic',
    'listTopics',
    'listTopicSubscriptions',
    'listIntegrations',
    'getSubscriber',
  ],
  skipsMissingOperations: true,
  writes: false,
  tool: 'read',
  async run(context, { args, options }) {
    const { workflow, channel, transaction, topic, since, email, phone, phoneRegion } = options;
    const { explanation, next } = await answer(context, {
      subscriberId: await readSubscriberId(context, args.subscriberId, {
        email,
        phone,
        phoneRegion,
      }),
      workflowId: workflow,
      channels: channel,
      transactionId: transaction,
      topicKey: topic,
      after: await resolveTime(since, '--since', createServiceTime(context)),
    });
    const completed = (lines: readonly string[]) =>
      lines.map((line) => context.followUps.line(line));
    const channels = explanation.channels.map((channel) => ({
      ...channel,
      next: completed(channel.next),
    }));
    return explanationResult({ explanation: { ...explanation, channels }, next: completed(next) });
  },
});

async function readSubscriberId(
  context: Context,
  subscriberId: string | undefined,
  address: Address,
): Promise<string> {
  if (address.phone === undefined && address.phoneRegion !== undefined)
    throw usageError('--phone-region is only for --phone.');
  const hasAddress = address.email !== undefined || address.phone !== undefined;
  if (!hasAddress && subscriberId === undefined && !context.prompt.isPossible)
    throw usageError('Missing <subscriber-id>, --email or --phone.', {
      next: ['svc activity explain --help'],
    });
  if (!hasAddress) return subscriberId ?? context.prompt.resource('subscribers', 'subscriber-id');
  if (subscriberId === undefined) return findSubscriber(context, address);
  throw usageError('A subscriber id cannot be combined with --email or --phone.');
}

async function answer(
  context: Context,
  question: Question,
): Promise<{ explanation: Explanation; next: readonly string[] }> {
  const { subscriberId, workflowId, transactionId = null, channels } = question;
  const workflow = workflowId === undefined ? undefined : await findWorkflow(context, workflowId);
  const item = workflow === null ? undefined : await findEvent(context, question, workflow);
  if (!item) {
    const { cause, message, next } = await searchReasons(context, question, workflow);
    const none = { transactionId, workflow: workflowId ?? null, at: null };
    return { explanation: { ...none, cause, message, channels: [] }, next };
  }
  const subject = { subscriberId, item, channels };
  const own = chosenVerdicts(subject);
  const isMerged = own.some(({ cause }) => cause === 'digest_merged');
  const main = isMerged ? await readDigestEvent(context, subscriberId, item) : undefined;
  const verdicts = main
    ? chosenVerdicts(subject, (id) => (id === main._id ? main : undefined))
    : own;
  const requests = 1 + Number(workflow !== undefined) + Number(isMerged);
  const needed = [...neededFacts(verdicts)].filter((name) => name !== 'workflow' || !workflow);
  const facts = {
    ...(workflow ? { workflow } : {}),
    ...(await readFacts(context, subscriberId, item, needed.slice(0, maxRequests - requests))),
  };
  const refined = verdicts.map((verdict) => refineVerdict(item, facts, verdict));
  return {
    explanation: explainEvent(subject, refined, (verdict) => [
      ...recordedValues(item, facts, verdict),
      ...nowEvidence(item, facts, verdict),
    ]),
    next: [],
  };
}

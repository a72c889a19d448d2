import type { Context } from '../../app/context.ts';
import { requireOwnResult } from '../../bulk/operations/transaction-ids.ts';
import { command, type Values } from '../../cli/command.ts';
import { required } from '../../cli/options.ts';
import { raceAbort } from '../../core/async.ts';
import { SvcError } from '../../core/errors.ts';
import { grouped, shellWord } from '../../core/text.ts';
import * as result from '../../output/result.ts';
import { readWorkflow } from '../shared/missing-resources.ts';
import { contentOptions, readContent } from './content.ts';
import { type FindAccepted, notTriggeredText, sendEvent } from './trigger-response.ts';

export const broadcast = command({
  summary: 'Trigger a workflow for every subscriber of the environment',
  details:
    'The confirmation shows the number of subscribers if the server reports it. svc refuses a workflow that is inactive or has no steps, because the service would accept the event and notify no one.\n\nThe service ignores a second event with the same transaction id, but only after it has created the jobs of the first event. Before you send an event again, check `svc activity get <transaction-id>`.',
  arguments: { workflowId: required('<workflow-id>', 'Identifier of the workflow', 'workflows') },
  options: contentOptions,
  output:
    'The triggered event with its transaction id; as JSON, {acknowledged, status, transactionId}.',
  examples: {
    'svc events broadcast welcome -f product=Example --dry-run':
      'Show the request without sending it',
    'svc events broadcast welcome -f product=Example --yes':
      'Notify every subscriber without confirmation',
  },
  operations: ['broadcastEvent', 'getWorkflow', 'listWorkflows', 'listSubscribers', 'listActivity'],
  writes: true,
  gracefulShutdown: true,
  async run(context, { args: { workflowId }, options }) {
    const { shutdownSignal } = context.host;
    const event = await raceAbort(prepareEvent(context, workflowId, options), shutdownSignal);
    return sendEvent(context, event.transactionId, (findAccepted) =>
      send(context, event, findAccepted),
    );
  },
});

type Options = Partial<Values<typeof contentOptions>>;

/** Checks the workflow, asks, and reads the content. */
async function prepareEvent(context: Context, workflowId: string, options: Options) {
  const { active, steps, name } = await readWorkflow(context, workflowId);
  const problem = active === false ? 'is not active' : steps.length === 0 ? 'has no steps' : '';
  if (problem !== '') {
    throw new SvcError('refused', `Not triggered: workflow ${workflowId} (${name}) ${problem}.`, {
      next: [`svc workflows get ${shellWord(workflowId)}`],
    });
  }
  const content = await readContent(options, context);
  const { globals } = context;
  if (!globals.yes && globals.dryRun === undefined) {
    const count = await subscriberCount(context);
    await context.confirm(`Trigger ${workflowId} for ${count}`);
  }
  return { name: workflowId, ...content };
}

/** `all 2,000 subscribers`, or `every subscriber` if the server does not list them. */
async function subscriberCount(context: Context): Promise<string> {
  const client = await context.client();
  try {
    const page = await client.call('listSubscribers', { query: { limit: 1 } });
    const { totalCount, totalCountCapped } = page;
    const count = `${grouped(totalCount)}${totalCountCapped ? '+' : ''}`;
    return `all ${count} subscribers`;
  } catch (error) {
    if (error instanceof SvcError && error.details.notOffered) return 'every subscriber';
    throw error;
  }
}

async function send(
  context: Context,
  event: Awaited<ReturnType<typeof prepareEvent>>,
  findAccepted: FindAccepted,
) {
  const { name: workflowId, transactionId } = event;
  const client = await context.client();
  const findResult = async () => {
    const accepted = await findAccepted();
    return accepted && { value: accepted };
  };
  const value = await client.call('broadcastEvent', { body: event }, { findResult });
  requireOwnResult(transactionId, value);
  const isProcessed = value.status === 'processed';
  const line = isProcessed
    ? `Triggered ${workflowId} for every subscriber ${context.connection.place()}: transaction ${transactionId}.`
    : `Not triggered: ${notTriggeredText(context, workflowId, value)}.`;
  return result.report({
    value,
    lines: [line],
    hasLinesInPipe: true,
    ids: [transactionId],
    end: result.exit(isProcessed ? 'ok' : 'refused'),
  });
}

import type { Context } from '../../../app/context.ts';
import type { BulkCommand } from '../../../bulk/command/bulk-command.ts';
import { bulkOptions, fileOption, summaryFields } from '../../../bulk/command/options.ts';
import { listText } from '../../../bulk/command/run-named.ts';
import { command } from '../../../cli/command.ts';
import { flag, text } from '../../../cli/options.ts';
import { raceAbort } from '../../../core/async.ts';
import { usageError } from '../../../core/errors.ts';
import { grouped, shellWord } from '../../../core/text.ts';
import type { NotCopied } from '../../../state-files/own-preferences.ts';
import { readWorkflow } from '../../shared/missing-resources.ts';

const workflow = (flags: string, summary: string) =>
  text(flags, summary, { complete: 'workflows' });

const { validateOnly: _sendsNothing, ...runOptions } = bulkOptions;

export const copy = command({
  summary: "Copy people's choices for one workflow to another one",
  details:
    'Use it when a workflow replaces an older one. A choice is a channel whose value differs from the default of the old workflow, or that the service attributes to the subscriber while it attributes others to the workflow. svc copies it only if the person has not chosen anything for this channel in the new workflow, unless you add --overwrite. If the service says only that the person has chosen something in the new workflow, svc keeps all of it. People without a choice are skipped. If one of the workflows is critical, everyone is skipped, because critical workflows ignore choices. Without --file, svc lists all subscribers first. Sends one request for each person, and one more for each person with a choice. Repeating the command changes nothing more.',
  options: {
    fromWorkflow: workflow('--from-workflow <id>', 'The workflow with the choices'),
    toWorkflow: workflow('--to-workflow <id>', 'The workflow to write them for'),
    overwrite: flag(
      '--overwrite',
      'Write a choice also where the person has chosen something else',
    ),
    file: fileOption('subscribers'),
    ...runOptions,
  },
  output: 'The summary of the run: {runId, rows, updated, skipped, failed, …}.',
  exitCodes: ['partial', 'notFound'],
  examples: {
    'svc subscribers preferences copy --from-workflow welcome --to-workflow comment-digest --yes':
      'For all subscribers',
    'svc subscribers preferences copy --from-workflow welcome --to-workflow comment-digest --file users.csv --yes':
      'For the subscribers in a file',
  },
  fields: summaryFields,
  operations: [
    'getSubscriberPreferences',
    'updateSubscriberPreferences',
    'getWorkflow',
    'listSubscribers',
    'listWorkflows',
  ],
  writes: true,
  gracefulShutdown: true,
  async run(context, input) {
    const { fromWorkflow, toWorkflow, overwrite = false, file, ...options } = input.options;
    if (fromWorkflow === undefined || toWorkflow === undefined)
      throw usageError('--from-workflow and --to-workflow are required.', {
        next: ['svc workflows list', 'svc subscribers preferences copy --help'],
      });
    const read = (id: string) => raceAbort(readSwitches(context, id), context.host.shutdownSignal);
    const [from, to] = [await read(fromWorkflow), await read(toWorkflow)];
    if (from.id === to.id)
      throw usageError(`--from-workflow and --to-workflow are both ${from.id}.`);
    const critical = [from, to].find(({ switches }) => !switches);
    if (critical)
      context.warn(`Workflow ${critical.id} is critical: it ignores choices, so all are skipped.`);
    return copyChoices(context, { ...input, options }, { from, to, overwrite, file });
  },
});

type Workflow = Awaited<ReturnType<typeof readSwitches>>;

async function readSwitches(context: Context, workflowId: string) {
  const { loadSwitches } = await import('./rows.ts');
  const workflow = await readWorkflow(context, workflowId);
  const id = workflow.workflowId;
  if (workflow.active === false)
    throw usageError(
      `Workflow ${id} is inactive, so the service does not show the choices for it.`,
      { next: [`svc workflows enable ${shellWord(id)}`] },
    );
  return { id, switches: (await loadSwitches())(workflow as never) };
}

interface Copy {
  from: Workflow;
  to: Workflow;
  overwrite: boolean;
  file: string | undefined;
}

async function copyChoices(
  context: Context,
  input: Pick<BulkCommand, 'command' | 'args' | 'options' | 'declaredOptions'>,
  { from, to, overwrite, file }: Copy,
) {
  const { createIdReader } = await import('../../../bulk/operations/id-list.ts');
  const { createPreferenceCopySender } = await import('../../../bulk/operations/preferences.ts');
  const { copiedChoices } = await import('../../../state-files/own-preferences.ts');
  const { runBulk } = await import('../../../bulk/command/run-bulk.ts');
  const skipped = new Map<NotCopied, number>();
  const choose = (preferences: Parameters<typeof copiedChoices>[0]) => {
    if (!from.switches || !to.switches) return undefined;
    const workflows = [
      { id: from.id, switches: from.switches },
      { id: to.id, switches: to.switches },
    ] as const;
    const choices = copiedChoices(preferences, ...workflows, overwrite);
    if ('channels' in choices) return choices.channels as Record<string, boolean>;
    const { notCopied } = choices;
    skipped.set(notCopied, (skipped.get(notCopied) ?? 0) + 1);
    return undefined;
  };
  return runBulk(context, {
    ...input,
    activeVerb: 'Copying choices',
    pastVerb: 'Updated',
    options: {
      ...input.options,
      fromWorkflow: from.id,
      toWorkflow: to.id,
      ...(overwrite ? { overwrite } : {}),
      ...(file === undefined ? {} : { file }),
    },
    file: file ?? '-',
    ...(file === undefined ? { makeRows: () => allSubscribers(context) } : {}),
    isRepeatable: true,
    idField: 'subscriberId',
    confirm: async (count) => {
      await context.confirm(
        `Copy the choices of ${await listText(count, 'subscriber')} from ${from.id} to ${to.id}`,
      );
    },
    openSender: async (source) => ({
      ...createPreferenceCopySender({
        idOf: createIdReader(source, 'subscriberId'),
        workflowId: to.id,
        choose,
        skipsAll: !from.switches || !to.switches,
      }),
      hint: () => skippedText(skipped),
    }),
  });
}

async function* allSubscribers(context: Context) {
  const { firstCursor, subscriberPages } = await import('../view.ts');
  for await (const { items } of subscriberPages(context, firstCursor))
    yield items.map(({ subscriberId }) => `${JSON.stringify({ subscriberId })}\n`).join('');
}

const texts: Record<NotCopied, string> = {
  'no choice': 'no choice',
  'already the same': 'the same choice already',
  'another choice': 'another choice (--overwrite replaces it)',
};

function skippedText(skipped: ReadonlyMap<NotCopied, number>): string | undefined {
  const parts = [...skipped].map(
    ([reason, count]) => `${grouped(count)} ${count === 1 ? 'has' : 'have'} ${texts[reason]}`,
  );
  return parts.length === 0 ? undefined : `Skipped: ${parts.join(', ')}.`;
}

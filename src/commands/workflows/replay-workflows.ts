// Reads the events and both versions of the workflows, replays the events, and judges the result.
import { statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Context } from '../../app/context.ts';
import { readRowsOrPercent } from '../../bulk/command/options.ts';
import { unitMs } from '../../core/durations.ts';
import { usageError } from '../../core/errors.ts';
import { environmentName } from '../../environment/environments.ts';
import { readWorkflowFolder } from '../../environment/sandbox-state.ts';
import { percent } from '../../output/bars.ts';
import { showProgressLine } from '../../output/progress-line.ts';
import * as result from '../../output/result.ts';
import { openInBrowser } from '../../platform/open-browser.ts';
import { writePrivatePage } from '../../platform/private-page.ts';
import { rateOf } from '../../replay/confidence.ts';
import { replayPage } from '../../replay/page.ts';
import { type ReplayResult, replayEvents } from '../../replay/replay-events.ts';
import { type ReplayReport, replayReport } from '../../replay/report.ts';
import { type ReplaySource, readFromFiles, readFromService } from '../../replay/sources.ts';
import { type Difference, isWithin, type Limit } from '../../replay/summary.ts';
import type { EnvironmentState, SandboxState } from '../../sandbox/state/schema.ts';
import { readEnvironment } from '../../state-files/read-environment.ts';
import { readWorkflow } from '../shared/missing-resources.ts';
import { createServiceTime, readServiceVersion, resolveTime } from '../shared/server-facts.ts';

/** Events that are read by default. */
const newestEvents = 50_000;

interface ReplayOptions {
  to?: string;
  events?: string;
  since?: string;
  until?: string;
  workflow?: readonly string[];
  maxEvents?: number;
  sample?: number;
  horizon?: number;
  anonymous?: boolean;
  minConfidence?: number;
  check?: boolean;
  maxLost?: string;
  maxChanged?: string;
  show?: number;
  showContent?: boolean;
  open?: boolean;
}

export async function replayWorkflows(
  context: Context,
  folder: string | undefined,
  options: ReplayOptions,
) {
  if ((folder === undefined) === (options.to === undefined))
    throw usageError('Name the workflows to compare: a folder or file, or --to <profile>.', {
      next: ['svc workflows replay workflows/ --since 7d'],
    });
  const limits = {
    lost: readLimit('--max-lost', options.maxLost),
    changed: readLimit('--max-changed', options.maxChanged),
  };
  const changed = folder === undefined ? undefined : readFolderState(context, folder);
  const source = await readSource(context, options);
  const after = changed
    ? await withFiles(context, source.state, changed)
    : await withTarget(context, source.state, options.to);
  const ids = changed?.environments.flatMap(({ workflows = [] }) =>
    workflows.map(({ workflowId }) => workflowId),
  );
  if (
    ids &&
    source.events.length > 0 &&
    !source.events.some((event) => ids.includes(event.workflowId))
  )
    context.warn(`None of the events is of a workflow in ${folder}.`);
  const differences: Difference[] = [];
  const isStream = context.settings.output === 'ndjson';
  const replay = await run(context, source, after, options, (difference) => {
    if (isStream) differences.push(difference);
  });
  const report: ReplayReport = {
    replay,
    ...source,
    before: source.name,
    after: folder ?? environmentName((await context.connection.service(options.to)).place),
    showsContent: options.showContent === true,
    end: judge(replay, source, options, limits),
  };
  if (options.open) await openPage(context, report);
  if (!isStream) return replayReport(report);
  return result.report({
    value: differences,
    ids: differences.map(({ transactionId }) => transactionId),
    ...(report.end ? { end: report.end } : {}),
  });
}

function readLimit(option: string, text: string | undefined): Limit | undefined {
  const limit = text === undefined ? undefined : readRowsOrPercent(text);
  if (text !== undefined && limit === undefined)
    throw usageError(`${option}: \`${text}\` is not a number or a percentage, such as 20 or 5%.`);
  return limit;
}

interface NamedSource extends ReplaySource {
  /** For people. */
  name: string;
}

async function readSource(context: Context, options: ReplayOptions): Promise<NamedSource> {
  const {
    events,
    workflow: workflows,
    maxEvents = newestEvents,
    sample,
    anonymous: isAnonymous = false,
  } = options;
  const selection = { workflows, maxEvents, sample };
  if (events !== undefined) {
    for (const [name, value] of [
      ['--since', options.since],
      ['--until', options.until],
      ['--anonymous', isAnonymous || undefined],
    ])
      if (value !== undefined)
        throw usageError(`${name} cannot be combined with --events: the file has its events.`);
    const source = await readFromFiles(context, events, selection);
    return { ...source, name: `the workflows of ${path.basename(events)}` };
  }
  const service = await context.connection.service();
  const time = createServiceTime(context);
  const query = {
    after: await resolveTime(options.since ?? '7d', '--since', time),
    before: await resolveTime(options.until, '--until', time),
    templates: workflows
      ? await Promise.all(workflows.map(async (id) => (await readWorkflow(context, id))._id))
      : undefined,
  };
  const source = await readFromService(context, service, query, { ...selection, isAnonymous });
  const version = await readServiceVersion(service.client);
  const { sandboxVersionOf } = await import('../../service/versions.ts');
  const state = { ...source.state, service: sandboxVersionOf(version) };
  return { ...source, state, name: `the workflows of ${environmentName(service.place)}` };
}

/** A folder of workflow files, or one file. */
function readFolderState({ host: { cwd } }: Context, folder: string): SandboxState {
  const stats = statSync(path.resolve(cwd, folder), { throwIfNoEntry: false });
  if (!stats) throw usageError(`File or folder ${folder} does not exist.`);
  return stats.isDirectory()
    ? readWorkflowFolder(folder, cwd).state
    : readWorkflowFolder(path.dirname(folder), cwd, path.basename(folder)).state;
}

/** Workflows and layouts that the files do not have stay. */
async function withFiles(
  context: Context,
  state: SandboxState,
  changed: SandboxState,
): Promise<SandboxState> {
  const { withDefinitions } = await context.sandbox();
  const compat = changed.compat ?? state.compat;
  return {
    ...state,
    ...(compat === undefined ? {} : { compat }),
    environments: withDefinitions(state.environments, changed.environments.map(withoutDefault)),
  };

  /** Files do not say which layout is the default one. */
  function withoutDefault(environment: EnvironmentState): EnvironmentState {
    const [present] = state.environments;
    const layouts = environment.layouts?.map((layout) => ({
      ...layout,
      isDefault: present?.layouts?.some(
        ({ layoutId, isDefault }) => layoutId === layout.layoutId && isDefault === true,
      ),
    }));
    return { ...environment, ...(layouts ? { layouts } : {}) };
  }
}

/** The workflows and layouts of another environment, in place of the present ones. */
async function withTarget(
  context: Context,
  state: SandboxState,
  profile: string | undefined,
): Promise<SandboxState> {
  const target: Pick<EnvironmentState, 'workflows' | 'layouts'> = { workflows: [], layouts: [] };
  await readEnvironment(
    context,
    await context.connection.service(profile),
    { withPersonalData: true, definitionsOnly: true },
    {
      add: (section, item) => {
        if (section === 'workflows' || section === 'layouts') target[section]?.push(item as never);
      },
    },
  );
  const environments = state.environments.map((environment) => ({ ...environment, ...target }));
  return { ...state, environments };
}

async function run(
  context: Context,
  { state, events }: ReplaySource,
  after: SandboxState,
  { horizon = 31 * unitMs.d, show = 1 }: ReplayOptions,
  onDifference: (difference: Difference) => void,
): Promise<ReplayResult> {
  const { shutdownSignal, clock } = context.host;
  const stop = showProgressLine(context, () => `Replaying ${events.length} events`);
  const allowHeapGrowth = context.host.limitHeapGrowth();
  try {
    return await replayEvents({
      sandbox: await context.sandbox(),
      before: state,
      after,
      events,
      horizonMs: horizon,
      examples: show,
      onDifference,
      pause: async () => {
        await clock.sleep(0, shutdownSignal);
      },
    });
  } finally {
    stop();
    allowHeapGrowth();
  }
}

/** Undefined if nothing is wrong. */
function judge(
  { confidence, totals }: ReplayResult,
  { events, leftOut }: ReplaySource,
  { minConfidence = 90, check = false }: ReplayOptions,
  limits: { lost: Limit | undefined; changed: Limit | undefined },
): ReplayReport['end'] {
  if (events.length === 0 && leftOut.size > 0 && minConfidence > 0)
    return failed('undelivered', 'No event could be replayed, all are left out: no verdict.');
  const rate = rateOf(confidence);
  if (rate * 100 < minConfidence)
    return failed(
      'undelivered',
      `The emulator reproduced only ${percent(rate)} of what the service did, less than ${minConfidence} %: no verdict.`,
    );
  const hasLimits = limits.lost !== undefined || limits.changed !== undefined;
  const over = (['lost', 'changed'] as const).filter((name) => {
    const limit = limits[name];
    return limit !== undefined && !isWithin(limit, totals[name], totals);
  });
  if (over.length > 0)
    return failed(
      'different',
      `${over.map((name) => `${totals[name]} ${name}`).join(', ')}: more than allowed.`,
    );
  const differing = totals.changed + totals.gained + totals.lost + totals.moved;
  return check && !hasLimits && differing > 0
    ? failed('different', `${differing} messages differ.`)
    : undefined;
}

const failed = (
  reason: 'undelivered' | 'different',
  message: string,
): NonNullable<ReplayReport['end']> => ({ ...result.exit(reason), failure: { message } });

async function openPage({ host, note }: Context, report: ReplayReport): Promise<void> {
  const file = writePrivatePage(host, {
    prefix: 'svc-replay-',
    name: 'replay.html',
    html: replayPage(report),
    keptMs: unitMs.d,
  });
  const isOpened = await openInBrowser(host, pathToFileURL(file).href);
  note(isOpened ? `Opened ${file}.` : `Open ${file} in a browser.`);
}

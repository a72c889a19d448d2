// Reads an environment part by part and writes it to a state file as it arrives.

import path from 'node:path';
import type { Context, Service } from '../../app/context.ts';
import { counted } from '../../core/counts.ts';
import { type Mode, modeMark } from '../../service/mode.ts';
import { createPersonalDataFilter } from '../../state-files/personal-data.ts';
import { createPseudonyms } from '../../state-files/pseudonyms.ts';
import { headText } from '../../state-files/state-text.ts';
import {
  isExistingFile,
  openStateWriter,
  type StateWriter,
} from '../../state-files/state-writer.ts';
import { environmentName } from '../shared/environments.ts';
import { showProgressLine } from '../shared/reading-progress.ts';
import { createRemoteReader } from '../shared/remote-workflows.ts';
import { pullReport } from './pull-report.ts';
import {
  addPlainLayouts,
  pullContexts,
  pullIntegrations,
  pullLayouts,
  pullWorkflows,
} from './pull-resources.ts';
import { createPullRun, type PullRun } from './pull-run.ts';
import { pullSubscribers, type Selection } from './pull-subscribers.ts';
import { pullTopics } from './pull-topics.ts';

export interface PullRequest extends Selection {
  /** The profile to read; by default the active one. */
  from?: string | undefined;
  file: string;
  keepData?: boolean | undefined;
  withPersonalData?: boolean | undefined;
}

export async function pullState(context: Context, request: PullRequest) {
  const { host, globals } = context;
  const { file, from } = request;
  const target = path.resolve(host.cwd, file);
  const replaces = isExistingFile(target, file);
  if (replaces) await context.confirm(`Replace ${file}`);
  const isDry = globals.dryRun !== undefined;
  const service = await context.connection.service(from);
  const writer = isDry ? undefined : openStateWriter(target, { shownAs: file, replaces });
  const onShutdown = () => writer?.discard();
  host.shutdownSignal.addEventListener('abort', onShutdown, { once: true });
  try {
    const { run, mode } = await readEnvironment(context, service, request, writer);
    writer?.finish();
    return pullReport({
      ...{ run, file, isDry, mode },
      isReplaced: request.withPersonalData !== true,
      hasSelection: [request.subscriber, request.topic, request.sample].some(Boolean),
    });
  } catch (error) {
    writer?.discard();
    throw error;
  } finally {
    host.shutdownSignal.removeEventListener('abort', onShutdown);
  }
}

async function readEnvironment(
  context: Context,
  service: Service,
  request: PullRequest,
  writer: StateWriter | undefined,
): Promise<{ run: PullRun; mode: Mode }> {
  const { withPersonalData = false, keepData = false } = request;
  const { missingCredentials, stateItemError } = await context.sandbox();
  const filter = createPersonalDataFilter({
    pseudonyms: withPersonalData ? undefined : createPseudonyms(context.host.newId()),
    keepData: keepData || withPersonalData,
  });
  // The head of the file names the mode if a workflow has a `skip` condition.
  const first: Parameters<StateWriter['add']>[] = [];
  let isBegun = false;
  const run = createPullRun({
    ...{ service, filter, itemError: stateItemError, followUps: context.followUps },
    write: (section, item) => (isBegun ? writer?.add(section, item) : first.push([section, item])),
  });
  const stopProgress = showProgressLine(context, () => progressText(run));
  try {
    const reader = createRemoteReader(service.client);
    const mode = await reader.mode();
    await pullIntegrations(run, (providerId) => missingCredentials(providerId, {}));
    const hasLayouts = await pullLayouts(run, reader);
    const { switches, layoutIds, hasSkip } = await pullWorkflows(run, reader);
    if (!hasLayouts) addPlainLayouts(run, layoutIds);
    const mark = modeMark(mode, hasSkip);
    writer?.begin(headText({ hasPersonalData: withPersonalData || keepData, mark }));
    isBegun = true;
    for (const [section, item] of first) writer?.add(section, item);
    const selected = await pullSubscribers(run, request, switches);
    await pullTopics(run, selected);
    await pullContexts(run);
    return { run, mode };
  } finally {
    stopProgress();
  }
}

function progressText({ service, counts }: PullRun): string {
  const done = [
    ...[counted(counts.workflows, 'workflow'), counted(counts.subscribers, 'subscriber')],
    ...(counts.topics > 0 ? [counted(counts.topics, 'topic')] : []),
    ...(counts.contexts > 0 ? [counted(counts.contexts, 'context')] : []),
  ];
  return `Reading ${environmentName(service.place)}: ${done.join(', ')}`;
}

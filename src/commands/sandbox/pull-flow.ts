// Reads an environment part by part, writes it to a state file as it arrives, and reports what was written, replaced,
// dropped and left out.
import type { Context, Service } from '../../app/context.ts';
import { counted, shellWord } from '../../core/text.ts';
import { environmentName } from '../../environment/environments.ts';
import { createRemoteReader } from '../../environment/remote.ts';
import { showProgressLine } from '../../output/progress-line.ts';
import * as result from '../../output/result.ts';
import { chooseOutputFile } from '../../platform/files/output-file.ts';
import { type Mode, modeMark } from '../../service/mode.ts';
import { createPersonalDataFilter } from '../../state-files/personal-data.ts';
import { createPseudonyms } from '../../state-files/pseudonyms.ts';
import {
  headText,
  isStateText,
  openStateWriter,
  type StateWriter,
} from '../../state-files/state-writer.ts';
import { readServiceVersion, storeServiceVersion } from '../shared/environment-profile.ts';
import { pullSubscribers, pullTopics, type Selection } from './pull-recipients.ts';
import {
  addPlainLayouts,
  createPullRun,
  type PullRun,
  pullContexts,
  pullIntegrations,
  pullLayouts,
  pullWorkflows,
} from './pull-resources.ts';

export interface PullRequest extends Selection {
  /** The profile to read; by default the active one. */
  from?: string | undefined;
  file: string;
  force?: boolean | undefined;
  keepData?: boolean | undefined;
  withPersonalData?: boolean | undefined;
}

export async function pullState(context: Context, request: PullRequest) {
  const { host, globals } = context;
  const { file, from, force = false } = request;
  const output = chooseOutputFile(host, file, { isOwn: isStateText, force });
  if (output.replaces && !force) await context.confirm(`Replace ${file}`);
  const isDry = globals.dryRun !== undefined;
  const service = await context.connection.service(from);
  const writer = isDry ? undefined : openStateWriter(output);
  const onShutdown = () => writer?.discard();
  host.shutdownSignal.addEventListener('abort', onShutdown, { once: true });
  try {
    const { run, mode } = await readEnvironment(context, service, request, writer);
    writer?.finish();
    await readVersion(context, service);
    return pullReport({
      run,
      file,
      isDry,
      mode,
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

/** Only a profile can store the version. */
async function readVersion(context: Context, { client, profile }: Service): Promise<void> {
  if (profile === null || context.globals.dryRun !== undefined) return;
  const version = await readServiceVersion(client);
  if (version !== undefined) await storeServiceVersion(context, profile, version);
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
    service,
    filter,
    itemError: stateItemError,
    followUps: context.followUps,
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

interface Outcome {
  run: PullRun;
  file: string;
  isDry: boolean;
  mode: Mode;
  /** Personal data is replaced. */
  isReplaced: boolean;
  /** The command line selects subscribers. */
  hasSelection: boolean;
}

function pullReport({ run, file, isDry, mode, isReplaced, hasSelection }: Outcome) {
  const { service, filter, counts, leftOut, notOffered } = run;
  const from = environmentName(service.place);
  const { replaced, dropped } = filter;
  const { integrations, layouts, workflows, steps, subscribers, preferences } = counts;
  const { topics, subscriptions, contexts } = counts;
  return result.report({
    value: {
      file,
      from,
      profile: service.profile,
      compat: mode,
      personalData: isReplaced ? 'replaced' : 'kept',
      counts: {
        integrations,
        layouts,
        workflows,
        steps,
        subscribers,
        preferences,
        topics,
        subscriptions,
        contexts,
      },
      replaced,
      dropped,
      notOffered,
      leftOut,
    },
    lines: [
      `${isDry ? 'Would write' : 'Wrote'} ${from} to ${file}:`,
      `  ${counted(workflows, 'workflow')} with ${counted(steps, 'step')}, ${counted(layouts, 'layout')}, ${counted(integrations, 'integration')}`,
      `  ${counted(subscribers, 'subscriber')}, ${preferences} with preferences; ${counted(topics, 'topic')} with ${counted(subscriptions, 'subscription')}; ${counted(contexts, 'context')}`,
      ...sumLine('Replaced', [
        [replaced.subscriberIds, 'subscriber id'],
        [replaced.names, 'name'],
        [replaced.emails, 'e-mail address'],
        [replaced.phones, 'phone number'],
        [replaced.avatars, 'avatar'],
        [replaced.topicKeys, 'topic key'],
        [replaced.topicNames, 'topic name'],
        [replaced.contextIds, 'context id'],
      ]),
      ...sumLine('Dropped', [
        [dropped.subscriberData, 'subscriber', 'data of '],
        [dropped.contextData, 'context', 'data of '],
        [dropped.credentials, 'subscriber', 'credentials of '],
        [dropped.invalidFields, 'invalid field'],
      ]),
      ...(isReplaced ? [] : ['The file contains personal data.']),
      ...notOffered,
      ...leftOut.map(({ kind, id, reason }) => `Left out ${kind} ${id}: ${reason}`),
      ...(hasSelection
        ? []
        : ['The file has no subscribers. Select some with --sample, --subscriber or --topic.']),
      ...(isDry ? [] : [`Use it: svc sandbox start --seed ${shellWord(file)}`]),
    ],
    ids: [file],
    ...(leftOut.length > 0 ? { end: leftOutEnd(run) } : {}),
  });
}

type Sum = readonly [count: number, noun: string, before?: string];

/** `Replaced: 3 names, 2 phone numbers.`; nothing if all are 0. */
function sumLine(title: string, sums: readonly Sum[]): string[] {
  const parts = sums
    .filter(([count]) => count > 0)
    .map(([count, noun, before = '']) => before + counted(count, noun));
  return parts.length > 0 ? [`${title}: ${parts.join(', ')}.`] : [];
}

const leftOutEnd = ({ leftOut }: PullRun) =>
  result.exit('partial', {
    message: `Left out ${counted(leftOut.length, 'resource')}.`,
    fieldErrors: leftOut.map(({ kind, id, reason }) => ({
      field: `${kind} ${id}`,
      message: reason,
    })),
  });

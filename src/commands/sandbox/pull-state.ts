// Reads an environment part by part, writes it to a state file as it arrives, and reports what was written, replaced,
// dropped and left out.
import type { Context, Service } from '../../app/context.ts';
import { counted, shellWord } from '../../core/text.ts';
import { environmentName } from '../../environment/environments.ts';
import { showProgressLine } from '../../output/progress-line.ts';
import * as result from '../../output/result.ts';
import { chooseOutputFile } from '../../platform/files/output-file.ts';
import type { Mode } from '../../service/mode.ts';
import { type SandboxVersion, sandboxVersionOf } from '../../service/versions.ts';
import type { Selection } from '../../state-files/pull-recipients.ts';
import type { PullRun } from '../../state-files/pull-resources.ts';
import { readEnvironment } from '../../state-files/read-environment.ts';
import { headText, isStateText, openStateWriter } from '../../state-files/state-writer.ts';
import { readServiceVersion, storeServiceVersion } from '../shared/server-facts.ts';

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
  const allowHeapGrowth = host.limitHeapGrowth();
  try {
    const { withPersonalData = false, keepData = false } = request;
    let current: PullRun | undefined;
    const version = await readVersion(context, service);
    const stopProgress = showProgressLine(context, () => (current ? progressText(current) : ''));
    const { run, mode } = await readEnvironment(context, service, request, {
      onStart: (run) => {
        current = run;
      },
      onHead: (mark) =>
        writer?.begin(
          headText({ hasPersonalData: withPersonalData || keepData, mark, service: version }),
        ),
      add: (section, item) => writer?.add(section, item),
    }).finally(stopProgress);
    writer?.finish();
    return pullReport({
      run,
      file,
      version,
      isDry,
      mode,
      isReplaced: request.withPersonalData !== true,
      hasSelection: [request.subscriber, request.topic, request.sample].some(Boolean),
    });
  } catch (error) {
    writer?.discard();
    throw error;
  } finally {
    allowHeapGrowth();
    host.shutdownSignal.removeEventListener('abort', onShutdown);
  }
}

/** The version of a sandbox with the state; undefined if the server does not say its own. Only a profile can store that. */
async function readVersion(
  context: Context,
  { client, profile }: Service,
): Promise<SandboxVersion | undefined> {
  const version = await readServiceVersion(client);
  if (version === undefined) return undefined;
  if (profile !== null && context.globals.dryRun === undefined)
    await storeServiceVersion(context, profile, version);
  return sandboxVersionOf(version);
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
  version: SandboxVersion | undefined;
  isDry: boolean;
  mode: Mode;
  /** Personal data is replaced. */
  isReplaced: boolean;
  /** The command line selects subscribers. */
  hasSelection: boolean;
}

function pullReport({ run, file, version, isDry, mode, isReplaced, hasSelection }: Outcome) {
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
      service: version ?? null,
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

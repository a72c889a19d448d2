// `svc subscribers erase`
import type { Context } from '../../app/context.ts';
import {
  type BulkOptions,
  bulkOptions,
  fileOption,
  summaryFields,
} from '../../bulk/command/options.ts';
import type { Erasure, PersonalData } from '../../bulk/operations/erasure.ts';
import { command } from '../../cli/command.ts';
import { choice } from '../../cli/options.ts';
import { SvcError, usageError } from '../../core/errors.ts';
import { counted, listText } from '../../core/text.ts';
import * as result from '../../output/result.ts';
import { subscribersArgument } from '../shared/arguments.ts';
import { givenIds, isList, listedSubscribers, listFile } from '../shared/given-ids.ts';
import { idsText } from '../shared/several-requests.ts';
import type { LocalFile } from './local-files.ts';

const { validateOnly: _sendsNothing, ...runOptions } = bulkOptions;

const declaredOptions = {
  pending: choice(
    '--pending <refuse|keep>',
    ['refuse', 'keep'],
    'What to do if events for a person are pending',
    { defaultText: 'refuse' },
  ),
  file: fileOption('subscribers'),
  ...runOptions,
};

export const erase = command({
  summary: 'Delete subscribers and all their data that the service can delete, and check it',
  details:
    'Deletes the messages, subscriptions and credentials of the subscriber, and the connections and endpoints in channels, and reads each part again. A connection that several people share stays. Only when nothing is left, svc deletes the subscriber with the preferences; otherwise the person can be erased again. If the service does not confirm the deletion of the subscriber, such as after a server error, the preferences cannot be read any more and are reported as unknown (exit code 3). If events for a person are pending, nothing is erased, and in a list the row is rejected; with --pending keep, the events stay pending. svc does not cancel them, because other people may share their transactions.\n\nThe service keeps past events until its retention time is over. svc lists its own files on this machine that contain the ids: copies of inputs, rejected rows and backups of runs, and cached values. Delete runs with `svc runs delete`. svc does not search your own files.',
  arguments: { given: subscribersArgument },
  options: declaredOptions,
  output:
    'What was removed, left and unknown for each subscriber, and the local files. As JSON, [{subscriberId, removed, left, unknown, localFiles}]; with - or --file, the summary of the run. Ids that do not exist are named; if none exists, the exit code is 5.',
  exitCodes: ['partial', 'notFound'],
  examples: [
    { line: 'svc subscribers erase u6 --dry-run', description: 'Show the requests only' },
    { line: 'svc subscribers erase u6 --yes', description: 'Erase without confirmation' },
    {
      line: 'svc subscribers erase --file former.csv --yes',
      description: 'Any number of people, with a journal and rejects',
    },
  ],
  fields: ({ args, options }) =>
    isList(args.given, options)
      ? summaryFields
      : ['subscriberId', 'removed', 'left', 'unknown', 'localFiles'],
  operations: [
    'getSubscriber',
    'listActivity',
    'listMessages',
    'deleteMessage',
    'listSubscriberTopics',
    'unsubscribeFromTopic',
    'deleteSubscriberCredentials',
    'listChannelConnections',
    'listChannelEndpoints',
    'deleteChannelEndpoint',
    'deleteChannelConnection',
    'deleteSubscriber',
    'getSubscriberPreferences',
    'listTopicSubscriptions',
  ],
  writes: true,
  gracefulShutdown: ({ args, options }) => isList(args.given, options),
  async run(context, { args: { given }, options }) {
    if (isList(given, options)) return eraseList(context, given, options);
    const next = ['svc subscribers erase <subscriber-id>', 'svc subscribers list'];
    const ids = await givenIds(context.host, given, 'subscriber', next);
    return eraseGiven(context, ids, options.pending === 'keep');
  },
});

async function eraseGiven(context: Context, ids: readonly string[], keepsPending: boolean) {
  const { eraseFor, planFor, surveyFor, unknownText } = await import(
    '../../bulk/operations/erasures.ts'
  );
  const client = await context.client();
  const people = new Map<string, PersonalData>();
  const server = {};
  for (const id of ids) {
    const data = await surveyFor(client, id, server);
    if (data) people.set(id, data);
  }
  const missing = ids.filter((id) => !people.has(id));
  if (people.size === 0)
    throw new SvcError('notFound', `${missingText(missing)} Nothing was erased.`, {
      next: ['svc subscribers list'],
    });
  refusePending(keepsPending ? [] : [...people]);
  for (const [id, data] of people) context.note(`${id}: ${countedParts(data)}.`);
  await context.confirm(
    `Erase ${idsText([...people.keys()], 'subscriber')} with all messages, subscriptions, preferences and credentials`,
    'This cannot be undone.',
  );
  if (context.globals.dryRun !== undefined) await planFor(client, people);
  const erasures: ({ subscriberId: string } & Erasure)[] = [];
  for (const [subscriberId, data] of people)
    erasures.push({ subscriberId, ...(await eraseFor(client, subscriberId, data)) });
  const { findLocalFiles } = await import('./local-files.ts');
  const rejects = await rejectsOutside(context);
  const value: PersonReport[] = [];
  for (const erasure of erasures) {
    const localFiles = await findLocalFiles(context.host, [erasure.subscriberId], rejects);
    value.push({ ...erasure, localFiles });
  }
  const unfinished = erasures.filter(
    ({ left, unknown }) => unknown.length > 0 || left.some((kind) => kind !== 'activity'),
  );
  return result.report({
    value: value.map(({ localFiles, ...rest }) => ({
      ...rest,
      localFiles: localFiles.map((file) => file.path),
    })),
    headline: `Erased ${unfinished.length > 0 ? `${value.length - unfinished.length} of ` : ''}${idsText([...people.keys()], 'subscriber')}`,
    lines: [
      ...value.flatMap((person) => proofLines(person, unknownText)),
      ...(missing.length > 0 ? [missingText(missing)] : []),
    ],
    ids: value.map(({ subscriberId }) => subscriberId),
    end: result.exit(unfinished.length > 0 || missing.length > 0 ? 'partial' : 'ok'),
  });
}

function countedParts({ messages, topics, providers, channels }: PersonalData): string {
  const { connections = [], endpoints = [] } = channels ?? {};
  return [
    counted(messages.length, 'message'),
    counted(topics.length, 'subscription'),
    `credentials of ${counted(providers.length, 'provider')}`,
    ...(connections.length > 0 ? [counted(connections.length, 'connection')] : []),
    ...(endpoints.length > 0 ? [counted(endpoints.length, 'endpoint')] : []),
  ].join(', ');
}

const missingText = (ids: readonly string[]) =>
  `${ids.length === 1 ? 'Subscriber' : 'Subscribers'} ${listText(ids)} ${ids.length === 1 ? 'does' : 'do'} not exist.`;

type Survey = { pending: readonly { transactionId: string; workflow: string }[] };

/** Throws a usage error that lists the pending transactions. */
function refusePending(people: readonly (readonly [string, Survey])[]): void {
  const fieldErrors = people.flatMap(([id, { pending }]) =>
    pending.map(({ transactionId, workflow }) => ({
      field: transactionId,
      message: `pending for ${id}${workflow === '' ? '' : ` (${workflow})`}`,
    })),
  );
  if (fieldErrors.length === 0) return;
  throw usageError(`${counted(fieldErrors.length, 'transaction')} pending. Nothing was erased.`, {
    fieldErrors,
    hint: 'Wait until they have finished, cancel them if no other subscriber shares them, or add --pending keep.',
  });
}

const proofs: Record<string, string> = {
  messages: 'messages: deleted; the list is empty',
  subscriptions: 'subscriptions: removed; the topics do not list the subscriber',
  credentials: 'credentials: removed; the subscriber had none before it was deleted',
  channels: 'channels: connections and endpoints deleted; the lists are empty',
  preferences: 'preferences: deleted with the subscriber, which the service confirmed',
  subscriber: 'subscriber: not found',
};

function proofLines(
  { subscriberId, removed, left, unknown, localFiles }: PersonReport,
  unknownText: (kinds: readonly string[]) => string,
): string[] {
  return [
    `${subscriberId}:`,
    ...removed.map((kind) => `  ${proofs[kind]}`),
    ...left.map((kind) =>
      kind === 'activity'
        ? '  activity: the service keeps past events until its retention time is over'
        : `  ${kind}: NOT removed`,
    ),
    ...(unknown.length > 0 ? [`  UNKNOWN: ${unknownText(unknown)}`] : []),
    ...(localFiles.length > 0 ? ['  on this machine:'] : []),
    ...localFiles.map((file) => `    ${file.path} (${localText(file)})`),
  ];
}

interface PersonReport extends Erasure {
  subscriberId: string;
  localFiles: readonly LocalFile[];
}

const localTexts: Record<LocalFile['kind'], string> = {
  run: 'journal',
  input: 'copy of the input',
  rejects: 'rejected rows',
  backup: 'backup',
  cache: 'values for completion; you can delete the file',
};

const localText = ({ kind, runId }: LocalFile) =>
  runId === undefined ? localTexts[kind] : `${localTexts[kind]}; svc runs delete ${runId}`;

/** The files with rejected rows that are not in the folder of a run. */
async function rejectsOutside({ host }: Context): Promise<string[]> {
  const { openRunStore } = await import('../../bulk/journal/run-store.ts');
  return openRunStore(host)
    .list()
    .map(({ manifest }) => manifest.rejects);
}

async function eraseList(
  context: Context,
  given: readonly string[],
  { pending = 'refuse', ...options }: BulkOptions & { file?: string; pending?: 'refuse' | 'keep' },
) {
  const { createIdReader } = await import('../../bulk/operations/id-list.ts');
  const { createErasurePlan } = await import('../../bulk/operations/erasures.ts');
  const { runBulk } = await import('../../bulk/command/run-bulk.ts');
  const { findLocalFiles } = await import('./local-files.ts');
  const rejects = await rejectsOutside(context);
  const ids = new Set<string>();
  const absent: string[] = [];
  let withActivity = 0;
  let localFiles: readonly LocalFile[] = [];
  return runBulk(context, {
    command: 'subscribers erase',
    activeVerb: 'Erasing',
    pastVerb: 'Erased',
    args: { given },
    options: { ...options, pending },
    declaredOptions,
    file: listFile(given, options.file),
    retry: { words: ['subscribers', 'erase', '--file'] },
    reportTexts: { rejectsAdvice: 'Erase the others', absentIsNotFound: true },
    isRepeatable: true,
    idField: 'subscriberId',
    confirm: async (count) => {
      await context.confirm(
        `Erase ${await listedSubscribers(count)} with all messages, subscriptions, preferences and credentials`,
        'This cannot be undone.',
      );
    },
    openPlan: async (source) => ({
      ...createErasurePlan({
        idOf: createIdReader(source, 'subscriberId'),
        keepsPending: pending === 'keep',
        onId: (id) => void ids.add(id),
        onActivity: () => {
          withActivity += 1;
        },
        onAbsent: (id) => void absent.push(id),
      }),
      summary: async () => {
        localFiles = await findLocalFiles(context.host, ids, rejects);
        return {
          ...(absent.length > 0 ? { absentIds: absent } : {}),
          localFiles: localFiles.map((file) => file.path),
        };
      },
      hint: () => leftText(absent, withActivity, localFiles),
    }),
  });
}

const maxNamed = 20;

/** Describes the ids that do not exist and the data that the run does not delete. */
function leftText(
  absent: readonly string[],
  withActivity: number,
  localFiles: readonly LocalFile[],
): string | undefined {
  const more = absent.length - maxNamed;
  const named = [...absent.slice(0, maxNamed), ...(more > 0 ? [`${more} more`] : [])];
  const texts = [
    ...(absent.length > 0 ? [missingText(named)] : []),
    ...(withActivity > 0
      ? [
          `The service keeps the past events of ${counted(withActivity, 'subscriber')} until its retention time is over.`,
        ]
      : []),
    ...(localFiles.length > 0
      ? [
          'Files on this machine that have some of the ids:',
          ...localFiles.map((file) => `  ${file.path} (${localText(file)})`),
        ]
      : []),
  ];
  return texts.length > 0 ? texts.join('\n') : undefined;
}

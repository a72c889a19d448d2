import type { Context } from '../../app/context.ts';
import { bulkOptions, fileOption, summaryFields } from '../../bulk/command/options.ts';
import {
  idsText,
  isList,
  runNamed,
  type SentId,
  type SentRequests,
} from '../../bulk/command/run-named.ts';
import type { Erasure, PersonalData } from '../../bulk/operations/erasure.ts';
import { command } from '../../cli/command.ts';
import { choice } from '../../cli/options.ts';
import { errorMessage, SvcError, usageError } from '../../core/errors.ts';
import { counted, firstNames, listText } from '../../core/text.ts';
import * as result from '../../output/result.ts';
import { subscribersArgument } from '../shared/arguments.ts';
import type { LocalFile } from './local-files.ts';

const { validateOnly: _sendsNothing, ...runOptions } = bulkOptions;

export const erase = command({
  summary: 'Delete subscribers and all their data that the service can delete, and check it',
  details:
    'Deletes the messages, subscriptions and credentials of the subscriber, and the connections and endpoints in channels, and reads each part again. A connection that several people share stays. Only when nothing is left, svc deletes the subscriber with the preferences; otherwise the person can be erased again. If the service does not confirm the deletion of the subscriber, such as after a server error, the preferences cannot be read any more and are reported as unknown (exit code 3). If events for a person are pending, nothing is erased, and in a list the row is rejected; with --pending keep, the events stay pending. svc does not cancel them, because other people may share their transactions.\n\nThe service keeps past events until its retention time is over. svc lists its own files on this machine that contain the ids: copies of inputs, rejected rows and backups of runs, and cached values. Delete runs with `svc runs delete`. svc does not search your own files.',
  arguments: { ids: subscribersArgument },
  options: {
    pending: choice(
      '--pending <refuse|keep>',
      ['refuse', 'keep'],
      'What to do if events for a person are pending',
      { defaultText: 'refuse' },
    ),
    file: fileOption('subscribers'),
    ...runOptions,
  },
  output:
    'What was removed, left and unknown for each subscriber, and the local files. As JSON, [{subscriberId, removed, left, unknown, localFiles}]; with - or --file, the summary of the run. Ids that do not exist are named; if none exists, the exit code is 5.',
  exitCodes: ['partial', 'notFound'],
  examples: {
    'svc subscribers erase u6 --dry-run': 'Show the requests only',
    'svc subscribers erase u6 --yes': 'Erase without confirmation',
    'svc subscribers erase --file former.csv --yes':
      'Any number of people, with a journal and rejects',
  },
  fields: ({ args, options }) =>
    isList(args.ids, options)
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
  gracefulShutdown: ({ args, options }) => isList(args.ids, options),
  async run(context, input) {
    const { args, options } = input;
    const { pending = 'refuse' } = options;
    const hasList = isList(args.ids, options);
    const { createErasureSender, surveyPerson } = await import('../../bulk/operations/erasure.ts');
    const { findLocalFiles } = await import('./local-files.ts');
    const rejects = await rejectsOutside(context);
    const unread = new Set<string>();
    const filesWith = (ids: Iterable<string>) =>
      findLocalFiles(context.host, ids, rejects, (path, error) => {
        if (!unread.has(path))
          context.warn(`${path} may have the ids, but cannot be searched: ${errorMessage(error)}`);
        unread.add(path);
      });
    const listedIds = new Set<string>();
    const absent: string[] = [];
    const erasures = new Map<string, Erasure>();
    let withActivity = 0;
    let localFiles: readonly LocalFile[] = [];
    const surveys = new Map<string, PersonalData | undefined>();
    const survey = async (ids: readonly string[]) => {
      const { call } = await context.client();
      const server = {};
      for (const id of ids) surveys.set(id, await surveyPerson(call, id, server));
      const people = [...surveys].flatMap(([id, data]) => (data ? [[id, data] as const] : []));
      if (people.length === 0)
        throw new SvcError('notFound', `${missingText(ids)} Nothing was erased.`, {
          next: ['svc subscribers list'],
        });
      if (pending === 'refuse') refusePending(people);
      for (const [id, data] of people) context.note(`${id}: ${countedParts(data)}.`);
      return people.map(([id]) => id);
    };
    return runNamed(context, {
      ids: args.ids,
      noun: 'subscriber',
      next: ['svc subscribers erase <subscriber-id>', 'svc subscribers list'],
      async confirm(target, ids) {
        const people = ids ? idsText(await survey(ids), 'subscriber') : target;
        await context.confirm(
          `Erase ${people} with all messages, subscriptions, preferences and credentials`,
          'This cannot be undone.',
        );
      },
      openSender: (readId) => ({
        ...createErasureSender({
          readId,
          keepsPending: pending === 'keep',
          ...(hasList ? { onId: (id) => void listedIds.add(id) } : { surveys }),
          onErasure(subscriberId, erasure) {
            if (!erasure) absent.push(subscriberId);
            else if (!hasList) erasures.set(subscriberId, erasure);
            else if (erasure.left.includes('activity')) withActivity += 1;
          },
        }),
        summary: async () => {
          localFiles = await filesWith(listedIds);
          return {
            ...(absent.length > 0 ? { absentIds: absent } : {}),
            localFiles: localFiles.map((file) => file.path),
          };
        },
        hint: () => leftText(absent, withActivity, localFiles),
      }),
      report: async ({ sent, end }) => {
        const people: PersonReport[] = [];
        for (const { id, outcome } of sent) {
          const erasure = erasures.get(id);
          if (!erasure) continue;
          const reason = 'reason' in outcome ? outcome.reason : '';
          people.push({ subscriberId: id, ...erasure, localFiles: await filesWith([id]), reason });
        }
        const failed = sent.filter(({ error }) => error);
        return report({ people, absent, failed, end });
      },
      bulk: {
        ...input,
        activeVerb: 'Erasing',
        pastVerb: 'Erased',
        options: { ...options, pending },
        idField: 'subscriberId',
        reportTexts: { rejectsAdvice: 'Erase the others', absentIsNotFound: true },
      },
    });
  },
});

interface Erased {
  people: readonly PersonReport[];
  absent: readonly string[];
  /** People whose erasure was not finished because of an error. */
  failed: readonly SentId[];
  end: SentRequests['end'];
}

function report({ people, absent, failed, end }: Erased) {
  const finished = people.filter(
    ({ left, unknown }) => unknown.length === 0 && left.every((kind) => kind === 'activity'),
  );
  const all = people.length + failed.length;
  const [person] = finished;
  const target =
    all === 1 && person ? `subscriber ${person.subscriberId}` : counted(all, 'subscriber');
  return result.report({
    value: people.map(({ localFiles, reason: _reason, ...rest }) => ({
      ...rest,
      localFiles: localFiles.map((file) => file.path),
    })),
    headline: `Erased ${finished.length < all ? `${finished.length} of ` : ''}${target}`,
    lines: [
      ...people.flatMap(proofLines),
      ...failed.map(({ id, error }) => `${id}: not erased: ${error?.message}`),
      ...(absent.length > 0 ? [missingText(absent)] : []),
    ],
    ids: people.map(({ subscriberId }) => subscriberId),
    end: end ?? result.exit(finished.length < all || absent.length > 0 ? 'partial' : 'ok'),
  });
}

function countedParts({ messages, topics, providers, channels }: PersonalData): string {
  const { connections, endpoints } = channels ?? { connections: [], endpoints: [] };
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

function proofLines(person: PersonReport): string[] {
  const { subscriberId, removed, left, unknown, localFiles, reason } = person;
  return [
    `${subscriberId}:`,
    ...removed.map((kind) => `  ${proofs[kind]}`),
    ...left.map((kind) =>
      kind === 'activity'
        ? '  activity: the service keeps past events until its retention time is over'
        : `  ${kind}: NOT removed`,
    ),
    ...(unknown.length > 0 ? [`  UNKNOWN: ${reason}`] : []),
    ...(localFiles.length > 0 ? ['  on this machine:'] : []),
    ...localFiles.map((file) => `    ${file.path} (${localText(file)})`),
  ];
}

interface PersonReport extends Erasure {
  subscriberId: string;
  localFiles: readonly LocalFile[];
  /** Why the erasure is not complete. */
  reason: string;
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

const maxNamed = 20;

/** Describes the ids that do not exist and the data that the run does not delete. */
function leftText(
  absent: readonly string[],
  withActivity: number,
  localFiles: readonly LocalFile[],
): string | undefined {
  const texts = [
    ...(absent.length > 0 ? [missingText(firstNames(absent, maxNamed))] : []),
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

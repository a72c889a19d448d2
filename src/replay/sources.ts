// Where the events of a replay, their recipients and the present workflows come from: the service, or files of
// `svc activity export --with people`.
import path from 'node:path';
import type { Context, Service } from '../app/context.ts';
import { usageError } from '../core/errors.ts';
import { counted } from '../core/text.ts';
import { openRecords } from '../input/records.ts';
import { readTextFile } from '../input/values.ts';
import { showProgressLine } from '../output/progress-line.ts';
import type { SandboxState } from '../sandbox/state/schema.ts';
import type { ActivityItem } from '../service/schemas/activity.ts';
import { mapTexts } from '../state-files/personal-data.ts';
import { createPseudonyms, type Pseudonyms } from '../state-files/pseudonyms.ts';
import { readEnvironment } from '../state-files/read-environment.ts';
import {
  isRecorded,
  type LeftOutReason,
  type ReadEvent,
  type RecordedEvent,
  sampleEvents,
  toRecordedEvent,
  whyNotRunnable,
} from './events.ts';

export interface ReplaySource {
  /** The environment with the recipients and the present workflows. */
  state: SandboxState;
  /** In order of time. */
  events: RecordedEvent[];
  leftOut: Map<LeftOutReason, number>;
}

export interface EventSelection {
  /** The identifiers of workflows; all if absent. */
  workflows?: readonly string[] | undefined;
  /** At most this many events are read, the newest ones. */
  maxEvents: number;
  sample?: number | undefined;
  /** Whether personal data is replaced. */
  isAnonymous: boolean;
}

/** `query`: the filters of the listing of the activity. */
export async function readFromService(
  context: Context,
  service: Service,
  query: Record<string, unknown>,
  selection: EventSelection,
): Promise<ReplaySource> {
  // One more shows whether there are more.
  const pages = service.pages('listActivity', { query }, selection.maxEvents + 1);
  const events = await selectEvents(context, itemsIn(pages), selection);
  const recipients = new Set(events.recorded.map(({ subscriberId }) => subscriberId));
  context.note(
    `Reading ${counted(recipients.size, 'recipient')}: about ${counted(recipients.size * 2, 'request')}.`,
  );
  const pseudonyms = selection.isAnonymous ? createPseudonyms(context.host.newId()) : undefined;
  const environment: Record<string, object[]> = {};
  let done = 0;
  const stop = showProgressLine(
    context,
    () => `Reading recipients: ${done} of ${counted(recipients.size, 'recipient')}`,
  );
  const { mark } = await readEnvironment(
    context,
    service,
    {
      withPersonalData: !selection.isAnonymous,
      keepData: true,
      noTopics: true,
      withPlaceholders: true,
      pseudonyms,
      recipients,
    },
    {
      add: (section, item) => {
        environment[section] ??= [];
        environment[section].push(item);
        if (section === 'subscribers') done += 1;
      },
    },
  ).finally(stop);
  const state = {
    version: 1,
    ...(mark === undefined ? {} : { compat: mark }),
    environments: [{ name: 'Development', ...environment }],
  } as SandboxState;
  const recorded = pseudonyms
    ? events.recorded.map((event) => withPseudonyms(event, pseudonyms))
    : events.recorded;
  return withRunnable(state, recorded, events.leftOut);
}

async function* itemsIn(pages: AsyncIterable<{ items: readonly ActivityItem[] }>) {
  for await (const { items } of pages) yield* items;
}

const withPseudonyms = (event: RecordedEvent, { identifier, text }: Pseudonyms): RecordedEvent => ({
  ...event,
  transactionId: identifier(event.transactionId),
  subscriberId: identifier(event.subscriberId),
  payload: mapTexts(event.payload, text) as RecordedEvent['payload'],
  contextKeys: event.contextKeys?.map((key) => {
    const at = key.indexOf(':') + 1;
    return key.slice(0, at) + identifier(key.slice(at));
  }),
});

/** The state file beside an export of events: `last-week.state.yaml` for `last-week.ndjson`. */
export const stateFileBeside = (file: string): string =>
  `${file.replace(/\.(?:ndjson|jsonl)(?:\.gz)?$/i, '')}.state.yaml`;

/** Without a request. */
export async function readFromFiles(
  context: Context,
  file: string,
  selection: Omit<EventSelection, 'isAnonymous'>,
): Promise<ReplaySource> {
  const stateFile = stateFileBeside(file);
  const { readState } = await context.sandbox();
  const text = readTextFile(stateFile, `the people of ${file}`, context.host);
  const state = readState(text, stateFile);
  const candidates = state.environments[0]?.workflows?.map(({ workflowId }) => workflowId) ?? [];
  for (const input of selection.workflows ?? [])
    if (!candidates.includes(input))
      throw usageError(`${stateFile} has no workflow \`${input}\`.`, {
        suggestion: { input, candidates },
      });
  const source = await openRecords({
    file: path.resolve(context.host.cwd, file),
    stdin: context.host.stdin,
    format: 'ndjson',
  });
  try {
    const { recorded, leftOut } = await selectEvents(context, itemsOf(source, file), selection);
    return withRunnable(state, recorded, leftOut);
  } finally {
    source.close();
  }
}

async function* itemsOf({ chunks }: Awaited<ReturnType<typeof openRecords>>, name: string) {
  for await (const chunk of chunks)
    for (const { value, line, error } of chunk) {
      // Servers leave out members that the specification requires.
      if (typeof value?.transactionId !== 'string')
        throw usageError(`${name}, line ${line}: ${error ?? 'not an item of the activity'}.`, {
          hint: 'Write the file again, with the subscribers.',
          next: ['svc activity export <file>.ndjson --with people'],
        });
      yield value as ActivityItem;
    }
}

async function selectEvents(
  context: Context,
  items: AsyncIterable<ActivityItem>,
  { workflows, maxEvents, sample }: Omit<EventSelection, 'isAnonymous'>,
) {
  const recorded: RecordedEvent[] = [];
  const leftOut = new Map<LeftOutReason, number>();
  let read = 0;
  const { host, warn } = context;
  const stop = showProgressLine(context, () => `Reading events: ${read}`);
  const allowHeapGrowth = host.limitHeapGrowth();
  try {
    for await (const item of items) {
      host.shutdownSignal.throwIfAborted();
      const event: ReadEvent = toRecordedEvent(item);
      if (isRecorded(event) && workflows?.includes(event.workflowId) === false) continue;
      if (read === maxEvents) {
        warn(`Only the newest ${counted(maxEvents, 'event')} are read; see --max-events.`);
        break;
      }
      read += 1;
      if (isRecorded(event)) recorded.push(event);
      else count(leftOut, event);
    }
  } finally {
    stop();
    allowHeapGrowth();
  }
  recorded.sort((a, b) => a.at - b.at);
  if (sample === undefined || sample >= recorded.length) return { recorded, leftOut };
  const { createHash } = await import('node:crypto');
  const order = (text: string) => createHash('sha256').update(text).digest('hex');
  return { recorded: sampleEvents(recorded, sample, order), leftOut };
}

function withRunnable(
  state: SandboxState,
  recorded: readonly RecordedEvent[],
  leftOut: Map<LeftOutReason, number>,
): ReplaySource {
  const [environment] = state.environments;
  const workflows = new Map(
    (environment?.workflows ?? []).map((workflow) => [workflow.workflowId, workflow]),
  );
  const events = recorded.filter((event) => {
    const reason = whyNotRunnable(event, workflows);
    if (reason !== undefined) count(leftOut, reason);
    return reason === undefined;
  });
  return { state, events, leftOut };
}

const count = (counts: Map<LeftOutReason, number>, reason: LeftOutReason) =>
  counts.set(reason, (counts.get(reason) ?? 0) + 1);

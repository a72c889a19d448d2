// `svc activity export --with payloads,people`: payloads that the listing leaves out, and the state file beside an export,
// with the recipients of its events and the present workflows. `svc workflows replay --events` reads both.
import path from 'node:path';
import type { Context } from '../app/context.ts';
import { mapConcurrently } from '../core/async.ts';
import { usageError } from '../core/errors.ts';
import { isObject } from '../core/objects.ts';
import { counted } from '../core/text.ts';
import { createEventReader, maxConcurrent } from '../deliveries/read.ts';
import { openRecords } from '../input/records.ts';
import { showProgressLine } from '../output/progress-line.ts';
import { chooseOutputFile, type OutputFile } from '../platform/files/output-file.ts';
import type { ActivityItem } from '../service/schemas/activity.ts';
import type { SandboxVersion } from '../service/versions.ts';
import { readEnvironment } from '../state-files/read-environment.ts';
import { headText, isStateText, openStateWriter } from '../state-files/state-writer.ts';
import { stateFileBeside } from './sources.ts';

const parts = ['payloads', 'people'] as const;
export type ExportPart = (typeof parts)[number];

export function readParts(names: readonly string[]): ExportPart[] {
  const unknown = names.find((name) => !(parts as readonly string[]).includes(name));
  if (unknown === undefined) return parts.filter((part) => names.includes(part));
  throw usageError(`--with: \`${unknown}\` must be one of: ${parts.join(', ')}.`, {
    suggestion: { input: unknown, candidates: parts },
  });
}

/** Returns a function that adds the payloads that the listing leaves out: a request for each event without one. */
export function createPayloadReader(context: Context) {
  const readEvent = createEventReader(context);
  const withPayload = async (item: ActivityItem): Promise<ActivityItem> => {
    const { _id: notificationId, payload, jobs } = item;
    const hasPayload = payload !== undefined || jobs?.some((job) => job.payload);
    if (hasPayload || notificationId === undefined) return item;
    const read = await readEvent(notificationId);
    return read?.payload === undefined ? item : { ...item, payload: read.payload };
  };
  return async (items: readonly ActivityItem[]): Promise<ActivityItem[]> => {
    const complete: ActivityItem[] = [];
    for await (const item of mapConcurrently(items, maxConcurrent, withPayload))
      complete.push(item);
    return complete;
  };
}

/** Before the export: throws if the state file must not be replaced. */
export function choosePeopleFile({ host }: Context, file: string, force: boolean): OutputFile {
  if (!/\.(?:ndjson|jsonl)$/i.test(file))
    throw usageError(`--with people needs whole items: name the file .ndjson, not ${file}.`);
  return chooseOutputFile(host, stateFileBeside(file), { isOwn: isStateText, force });
}

/** Returns the number of people in the file. */
export async function exportPeople(
  context: Context,
  file: string,
  output: OutputFile,
  service: SandboxVersion,
): Promise<number> {
  const recipients = await readRecipients(context, file);
  context.note(
    `Reading ${counted(recipients.size, 'recipient')}: about ${counted(recipients.size * 2, 'request')}.`,
  );
  const writer = openStateWriter(output);
  let people = 0;
  const stop = showProgressLine(context, () => `Reading ${counted(people, 'recipient')}`);
  try {
    await readEnvironment(
      context,
      await context.connection.service(),
      { withPersonalData: true, noTopics: true, withPlaceholders: true, recipients },
      {
        onHead: (mark) => writer.begin(headText({ hasPersonalData: true, mark, service })),
        add: (section, item) => {
          writer.add(section, item);
          if (section === 'subscribers') people += 1;
        },
      },
    );
    writer.finish();
    return people;
  } catch (error) {
    writer.discard();
    throw error;
  } finally {
    stop();
  }
}

/** From the file: an export that was resumed has not read all of its events. */
async function readRecipients({ host }: Context, file: string): Promise<Set<string>> {
  const recipients = new Set<string>();
  const source = await openRecords({
    file: path.resolve(host.cwd, file),
    stdin: host.stdin,
    format: 'ndjson',
  });
  try {
    for await (const chunk of source.chunks)
      for (const { value } of chunk) {
        const { subscriber, to } = value ?? {};
        const recipient = isObject(subscriber) ? subscriber : to;
        if (isObject(recipient) && typeof recipient.subscriberId === 'string')
          recipients.add(recipient.subscriberId);
      }
  } finally {
    source.close();
  }
  return recipients;
}

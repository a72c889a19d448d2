// Writes the files of `svc subscribers export`.
import path from 'node:path';
import type { Cursor } from '../../api/pages-by-cursor.ts';
import type { Context } from '../../app/context.ts';
import { usageError } from '../../core/errors.ts';
import { counted, listText } from '../../core/text.ts';
import * as result from '../../output/result.ts';
import type { Subscriber } from '../../service/schemas/subscribers.ts';
import type { ExportPosition } from '../shared/export-file.ts';
import { type ExportFormat, exportToFile, pageFormatter } from '../shared/export-run.ts';
import { parts } from './export.ts';
import {
  createCredentialReader,
  credentialColumns,
  firstTopics,
  subscriptionRows,
  type TopicsPosition,
  topicColumns,
} from './export-parts.ts';
import { firstCursor, subscriberPages } from './pages.ts';
import { createPreferenceReader, preferenceColumns } from './preferences/rows.ts';
import { subscriberColumns, subscriberId } from './view.ts';

type Part = (typeof parts)[number];

interface Position extends ExportPosition {
  subscribers: Cursor;
  /** Set once all subscribers are read. */
  topics?: TopicsPosition;
}

export async function runExport(
  context: Context,
  file: string,
  given: readonly string[],
  { resume = false, force = false }: { resume?: boolean; force?: boolean },
) {
  const chosen = chosenParts(given);
  const { reveal } = context.globals;
  if (chosen.includes('credentials') && !reveal)
    throw usageError('--with credentials writes secrets to a file, so it needs --reveal.');
  if (file === '-') return printAll(context, chosen, resume);
  const files = chosen.map((part) => besideName(file, part));
  const { format, position } = await exportToFile<Position>(context, {
    command: 'subscribers export',
    file,
    resume,
    force,
    fields: subscriberColumns.map(({ field }) => field),
    members: ['_id', 'subscriberId'],
    beside: chosen.map((part, index) => ({
      file: files[index] ?? '',
      fields: partColumns[part].map(({ field }) => field),
    })),
    options: chosen.length > 0 ? { with: chosen.join(',') } : {},
    start: { items: 0, subscribers: firstCursor },
    open: (format) => openSource(context, format, chosen),
  });
  const { items } = position;
  return result.report({
    value: { file, format, items, ...(files.length > 0 ? { files } : {}) },
    lines: [
      `Exported ${counted(items, 'subscriber')} to ${file}.`,
      ...(files.length > 0 ? [`Beside it: ${listText(files)}.`] : []),
    ],
    ids: [file, ...files],
  });
}

const partColumns: Record<Part, readonly { field: string }[]> = {
  preferences: preferenceColumns,
  topics: topicColumns,
  credentials: credentialColumns,
};

function chosenParts(given: readonly string[]): Part[] {
  const unknown = given.find((part) => !(parts as readonly string[]).includes(part));
  if (unknown === undefined) return parts.filter((part) => given.includes(part));
  throw usageError(`--with: \`${unknown}\` must be one of: ${parts.join(', ')}.`, {
    suggestion: { input: unknown, candidates: parts },
  });
}

/** `people.topics.csv` for `people.ndjson`. */
function besideName(file: string, part: Part): string {
  const { dir, name } = path.parse(file);
  return path.join(dir, `${name}.${part}.csv`);
}

function printAll(context: Context, chosen: readonly Part[], resume: boolean) {
  if (resume)
    throw usageError('--resume needs a file: an export to standard output cannot continue.');
  if (chosen.length > 0)
    throw usageError('--with needs a file, because it writes more files beside it.');
  return result.list({
    pages: subscriberPages(context, firstCursor),
    columns: subscriberColumns,
    id: subscriberId,
    empty: 'No subscribers.',
    defaultFormat: 'ndjson',
  });
}

async function openSource(context: Context, format: ExportFormat, chosen: readonly Part[]) {
  const people = await pageFormatter(context, format, subscriberColumns);
  const writers = await openParts(context, chosen);
  return {
    query: {},
    headers: [people.header, ...writers.map(({ header }) => header)],
    async *chunks(start: Position) {
      let position = start;
      if (!start.topics) {
        for await (const { items, cursor } of subscriberPages(context, start.subscribers)) {
          position = { items: position.items + items.length, subscribers: cursor };
          const beside = await Promise.all(writers.map(({ textOf }) => textOf?.(items) ?? ''));
          yield { texts: [await people.page(items), ...beside], position };
        }
      }
      if (!chosen.includes('topics')) return;
      const text = await pageFormatter(context, 'csv', topicColumns);
      for await (const { rows, position: topics } of subscriptionRows(
        context,
        start.topics ?? firstTopics,
      )) {
        position = { ...position, topics };
        const page = await text.page(rows);
        yield { texts: ['', ...chosen.map((part) => (part === 'topics' ? page : ''))], position };
      }
    },
  };
}

interface PartWriter {
  header: string;
  /** Absent for topics, which are read afterwards. */
  textOf?: (subscribers: readonly Subscriber[]) => Promise<string>;
}

/** In the order of the files. */
async function openParts(context: Context, chosen: readonly Part[]): Promise<PartWriter[]> {
  const open: Record<Part, () => Promise<PartWriter>> = {
    async preferences() {
      const { header, page } = await pageFormatter(context, 'csv', preferenceColumns);
      const readRows = await createPreferenceReader(await context.client());
      return { header, textOf: async (subscribers) => page(await readRows(subscribers)) };
    },
    topics: () => pageFormatter(context, 'csv', topicColumns),
    async credentials() {
      const { header, page } = await pageFormatter(context, 'csv', credentialColumns);
      const readRows = await createCredentialReader(context);
      return { header, textOf: (subscribers) => page(readRows(subscribers)) };
    },
  };
  return Promise.all(chosen.map((part) => open[part]()));
}

// Listings of messages for the page of the sandbox: newest first, one page at a time. They start at a message instead
// of an offset, so that a page deep in the list is read as fast as the first one.
import type { SqlValue } from './database.ts';
import { messages, type StoredMessage } from './messages.ts';
import type { Scope } from './scope.ts';
import { toJson } from './sql.ts';
import type { Row } from './table.ts';

export interface MessageFilter {
  channel?: string | undefined;
  /** Public id of a subscriber. */
  subscriberId?: string | undefined;
  /** Identifier of a workflow. */
  workflow?: string | undefined;
  /** `sent`, or `failed` for messages with an error or a warning. */
  status?: string | undefined;
  /** A text in the content, the payload or the recipient, in upper or lower case. */
  text?: string | undefined;
  /** Only messages older than the one with this id. */
  before?: string | undefined;
}

/** A message with the public id and the name of its subscriber; both are absent after the subscriber was deleted. */
export type ListedMessage = StoredMessage & {
  subscriberId: string | undefined;
  subscriberName: string | undefined;
};

const select = `SELECT m.*, s.subscriber_id, json_extract(s.body, '$.firstName') AS first_name,
  json_extract(s.body, '$.lastName') AS last_name
  FROM messages m LEFT JOIN subscribers s ON s.id = m.subscriber`;

/** Returns at most `limit` messages, newest first. */
export function pageOfMessages(
  { sql, environmentId }: Scope,
  filter: MessageFilter,
  limit: number,
): ListedMessage[] {
  const { channel, subscriberId, workflow, status, text, before } = filter;
  const conditions: [text: string, ...values: SqlValue[]][] = [['m.env = ?', environmentId]];
  if (channel) conditions.push(['m.channel = ?', channel]);
  if (subscriberId)
    conditions.push([
      'm.subscriber = (SELECT id FROM subscribers WHERE env = ? AND subscriber_id = ?)',
      environmentId,
      subscriberId,
    ]);
  if (workflow)
    conditions.push([
      'm.workflow = (SELECT id FROM workflows WHERE env = ? AND identifier = ?)',
      environmentId,
      workflow,
    ]);
  if (status)
    conditions.push([
      `json_extract(m.body, '$.status') ${status === 'sent' ? '=' : '<>'} ?`,
      'sent',
    ]);
  if (text)
    conditions.push([
      `(m.body LIKE ? ESCAPE '\\' OR m.subscriber IN
        (SELECT id FROM subscribers WHERE env = ? AND instr(search, ?) > 0))`,
      containing(text),
      environmentId,
      text.toLowerCase(),
    ]);
  const start = before === undefined ? undefined : position({ sql, environmentId }, before);
  if (start) conditions.push(['(m.created_at, m.id) < (?, ?)', start.created_at, before ?? '']);
  return sql
    .all<Row>(
      `${select} WHERE ${conditions.map(([condition]) => condition).join(' AND ')}
       ORDER BY m.created_at DESC, m.id DESC LIMIT ?`,
      ...conditions.flatMap(([, ...values]) => values),
      limit,
    )
    .map(fromRow);
}

const position = ({ sql, environmentId }: Pick<Scope, 'sql' | 'environmentId'>, id: string) =>
  sql.get<{ created_at: string }>(
    'SELECT created_at FROM messages WHERE env = ? AND id = ?',
    environmentId,
    id,
  );

/** The pattern of LIKE for a text within JSON. */
const containing = (text: string) =>
  `%${toJson(text)
    .slice(1, -1)
    .replace(/[\\%_]/g, '\\$&')}%`;

export function listedMessage(
  { sql, environmentId }: Scope,
  id: string,
): ListedMessage | undefined {
  const row = sql.get<Row>(`${select} WHERE m.env = ? AND m.id = ?`, environmentId, id);
  return row && fromRow(row);
}

function fromRow(row: Row): ListedMessage {
  const name = [row.first_name, row.last_name].filter(Boolean).join(' ');
  return {
    ...messages.fromRow(row),
    subscriberId: row.subscriber_id === null ? undefined : String(row.subscriber_id),
    subscriberName: name === '' ? undefined : name,
  };
}

/** Returns the ids of the messages of jobs, by job. */
export function messageIdsOfJobs({ sql }: Scope, jobs: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const rows = sql.all<{ id: string; job: string }>(
    `SELECT id, job FROM messages WHERE job IN (SELECT value FROM json_each(?)) ORDER BY id`,
    toJson(jobs),
  );
  for (const { id, job } of rows) found.set(job, [...(found.get(job) ?? []), id]);
  return found;
}

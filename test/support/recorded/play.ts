// Sends the recorded requests to a server, in order, and compares its responses with the recorded ones.
import { compare, type Difference } from './compare.ts';
import type { Exchange } from './corpus.ts';
import { fitted } from './patterns.ts';
import { fill, fillText, isObject, normalize, sortBy } from './placeholders.ts';
import { type Received, send } from './send.ts';

export interface Server {
  baseUrl: string;
  key: string;
  /** Waits, or moves the server's clock. */
  wait(ms: number): Promise<unknown>;
}

export interface Played {
  exchange: Exchange;
  /** With placeholders for the values that differ each time. */
  received: Received;
}

export async function play(server: Server, exchanges: readonly Exchange[]): Promise<Played[]> {
  const values = new Map([['key', server.key]]);
  const played: Played[] = [];
  let waited = 0;
  for (const exchange of exchanges) {
    const response = await send(
      server.baseUrl,
      toSend(exchange, server.key, values, Date.now() + waited),
    );
    const body = sorted(response.body, exchange.sort);
    for (const [name, path] of Object.entries(exchange.capture ?? {})) {
      const value = pick(body, path);
      if (value === undefined || value === null) values.delete(name);
      else values.set(name, String(value));
    }
    played.push({ exchange, received: { ...response, body: normalize(body, values) } });
    if (exchange.wait) {
      await server.wait(exchange.wait);
      waited += exchange.wait;
    }
  }
  return played;
}

export function toSend(
  { request }: Exchange,
  key: string,
  values: ReadonlyMap<string, string>,
  now: number,
) {
  const { method, path, headers: own = {}, body, raw, bytes } = request;
  const json = body === undefined ? undefined : JSON.stringify(fill(body, values, now));
  const text = raw ?? (bytes ? bodyWithSize(bytes) : json);
  const headers: Record<string, string | null> = {
    Authorization: `ApiKey ${key}`,
    Accept: 'application/json',
    ...(text === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(fill(own, values, now) as Record<string, string | null>),
  };
  const given = Object.entries(headers).filter(
    (header): header is [string, string] => header[1] !== null,
  );
  const encoded = new Map([...values].map(([name, value]) => [name, encodeURIComponent(value)]));
  const target = fillText(path, encoded, now);
  return { method, path: target, headers: Object.fromEntries(given), body: text };
}

function bodyWithSize(bytes: number): string {
  const withData = (size: number) =>
    JSON.stringify({ subscribers: [{ subscriberId: 'size', data: { x: 'y'.repeat(size) } }] });
  return withData(bytes - withData(0).length);
}

/** Returns the value at a path like `a.b[0].c` or `a[?key=value].c`. */
export function pick(value: unknown, path: string): unknown {
  const steps = path.matchAll(/\[\?([^=\]]+)=([^\]]+)\]|([^.[\]]+)/g);
  return [...steps].reduce<unknown>((at, [, name, wanted, key]) => {
    if (key !== undefined) return (at as Record<string, unknown> | undefined)?.[key];
    const items = Array.isArray(at) ? at : [];
    return items.find((item) => item?.[name ?? ''] === wanted);
  }, value);
}

/** Sorts a list of parallel work by what its items contain. */
function sorted(body: unknown, member: string | undefined): unknown {
  if (member === undefined || !isObject(body) || !Array.isArray(body[member])) return body;
  const list = sortBy(body[member], (item) => [
    item?.transactionId?.startsWith('txn_') ? '' : item?.transactionId,
    item?.templateIdentifier ?? item?.template?.triggers?.[0]?.identifier,
    item?.subscriber?.subscriberId,
    item?.content,
    item?.payload,
  ]);
  return { ...body, [member]: list };
}

/** Returns what differs from the recorded response, in members and headers that the specification does not define. */
export function findDifferences({ exchange, received }: Played): Difference[] {
  const { answer, align, specPaths = [] } = exchange;
  if (!answer) return [];
  if (answer.status !== 0 && answer.status !== received.status) {
    const text = `recorded ${answer.status}, received ${received.status}: ${JSON.stringify(received.body)}`;
    return [{ path: 'status', kind: 'shape', text: text.slice(0, 300) }];
  }
  const body = align ? aligned(answer.body, received.body, ...align) : received.body;
  const isSpecified = ({ path, kind }: Difference) =>
    specPaths.some(
      (specified) => path === specified || (kind === 'shape' && `+${path}` === specified),
    );
  return [
    ...compare(fitted(answer.body, body, new Map()), body).filter(
      (difference) => !isSpecified(difference),
    ),
    ...compare(answer.headers, received.headers, 'headers'),
  ];
}

/** Puts a list in the order of the recorded one, by a member of its items. */
export function aligned(
  recorded: unknown,
  received: unknown,
  list: string,
  member: string,
): unknown {
  const wanted = pick(recorded, list);
  const copy = structuredClone(received);
  const items = pick(copy, list);
  if (!Array.isArray(wanted) || !Array.isArray(items)) return received;
  const order = wanted.map((item) => pick(item, member));
  const place = (item: unknown) => {
    const index = order.indexOf(pick(item, member));
    return index < 0 ? order.length : index;
  };
  items.sort((a, b) => place(a) - place(b));
  return copy;
}

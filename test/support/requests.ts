// The contents of the requests of a command line.
import type { Ran } from './rig.ts';

interface SentEvent {
  to: { subscriberId: string }[];
  payload: object;
  overrides?: object;
  transactionId: string;
}

/** The requests that are not reads. */
export const filterWrites = <R extends { line: string }>(requests: readonly R[]): R[] =>
  requests.filter(({ line }) => !line.startsWith('GET '));

/** `POST /v2/workflows`, for each request that is not a read. */
export const listWrites = (requests: readonly { line: string }[]): string[] =>
  filterWrites(requests).map(({ line }) => line);

/** The events of all bulk requests; fails for other requests that trigger events. */
export const sentEvents = (requests: Ran['requests']): SentEvent[] =>
  requests
    .filter(({ line }) => line.startsWith('POST /v1/events'))
    .flatMap(({ body }) => (body as { events: SentEvent[] }).events);

export const transactionIds = (requests: Ran['requests']): string[] =>
  sentEvents(requests).map(({ transactionId }) => transactionId);

export const idempotencyKeys = (
  requests: readonly { headers: Readonly<Record<string, string | string[] | undefined>> }[],
) => requests.map(({ headers }) => headers['idempotency-key']);

/** The different methods of the requests. */
export const sentMethods = (requests: readonly { line: string }[]) => [
  ...new Set(requests.map(({ line }) => line.split(' ')[0])),
];

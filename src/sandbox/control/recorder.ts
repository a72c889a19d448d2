// Records what happens in a sandbox: each request, in the log of requests and for a listener, and each captured message
// for the listener.

import { variableProblemTexts } from '../../core/variable-problems.ts';
import { limits } from '../../service/limits.ts';
import { notEmulatedHeader } from '../../service/route-errors.ts';
import { serializeCapturedMessage } from '../api/messages.ts';
import { sentBody } from '../http/request-body.ts';
import { ConnectionCut, internalErrorOf } from '../http/responses.ts';
import type { Clock } from '../store/ids.ts';
import { latestMessageRow, messagesAfterRow } from '../store/messages.ts';
import type { Store } from '../store/scope.ts';
import { controlPath } from './client.ts';
import { isOfApplication, type RequestLog } from './request-log.ts';
import type { CapturedMessage } from './schemas.ts';

export type LoggedEvent =
  | {
      type: 'request';
      method: string;
      /** Path and query. */
      target: string;
      /** Null if an injected fault closed the connection. */
      status: number | null;
      durationMs: number;
      /** The service has the route, the sandbox does not. */
      isNotEmulated: boolean;
      /** The cause of an internal error. */
      internalError: string | undefined;
    }
  | { type: 'message'; message: CapturedMessage };

interface RecorderOptions {
  store: Store;
  /** The system clock. */
  clock: Clock;
  requestLog: RequestLog;
  /** Called for every request but those of the control routes, and for every message. */
  onEvent: ((event: LoggedEvent) => void) | undefined;
  onExchange: ((exchange: Exchange) => void) | undefined;
}

/** A request of the application with its response. */
export interface Exchange {
  method: string;
  /** Path and query. */
  target: string;
  status: number;
  /** The route exists in the service, not in the sandbox. */
  isNotEmulated: boolean;
  /** The texts of the bodies; empty without one. */
  body: string;
  response: string;
}

/** Calls `respond`, which reports that the request was let through to a route. */
type RecordRequest = (
  request: Request,
  respond: (letThrough: () => void) => Promise<Response>,
) => Promise<Response>;

export function createRecorder({
  store,
  clock,
  requestLog,
  onEvent,
  onExchange,
}: RecorderOptions): RecordRequest {
  const reportMessages = onEvent && createMessageReports(store, onEvent);
  let pending = 0;
  // The messages of a request are reported after it.
  store.onCommit(() => {
    if (pending === 0) reportMessages?.();
  });

  return async (request, respond) => {
    const startedAt = clock.now();
    let isLetThrough = false;
    let response: Response | undefined;
    let status: number | null = null;
    pending += 1;
    try {
      response = await respond(() => {
        isLetThrough = true;
      });
      status = response.status;
      return response;
    } catch (error) {
      if (!(error instanceof ConnectionCut)) throw error;
      status = error.truncatedResponse?.status ?? null;
      throw error;
    } finally {
      pending -= 1;
      const internalError = internalErrorOf(request);
      const isNotEmulated = response?.headers.has(notEmulatedHeader) ?? false;
      const durationMs = clock.now() - startedAt;
      const result = { status, response, isNotEmulated, internalError, durationMs };
      if (isLetThrough) await requestLog.add(request, result);
      const { pathname, search } = new URL(request.url);
      if (onExchange && isLetThrough && response && isOfApplication(pathname))
        onExchange({
          ...{ method: request.method, target: `${pathname}${search}`, status: response.status },
          isNotEmulated,
          body: (await sentBody(request, limits.eventBody).catch(() => null))?.text ?? '',
          response: await response.clone().text(),
        });
      const isControl = pathname.startsWith(`${controlPath}/`);
      if (onEvent && (!isControl || internalError !== undefined)) {
        const { method } = request;
        const sent = { method, target: `${pathname}${search}` };
        onEvent({ type: 'request', ...sent, status, durationMs, isNotEmulated, internalError });
      }
      reportMessages?.(isControl && /\/(reset|seed|environments)$/.test(pathname));
    }
  };
}

/** Returns a function that reports the messages since its last call, or none of them if they are those of a seed. */
function createMessageReports(store: Store, onEvent: (event: LoggedEvent) => void) {
  let lastRow = latestMessageRow(store.sql);
  return (areSeeded = false): void => {
    if (!store.sql.isOpen()) return;
    // SQLite reuses the row number of a deleted message.
    const latest = latestMessageRow(store.sql);
    lastRow = areSeeded ? latest : Math.min(lastRow, latest);
    for (const { row, message } of messagesAfterRow(store.sql, lastRow)) {
      lastRow = row;
      onEvent({ type: 'message', message: serializeCapturedMessage(message) });
    }
  };
}

// The lines of `svc sandbox start --log`, and of the option `log` of `svc-cli/testing`.

/** `12:00:00  POST /v1/events/trigger  201  3 ms` or `12:00:00  email to u1 <ada@example.com>  Welcome`. */
export function eventLine(event: LoggedEvent, now: number): string {
  const parts = event.type === 'request' ? requestParts(event) : messageParts(event);
  return [new Date(now).toISOString().slice(11, 19), ...parts].join('  ');
}

const requestParts = ({
  method,
  target,
  status,
  durationMs,
  isNotEmulated,
  internalError,
}: Extract<LoggedEvent, { type: 'request' }>): string[] => [
  `${method} ${target}`,
  status === null ? 'connection closed by a fault' : String(status),
  `${Math.round(durationMs)} ms`,
  ...(isNotEmulated ? ['not emulated by the sandbox'] : []),
  ...(internalError === undefined ? [] : [internalError]),
];

function messageParts({ message }: Extract<LoggedEvent, { type: 'message' }>): string[] {
  const { channel, subscriberId, recipient, subject, title, body, status, errorText } = message;
  const address = recipient === null || recipient === subscriberId ? '' : ` <${recipient}>`;
  const text = (subject ?? title ?? body).replace(/\s+/g, ' ').slice(0, 80);
  const problem = status === 'sent' ? [] : [[status, errorText].filter(Boolean).join(': ')];
  return [
    `${channel} to ${subscriberId}${address}`,
    text,
    ...problem,
    ...variableProblemTexts(message),
  ];
}

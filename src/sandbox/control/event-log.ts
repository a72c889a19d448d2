// Reports what happens in a sandbox: each request of an operation, and each captured message.

import { variableProblemTexts } from '../../core/variable-problems.ts';
import { serializeCapturedMessage } from '../api/messages.ts';
import type { StartTimer } from '../engine/scheduler.ts';
import { ConnectionCut, internalErrorOf } from '../http/responses.ts';
import type { Clock } from '../store/ids.ts';
import { latestMessageRow, messagesAfterRow } from '../store/messages.ts';
import type { Store } from '../store/scope.ts';
import { controlPath } from './client.ts';
import { notEmulatedHeader } from './refusals.ts';
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

type Handler = (request: Request) => Promise<Response>;

/** Wraps a request handler and a timer so that they report events. */
export function createEventLog(store: Store, clock: Clock, report: (event: LoggedEvent) => void) {
  let lastRow = latestMessageRow(store.sql);

  // Reads the messages after each piece of work, because a transaction that is rolled back has created none.
  const reportMessages = () => {
    if (!store.sql.isOpen()) return;
    // SQLite reuses the row number of a deleted message.
    lastRow = Math.min(lastRow, latestMessageRow(store.sql));
    for (const { row, message } of messagesAfterRow(store.sql, lastRow)) {
      lastRow = row;
      report({ type: 'message', message: serializeCapturedMessage(message) });
    }
  };

  const handler =
    (handle: Handler): Handler =>
    async (request) => {
      const { pathname, search } = new URL(request.url);
      const isControl = pathname.startsWith(`${controlPath}/`);
      const startedAt = clock.now();
      let status: number | null = null;
      let isNotEmulated = false;
      try {
        const response = await handle(request);
        status = response.status;
        isNotEmulated = response.headers.has(notEmulatedHeader);
        return response;
      } catch (error) {
        if (!(error instanceof ConnectionCut)) throw error;
        status = error.truncatedResponse?.status ?? null;
        throw error;
      } finally {
        const internalError = internalErrorOf(request);
        if (!isControl || internalError !== undefined)
          report({
            type: 'request',
            method: request.method,
            target: `${pathname}${search}`,
            status,
            durationMs: clock.now() - startedAt,
            isNotEmulated,
            internalError,
          });
        // The messages of a seed are not new.
        if (isControl && /\/(reset|seed|environments)$/.test(pathname) && store.sql.isOpen())
          lastRow = latestMessageRow(store.sql);
        else reportMessages();
      }
    };

  const timer =
    (start: StartTimer): StartTimer =>
    (delay, call) =>
      start(delay, () => {
        call();
        reportMessages();
      });

  return { handler, timer };
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

// The lines of `svc sandbox start --log`, and of the option `log` of `svc-cli/testing`.
import { variableProblemTexts } from '../../core/variable-problems.ts';
import type { LoggedEvent } from './event-log.ts';

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

// Formats an error as text for people, or as one JSON object for programs.
import { exitCodes, type SvcError } from '../core/errors.ts';
import { safeJson, safeText } from './safe-text.ts';
import type { Style } from './style.ts';

/**
 * The error as text: the message, one line per invalid field, the hint and the commands to run next. `wrap` breaks the
 * sentences for a terminal; commands stay whole.
 */
export function errorText(
  { exitReason, message, details }: SvcError,
  style: Style,
  wrap: (line: string) => string[] = (line) => [line],
): string {
  const [label, tone] = details.isAnswer
    ? (['', 'plain'] as const)
    : details.isWarning
      ? (['Warning:', 'warn'] as const)
      : (['Error:', 'bad'] as const);
  const [first = '', ...others] = wrap(`${label} ${safeText(message)}`.trimStart());
  const lines = [style.tone(tone, label) + first.slice(label.length), ...others];
  for (const { field, message: why } of details.fieldErrors ?? []) {
    if (why === message) continue;
    lines.push(...wrap(`  ${field === '' ? '' : `${safeText(field)}: `}${safeText(why)}`));
  }
  const origin = [
    ...(details.status === undefined ? [] : [`status ${details.status}`]),
    ...(details.path === undefined ? [] : [safeText(details.path)]),
    ...(details.requestId === undefined ? [] : [`request ${safeText(details.requestId)}`]),
  ];
  if (origin.length > 0 && exitReason !== 'usage')
    lines.push(...wrap(`  (${origin.join(', ')})`).map((line) => style.tone('muted', line)));
  if (details.hint) lines.push(...wrap(safeText(details.hint)));
  for (const next of details.next ?? []) lines.push(`  ${style.tone('strong', safeText(next))}`);
  return `${lines.join('\n')}\n`;
}

/** The error as one line of JSON. */
export function errorJson({ exitReason, message, details }: SvcError): string {
  const error = {
    code: exitCodes[exitReason].code,
    name: exitReason,
    message,
    status: details.status ?? null,
    path: details.path ?? null,
    hint: details.hint ?? null,
    next: details.next ?? [],
    details: details.fieldErrors ?? [],
    requestId: details.requestId ?? null,
  };
  return `${safeJson(JSON.stringify({ error }))}\n`;
}

// An error → what a person reads on standard error, or the one JSON object that a program reads.
import { exitCodes, type SvcError } from '../core/errors.ts';
import { safeJson, safeText } from './safe-text.ts';
import type { Style } from './style.ts';

/** The error for people: what, why field by field, and what to type next. */
export function errorText({ ending, message, facts }: SvcError, style: Style): string {
  const lines = [`${style.tone('bad', 'Error:')} ${safeText(message)}`];
  for (const { field, message: why } of facts.details ?? []) {
    if (why === message) continue;
    lines.push(`  ${field === '' ? '' : `${safeText(field)}: `}${safeText(why)}`);
  }
  const origin = [
    ...(facts.status === undefined ? [] : [`status ${facts.status}`]),
    ...(facts.path === undefined ? [] : [safeText(facts.path)]),
    ...(facts.requestId === undefined ? [] : [`request ${safeText(facts.requestId)}`]),
  ];
  if (origin.length > 0 && ending !== 'usage')
    lines.push(style.tone('muted', `  (${origin.join(', ')})`));
  if (facts.hint) lines.push(safeText(facts.hint));
  for (const next of facts.next ?? []) lines.push(`  ${style.tone('strong', safeText(next))}`);
  return `${lines.join('\n')}\n`;
}

/** The error for programs: one line of JSON. */
export function errorJson({ ending, message, facts }: SvcError): string {
  const error = {
    code: exitCodes[ending].code,
    name: ending,
    message,
    status: facts.status ?? null,
    path: facts.path ?? null,
    hint: facts.hint ?? null,
    next: facts.next ?? [],
    details: facts.details ?? [],
    requestId: facts.requestId ?? null,
  };
  return `${safeJson(JSON.stringify({ error }))}\n`;
}

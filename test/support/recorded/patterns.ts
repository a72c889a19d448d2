// Recorded texts with placeholders for what differs each time: `<objectId>`, `{{slugId}}`, `… (300 characters)`.
import { isObject } from './placeholders.ts';

const kinds: Record<string, string> = {
  '<objectId>': '[0-9a-f]{24}',
  '<iso>': '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?Z',
  '<base62>': '[0-9A-Za-z]{1,20}',
  '{{slugId}}': '[0-9A-Za-z]{1,20}',
  '{{4 characters}}': '[0-9a-z]{4}',
  '{{20 characters}}': '[0-9a-z]{20}',
  '{{short}}': '[0-9A-Za-z]{1,20}',
  '{{uuid}}': '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
  '{{identifier}}': '.+',
  '{{secret}}': '.+',
  '{{hash}}': '[0-9a-f]{64}',
  '<8 characters>': '[0-9a-z]{8}',
  '<12 characters>': '[\\w-]{12}',
  '<number>': '\\d+',
  '<text>': '.+',
};
const cut = '… \\(\\d+ characters\\)';
const placeholders = new RegExp(
  `${Object.keys(kinds)
    .map((name) => name.replace(/[{}]/g, '\\$&'))
    .join('|')}|${cut}|\\{\\{\\w+\\}\\}`,
  'g',
);
const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/**
 * Returns the recorded value with the received text in place of each recorded text that it fits, so that what differs
 * each time counts as equal. `known` are values by name, such as the id of an environment.
 */
export function fitted(
  recorded: unknown,
  received: unknown,
  known: ReadonlyMap<string, string>,
): unknown {
  if (recorded === '<schema>') return isObject(received) ? received : recorded;
  if (typeof recorded === 'string')
    return typeof received === 'string' && fits(recorded, received, known) ? received : recorded;
  if (Array.isArray(recorded)) {
    const list = Array.isArray(received) ? received : [];
    return recorded.map((item, index) => fitted(item, list[index], known));
  }
  if (!isObject(recorded)) return recorded;
  const members = isObject(received) ? received : {};
  return Object.fromEntries(
    Object.entries(recorded).map(([name, member]) => [name, fitted(member, members[name], known)]),
  );
}

function fits(recorded: string, received: string, known: ReadonlyMap<string, string>): boolean {
  let pattern = '';
  let end = 0;
  for (const { 0: placeholder, index } of recorded.matchAll(placeholders)) {
    pattern += escaped(recorded.slice(end, index)) + toPattern(placeholder, known);
    end = index + placeholder.length;
  }
  if (end === 0) return recorded === received;
  return new RegExp(`^${pattern}${escaped(recorded.slice(end))}$`, 's').test(received);
}

function toPattern(placeholder: string, known: ReadonlyMap<string, string>): string {
  if (placeholder.startsWith('…')) return '.*';
  const kind = kinds[placeholder];
  // Received texts have placeholders, too, if they were normalized.
  if (kind) return `(?:${kind}|${escaped(placeholder)})`;
  return escaped(known.get(placeholder.slice(2, -2)) ?? placeholder);
}

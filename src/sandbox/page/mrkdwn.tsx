// The text of a chat message as chat programs show mrkdwn: bold, italic, struck and fixed-width text, quotes and links.
import type { Child } from 'hono/jsx';
import { safeLink } from './format.ts';

const inline =
  /```\n?([\s\S]+?)\n?```|`([^`\n]+)`|<(https?:\/\/[^\s<>|]+|mailto:[^\s<>|]+)(?:\|([^<>\n]*))?>|(?<![\p{L}\p{N}])(?:\*([^\s*](?:[^*\n]*[^\s*])?)\*|_([^\s_](?:[^_\n]*[^\s_])?)_|~([^\s~](?:[^~\n]*[^\s~])?)~)(?![\p{L}\p{N}])/gu;

const maxDepth = 4;

/** The text without its signs, for a line in a list. */
export function mrkdwnText(text: string, depth = 0): string {
  if (depth > maxDepth) return text;
  const withoutSigns = text.replace(
    inline,
    (_all, block, code, url, label, bold, italic, struck) =>
      block ?? code ?? (url ? label || url : mrkdwnText(bold ?? italic ?? struck ?? '', depth + 1)),
  );
  return depth > 0 ? withoutSigns : unescaped(withoutSigns.replace(/^>\s?/gm, ''));
}

export const Mrkdwn = ({ text }: { text: string }) => (
  <div class="text" dir="auto">
    {linesByQuote(text).map(({ isQuote, lines }) =>
      isQuote ? <blockquote>{formatted(lines, 0)}</blockquote> : formatted(lines, 0),
    )}
  </div>
);

/** Groups lines that begin with `>`, without the sign. */
function linesByQuote(text: string): { isQuote: boolean; lines: string }[] {
  const groups: { isQuote: boolean; lines: string }[] = [];
  for (const line of text.split('\n')) {
    const quoted = /^>\s?(.*)$/.exec(line);
    const last = groups.at(-1);
    const shown = quoted?.[1] ?? line;
    if (last && last.isQuote === (quoted !== null)) last.lines += `\n${shown}`;
    else groups.push({ isQuote: quoted !== null, lines: shown });
  }
  return groups;
}

function formatted(text: string, depth: number): Child[] {
  if (depth > maxDepth) return [text];
  const parts: Child[] = [];
  let end = 0;
  for (const match of text.matchAll(inline)) {
    const [all, block, code, url, label, bold, italic, struck] = match;
    parts.push(unescaped(text.slice(end, match.index)));
    end = match.index + all.length;
    if (block !== undefined) parts.push(<pre>{unescaped(block)}</pre>);
    else if (code !== undefined) parts.push(<code>{unescaped(code)}</code>);
    else if (url !== undefined) parts.push(linkPart(unescaped(url), label));
    else if (bold !== undefined) parts.push(<b>{formatted(bold, depth + 1)}</b>);
    else if (italic !== undefined) parts.push(<i>{formatted(italic, depth + 1)}</i>);
    else parts.push(<s>{formatted(struck ?? '', depth + 1)}</s>);
  }
  return [...parts, unescaped(text.slice(end))];
}

function linkPart(url: string, label: string | undefined): Child {
  const link = safeLink(url);
  const shown = label ? unescaped(label) : url;
  return link ? (
    <a href={link} target="_blank" rel="noopener noreferrer">
      {shown}
    </a>
  ) : (
    shown
  );
}

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };
const unescaped = (text: string) =>
  text.replace(/&(?:amp|lt|gt);/g, (entity) => entities[entity] ?? entity);

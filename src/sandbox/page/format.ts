// Text for the page: times, durations, excerpts and links.
import { unitMs } from '../../core/durations.ts';

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** `12:04:05`, in UTC. */
export const clockTime = (iso: string): string => iso.slice(11, 19);

/** `12:04`, in UTC. */
export const shortTime = (iso: string): string => iso.slice(11, 16);

/** `15 Jan 2026`, in UTC. */
export function dateText(iso: string): string {
  const date = new Date(iso);
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** The time; with its date if that is not the date of `start`. */
export const timeAfter = (iso: string, start: string): string =>
  iso.slice(0, 10) === start.slice(0, 10) ? clockTime(iso) : `${dateText(iso)}, ${clockTime(iso)}`;

/** `Today` and `Yesterday` by the clock of the sandbox, else the date. */
export function dayText(iso: string, now: string): string {
  const days = dayNumber(now) - dayNumber(iso);
  if (days === 0) return 'Today';
  return days === 1 ? 'Yesterday' : dateText(iso);
}

const dayNumber = (iso: string) => Math.floor(Date.parse(iso) / unitMs.d);

/** `12 B`, `3 KB`, `1.5 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const kilobytes = bytes / 1024;
  return kilobytes < 1024
    ? `${Math.round(kilobytes)} KB`
    : `${(kilobytes / 1024).toFixed(1).replace(/\.0$/, '')} MB`;
}

const maxExcerpt = 160;
/** More of an e-mail is not read for its excerpt. */
const maxSource = 8_000;

/** The beginning of a content as one line, without markup. */
export function excerpt(content: string, isHtml: boolean, max = maxExcerpt): string {
  const source = content.slice(0, maxSource);
  const text = isHtml ? withoutMarkup(source) : source;
  const line = text.replace(/\s+/g, ' ').trim();
  const beginning = [...line].slice(0, max).join('');
  return beginning === line ? line : `${beginning.trimEnd()}…`;
}

const withoutMarkup = (html: string): string =>
  html
    .replace(/<(style|script|title|head)\b[^>]*>[\s\S]*?(<\/\1>|$)/gi, ' ')
    .replace(/<[^>]*(>|$)/g, ' ')
    .replace(/&(nbsp|zwnj|shy|#847|#8199);/g, ' ')
    .replace(/&(amp|lt|gt|quot|#39);/g, (whole, name: string) => entities[name] ?? whole);

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** The address of a link to the web, an e-mail address or a phone number; undefined for anything else, such as a script. */
export function safeLink(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined;
  return isOpened(new URL(url).protocol) ? url : undefined;
}

/** Whether mail programs and browsers open addresses of a protocol. */
export const isOpened = (protocol: string): boolean =>
  ['http:', 'https:', 'mailto:', 'tel:'].includes(protocol);

/** A data URL of a raster image or SVG, which is the only kind of image that the page shows. */
export const dataImage = (url: string | undefined): string | undefined =>
  url?.startsWith('data:image/') ? url : undefined;

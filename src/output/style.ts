// Colors and short times for a terminal. Color is decided for each stream from options and environment.
import type { ChalkInstance } from 'chalk';
import type { Line, Tone } from './result.ts';
import { safeText } from './safe-text.ts';

export interface ColorInputs {
  isTty: boolean;
  /** `auto`, `always` or `never`. */
  wanted: string;
  /** `wanted` comes from the configuration file, so NO_COLOR and the like take precedence. */
  stored?: boolean;
  env: Record<string, string | undefined>;
}

/**
 * Whether a stream is colored. Precedence: option or SVC_COLOR, NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE, CLICOLOR,
 * configuration file, terminal.
 */
export function wantsColor({ isTty, wanted, stored = false, env }: ColorInputs): boolean {
  const explicit = wanted === 'auto' ? undefined : wanted === 'always';
  if (explicit !== undefined && !stored) return explicit;
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return !isOff(env.FORCE_COLOR);
  if (env.CLICOLOR_FORCE && !isOff(env.CLICOLOR_FORCE)) return true;
  if (env.CLICOLOR && isOff(env.CLICOLOR)) return false;
  return explicit ?? (isTty && env.TERM !== 'dumb');
}

const isOff = (value: string) => value === '0' || value === 'false';

export interface Style {
  tone(tone: Tone, text: string): string;
  heading(text: string): string;
}

/** A line for people with its line feed, safe for a terminal. */
export const styledLine = (line: Line, style: Style): string => {
  if (typeof line === 'string') return `${safeText(line)}\n`;
  const spans = line.map(({ text, tone = 'plain' }) => style.tone(tone, safeText(text)));
  return `${spans.join('')}\n`;
};

export const plainStyle: Style = { tone: (_tone, text) => text, heading: (text) => text };

/** A dark yellow of 256 colors that is legible on white and on black; the yellow of many light terminals is not. */
const ochre = 136;

export async function openStyle(
  colored: boolean,
  { TERM = '', COLORTERM = '' }: ColorInputs['env'],
): Promise<Style> {
  if (!colored) return plainStyle;
  const { Chalk } = await import('chalk');
  const level = /256color/.test(TERM) || /truecolor|24bit/.test(COLORTERM) ? 2 : 1;
  const chalk: ChalkInstance = new Chalk({ level });
  const tones: Record<Tone, (text: string) => string> = {
    good: chalk.green,
    bad: chalk.red,
    warn: level === 2 ? chalk.ansi256(ochre) : chalk.yellow,
    muted: chalk.dim,
    strong: chalk.bold,
    plain: (text) => text,
  };
  return { tone: (tone, text) => tones[tone](text), heading: chalk.bold };
}

const isoTime = /\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)/g;
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const dayOf = (at: Date) => `${at.getDate()} ${months[at.getMonth()]}`;
const clockOf = (at: Date, hasSeconds: boolean) =>
  [at.getHours(), at.getMinutes(), ...(hasSeconds ? [at.getSeconds()] : [])]
    .map((value) => String(value).padStart(2, '0'))
    .join(':');

/** `24 Nov 2025 16:10:11`, in local time. */
export function wholeTime(iso: string): string {
  const at = new Date(iso);
  return `${dayOf(at)} ${at.getFullYear()} ${clockOf(at, true)}`;
}

/**
 * The text with each ISO time as `16:10:11` today, `24 Nov 16:10` this year, else `24 Nov 2025`, in local time. A time
 * without seconds stays without.
 */
export const shortTimes = (text: string, now: number): string =>
  text.replace(isoTime, (iso, seconds?: string) => {
    const at = new Date(iso);
    if (Number.isNaN(at.getTime())) return iso;
    const today = new Date(now);
    if (at.toDateString() === today.toDateString()) return clockOf(at, seconds !== undefined);
    const year = at.getFullYear();
    return `${dayOf(at)} ${year === today.getFullYear() ? clockOf(at, false) : year}`;
  });

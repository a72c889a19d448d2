// Colors and relative times for a terminal. Color is decided for each stream from options and environment.
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

export async function openStyle(colored: boolean): Promise<Style> {
  if (!colored) return plainStyle;
  const { Chalk } = await import('chalk');
  const chalk: ChalkInstance = new Chalk({ level: 1 });
  const tones: Record<Tone, (text: string) => string> = {
    good: chalk.green,
    bad: chalk.red,
    warn: chalk.yellow,
    muted: chalk.dim,
    strong: chalk.bold,
    plain: (text) => text,
  };
  return { tone: (tone, text) => tones[tone](text), heading: chalk.bold };
}

const timeUnits: readonly [seconds: number, unit: string][] = [
  [365 * 86_400, 'y'],
  [30 * 86_400, 'mo'],
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'm'],
  [1, 's'],
];

/** `3d ago`, `in 2h` or `now`. Returns the text unchanged if it is not a valid time. */
export function relativeTime(iso: string, now: number): string {
  const at = Date.parse(iso);
  if (Number.isNaN(at)) return iso;
  const seconds = Math.round(Math.abs(now - at) / 1000);
  const unit = timeUnits.find(([size]) => seconds >= size);
  if (!unit) return 'now';
  const amount = `${Math.floor(seconds / unit[0])}${unit[1]}`;
  return at > now ? `in ${amount}` : `${amount} ago`;
}

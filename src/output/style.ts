// Colours and times for a terminal. The level is decided for each stream from options and environment.
import type { ChalkInstance } from 'chalk';
import type { Tone } from './result.ts';

export interface ColorFacts {
  isTty: boolean;
  /** `auto`, `always` or `never`, from option, variable or file. */
  wanted: string;
  env: Record<string, string | undefined>;
}

/** Whether a stream gets colours: the option first, then NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE, the terminal. */
export function wantsColor({ isTty, wanted, env }: ColorFacts): boolean {
  if (wanted === 'always') return true;
  if (wanted === 'never') return false;
  if (env.NO_COLOR) return false;
  if (isOn(env.FORCE_COLOR) || isOn(env.CLICOLOR_FORCE)) return true;
  if (env.FORCE_COLOR || env.CLICOLOR === '0' || env.TERM === 'dumb') return false;
  return isTty;
}

const isOn = (value: string | undefined) =>
  value !== undefined && value !== '' && value !== '0' && value !== 'false';

export interface Style {
  tone(tone: Tone, text: string): string;
  heading(text: string): string;
}

/** Without colours: text stays text. */
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

const steps: readonly [seconds: number, unit: string][] = [
  [365 * 86_400, 'y'],
  [30 * 86_400, 'mo'],
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'm'],
  [1, 's'],
];

/** `3d ago`, `in 2h`, `now`; the text itself when it is no time. */
export function relativeTime(iso: string, now: number): string {
  const at = Date.parse(iso);
  if (Number.isNaN(at)) return iso;
  const seconds = Math.round(Math.abs(now - at) / 1000);
  const found = steps.find(([size]) => seconds >= size);
  if (!found) return 'now';
  const amount = `${Math.floor(seconds / found[0])}${found[1]}`;
  return at > now ? `in ${amount}` : `${amount} ago`;
}

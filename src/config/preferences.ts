// How to print, ask and wait: every setting that is no address or key, each with its origin.
import { readDuration } from '../core/durations.ts';
import { usageError } from '../core/errors.ts';
import { readSwitch, resolveSetting, type Setting } from './settings.ts';

type Env = Record<string, string | undefined>;

/** The global options that these settings can be given by. */
export interface PreferenceOptions {
  output?: string;
  json?: boolean;
  jq?: string;
  color?: string;
  colorless?: boolean;
  quiet?: boolean;
  timeout?: number;
  retries?: number;
  maxWait?: number;
  readOnly?: boolean;
  insecureHttp?: boolean;
  input?: boolean;
  debug?: string;
}

export interface PreferenceSources {
  globals: PreferenceOptions;
  env: Env;
  settings: () => Record<string, string>;
}

/** Settings that `svc config` keeps, with the text forms they accept. */
const settingKeys = ['output', 'color', 'timeout', 'retries', 'maxWait', 'readOnly'] as const;
export type SettingKey = (typeof settingKeys)[number];

const outputs = ['table', 'json', 'ndjson', 'csv', 'tsv', 'yaml', 'ids'];
const colors = ['auto', 'always', 'never'];

const readChoice = (allowed: readonly string[]) => (text: string, source: string) => {
  if (allowed.includes(text)) return text;
  throw usageError(`${source}: \`${text}\` is none of ${allowed.join(', ')}.`);
};

function readMilliseconds(text: string, source: string): number {
  try {
    return readDuration(text.trim());
  } catch (error) {
    throw usageError(`${source}: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

function readWholeNumber(text: string, source: string): number {
  if (/^\d{1,3}$/.test(text)) return Number(text);
  throw usageError(`${source}: \`${text}\` is not a whole number from 0 to 999.`);
}

/** How the text of a setting is checked before it is stored. */
const settingReaders: Record<SettingKey, (text: string, source: string) => unknown> = {
  output: readChoice(outputs),
  color: readChoice(colors),
  timeout: readMilliseconds,
  retries: readWholeNumber,
  maxWait: readMilliseconds,
  readOnly: (text) => readSwitch(text),
};

/** Every setting with its value and origin, for `svc config list`. */
export function allSettings({
  globals,
  env,
  settings,
}: PreferenceSources): Record<SettingKey, Setting<unknown>> {
  const stored = settings();
  const from = <T>(
    key: SettingKey,
    optionName: string,
    variable: string,
    option: T | undefined,
    fallback: T,
  ) =>
    resolveSetting<T>(
      {
        option,
        optionName,
        variable,
        key,
        fallback,
        read: settingReaders[key] as (text: string, source: string) => T,
      },
      env,
      stored,
    );
  return {
    output: from<string>(
      'output',
      globals.json ? '--json' : '--output',
      'SVC_OUTPUT',
      globals.json ? 'json' : globals.output,
      '',
    ),
    color: from<string>(
      'color',
      globals.colorless ? '--no-color' : '--color',
      'SVC_COLOR',
      globals.color,
      'auto',
    ),
    timeout: from<number>('timeout', '--timeout', 'SVC_TIMEOUT', globals.timeout, 30_000),
    retries: from<number>('retries', '--retries', 'SVC_RETRIES', globals.retries, 4),
    maxWait: from<number>('maxWait', '--max-wait', 'SVC_MAX_WAIT', globals.maxWait, 60_000),
    readOnly: from<boolean>('readOnly', '--read-only', 'SVC_READ_ONLY', globals.readOnly, false),
  };
}

/** The settings as values, each resolved when it is asked for. */
export function createPreferences(facts: PreferenceSources) {
  const { globals, env } = facts;
  const isOn = (variable: string) => (env[variable] ? readSwitch(env[variable]) : false);
  let resolved: Record<SettingKey, Setting<unknown>> | undefined;
  const all = () => {
    resolved ??= allSettings(facts);
    return resolved;
  };
  return {
    all,
    /** Refuses a text that a setting cannot have. */
    check: (key: SettingKey, text: string) => void settingReaders[key](text, key),
    /** The format asked for, or undefined to let the stream decide. */
    get output() {
      return (all().output.value as string) || undefined;
    },
    /** Output is meant for a program: JSON in some form. */
    get forPrograms(): boolean {
      return globals.jq !== undefined || ['json', 'ndjson'].includes(this.output ?? '');
    },
    /** The wish for colours, and whether it is only a stored one. */
    get color() {
      const { value, from } = all().color;
      return { wanted: value as string, stored: from === 'file' };
    },
    get timeoutMs() {
      return all().timeout.value as number;
    },
    get retries() {
      return all().retries.value as number;
    },
    get maxWaitMs() {
      return all().maxWait.value as number;
    },
    get readOnly() {
      return all().readOnly.value as boolean;
    },
    quiet: globals.quiet ?? isOn('SVC_QUIET'),
    insecureHttp: globals.insecureHttp ?? isOn('SVC_INSECURE_HTTP'),
    mayAsk: globals.input ?? !(isOn('SVC_NO_INPUT') || isOn('CI')),
    debug: debugLevel(globals.debug, env.SVC_DEBUG),
  };
}

export type Preferences = ReturnType<typeof createPreferences>;

/** What `--debug` or SVC_DEBUG asks for. */
export function debugLevel(
  option: string | undefined,
  variable: string | undefined,
): 'off' | 'on' | 'body' {
  if (option !== undefined) return option === 'body' ? 'body' : 'on';
  if (!variable || !readSwitch(variable)) return 'off';
  return variable === 'body' ? 'body' : 'on';
}

// Settings for output, prompts and waiting, each with its origin. Address and key are in settings.ts.
import { readDuration } from '../core/durations.ts';
import { usageError } from '../core/errors.ts';
import { readSwitch, resolveSetting, type Setting } from './settings.ts';

type Env = Record<string, string | undefined>;

/** The global options that override these settings. */
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

/** The settings that `svc config` stores. */
const settingKeys = ['output', 'color', 'timeout', 'retries', 'maxWait', 'readOnly'] as const;
export type SettingKey = (typeof settingKeys)[number];

const outputs = ['table', 'json', 'ndjson', 'csv', 'tsv', 'yaml', 'ids'];
const colors = ['auto', 'always', 'never'];

const readChoice = (allowed: readonly string[]) => (text: string, source: string) => {
  if (allowed.includes(text)) return text;
  throw usageError(`${source}: \`${text}\` is not valid. Must be one of: ${allowed.join(', ')}.`);
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

/** Parsers of the stored settings. Each throws a usage error for an invalid text. */
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

/** The settings as values, each resolved when it is read. */
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
    /** Throws a usage error if the text is not valid for the setting. */
    check: (key: SettingKey, text: string) => void settingReaders[key](text, key),
    /** The requested format, or undefined if it depends on the stream. */
    get output() {
      return (all().output.value as string) || undefined;
    },
    /** Whether a program reads the output: JSON or NDJSON. */
    get forPrograms(): boolean {
      return globals.jq !== undefined || ['json', 'ndjson'].includes(this.output ?? '');
    },
    /** The color setting, and whether it comes from the configuration file. */
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

/** The level that `--debug` or SVC_DEBUG requests. */
export function debugLevel(
  option: string | undefined,
  variable: string | undefined,
): 'off' | 'on' | 'body' {
  if (option !== undefined) return option === 'body' ? 'body' : 'on';
  if (!variable || !readSwitch(variable)) return 'off';
  return variable === 'body' ? 'body' : 'on';
}

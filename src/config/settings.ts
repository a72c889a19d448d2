// Effective settings and their origin: option > variable > configuration file > default. The options, variables, parsers
// and defaults are in the table of global options. An empty variable counts as unset. Address and key are in target.ts.

import type { Option } from '../cli/command.ts';
import { type Globals, globalOptions } from '../cli/globals.ts';
import { readValue, spell } from '../cli/spelling.ts';
import { SvcError } from '../core/errors.ts';

type Env = Record<string, string | undefined>;

export type Origin = 'option' | 'variable' | 'profile' | 'file' | 'default';

export interface Setting<T> {
  value: T;
  from: Origin;
  /** The name of the option, variable, profile or file that it came from. */
  source: string;
}

export interface SettingSources {
  globals: Globals;
  env: Env;
  /** The settings in the configuration file. */
  stored: () => Record<string, string>;
}

export type SettingName = keyof Globals;

const table = globalOptions as Record<SettingName, Option>;
const names = Object.keys(table) as SettingName[];

const isOutput = (name: SettingName) => Number(table[name].group === 'Output');

/** The settings that `svc config` stores: first the settings of the output. */
export const settingKeys = names
  .filter((name) => table[name].stored)
  .sort((a, b) => isOutput(b) - isOutput(a));

/** `0`, `false`, `no` and `off` are off; any other text is on. */
export const readSwitch = (text: string) => !/^(0|false|no|off)$/i.test(text.trim());

/** Reads the text of a setting from a variable or file. Throws a usage error that names the source. */
export function readSetting(name: SettingName, text: string, source: string): unknown {
  const option = table[name];
  const { value, isNegative } = spell(option);
  if (value === undefined) return readSwitch(text) !== isNegative;
  try {
    return readValue(option, option.read || option.choices ? text.trim() : text);
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    throw error.with({ message: `${source}: ${error.message.replace(/\.?$/, '.')}` });
  }
}

/** The value of an option. If it is not given, of its variable. */
export function explicitSetting<K extends SettingName>(
  name: K,
  { globals, env }: Pick<SettingSources, 'globals' | 'env'>,
): Setting<NonNullable<Globals[K]>> | undefined {
  const setting = explicitText(name, globals, env);
  return setting as Setting<NonNullable<Globals[K]>> | undefined;
}

function explicitText(name: SettingName, globals: Globals, env: Env): Setting<unknown> | undefined {
  const shorthand = names.find(
    (candidate) => globals[candidate] && table[candidate].shorthandFor?.[0] === name,
  );
  if (shorthand !== undefined) {
    const [, value, flag = spell(table[shorthand]).long] = table[shorthand].shorthandFor ?? [];
    return { value, from: 'option', source: flag };
  }
  const option = globals[name];
  if (option !== undefined && option !== '')
    return { value: option, from: 'option', source: spell(table[name]).long };
  const { variable = '' } = table[name];
  const text = env[variable];
  if (!text) return undefined;
  return { value: readSetting(name, text, variable), from: 'variable', source: variable };
}

/** A switch without a default is off. */
function defaultValue(name: SettingName): unknown {
  const { defaultText } = table[name];
  if (defaultText !== undefined) return readSetting(name, defaultText, 'default');
  const { value, isNegative } = spell(table[name]);
  return value === undefined ? isNegative : undefined;
}

/** Settings as values. The first one that is read checks all that the configuration file can store. */
export function createSettings({ globals, env, stored }: SettingSources) {
  let checked: Map<SettingName, Setting<unknown>> | undefined;
  let inFile: ReturnType<typeof stored> | undefined;
  const textInFile = (name: SettingName) => {
    inFile ??= stored();
    return String(inFile[name] ?? '');
  };
  const resolve = (name: SettingName): Setting<unknown> => {
    const explicit = explicitSetting(name, { globals, env });
    if (explicit) return explicit;
    const text = table[name].stored ? textInFile(name) : '';
    const source = `setting ${name}`;
    if (text) return { value: readSetting(name, text, source), from: 'file', source };
    return { value: defaultValue(name), from: 'default', source: 'default' };
  };
  const setting = <K extends SettingName>(name: K): Setting<Globals[K]> => {
    if (table[name].stored) checked ??= new Map(settingKeys.map((key) => [key, resolve(key)]));
    return (checked?.get(name) ?? resolve(name)) as Setting<Globals[K]>;
  };
  const value = <K extends SettingName>(name: K) => setting(name).value;
  return {
    setting,
    /** The requested format, or undefined if it depends on the stream. */
    get output() {
      return value('output');
    },
    /** Whether a program reads the output: JSON or NDJSON. */
    get forPrograms(): boolean {
      return globals.jq !== undefined || ['json', 'ndjson'].includes(this.output ?? '');
    },
    /** The color setting, and whether it comes from the configuration file. */
    get color() {
      const { value: wanted = 'auto', from } = setting('color');
      return { wanted, stored: from === 'file' };
    },
    get timeoutMs() {
      return value('timeout') ?? 0;
    },
    get retries() {
      return value('retries') ?? 0;
    },
    get maxWaitMs() {
      return value('maxWait') ?? 0;
    },
    get readOnly() {
      return value('readOnly') === true;
    },
    get quiet() {
      return value('quiet') === true;
    },
    /** Whether bars and progress may use characters beyond ASCII, and change in place. */
    get unicode() {
      return value('unicode') !== false;
    },
    get insecureHttp() {
      return value('insecureHttp') === true;
    },
    get caFile() {
      return value('caFile');
    },
    get mayAsk() {
      return value('input') !== false && !isCi(env);
    },
  };
}

/** Whether the program runs in a CI job, where no person uses the terminal. */
export const isCi = ({ CI }: Record<string, string | undefined>): boolean =>
  CI !== undefined && CI !== '' && readSwitch(CI);

export type Settings = ReturnType<typeof createSettings>;

// The parameters of a tool, derived from the arguments and options of its command, and their words in a command line.

import type { Argument, Command, Option } from '../cli/command.ts';
import { globalOptions } from '../cli/globals.ts';
import { spell } from '../cli/spelling.ts';
import { camelCase } from '../core/text.ts';

export interface Parameter {
  name: string;
  /** JSON Schema of the value. */
  schema: Record<string, unknown>;
  isRequired: boolean;
  /** The value names files or folders. */
  isPath: boolean;
  /** A value of word characters is an id. */
  isPathOrId?: boolean;
  /** The file or folder that the command uses without this parameter. */
  defaultPath?: string | undefined;
  /** Words before `--`, for an option. */
  optionWords?: (value: unknown) => string[];
}

export interface Parameters {
  /** In the order of the command line. `profile` stands for the argument that names the profile of the server. */
  args: readonly (Parameter | 'profile')[];
  options: readonly Parameter[];
}

/** The global options that are parameters of every tool, and of the tools that write. */
const commonOptions = ['fields'] as const;
const writeOptions = ['dryRun', 'idempotencyKey'] as const;

export function toParameters(command: Command, writes: boolean): Parameters {
  const ownOptions = Object.entries(command.options ?? {}).filter(([name, option]) =>
    isOffered(name, option),
  );
  const hasDryRun = !command.localOnly || command.localDryRun;
  const globals = [
    ...commonOptions,
    ...(writes ? writeOptions.filter((name) => name !== 'dryRun' || hasDryRun) : []),
  ].filter((name) => !Object.hasOwn(command.options ?? {}, name));
  return {
    args: Object.entries(command.arguments ?? {}).flatMap(([name, argument]) =>
      argumentParameter(name, argument),
    ),
    options: [
      ...ownOptions.map(([name, option]) => optionParameter(name, option)),
      ...globals.map((name) => optionParameter(name, globalOptions[name])),
    ],
  };
}

/** The server is bound to one profile, so options that name or save a profile are left out. */
const isOffered = (name: string, { flags, hidden, tool, complete }: Option) =>
  !hidden &&
  tool !== false &&
  complete !== 'profiles' &&
  !/profile|reveal|keyFile/i.test(name + flags);

function argumentParameter(name: string, argument: Argument): (Parameter | 'profile')[] {
  const { syntax, summary, choices, complete } = argument;
  if (argument.tool === false) return [];
  const isRequired = syntax.startsWith('<');
  if (complete === 'profiles' || /profile/.test(syntax)) return isRequired ? ['profile'] : [];
  const isRepeated = syntax.includes('...');
  const value = { type: 'string', ...(choices ? { enum: choices } : {}) };
  return [
    {
      // Arguments that take several values have names such as `given` in the code.
      name: isRepeated ? `${camelCase(placeholder(syntax))}s` : name,
      schema: { ...(isRepeated ? { type: 'array', items: value } : value), description: summary },
      isRequired,
      isPath: isPath(syntax, complete),
      isPathOrId: /-id\|file\b/.test(syntax),
      defaultPath: argument.defaultText,
    },
  ];
}

/** `subscriber-id` for `[subscriber-id|-...]`. */
const placeholder = (syntax: string) => /[\w-]*\w/.exec(syntax)?.[0] ?? syntax;

const isPath = (syntax: string, complete: Argument['complete']) =>
  complete === 'files' ||
  /[<[|-](?:[\w-]*-)?(?:file|folder|path|dir)\b/.test(syntax.replace(/@file/g, ''));

function optionParameter(name: string, option: Option): Parameter {
  const { summary, defaultText, complete } = option;
  const path = isPath(`<${spell(option).value ?? ''}>`, complete);
  const more = defaultText === undefined ? '' : ` (default: ${defaultText})`;
  return {
    name,
    schema: { ...toSchema(option), description: `${ownText(summary)}${more}` },
    isRequired: false,
    isPath: path,
    ...(path ? { defaultPath: defaultText } : {}),
    optionWords: (value) => optionWords(option, value),
  };
}

/** Without the forms of values that are for a command line. */
const ownText = (summary: string) =>
  summary
    .replace(/, as @file, env:NAME, or the text itself$/, '')
    .replace(
      / key=@file, key=env:NAME, key==text for .*$/,
      ' key==text for a text that starts with =',
    )
    .replace(/; =curl .*$/, '');

/** `--dry-run=curl` is for people. */
function isSwitch(option: Option): boolean {
  const { value, modes } = spell(option);
  return value === undefined && (modes.length === 0 || modes.includes('curl'));
}

function toSchema(option: Option): Record<string, unknown> {
  const { choices, json, repeat, whole } = option;
  if (isSwitch(option)) return { type: 'boolean' };
  if (json) return { type: 'array', items: { type: 'object' } };
  if (spell(option).value?.startsWith('json')) return { type: 'object' };
  if (whole)
    return {
      type: 'integer',
      minimum: whole.min,
      ...(whole.max === undefined ? {} : { maximum: whole.max }),
    };
  const named = choices?.filter((choice) => choice !== '');
  const value = { type: 'string', ...(named ? { enum: named } : {}) };
  return repeat ? { type: 'array', items: value } : value;
}

function optionWords(option: Option, value: unknown): string[] {
  const { long, names, isNegatable } = spell(option);
  if (isSwitch(option)) {
    if (value === true) return [long];
    return isNegatable ? names.filter((name) => name !== long) : [];
  }
  const texts = (Array.isArray(value) && option.repeat ? value : [value]).map((item) =>
    typeof item === 'string' ? item : JSON.stringify(item),
  );
  return texts.map((text) => `${long}=${text}`);
}

// The tools of `svc mcp`: one for each command of the tree.

import {
  type Argument,
  type Command,
  type CommandTree,
  type Group,
  isGroup,
  type Option,
} from '../cli/command.ts';
import { globalOptions } from '../cli/globals.ts';
import { spell, spellArgument } from '../cli/spelling.ts';
import { usageError } from '../core/errors.ts';
import { isObject } from '../core/objects.ts';
import { closestMatches } from '../core/suggestions.ts';
import { camelCase } from '../core/text.ts';
import type { RootFolder } from './start-server.ts';

export interface Tool {
  /** `subscribers_bulk_import` for `svc subscribers bulk-import`. */
  name: string;
  path: readonly string[];
  command: Command;
  writes: boolean;
  /** A server that only reads lists it only on request: a long list of tools makes an assistant choose worse. */
  isRare: boolean;
  /** Whether the tool controls the sandbox itself, so that other services have no use for it. */
  needsSandbox: boolean;
  parameters: Parameters;
}

/** Loads all commands. A command that declares no tool counts as one that writes. */
export async function loadTools(tree: CommandTree): Promise<Tool[]> {
  const nouns = Object.entries(tree).filter(([, { tools }]) => tools !== false);
  const loaded = await Promise.all(
    nouns.map(async ([noun, { load }]) => toolsBelow([noun], await load())),
  );
  return loaded.flat();
}

function toolsBelow(path: readonly string[], node: Group | Command): Tool[] {
  if (isGroup(node)) {
    return Object.entries(node.commands).flatMap(([name, child]) =>
      toolsBelow([...path, name], child),
    );
  }
  if (node.hidden || node.tool === 'none') return [];
  const isRare = node.tool === 'rare';
  const writes = node.tool !== 'read' && !isRare;
  return [
    {
      name: path.join('_').replaceAll('-', '_'),
      path,
      command: node,
      writes,
      isRare,
      needsSandbox: path[0] === 'sandbox',
      parameters: toParameters(node, writes),
    },
  ];
}

/** The tool as `tools/list` describes it. `environment` is the value of `confirm`. */
export function describeTool(
  { name, path, command, writes, parameters }: Tool,
  environment: string,
) {
  const { args, options } = parameters;
  const named = [...args.filter((arg) => arg !== 'profile'), ...options];
  const properties = Object.fromEntries(
    named.map((parameter) => [parameter.name, parameter.schema]),
  );
  const confirm = {
    type: 'string',
    description: `The name of the environment, ${environment}: confirms what the command would ask a person`,
  };
  return {
    name,
    title: `svc ${path.join(' ')}`,
    description: `${command.summary}. Result: ${command.output}`,
    inputSchema: {
      type: 'object' as const,
      properties: { ...properties, ...(writes ? { confirm } : {}) },
      required: named.filter(({ isRequired }) => isRequired).map((parameter) => parameter.name),
      additionalProperties: false,
    },
    annotations: { readOnlyHint: !writes },
  };
}

// The parameters of a tool, derived from the arguments and options of its command, and their words in a command line.

export interface Parameter {
  name: string;
  /** JSON Schema of the value. */
  schema: Record<string, unknown>;
  isRequired: boolean;
  /** The value names files or folders; `idOrPath`: unless it has only word characters. */
  file: 'path' | 'idOrPath' | undefined;
  /** The file or folder that the command uses without this parameter. */
  defaultPath: string | undefined;
}

interface OptionParameter extends Parameter {
  /** Its words in a command line. */
  toWords: (value: unknown) => string[];
}

export interface Parameters {
  /** In the order of the command line. `profile` stands for the argument that names the profile of the server. */
  args: readonly (Parameter | 'profile')[];
  options: readonly OptionParameter[];
}

/** The global options that are parameters of every tool, and of the tools that write. */
const commonOptions = ['fields'] as const;
const writeOptions = ['dryRun', 'idempotencyKey'] as const;

function toParameters(command: Command, writes: boolean): Parameters {
  const own = Object.entries(command.options ?? {});
  const hasDryRun = !command.localOnly || command.localDryRun;
  const globals = [
    ...commonOptions,
    ...(writes ? writeOptions.filter((name) => name !== 'dryRun' || hasDryRun) : []),
  ];
  return {
    args: Object.entries(command.arguments ?? {}).flatMap(([name, argument]) =>
      argumentParameter(name, argument),
    ),
    options: [
      // The server is bound to one profile.
      ...own
        .filter(
          ([, { hidden, tool, complete }]) => !hidden && tool !== false && complete !== 'profiles',
        )
        .map(([name, option]) => optionParameter(name, option)),
      ...globals.map((name) => optionParameter(name, globalOptions[name])),
    ],
  };
}

function argumentParameter(name: string, argument: Argument): (Parameter | 'profile')[] {
  const { summary, choices, complete } = argument;
  const { name: placeholder, isRequired, isRepeated } = spellArgument(argument);
  if (argument.tool === false) return [];
  if (complete === 'profiles') return isRequired ? ['profile'] : [];
  const value = { type: 'string', ...(choices ? { enum: choices } : {}) };
  return [
    {
      // Arguments that take several values have names such as `given` in the code.
      name: isRepeated ? `${camelCase(placeholder)}s` : name,
      schema: { ...(isRepeated ? { type: 'array', items: value } : value), description: summary },
      isRequired,
      ...fileOf(argument),
    },
  ];
}

const fileOf = ({
  complete,
  value,
  defaultText,
}: Pick<Option, 'complete' | 'value' | 'defaultText'>) => {
  const file = value === 'idOrPath' ? value : complete === 'files' ? ('path' as const) : undefined;
  return { file, defaultPath: file && defaultText };
};

function optionParameter(name: string, option: Option): OptionParameter {
  const { summary, tool, defaultText } = option;
  const more = defaultText === undefined ? '' : ` (default: ${defaultText})`;
  return {
    name,
    schema: { ...toSchema(option), description: `${tool ? tool.summary : summary}${more}` },
    isRequired: false,
    ...fileOf(option),
    toWords: (value) => optionWords(option, value),
  };
}

function isSwitch(option: Option): boolean {
  const { value, modes } = spell(option);
  const { tool } = option;
  const isSwitchOfTool = typeof tool === 'object' && tool.isSwitch === true;
  return value === undefined && (modes.length === 0 || isSwitchOfTool);
}

function toSchema(option: Option): Record<string, unknown> {
  const { choices, value: valueType, repeat, whole } = option;
  if (isSwitch(option)) return { type: 'boolean' };
  if (valueType === 'jsonList') return { type: 'array', items: { type: 'object' } };
  if (valueType === 'json') return { type: 'object' };
  if (whole) return { type: 'integer', minimum: whole.min, maximum: whole.max };
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

// Turns the arguments of a tool call into a command line. The command checks the values; here they are checked as far
// as they could change the meaning of the line.

export interface LineOptions {
  root: RootFolder;
  /** The profile of the server; undefined if it uses variables or options. */
  profile: string | undefined;
  /** The value that `confirm` must have. */
  environment: string;
  /** Options that select the service. */
  globals: readonly string[];
}

/** Returns argv. Throws a usage error for unknown parameters, values of other types, and files that are not available. */
export function commandLine(
  { name, path, writes, parameters: { args, options } }: Tool,
  input: Readonly<Record<string, unknown>>,
  { root, profile, environment, globals }: LineOptions,
): string[] {
  const { confirm, ...rest } = input;
  const values = writes ? rest : input;
  const named = [...args.filter((arg) => arg !== 'profile'), ...options];
  checkNames(name, Object.keys(values), [
    ...named.map((parameter) => parameter.name),
    ...(writes ? ['confirm'] : []),
  ]);
  const readValue = (parameter: Parameter) => {
    const value = Object.hasOwn(values, parameter.name) ? values[parameter.name] : undefined;
    return checkedValue(parameter, value ?? undefined, root);
  };
  const positional = args.flatMap((arg) =>
    arg === 'profile' ? (profile ?? []) : toWords(readValue(arg)),
  );
  const words = options.flatMap((option) => {
    const value = readValue(option);
    return value === undefined ? [] : option.toWords(value);
  });
  return [
    ...path,
    '--json',
    '--no-input',
    ...globals,
    ...(writes && isConfirmed(confirm, environment) ? ['--yes'] : []),
    ...words,
    '--',
    ...positional,
  ];
}

function checkNames(tool: string, names: readonly string[], parameters: readonly string[]): void {
  const unknown = names.find((name) => !parameters.includes(name));
  if (unknown === undefined) return;
  const [close] = closestMatches(unknown, parameters);
  throw usageError(`\`${unknown}\` is not a parameter of ${tool}.`, {
    hint:
      close === undefined
        ? `Its parameters are: ${parameters.join(', ')}.`
        : `Did you mean ${close}?`,
  });
}

function isConfirmed(confirm: unknown, environment: string): boolean {
  if (confirm === undefined || confirm === null) return false;
  if (confirm === environment) return true;
  throw usageError(
    `confirm must be the name of the environment, \`${environment}\`. Nothing was done.`,
  );
}

const toWords = (value: unknown): string[] =>
  value === undefined ? [] : Array.isArray(value) ? value.map(String) : [String(value)];

/** The value with resolved paths. A file that the command uses by default must be available, too. */
function checkedValue(parameter: Parameter, value: unknown, root: RootFolder): unknown {
  const { name, schema, file, isRequired, defaultPath } = parameter;
  if (value === undefined) {
    if (isRequired) throw usageError(`Missing ${name}.`);
    if (defaultPath !== undefined) root.resolve(defaultPath, name);
    return undefined;
  }
  if (!hasType(value, schema)) throw usageError(`${name} must be ${typeText(schema)}.`);
  if (file === undefined || (file === 'idOrPath' && /^[\w-]+$/.test(String(value)))) return value;
  return Array.isArray(value)
    ? value.map((path) => root.resolve(String(path), name))
    : root.resolve(String(value), name);
}

type Schema = Parameter['schema'];

/** Values of an enum are left to the command, which proposes a similar one. */
function hasType(value: unknown, { type, items }: Schema): boolean {
  if (type === 'object') return isObject(value);
  if (type === 'array')
    return Array.isArray(value) && value.every((item) => hasType(item, items as Schema));
  if (type === 'integer') return Number.isSafeInteger(value);
  if (typeof value !== type) return false;
  // A command line cannot contain it.
  return typeof value !== 'string' || !value.includes('\0');
}

function typeText({ type, items }: Schema): string {
  if (type === 'object') return 'a JSON object';
  if (type === 'array') return `an array, each item ${typeText(items as Schema)}`;
  if (type === 'integer') return 'a whole number';
  return type === 'boolean' ? 'true or false' : 'a text';
}

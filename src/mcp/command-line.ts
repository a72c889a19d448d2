// Turns the arguments of a tool call into a command line. The command checks the values; here they are checked as far
// as they could change the meaning of the line.

import { usageError } from '../core/errors.ts';
import { isObject } from '../core/objects.ts';
import { closestMatches } from '../core/suggestions.ts';
import type { Parameter } from './parameters.ts';
import type { RootFolder } from './root-folder.ts';
import type { Tool } from './tools.ts';

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
  given: Readonly<Record<string, unknown>>,
  { root, profile, environment, globals }: LineOptions,
): string[] {
  const { confirm, ...rest } = given;
  const values = writes ? rest : given;
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
    return value === undefined ? [] : (option.optionWords?.(value) ?? []);
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

function checkNames(tool: string, given: readonly string[], known: readonly string[]): void {
  const unknown = given.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const [close] = closestMatches(unknown, known);
  throw usageError(`\`${unknown}\` is not a parameter of ${tool}.`, {
    hint:
      close === undefined ? `Its parameters are: ${known.join(', ')}.` : `Did you mean ${close}?`,
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
  const { name, schema, isPath, isPathOrId, isRequired, defaultPath } = parameter;
  if (value === undefined) {
    if (isRequired) throw usageError(`Missing ${name}.`);
    if (defaultPath !== undefined) root.resolve(defaultPath, name);
    return undefined;
  }
  if (!hasType(value, schema)) throw usageError(`${name} must be ${typeText(schema)}.`);
  if (!isPath || (isPathOrId && /^[\w-]+$/.test(String(value)))) return value;
  return Array.isArray(value)
    ? value.map((file) => root.resolve(String(file), name))
    : root.resolve(String(value), name);
}

type Schema = Parameter['schema'];

/** Values of an enum are left to the command, which proposes a similar one. */
function hasType(value: unknown, { type = 'string', items }: Schema): boolean {
  if (type === 'object') return isObject(value);
  if (type === 'array')
    return Array.isArray(value) && value.every((item) => hasType(item, items as Schema));
  if (type === 'integer') return Number.isSafeInteger(value);
  if (typeof value !== type) return false;
  // A command line cannot contain it.
  return typeof value !== 'string' || !value.includes('\0');
}

function typeText({ type = 'string', items }: Schema): string {
  if (type === 'object') return 'a JSON object';
  if (type === 'array') return `an array, each item ${typeText(items as Schema)}`;
  if (type === 'integer') return 'a whole number';
  return type === 'boolean' ? 'true or false' : 'a text';
}

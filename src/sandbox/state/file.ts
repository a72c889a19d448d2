// Reads and writes state files: YAML, and therefore also JSON.
import { usageError } from '../../core/errors.ts';
import { jsonLine, mayContainExactNumber } from '../../core/lossless-json.ts';
import { isObject, jsonOr } from '../../core/objects.ts';
import { pathText } from '../../core/text.ts';
import { parseYaml, writeYaml } from '../../core/yaml.ts';
import type { SandboxState } from './schema.ts';
import { findValidationErrors } from './validation-errors.ts';

/** Parses a state file. Throws one usage error that lists every error as `file:line:column: message`. */
export function readState(text: string, file: string): SandboxState {
  const lines = takeItemLines(text);
  const { value, errors: syntaxErrors, locate } = parseYaml(lines.rest);
  if (syntaxErrors.length > 0)
    throw invalidStateError(
      file,
      syntaxErrors.map((error) => `${file}:${error}`),
    );
  lines.addTo(value);
  const errors = findValidationErrors(value).map(({ path, message }) => {
    const place = lines.locate(path) ?? locate(path);
    return `${file}:${place}: ${[pathText(path), message].filter(Boolean).join(' ')}`;
  });
  if (errors.length > 0) throw invalidStateError(file, errors);
  return value as SandboxState;
}

export const writeState = (state: SandboxState): string => writeYaml(state);

/** Checks a state that is not in a file. Throws one usage error that lists every error. */
export function checkState(value: unknown, name: string): SandboxState {
  const errors = findValidationErrors(value).map(({ path, message }) =>
    [pathText(path), message].filter(Boolean).join(' '),
  );
  if (errors.length > 0)
    throw usageError(`${name} is not a valid state.`, {
      fieldErrors: errors.map((message) => ({ field: '', message })),
    });
  return value as SandboxState;
}

const invalidStateError = (file: string, lines: readonly string[]) =>
  usageError(`${file} is not a valid state file.`, {
    fieldErrors: lines.map((message) => ({ field: '', message })),
    hint: 'Fix the file, or write a valid one.',
    next: ['svc sandbox export --reveal'],
  });

// Reads the lists of a state file in which each item is a line of JSON, as `svc sandbox pull` writes them. The YAML
// parser needs several times as much time and memory for them. It reads every list that is written in another way.

interface ItemLines {
  /** The text without the lists. The lines that follow them keep their numbers. */
  rest: string;
  /** Adds the lists to the parsed rest. */
  addTo(state: unknown): void;
  /** Returns `line:column` of a path in one of the lists. */
  locate(path: readonly PropertyKey[]): string | undefined;
}

interface FoundList {
  name: string;
  items: unknown[];
  /** Number of the line of the first item, from 1. */
  line: number;
}

/** In such a file, a line with four spaces and a name is always a list of the environment. */
const head =
  /^(?:#.*\n)?version: 1\n(?:compat: \w+\n)?(?:service: \S+\n)?environments:\n {2}- name: \w+\n/;
const names = ['subscribers', 'topics', 'contexts'];
const start = '      - ';

export function takeItemLines(text: string): ItemLines {
  const lists: FoundList[] = [];
  let rest = text;
  if (head.test(text)) {
    for (const name of names) {
      const taken = takeList(rest, name);
      if (!taken) continue;
      lists.push(taken.list);
      rest = taken.rest;
    }
  }
  return {
    rest,
    addTo(state) {
      const [environment] =
        isObject(state) && Array.isArray(state.environments) ? state.environments : [];
      for (const { name, items } of isObject(environment) ? lists : []) environment[name] = items;
    },
    locate([top, index, name, item, field]) {
      const list = lists.find((candidate) => candidate.name === name);
      if (top !== 'environments' || index !== 0 || !list || typeof item !== 'number')
        return undefined;
      const json = jsonLine(list.items[item]);
      const at = field === undefined ? -1 : json.indexOf(`${JSON.stringify(String(field))}:`);
      return `${list.line + item}:${start.length + 1 + Math.max(0, at)}`;
    },
  };
}

/** Undefined if a line of the list has another form, or if a double cannot represent a number in it. */
function takeList(text: string, name: string): { list: FoundList; rest: string } | undefined {
  const title = `\n    ${name}:\n`;
  const from = text.indexOf(title) + title.length;
  if (from < title.length) return undefined;
  const items: unknown[] = [];
  let to = from;
  while (text.startsWith(start, to)) {
    const end = text.indexOf('\n', to);
    if (end < 0) return undefined;
    const item = parseItem(text.slice(to + start.length, end));
    if (item === undefined) return undefined;
    items.push(item);
    to = end + 1;
  }
  const isWhole =
    items.length > 0 && (to === text.length || /^ {0,4}[^\s#]/.test(text.slice(to, to + 5)));
  if (!isWhole) return undefined;
  const line = text.slice(0, from).split('\n').length;
  const rest = text.slice(0, from) + '\n'.repeat(items.length) + text.slice(to);
  return { list: { name, items, line }, rest };
}

/** Returns the object of a line, if the line is exactly as it would be written. */
function parseItem(json: string): object | undefined {
  if (!json.startsWith('{') || mayContainExactNumber(json)) return undefined;
  const item = jsonOr(json, undefined);
  return isObject(item) && jsonLine(item) === json ? item : undefined;
}

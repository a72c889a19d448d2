// The result of a tool call: the output of the command, as data, in at most 100,000 characters.
import { exitCodes } from '../core/errors.ts';
import { containsExactNumber, isExactNumber, parseResponseJson } from '../core/lossless-json.ts';
import { isObject, jsonOr } from '../core/objects.ts';
import { mask } from '../output/mask.ts';
import { safeJson } from '../output/safe-text.ts';

/** Most characters of the JSON text of a result. */
export const maxCharacters = 100_000;

export interface Printed {
  code: number;
  stdout: string;
  stderr: string;
  /** The command lines that the result proposes. */
  next: readonly string[];
}

/** One of `items`, `item` and `text` is there, unless the command failed before it printed a result. */
export interface ToolData {
  items?: unknown[];
  item?: unknown;
  text?: string;
  next?: string[];
  /** The end is missing; `next` says how to get it. */
  truncated?: true;
  warnings?: string[];
  /** The exit code of a command that ends with another one than 0 and without an error. */
  exitCode?: number;
  error?: Record<string, unknown>;
}

export interface ResultOptions {
  /** The tool, for how to get the rest of a long result. */
  tool: { name: string; hasLimit: boolean };
  /** The name of the environment, which `confirm` takes. */
  environment: string;
  /** The keys of the service, which are removed wherever they occur. */
  keys: readonly (string | undefined)[];
}

export async function toolResult(printed: Printed, options: ResultOptions) {
  const { code, stdout, stderr, next } = withoutKeys(printed, options.keys);
  const { warnings, error } = readMessages(stderr, options.environment);
  const value = await readOutput(stdout);
  const data: ToolData = {
    ...value,
    ...(next.length > 0 ? { next: [...next] } : {}),
    ...(warnings.length > 0 ? { warnings } : {}),
    ...(error ? { error } : code === 0 ? {} : { exitCode: code }),
  };
  const structuredContent = shortened(data, options.tool);
  return {
    content: [{ type: 'text' as const, text: safeJson(JSON.stringify(structuredContent)) }],
    structuredContent: structuredContent as Record<string, unknown>,
    // A difference that `diff` or a check found is a result.
    isError: code !== 0 && code !== exitCodes.different.code,
  };
}

/** The service knows the key, and could send it back. */
function withoutKeys(printed: Printed, keys: ResultOptions['keys']): Printed {
  const clean = (text: string) =>
    keys.reduce<string>((rest, key) => (key ? rest.replaceAll(key, mask) : rest), text);
  const { code, stdout, stderr, next } = printed;
  return { code, stdout: clean(stdout), stderr: clean(stderr), next: next.map(clean) };
}

/** Lines before the error object are warnings. Hints name the parameter instead of the option. */
function readMessages(stderr: string, environment: string) {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  const [last] = lines.slice(-1).map((line) => parseObject(line)?.error);
  if (!isObject(last)) return { warnings: lines, error: undefined };
  const confirm = `confirm: ${JSON.stringify(environment)}`;
  const { hint } = last;
  const error =
    typeof hint === 'string' ? { ...last, hint: hint.replaceAll('--yes', confirm) } : last;
  return { warnings: lines.slice(0, -1), error };
}

function parseObject(text: string): Record<string, unknown> | undefined {
  const value = jsonOr(text, undefined);
  return isObject(value) ? value : undefined;
}

async function readOutput(
  stdout: string,
): Promise<Pick<ToolData, 'items' | 'item' | 'text' | 'truncated'>> {
  if (stdout === '') return {};
  const value = await parsed(stdout);
  if (value !== undefined) return toData(value);
  // A list that was cut off has one item in each line.
  const end = Math.max(0, stdout.lastIndexOf(',\n'));
  const items = await parsed(`${stdout.slice(0, end)}]`);
  return items === undefined ? { text: stdout } : { ...toData(items), truncated: true };
}

/** Undefined if the text is not JSON, such as the state that `sandbox export` prints. */
const parsed = (text: string): Promise<unknown> => parseResponseJson(text).catch(() => undefined);

function toData(value: unknown): Pick<ToolData, 'items' | 'item'> {
  const plain = containsExactNumber(value) ? withTexts(value) : value;
  return Array.isArray(plain) ? { items: plain } : { item: plain };
}

/** Numbers that a double cannot represent become texts, because programs would read other numbers. */
function withTexts(value: unknown): unknown {
  if (isExactNumber(value)) return String(value);
  if (Array.isArray(value)) return value.map(withTexts);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withTexts(member)]),
  );
}

/** Reduces a result to the characters that are allowed. */
function shortened(data: ToolData, tool: ResultOptions['tool']): ToolData {
  const fits = (some: ToolData) => JSON.stringify(some).length <= maxCharacters;
  const isCutOff = data.truncated === true;
  if (!isCutOff && fits(data)) return data;
  const short: ToolData = { ...data, ...shortMessages(data), truncated: true };
  if (!isCutOff && fits(short)) return short;
  const { items, item, text, next: _next, ...head } = short;
  const room = maxCharacters - JSON.stringify(head).length - 1_000;
  if (items === undefined) {
    const whole: string | undefined = text ?? JSON.stringify(item);
    return whole === undefined
      ? head
      : { text: cutText(whole, room), ...head, next: [restOfRecord(tool)] };
  }
  const fitting = fittingItems(items, room);
  if (fitting === 0 && items.length > 0)
    return { text: cutText(JSON.stringify(items[0]), room), ...head, next: [restOfRecord(tool)] };
  return { items: items.slice(0, fitting), ...head, next: [restOfList(tool, fitting)] };
}

/** An error or warnings that are too long themselves are cut as well. */
function shortMessages({ warnings, error }: ToolData): ToolData {
  const most = maxCharacters / 10;
  return {
    ...(warnings
      ? { warnings: warnings.slice(0, 10).map((line) => cutText(line, most / 10)) }
      : {}),
    ...(error ? { error: shortError(error, most) } : {}),
  };
}

function shortError(error: Record<string, unknown>, most: number): Record<string, unknown> {
  if (JSON.stringify(error).length <= most) return error;
  const { code, name, message } = error;
  return { code, name, message: cutText(String(message), most) };
}

const fittingItems = (items: readonly unknown[], room: number): number => {
  let left = room;
  const end = items.findIndex((item) => {
    left -= JSON.stringify(item).length + 1;
    return left < 0;
  });
  return end < 0 ? items.length : end;
};

/** The start of a text whose JSON has at most `room` characters. */
function cutText(text: string, room: number): string {
  let end = Math.min(text.length, room);
  while (end > 0 && JSON.stringify(text.slice(0, end)).length > room) end = Math.floor(end * 0.9);
  return text.slice(0, end);
}

const restOfList = ({ name, hasLimit }: ResultOptions['tool'], count: number) =>
  hasLimit
    ? `Call ${name} with limit ${Math.max(1, count)}: its \`next\` lists the following items. With \`fields\`, more items fit.`
    : `Call ${name} with \`fields\`, so that more items fit, or with narrower filters.`;

const restOfRecord = ({ name }: ResultOptions['tool']) =>
  `Call ${name} with \`fields\`, the names of the members that you need, such as fields: ["_id"].`;

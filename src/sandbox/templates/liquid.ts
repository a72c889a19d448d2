// Liquid as the service runs it: its filters, its way of printing values, bounded in time and memory, and the
// sandbox's time as "now". Templates reach no files and only own members of their variables.

import {
  type Context,
  filters,
  Liquid,
  LiquidError,
  Output,
  type Template,
  tags,
  toValueSync,
} from 'liquidjs';
import pluralizeWord from 'pluralize';
import { errorMessage } from '../../core/errors.ts';
import type { JsonObject } from '../../core/objects.ts';
import type { TemplateVariable, VariableProblems } from '../../core/variable-problems.ts';
import type { Dialect } from '../store/dialect.ts';

// Liquid filters of the service that Liquid itself does not have.

/** `{{ people | toSentence: 'name', 2, 'other' }}`: "Ann, Bob, and 3 others". */
function toSentence(
  list: unknown,
  path = '',
  limit = 2,
  overflowWord = 'other',
  separator = ', ',
  pairSeparator = ' and ',
  lastSeparator = ', and ',
): string {
  if (!Array.isArray(list) || list.length === 0) return '';
  const words = textsAt(list, path);
  if (words.length <= 2) return words.join(pairSeparator);
  if (limit >= words.length)
    return `${words.slice(0, -1).join(separator)}${lastSeparator}${words.at(-1)}`;
  const rest = words.length - limit;
  const joint = limit === 1 ? pairSeparator : lastSeparator;
  return `${words.slice(0, limit).join(separator)}${joint}${rest} ${pluralizeWord(overflowWord, rest)}`;
}

/** `{{ people | digest: 2, 'name' }}`: "Ann, Bob and 3 others". */
function digest(
  this: { context: Context },
  list: unknown,
  limit = 2,
  path = '',
  separator = ', ',
): string {
  if (!Array.isArray(list) || list.length === 0) return '';
  const words = textsAt(list, path);
  if (words.length <= 2) return words.join(' and ');
  const { dialect } = Reflect.get(this.context.globals, placeName) as RenderPlace;
  if (dialect.listsAllNames && limit >= words.length)
    return `${words.slice(0, -1).join(separator)} and ${words.at(-1)}`;
  if (!dialect.listsAllNames && words.length === 3 && limit >= 3) {
    // With three words, earlier versions add a comma before the first separator.
    return `${words[0]}, ${separator}${words[1]} and ${words[2]}`;
  }
  const rest = words.length - limit;
  return `${words.slice(0, limit).join(separator)} and ${rest} ${rest === 1 ? 'other' : 'others'}`;
}

/** `{{ steps.d.eventCount | pluralize: 'comment' }}`: "2 comments"; nothing for zero or less. */
function pluralize(
  value: unknown,
  singular = '',
  plural = '',
  showCount: unknown = 'true',
): string {
  const count = countItems(value);
  if (count <= 0) return '';
  const inflected = count === 1 ? singular : plural;
  const word = plural === '' ? pluralizeWord(singular, count) : inflected;
  return showCount === 'true' ? `${count} ${word}` : word;
}

function countItems(value: unknown): number {
  if (value === null || value === undefined) return 0;
  if (Array.isArray(value)) return value.length;
  if (typeof value === 'object') return Object.keys(value).length;
  const count = Number(value);
  return Number.isNaN(count) ? 0 : count;
}

/** An object or array as JSON with single quotes, which are safe inside a JSON string. */
function singleQuotedJson(value: unknown, indent = 0): string {
  if (typeof value !== 'object' || value === null) return String(value ?? '');
  return JSON.stringify(value, null, indent).replaceAll('"', "'").replaceAll('\n', '\\n');
}

const textsAt = (list: readonly unknown[], path: string): string[] =>
  list.map((item) => String((path === '' ? item : memberAt(item, path)) ?? ''));

const memberAt = (item: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (value, name) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, name)
          ? (value as Record<string, unknown>)[name]
          : undefined,
      item,
    );

/** Arithmetic of the Liquid of versions without `env`: a missing value is not a number, and remainders have a sign. */
const mathFilters: Record<string, (value: unknown, ...operands: unknown[]) => number> = {
  abs: (value) => Math.abs(Number(value)),
  at_least: (value, least) => Math.max(Number(value), Number(least)),
  at_most: (value, most) => Math.min(Number(value), Number(most)),
  ceil: (value) => Math.ceil(Number(value)),
  divided_by: (value, divisor, isInteger = false) => {
    const quotient = Number(value) / Number(divisor);
    return isInteger ? Math.floor(quotient) : quotient;
  },
  floor: (value) => Math.floor(Number(value)),
  minus: (value, other) => Number(value) - Number(other),
  modulo: (value, divisor) => Number(value) % Number(divisor),
  times: (value, factor) => Number(value) * Number(factor),
  plus: (value, other) => Number(value) + Number(other),
  round: (value, digits = 0) => {
    const scale = 10 ** Number(digits);
    return Math.round(Number(value) * scale) / scale;
  },
};

function registerMath(engine: Liquid, name: string, earlier: (typeof mathFilters)[string]): void {
  const later = filters[name];
  engine.registerFilter(name, function (value, ...operands) {
    const isLater = typeof later === 'function' && this.context.getSync(['env']) !== undefined;
    return isLater ? later.call(this, value, ...operands) : earlier(value, ...operands);
  });
}

/** The time and the version that a template is rendered for. */
export interface RenderPlace {
  /** ISO time of the sandbox. */
  now: string;
  dialect: Pick<Dialect, 'listsAllNames'>;
}

/** The global variable with the place. Templates cannot refer to a name with a space. */
const placeName = ' place';
/** The global variable with the function that is called with the problems of variables. */
const reportName = ' report';

/** Called for a variable that is printed although it is missing or an object; `position` is that in the template. */
export type ReportVariable = (
  problem: 'missing' | 'object',
  variable: string,
  position: number,
) => void;

const liquid = new Liquid({
  templates: {},
  ownPropertyOnly: true,
  timezoneOffset: 'UTC',
  // Without this, it would ask for the locale of the machine, which is slow.
  locale: 'en-US',
  parseLimit: 1_000_000,
  renderLimit: 2_000,
  memoryLimit: 50_000_000,
  outputEscape: printed,
});
/** Finds every mistake in a template. Not used to render. */
const checker = new Liquid({
  templates: {},
  locale: 'en-US',
  parseLimit: 1_000_000,
  strictFilters: true,
  catchAllErrors: true,
});
for (const engine of [liquid, checker]) {
  engine.registerFilter('json', singleQuotedJson);
  engine.registerFilter('digest', digest);
  engine.registerFilter('toSentence', toSentence);
  engine.registerFilter('pluralize', pluralize);
  for (const [name, filter] of Object.entries(mathFilters)) registerMath(engine, name, filter);
}

// A check parses the tags of other templates, but, like the service, looks up no template and reads none of their
// variables. No other template exists, so a step with such a tag fails when it runs.
for (const [name, Tag] of Object.entries(tags)) {
  if (!['include', 'render', 'layout'].includes(name)) continue;
  checker.registerTag(name, {
    parse: (token, rest) => void new Tag(token, rest, checker, checker.parser),
    *render() {},
  });
}

const { date } = filters;
if (typeof date === 'function') {
  liquid.registerFilter('date', function (value, ...options) {
    const isNow = value === 'now' || value === 'today';
    const { now } = Reflect.get(this.context.globals, placeName) as RenderPlace;
    return date.call(this, isNow ? now : value, ...options);
  });
}

/** A newline becomes `\n` in two characters: templates are JSON while they are rendered. */
function printed(value: unknown): string {
  if (typeof value === 'string') return value.replaceAll('\n', '\\n');
  return singleQuotedJson(value);
}

const parsed = new Map<string, Template[]>();
const maxParsed = 1_000;

function parse(text: string): Template[] {
  const cached = parsed.get(text);
  if (cached) return cached;
  const template = liquid.parse(text);
  watchOutputs(template);
  if (parsed.size >= maxParsed) parsed.clear();
  parsed.set(text, template);
  return template;
}

/** Changes the outputs of a parsed template so that they report their variables. */
function watchOutputs(templates: Iterable<Template>): void {
  for (const template of templates) {
    if (template instanceof Output) watch(template);
    else if (template.children) watchOutputs(toValueSync(template.children(false, true)));
  }
}

const path = /^[a-z_][\w-]*(?:\.[\w-]+|\[[\w.-]+\])*$/i;
const literals = new Set(['true', 'false', 'nil', 'null', 'empty', 'blank']);

function watch({ token, value }: Output): void {
  const [position, end] = token.contentRange;
  const variable = token.input.slice(position, end).split('|')[0]?.trim() ?? '';
  if (!path.test(variable) || literals.has(variable)) return;
  const hasDefault = value.filters.some(({ name }) => name === 'default');
  const evaluate = value.initial.evaluate.bind(value.initial);
  value.initial.evaluate = function* (context, lenient) {
    const evaluated: unknown = yield* evaluate(context, lenient);
    if ((evaluated === undefined || evaluated === null) && !hasDefault)
      findReport(context)?.('missing', variable, position);
    return evaluated;
  };
  // The last filter prints the value, unless the template asks for the raw one.
  const printer = value.filters.at(-1);
  if (!printer || printer.raw) return;
  const print = printer.render.bind(printer);
  printer.render = function* (result: unknown, context) {
    if (typeof result === 'object' && result !== null)
      findReport(context)?.('object', variable, position);
    return yield* print(result, context);
  };
}

const findReport = ({ globals }: Context): ReportVariable | undefined =>
  Reflect.get(globals, reportName) as ReportVariable | undefined;

/** Whether a text contains the start of an output or of a tag. */
export const hasLiquid = (text: string): boolean => text.includes('{{') || text.includes('{%');

/** Throws the error of Liquid. */
export function renderLiquid(
  text: string,
  variables: JsonObject,
  place: RenderPlace,
  report?: ReportVariable,
): string {
  if (!hasLiquid(text)) return text;
  const globals = { [placeName]: place, [reportName]: report };
  return String(liquid.renderSync(parse(text), variables, { globals }));
}

interface TemplateMistake {
  /** As Liquid says it, up to the position: `undefined filter: none,`. */
  message: string;
  /** The template in which it was found. */
  input: string;
}

export type { Template as ParsedTemplate } from 'liquidjs';

/** Returns the mistakes of a template, else its parts. */
export function checkLiquid(
  text: string,
): { mistakes: TemplateMistake[] } | { templates: Template[] } {
  if (!hasLiquid(text)) return { templates: [] };
  try {
    return { templates: checker.parse(text) };
  } catch (error) {
    if (!(error instanceof LiquidError))
      return { mistakes: [{ message: errorMessage(error), input: '' }] };
    const all: readonly LiquidError[] =
      'errors' in error ? (error.errors as LiquidError[]) : [error];
    return {
      mistakes: all.map(({ message, token }) => ({
        message: message.split(' line:')[0] ?? message,
        input: token.input,
      })),
    };
  }
}

// Collects the variables of templates that are missing, or printed as an object.

export interface ProblemCollector extends VariableProblems {
  /** Returns a function that reports the variables of a template, or of several by position. */
  of(template: string | ((position: number) => string)): ReportVariable;
}

/** Collects each variable of each template once. */
export function collectProblems(): ProblemCollector {
  const missingVariables: TemplateVariable[] = [];
  const objectVariables: TemplateVariable[] = [];
  return {
    missingVariables,
    objectVariables,
    of: (nameOf) => (problem, variable, position) => {
      const template = typeof nameOf === 'string' ? nameOf : nameOf(position);
      const list = problem === 'missing' ? missingVariables : objectVariables;
      const isKnown = list.some(
        (problem) => problem.template === template && problem.variable === variable,
      );
      if (!isKnown) list.push({ template, variable });
    },
  };
}

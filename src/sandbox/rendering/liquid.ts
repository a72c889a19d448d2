// Liquid as the service runs it: its filters, its way of printing values, bounded in time and memory, and the
// sandbox's time as "now". Templates reach no files and only own members of their variables.
import { filters, Liquid, LiquidError, type Template, tags } from 'liquidjs';
import { errorMessage } from '../../core/errors.ts';
import { digest, pluralize, singleQuotedJson, toSentence } from './filters.ts';

export type Variables = Record<string, unknown>;

/** The global variable with the sandbox's time. Templates cannot refer to a name with a space. */
const nowName = ' now';

const liquid = new Liquid({
  templates: {},
  ownPropertyOnly: true,
  timezoneOffset: 'UTC',
  // Else it would ask for the locale of the machine, which is slow.
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
}

// A check parses the tags of other templates, but, like the service, looks up no template and reads none of their
// variables. There are no other templates, so a step with such a tag fails when it runs.
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
    const now: unknown = Reflect.get(this.context.globals, nowName);
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
  const known = parsed.get(text);
  if (known) return known;
  const template = liquid.parse(text);
  if (parsed.size >= maxParsed) parsed.clear();
  parsed.set(text, template);
  return template;
}

/** Renders a text at an ISO time. Throws the error of Liquid. */
export function renderLiquid(text: string, variables: Variables, now: string): string {
  if (!text.includes('{{') && !text.includes('{%')) return text;
  return String(liquid.renderSync(parse(text), variables, { globals: { [nowName]: now } }));
}

export interface TemplateMistake {
  /** As Liquid says it, up to the position: `undefined filter: none,`. */
  message: string;
  /** The template in which it was found. */
  input: string;
}

/** Returns the mistakes of a template, else the paths of the variables that it reads, in order. */
export function checkLiquid(
  text: string,
): { mistakes: TemplateMistake[] } | { variables: string[] } {
  if (!text.includes('{{') && !text.includes('{%')) return { variables: [] };
  try {
    const variables = checker.globalFullVariablesSync(checker.parse(text));
    return { variables: variables.sort((a, b) => text.indexOf(a) - text.indexOf(b)) };
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

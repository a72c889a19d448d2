// Liquid as the service runs it: its filters, its way of printing values, bounded in time and memory, and the
// sandbox's time as "now". Templates reach no files and only own members of their variables.
import { filters, Liquid, type Template } from 'liquidjs';
import { digest, pluralize, singleQuotedJson, toSentence } from './filters.ts';

export type Variables = Record<string, unknown>;

/** The global variable with the sandbox's time. Templates cannot refer to a name with a space. */
const nowName = ' now';

const liquid = new Liquid({
  templates: {},
  ownPropertyOnly: true,
  timezoneOffset: 'UTC',
  parseLimit: 1_000_000,
  renderLimit: 2_000,
  memoryLimit: 50_000_000,
  outputEscape: printed,
});
liquid.registerFilter('json', singleQuotedJson);
liquid.registerFilter('digest', digest);
liquid.registerFilter('toSentence', toSentence);
liquid.registerFilter('pluralize', pluralize);

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

// Liquid templates of steps, rendered. They reach no files, only own members of what they are
// given, and the time of the sandbox.
import { filters, Liquid, type Template } from 'liquidjs';
import type { Variables } from './variables.ts';

/** No template can name it. */
const momentName = ' moment';

const liquid = new Liquid({
  templates: {},
  strictFilters: true,
  ownPropertyOnly: true,
  timezoneOffset: 'UTC',
  parseLimit: 1_000_000,
  renderLimit: 2_000,
  memoryLimit: 50_000_000,
  outputEscape: (value: unknown) =>
    typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? ''),
});

const { date } = filters;
if (typeof date === 'function') {
  liquid.registerFilter('date', function (value, ...more) {
    const isNow = value === 'now' || value === 'today';
    const moment: unknown = Reflect.get(this.context.globals, momentName);
    return date.call(this, isNow ? moment : value, ...more);
  });
}

const parsed = new Map<string, Template[]>();
const mostParsed = 1_000;

function templateOf(text: string): Template[] {
  const known = parsed.get(text);
  if (known) return known;
  const made = liquid.parse(text);
  if (parsed.size >= mostParsed) parsed.clear();
  parsed.set(text, made);
  return made;
}

/** The text with its variables filled in, at an ISO time. Throws what is wrong with it. */
function renderText(text: string, variables: Variables, now: string): string {
  if (!text.includes('{{') && !text.includes('{%')) return text;
  return String(liquid.renderSync(templateOf(text), variables, { globals: { [momentName]: now } }));
}

/** Every text within a value. */
export function renderDeep(value: unknown, variables: Variables, now: string): unknown {
  if (typeof value === 'string') return renderText(value, variables, now);
  if (Array.isArray(value)) return value.map((item) => renderDeep(item, variables, now));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, renderDeep(inner, variables, now)]),
  );
}

// Renders the Liquid templates of steps. Templates cannot read files or inherited properties, and
// `now` is the time of the sandbox.
import { filters, Liquid, type Template } from 'liquidjs';
import type { Variables } from './variables.ts';

/** Starts with a space so that no template can refer to it. */
const nowVariable = ' now';

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
    const now: unknown = Reflect.get(this.context.globals, nowVariable);
    return date.call(this, isNow ? now : value, ...more);
  });
}

const templateCache = new Map<string, Template[]>();
const maxCachedTemplates = 1_000;

function parseTemplate(text: string): Template[] {
  const cached = templateCache.get(text);
  if (cached) return cached;
  const template = liquid.parse(text);
  if (templateCache.size >= maxCachedTemplates) templateCache.clear();
  templateCache.set(text, template);
  return template;
}

/** `now` is an ISO time. Throws if the template is invalid. */
function renderText(text: string, variables: Variables, now: string): string {
  if (!text.includes('{{') && !text.includes('{%')) return text;
  return String(
    liquid.renderSync(parseTemplate(text), variables, { globals: { [nowVariable]: now } }),
  );
}

/** Renders every string in a value, at any depth. */
export function renderDeep(value: unknown, variables: Variables, now: string): unknown {
  if (typeof value === 'string') return renderText(value, variables, now);
  if (Array.isArray(value)) return value.map((item) => renderDeep(item, variables, now));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, renderDeep(inner, variables, now)]),
  );
}

// Liquid templates of steps, rendered. They reach no files and only own members of what they are
// given.
import { Liquid, type Template } from 'liquidjs';
import type { Variables } from './variables.ts';

const liquid = new Liquid({
  templates: {},
  strictFilters: true,
  ownPropertyOnly: true,
  parseLimit: 1_000_000,
  renderLimit: 2_000,
  memoryLimit: 50_000_000,
  outputEscape: (value: unknown) =>
    typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? ''),
});

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

/** The text with its variables filled in. Throws what is wrong with it. */
export function renderText(text: string, variables: Variables): string {
  if (!text.includes('{{') && !text.includes('{%')) return text;
  return String(liquid.renderSync(templateOf(text), variables));
}

/** The same for every text within a value. */
export function renderDeep(value: unknown, variables: Variables): unknown {
  if (typeof value === 'string') return renderText(value, variables);
  if (Array.isArray(value)) return value.map((item) => renderDeep(item, variables));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, renderDeep(inner, variables)]),
  );
}

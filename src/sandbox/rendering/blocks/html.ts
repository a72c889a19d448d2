// Builds HTML: escaped text, elements with attributes, and the tables that e-mail uses for layout.

/** Escaped for text and for attributes in double quotes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? character);

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#x27;',
};

export type Attributes = Record<string, string | number | undefined>;

const attributesText = (attributes: Attributes): string =>
  Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${escapeHtml(String(value))}"`)
    .join('');

/** An element; `children` is HTML. */
export const element = (name: string, attributes: Attributes, children: string): string =>
  `<${name}${attributesText(attributes)}>${children}</${name}>`;

export const emptyElement = (name: string, attributes: Attributes = {}): string =>
  `<${name}${attributesText(attributes)}/>`;

const layoutTable: Attributes = {
  border: 0,
  cellpadding: 0,
  cellspacing: 0,
  role: 'presentation',
};

/** A table of one row, the way e-mail is laid out; `cells` is HTML. */
export const rowTable = (
  cells: string,
  attributes: Attributes = { align: 'center', width: '100%' },
): string =>
  element(
    'table',
    { ...attributes, ...layoutTable },
    element('tbody', {}, element('tr', {}, cells)),
  );

export const cell = (content: string, attributes: Attributes = {}): string =>
  element('td', attributes, content);

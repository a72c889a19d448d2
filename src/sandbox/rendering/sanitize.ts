// Removes what the service removes from the content of messages: scripts, forms, frames, unknown elements and
// links that run code. Styles and other attributes stay.
import sanitizeHtml from 'sanitize-html';

const imageAttributes = new Set(
  'src alt width height loading srcset sizes crossorigin usemap ismap class id style title dir lang'.split(
    ' ',
  ),
);

const options: sanitizeHtml.IOptions = {
  allowedTags: [
    ...sanitizeHtml.defaults.allowedTags,
    ...['style', 'img', 'html', 'head', 'body', 'link', 'meta', 'title'],
  ],
  allowedAttributes: false,
  allowedSchemes: [...sanitizeHtml.defaults.allowedSchemes, 'cid'],
  // The library warns on standard error about `style` unless this is set.
  allowVulnerableTags: true,
  parseStyleAttributes: false,
  parser: { lowerCaseAttributeNames: true },
  transformTags: {
    img: (tagName, attributes) => ({
      tagName,
      attribs: Object.fromEntries(
        Object.entries(attributes).filter(([name]) => imageAttributes.has(name.toLowerCase())),
      ),
    }),
  },
};

/** A DOCTYPE at the beginning stays. Text without markup is unchanged, so it is not parsed, which is slow. */
export function sanitized(html: string): string {
  if (!/[<>&]/.test(html)) return html;
  const [doctype = ''] = /^<!DOCTYPE .*?>/.exec(html) ?? [];
  return `${doctype}${sanitizeHtml(html, options)}`;
}

/** Every string within a value, sanitized. */
export function sanitizedDeep(value: unknown): unknown {
  if (typeof value === 'string') return sanitized(value);
  if (Array.isArray(value)) return value.map(sanitizedDeep);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, sanitizedDeep(inner)]),
  );
}

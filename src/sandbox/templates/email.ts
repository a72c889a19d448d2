// The body of an e-mail: a block document or HTML, in its layout.

import sanitizeHtml from 'sanitize-html';
import type { JsonObject } from '../../core/objects.ts';
import { documentOrEmpty, evaluate } from './block-document.ts';
import { element, escapeHtml, renderNode } from './block-html.ts';
import { type ProblemCollector, type RenderPlace, renderLiquid } from './liquid.ts';

/** HTML with Liquid, or a block document as JSON. */
interface EmailLayout {
  body: string;
}

interface EmailRequest {
  /** The body as it is after the control values were rendered. */
  body: string;
  layout?: EmailLayout | undefined;
  sanitize: boolean;
  /** The text that mail programs show after the subject. */
  preheader?: string | undefined;
  variables: JsonObject;
  place: RenderPlace;
  problems?: ProblemCollector | undefined;
}

/** The HTML of an e-mail. Throws what makes the step fail. */
export function renderEmail(request: EmailRequest): string {
  const { layout, sanitize, preheader = '' } = request;
  const content = withoutComments(renderBody(request));
  const html = layout ? renderLayout(request, layout, content) : content;
  const clean = withPreheader(
    html.replaceAll(/<p([^>]*)>\s+<\/p>/g, '<p$1></p>'),
    preheader.trim(),
  );
  return sanitize ? sanitized(clean) : clean;
}

function renderBody({ body, layout, variables, place, problems }: EmailRequest): string {
  const document = documentOrEmpty(body);
  const report = problems?.of('body');
  if (!document) return renderLiquid(unescapedJson(body), variables, place, report);
  const html = renderNode(evaluate(document, variables, place, report));
  return layout ? html : wrapped(html);
}

/** The layout's `content` is the HTML of the step: put in as it is, in text and in a block document alike. */
function renderLayout(
  { variables, place, problems }: EmailRequest,
  { body }: EmailLayout,
  content: string,
) {
  const joined = content.replaceAll('\n', '');
  const document = documentOrEmpty(body);
  const report = problems?.of('layout');
  if (!document)
    return renderLiquid(unescapedJson(body), { ...variables, content: joined }, place, report);
  const html = renderNode(
    evaluate(document, { ...variables, content: contentMark }, place, report),
  );
  return wrapped(html.replaceAll(contentMark, () => joined));
}

/** Hides the text at the start of the body, and keeps mail programs from adding the content to it. */
function withPreheader(html: string, text: string): string {
  if (text === '' || html === '') return html;
  const spacer = '&nbsp;&zwnj;'.repeat(50);
  const block = `<div style="display: none; max-height: 0px; overflow: hidden;">${escapeHtml(text)}${spacer}</div>`;
  const start = /<body\b[^<>]*?>/i;
  return start.test(html) ? html.replace(start, (tag) => tag + block) : block + html;
}

/** Takes the place of the content while the layout is rendered; no text that is sent contains it. */
const contentMark = '\u{e000}content\u{e001}';

const wrapped = (content: string): string =>
  element(
    'html',
    { dir: 'ltr', lang: 'en' },
    `<head><meta content="text/html; charset=UTF-8" http-equiv="Content-Type"/></head><body>${content}</body>`,
  );

const withoutComments = (html: string): string =>
  html.replaceAll(/<!DOCTYPE.*?>/g, '').replaceAll(/<!--[\s\S]*?-->/g, '');

/** Escapes of JSON that the first rendering has left in an HTML body. */
const unescapedJson = (text: string): string =>
  text.replaceAll(/\\([trn"'\\])/g, (whole, character: string) => escapes[character] ?? whole);

const escapes: Record<string, string> = {
  t: '\t',
  r: '\r',
  n: '\n',
  '"': '"',
  "'": "'",
  '\\': '\\',
};

// Removes what the service removes from the content of messages: scripts, forms, frames, unknown elements and
// links that run code. Styles and other attributes stay.

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
function sanitized(html: string): string {
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

// Counts the parts that the service removes from the source of an e-mail before it sends it: comments, and what its sanitizer rejects.

export interface RemovedParts {
  /** Conditional comments, which only Outlook reads. */
  outlookComments: number;
  otherComments: number;
  imageSources: number;
  /** The number of removed elements by name. */
  elements: ReadonlyMap<string, number>;
}

/** Counts the parts of a template; undefined for a document of the block editor, which has none. */
export function removedFrom(body: string, isSanitized: boolean): RemovedParts | undefined {
  if (documentOrEmpty(body)) return undefined;
  const comments = body.match(/<!--[\s\S]*?-->/g) ?? [];
  const conditional = comments.filter((comment) => /^<!--\s*\[if\b/i.test(comment)).length;
  const ends = comments.filter((comment) => /^<!--\s*<!\[endif\]/i.test(comment)).length;
  const before = countParts(body);
  const after = isSanitized ? countParts(sanitized(body)) : before;
  const elements = [...before.elements].flatMap(([name, count]): [string, number][] => {
    const removed = count - (after.elements.get(name) ?? 0);
    return removed > 0 ? [[name, removed]] : [];
  });
  return {
    outlookComments: conditional,
    otherComments: comments.length - conditional - ends,
    imageSources: before.imageSources - after.imageSources,
    elements: new Map(elements),
  };
}

function countParts(html: string) {
  const elements = new Map<string, number>();
  let imageSources = 0;
  // Used as a parser: the sanitized text is not needed.
  sanitizeHtml(html, {
    allowedTags: false,
    allowVulnerableTags: true,
    allowedAttributes: {},
    onOpenTag(name, { src }) {
      elements.set(name, (elements.get(name) ?? 0) + 1);
      if (name === 'img' && src !== undefined) imageSources += 1;
    },
  });
  return { elements, imageSources };
}

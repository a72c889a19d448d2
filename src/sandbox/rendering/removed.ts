// Counts the parts that the service removes from the source of an e-mail before it sends it: comments, and what its sanitizer rejects.
import sanitizeHtml from 'sanitize-html';
import { documentOrEmpty } from './blocks/document.ts';
import { sanitized } from './sanitize.ts';

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

// The HTML of an e-mail for a sandboxed frame. The policy of the frame blocks scripts and remote content; this also
// removes elements that connect to other machines in spite of a policy, and opens links in a new tab.
import sanitizeHtml from 'sanitize-html';
import { excerpt, safeLink } from './format.ts';

/** A link opens a new tab, in which the page runs as usual: it does not inherit the limits of the frame. */
export const emailSandbox = 'allow-popups allow-popups-to-escape-sandbox';

const removedElements = new Set([
  ...['script', 'noscript', 'link', 'base', 'iframe', 'frame', 'frameset', 'object', 'embed'],
  ...['portal', 'applet', 'template'],
]);

export interface EmailLink {
  url: string;
  text: string;
}

export interface EmailDocument {
  html: string;
  /** The links to the web, each once. */
  links: EmailLink[];
  /** The number of images from the web, which the policy of the frame blocks. */
  remoteImages: number;
  /** Nothing would be visible. */
  isEmpty: boolean;
}

export function emailDocument(content: string): EmailDocument {
  const links = new Map<string, EmailLink>();
  let images = 0;
  let remoteImages = 0;
  const openInNewTab = (tagName: string, attributes: sanitizeHtml.Attributes) => ({
    tagName,
    attribs: { ...attributes, target: '_blank', rel: 'noopener noreferrer' },
  });
  const html = sanitizeHtml(content, {
    allowedTags: false,
    allowedAttributes: false,
    allowVulnerableTags: true,
    parseStyleAttributes: false,
    allowedSchemes: ['http', 'https', 'mailto', 'tel', 'data', 'cid'],
    nonTextTags: ['script', 'noscript', 'template', 'object', 'iframe'],
    transformTags: { a: openInNewTab, area: openInNewTab },
    exclusiveFilter({ tag, attribs, text }) {
      if (tag === 'img') images += 1;
      if (tag === 'img' && /^(https?:)?\/\//i.test(attribs.src ?? '')) remoteImages += 1;
      const url = tag === 'a' ? safeLink(attribs.href) : undefined;
      if (url !== undefined && !links.has(url)) links.set(url, { url, text: text.trim() });
      return (
        removedElements.has(tag) ||
        (tag === 'meta' && attribs['http-equiv']?.toLowerCase() === 'refresh')
      );
    },
  });
  return {
    html: `<!doctype html>\n${html}`,
    links: [...links.values()],
    remoteImages,
    isEmpty: images === 0 && excerpt(html, true) === '',
  };
}

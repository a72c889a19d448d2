// The HTML of an e-mail for a sandboxed frame. The policy of the frame blocks scripts, forms and remote content; this
// also removes elements that connect to other machines in spite of a policy, and opens links in a new tab.
import sanitizeHtml from 'sanitize-html';
import { excerpt, safeLink } from './format.ts';

/**
 * The page may read the height of the content, and a link opens a new tab, in which the application runs as usual: it
 * does not inherit the limits of the frame. Scripts never run, because `allow-scripts` is missing.
 */
export const emailSandbox = 'allow-same-origin allow-popups allow-popups-to-escape-sandbox';

/** An e-mail loads its own styles and the images that it contains, nothing else. */
export const emailPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'";

const removedElements = new Set([
  ...['script', 'noscript', 'link', 'base', 'iframe', 'frame', 'frameset', 'object', 'embed'],
  ...['portal', 'applet', 'template'],
]);

/** Attributes with the address of a link, or with the place in which it opens. */
const linkAttributes = new Set(['href', 'xlink:href', 'ping', 'target', 'rel', 'download']);

export interface EmailDocument {
  html: string;
  /** The number of images from the web, which the policy of the frame blocks. */
  remoteImages: number;
  /** Nothing would be visible. */
  isEmpty: boolean;
}

export function emailDocument(content: string): EmailDocument {
  let images = 0;
  let remoteImages = 0;
  const html = sanitizeHtml(content, {
    allowedTags: false,
    allowedAttributes: false,
    allowVulnerableTags: true,
    parseStyleAttributes: false,
    allowedSchemes: ['http', 'https', 'mailto', 'tel', 'data', 'cid'],
    nonTextTags: ['script', 'noscript', 'template', 'object', 'iframe'],
    transformTags: { a: openInNewTab, area: openInNewTab },
    exclusiveFilter({ tag, attribs }) {
      if (tag === 'img') images += 1;
      if (tag === 'img' && /^(https?:)?\/\//i.test(attribs.src ?? '')) remoteImages += 1;
      return (
        removedElements.has(tag) ||
        (tag === 'meta' && attribs['http-equiv']?.trim().toLowerCase() === 'refresh')
      );
    },
  });
  return {
    html: `<!doctype html>\n${html}`,
    remoteImages,
    isEmpty: images === 0 && excerpt(html, true) === '',
  };
}

/** A link to anything but the web, an e-mail address or a phone number leads nowhere. */
function openInNewTab(tagName: string, attributes: sanitizeHtml.Attributes) {
  const others = Object.entries(attributes).filter(([name]) => !linkAttributes.has(name));
  const href = safeLink(attributes.href);
  const link = href === undefined ? {} : { href, target: '_blank', rel: 'noopener' };
  return {
    tagName,
    attribs: { ...Object.fromEntries(others), ...link } as sanitizeHtml.Attributes,
  };
}

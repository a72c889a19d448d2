// The HTML of an e-mail for a sandboxed frame. The policy of the frame blocks scripts, forms and remote content; this
// also removes elements that connect to other machines in spite of a policy, and opens links in a new tab.
import sanitizeHtml from 'sanitize-html';
import { dataImage, excerpt, safeLink } from './format.ts';

/**
 * The page may read the height of the content, and a link opens a new tab, in which the application runs as usual: it
 * does not inherit the limits of the frame. Scripts never run, because `allow-scripts` is missing.
 */
export const emailSandbox = 'allow-same-origin allow-popups allow-popups-to-escape-sandbox';

/** An e-mail loads its own styles and the images that it contains, nothing else. */
export const emailPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'";

/** Also loads images from other machines, after a person asked for them. */
export const imagePolicy = emailPolicy.replace('img-src data:', 'img-src data: http: https:');

const removedElements = new Set([
  ...['script', 'noscript', 'link', 'base', 'iframe', 'frame', 'frameset', 'object', 'embed'],
  ...['portal', 'applet', 'template'],
]);

/** Attributes with the address of a link, or with the place in which it opens. */
const linkAttributes = new Set(['href', 'xlink:href', 'ping', 'target', 'rel', 'download']);

export interface EmailDocument {
  html: string;
  /** The number of images from the web. */
  remoteImages: number;
  /** Nothing would be visible. */
  isEmpty: boolean;
  /** It has styles or a mark for dark screens. */
  hasDark: boolean;
}

/** Without `loadsImages`, an image that is not part of the e-mail is a box with its size and text. */
export function emailDocument(content: string, loadsImages = false): EmailDocument {
  let images = 0;
  let remoteImages = 0;
  const image = (tagName: string, attribs: sanitizeHtml.Attributes) => {
    const { src = '' } = attribs;
    images += 1;
    if (/^(https?:)?\/\//i.test(src.trim())) remoteImages += 1;
    return { tagName, attribs: loadsImages || dataImage(src) ? attribs : toBox(attribs) };
  };
  const html = sanitizeHtml(content, {
    allowedTags: false,
    allowedAttributes: false,
    allowVulnerableTags: true,
    parseStyleAttributes: false,
    allowedSchemes: ['http', 'https', 'mailto', 'tel', 'data', 'cid'],
    nonTextTags: ['script', 'noscript', 'template', 'object', 'iframe'],
    transformTags: { a: openInNewTab, area: openInNewTab, img: image },
    exclusiveFilter({ tag, attribs }) {
      return (
        removedElements.has(tag) ||
        // A box has no other sources.
        (tag === 'source' && !loadsImages) ||
        (tag === 'meta' && attribs['http-equiv']?.trim().toLowerCase() === 'refresh')
      );
    },
  });
  return {
    html: `<!doctype html>\n${html}`,
    remoteImages,
    isEmpty: images === 0 && excerpt(html, true) === '',
    hasDark: darkStyle.test(html),
  };
}

const darkStyle =
  /prefers-color-scheme\s*:\s*dark|(?:color-scheme|supported-color-schemes)["']?(?:\s*:|\s+content\s*=)[^;>]*dark/i;

/** The place of an image that is not loaded, as large as the image. */
function toBox({ srcset: _, sizes: _sizes, ...attributes }: sanitizeHtml.Attributes) {
  const pixels = (name: 'width' | 'height') =>
    Number(
      /^\s*(\d+)(?:px)?\s*$/.exec(attributes[name] ?? '')?.[1] ??
        new RegExp(`(?:^|[;\\s])${name}\\s*:\\s*(\\d+)px`).exec(attributes.style ?? '')?.[1],
    ) || undefined;
  const [width, height] = [pixels('width'), pixels('height')];
  const size = width || height ? `${width ?? '?'} × ${height ?? '?'}` : 'no size';
  const label = [attributes.alt?.trim(), size]
    .filter(Boolean)
    .map((text) => `<div>${escapeXml(text)}</div>`);
  const box = `<svg xmlns="http://www.w3.org/2000/svg" width="${width ?? 240}" height="${height ?? 96}"><foreignObject width="100%" height="100%"><div xmlns="http://www.w3.org/1999/xhtml" style="${boxStyle}">${label.join('')}</div></foreignObject></svg>`;
  return { ...attributes, src: `data:image/svg+xml,${encodeURIComponent(box)}` };
}

const boxStyle =
  'box-sizing:border-box;height:100%;overflow:hidden;display:grid;place-content:center;padding:4px;border:1px dashed #8a8a84;background:#f0f0ec;color:#55554f;font:12px/1.3 system-ui,sans-serif;text-align:center';

const escapeXml = (text = '') =>
  text.replace(
    /[<>&]|[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD]/g,
    (character) => xmlEntities[character] ?? '',
  );

const xmlEntities: Record<string, string> = { '<': '&lt;', '>': '&gt;', '&': '&amp;' };

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

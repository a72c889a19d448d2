// Finds the links in the content of a message, for tests that follow them.

import sanitizeHtml from 'sanitize-html';

export interface Link {
  url: string;
  /** Empty for an address in plain text. */
  text: string;
}

/** Returns the links in order: anchors, and addresses in the text that no anchor has. */
export function findLinks(content: string, isHtml: boolean): Link[] {
  if (!/<a\s|https?:/i.test(content)) return [];
  return isHtml ? linksInHtml(content) : linksInText(content);
}

function linksInHtml(html: string): Link[] {
  const links: Link[] = [];
  let anchor: Link | undefined;
  const close = () => {
    if (anchor) anchor.text = anchor.text.replace(/\s+/g, ' ').trim();
    anchor = undefined;
  };
  // Used as a parser: the sanitized text is not needed.
  sanitizeHtml(html, {
    allowedTags: false,
    allowVulnerableTags: true,
    allowedAttributes: {},
    onOpenTag(name, { href }) {
      if (name !== 'a' || href === undefined) return;
      close();
      anchor = { url: href, text: '' };
      links.push(anchor);
    },
    onCloseTag: (name) => {
      if (name === 'a') close();
    },
    textFilter(escaped, name) {
      const text = decodeEntities(escaped);
      if (anchor) anchor.text += text;
      else if (name !== 'style' && name !== 'script') links.push(...addressesIn(text));
      return '';
    },
  });
  const inAnchors = new Set(links.flatMap(({ url, text }) => (text === '' ? [] : [url])));
  return links.filter(({ url, text }) => text !== '' || !inAnchors.has(url));
}

/** The links of a text. Chat messages can contain links of Slack: `<https://example.com|Text>`. */
const linksInText = (content: string): Link[] =>
  [...content.matchAll(new RegExp(`${slackLink}|${address}`, 'gi'))].map(
    ([plain, url = plain, text = '']) => ({
      url: decodeEntities(url),
      text: decodeEntities(text).trim(),
    }),
  );

const slackLink = String.raw`<(https?:\/\/[^\s<>|]+)(?:\|([^<>]*))?>`;
/** Without the punctuation after it. */
const address = String.raw`https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]]`;

/** The web addresses in a text. */
const addressesIn = (text: string): Link[] =>
  [...text.matchAll(new RegExp(address, 'gi'))].map(([url]) => ({ url, text: '' }));

const entities: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };
const decodeEntities = (text: string) =>
  text.replace(/&(?:lt|gt|quot|amp);/g, (entity) => entities[entity] ?? entity);

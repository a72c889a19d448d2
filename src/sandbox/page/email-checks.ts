// Checks of an e-mail that need no other machine: its links, images and size, and features that mail programs lack.

import { connect } from 'node:net';
import { isLoopback } from '../../core/loopback.ts';
import { counted } from '../../core/text.ts';
import { type GivenProblems, variableProblemTexts } from '../../core/variable-problems.ts';
import type { RemovedParts } from '../templates/email.ts';
import { findLinks } from '../templates/links.ts';
import { isOpened } from './format.ts';

export interface Check {
  name: string;
  /** `note`: nothing to fix. */
  state: 'good' | 'warning' | 'problem' | 'note';
  text: string;
  /** Each finding in one line. */
  findings: string[];
}

interface CheckedEmail {
  content: string;
  problems: GivenProblems;
  /** The hosts of this machine on which nothing listens. */
  closed: ReadonlySet<string>;
  removed: RemovedParts | undefined;
}

export const checkEmail = ({ content, problems, closed, removed }: CheckedEmail): Check[] => [
  checkLinks(content, closed),
  checkImages(content),
  checkSize(content),
  checkFeatures(content),
  checkVariables(problems),
  ...(removed ? [checkRemoved(removed)] : []),
];

const anchor = /<a\b((?:"[^"]*"|'[^']*'|[^>"'])*)>([\s\S]{0,500}?)<\/a>/gi;

function checkLinks(content: string, closed: ReadonlySet<string>): Check {
  const links = findLinks(content, true);
  const broken = links.flatMap(({ url, text }) => {
    const problem = linkProblem(url.trim(), closed);
    return problem === undefined ? [] : [`${text || url || 'A link'}: ${problem}`];
  });
  // The service removes an empty address. Anchors with a name are targets.
  for (const [, attributes = '', text = ''] of content.matchAll(anchor))
    if (!/\s(href|name|id)\s*=/i.test(attributes))
      broken.push(`${text.replace(/<[^>]*>/g, '').trim() || 'A link'}: the address is empty`);
  const plain = links.flatMap(({ url }) =>
    /^http:/i.test(url) && !loopbackUrl(url) ? [`${url} is not encrypted (http)`] : [],
  );
  const name = 'Links';
  if (broken.length > 0)
    return {
      name,
      state: 'problem',
      findings: [...broken, ...plain],
      text: `${counted(broken.length, 'link')} ${broken.length === 1 ? 'does' : 'do'} not work.`,
    };
  if (plain.length > 0)
    return {
      name,
      state: 'warning',
      findings: plain,
      text: `${counted(plain.length, 'link')} without encryption.`,
    };
  const text =
    links.length === 0 ? 'The e-mail has no links.' : `${counted(links.length, 'link')} checked.`;
  return { name, state: 'good', text, findings: [] };
}

/** Links to other machines are not opened. */
function linkProblem(url: string, closed: ReadonlySet<string>): string | undefined {
  if (url === '') return 'the address is empty';
  if (url.startsWith('#')) return `the address is only ${url}`;
  if (!URL.canParse(url)) return `${url} is not a complete address`;
  const { host, protocol } = new URL(url);
  if (!isOpened(protocol)) return `mail programs do not open ${protocol} addresses`;
  return loopbackUrl(url) && closed.has(host) ? `nothing listens on ${host}` : undefined;
}

function checkImages(content: string): Check {
  const images = content.match(/<img\b(?:"[^"]*"|'[^']*'|[^>"'])*>/gi) ?? [];
  const silent = images.filter((image) => !/\salt\s*=/i.test(image));
  const name = 'Images';
  if (silent.length === 0) {
    const text =
      images.length === 0 ? 'The e-mail has no images.' : 'Every image has a text (alt).';
    return { name, state: 'good', text, findings: [] };
  }
  return {
    name,
    state: 'warning',
    text: `${counted(silent.length, 'image')} without a text (alt), which screen readers and blocked images need.`,
    findings: silent.map(
      (image) => /\ssrc\s*=\s*["']?([^"'\s>]{1,120})/i.exec(image)?.[1] ?? '(no source)',
    ),
  };
}

/** Gmail cuts off what is longer. */
const clippedBytes = 102 * 1024;

function checkSize(content: string): Check {
  const bytes = Buffer.byteLength(content);
  const size = `${Math.max(1, Math.round(bytes / 1024)).toLocaleString('en')} KB`;
  return bytes > clippedBytes
    ? {
        name: 'Size',
        state: 'problem',
        findings: [],
        text: `${size}. Gmail cuts an e-mail off after 102 KB.`,
      }
    : {
        name: 'Size',
        state: 'good',
        text: `${size} of 102 KB, at which Gmail cuts an e-mail off.`,
        findings: [],
      };
}

interface Feature {
  name: string;
  pattern: RegExp;
  lacking: string;
}

const both = 'Gmail and Outlook';

const features: { html: readonly Feature[]; css: readonly Feature[] } = {
  html: [
    { name: 'Linked style sheets', pattern: /<link\b[^>]*stylesheet/i, lacking: both },
    { name: 'Video and audio', pattern: /<(video|audio)\b/i, lacking: both },
    { name: 'Forms', pattern: /<(form|input|select|textarea)\b/i, lacking: both },
    { name: 'SVG', pattern: /<svg\b|<img\b[^>]*\.svg\b/i, lacking: both },
  ],
  css: [
    { name: 'Flexbox', pattern: /display\s*:\s*(inline-)?flex/i, lacking: 'Outlook for Windows' },
    { name: 'Grid', pattern: /display\s*:\s*(inline-)?grid/i, lacking: both },
    {
      name: 'Positioning',
      pattern: /(?:^|[;{\s"])position\s*:\s*(absolute|fixed|sticky|relative)/i,
      lacking: both,
    },
    { name: 'CSS variables', pattern: /var\(\s*--/i, lacking: both },
    { name: 'Web fonts', pattern: /@font-face|@import/i, lacking: both },
    { name: 'Animations', pattern: /@keyframes|(?:^|[;{\s"])animation\s*:/i, lacking: both },
  ],
};

const styles = /<style[^>]*>([\s\S]*?)<\/style>|\sstyle\s*=\s*(?:"([^"]*)"|'([^']*)')/gi;

function checkFeatures(content: string): Check {
  const html = content.replace(/<!--[\s\S]*?-->/g, '');
  const css = [...html.matchAll(styles)].map(([, ...texts]) => texts.join('')).join('\n');
  const used = [
    ...features.html.filter(({ pattern }) => pattern.test(html)),
    ...features.css.filter(({ pattern }) => pattern.test(css)),
  ];
  const name = 'Mail programs';
  if (used.length === 0)
    return {
      name,
      state: 'good',
      findings: [],
      text: 'None of ten features that mail programs often lack.',
    };
  return {
    name,
    state: 'warning',
    text: `${counted(used.length, 'feature')} that not every mail program supports.`,
    findings: used.map((feature) => `${feature.name}: not in ${feature.lacking}`),
  };
}

function checkVariables(problems: GivenProblems): Check {
  const findings = variableProblemTexts(problems);
  return findings.length === 0
    ? { name: 'Variables', state: 'good', text: 'Every variable has a value.', findings }
    : { name: 'Variables', state: 'warning', text: 'Some variables have no text.', findings };
}

function checkRemoved({
  outlookComments,
  otherComments,
  imageSources,
  elements,
}: RemovedParts): Check {
  const findings = [
    ...(outlookComments > 0 ? [`${counted(outlookComments, 'comment')} for Outlook`] : []),
    ...(otherComments > 0
      ? [counted(otherComments, outlookComments > 0 ? 'other comment' : 'comment')]
      : []),
    ...(imageSources > 0 ? [counted(imageSources, 'image source')] : []),
    ...[...elements].map(([name, count]) => `${count} <${name}>`),
  ];
  const name = 'Removed by the service';
  return findings.length === 0
    ? { name, state: 'good', text: 'Nothing was removed from the source.', findings }
    : { name, state: 'note', text: 'The service removed parts of the source.', findings };
}

// Finds the links of an e-mail to programs on this machine that do not run. A TCP connection is opened and closed; nothing
// is sent, and no other machine is contacted.

const timeoutMs = 500;
const maxPorts = 20;

/** Returns the hosts, with their ports, on which nothing listens: `localhost:3000`. */
export async function closedPorts(urls: readonly string[]): Promise<Set<string>> {
  const hosts = new Map(
    urls.flatMap((url): [string, URL][] => {
      const parsed = loopbackUrl(url);
      return parsed ? [[parsed.host, parsed]] : [];
    }),
  );
  const results = await Promise.all(
    [...hosts].slice(0, maxPorts).map(async ([host, { hostname, port, protocol }]) => {
      const number = Number(port || (protocol === 'https:' ? 443 : 80));
      const open = await Promise.all(
        toAddresses(hostname).map((address) => isListening(address, number)),
      );
      return open.includes(true) ? [] : [host];
    }),
  );
  return new Set(results.flat());
}

/** The URL of a link to this machine; undefined for any other link. */
function loopbackUrl(url: string): URL | undefined {
  if (!URL.canParse(url)) return undefined;
  const parsed = new URL(url);
  return /^https?:$/.test(parsed.protocol) && isLoopback(parsed.hostname) ? parsed : undefined;
}

/** Names are not resolved. */
const toAddresses = (hostname: string): string[] => {
  const literal = hostname.replace(/^\[|\]$/g, '');
  return /^[\d.]+$|:/.test(literal) ? [literal] : ['127.0.0.1', '::1'];
};

const isListening = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port, timeout: timeoutMs });
    const end = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
    socket.once('timeout', () => end(false));
  });

// Checks the documents that people read: links and anchors, pages that no page links to, and sizes.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

const maxReadmeLines = 160;
const maxPictureBytes = 1_000_000;

const inFolder = (folder: string, extension: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(extension))
    .map((name) => `${folder}/${name}`);

export const documents = [
  'README.md',
  'AGENTS.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'examples/README.md',
  'src/README.md',
  ...inFolder('docs', '.md'),
  ...inFolder('docs/decisions', '.md'),
];

/** Returns a line for each problem. */
export function documentProblems(): string[] {
  const links = documents.flatMap(findLinks);
  return [
    ...links.flatMap(brokenLink),
    ...unlinked(new Set(links.filter(({ from }) => from === 'README.md').map(({ file }) => file))),
    ...tooLong(),
    ...pictureProblems(new Set(links.map(({ file }) => file))),
  ];
}

interface Link {
  from: string;
  /** The file relative to the root folder; the document itself for a link to one of its anchors. */
  file: string;
  anchor: string | undefined;
}

function findLinks(from: string): Link[] {
  const text = withoutCode(readFileSync(from, 'utf8'));
  const targets = [
    ...[...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target),
    ...[...text.matchAll(/(?:src|srcset)="([^"]+)"/g)].map(([, target = '']) => target),
  ];
  return targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [file = '', anchor] = target.split('#');
      return { from, file: file === '' ? from : path.join(path.dirname(from), file), anchor };
    });
}

function brokenLink({ from, file, anchor }: Link): string[] {
  if (!existsSync(file)) return [`${from}: no file ${file}`];
  if (anchor === undefined || !file.endsWith('.md')) return [];
  return findAnchors(file).has(anchor) ? [] : [`${from}: ${file} has no heading #${anchor}`];
}

/** The anchors that GitHub makes of headings. */
const findAnchors = (file: string) =>
  new Set(
    [...withoutCode(readFileSync(file, 'utf8')).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );

const withoutCode = (text: string) =>
  text
    .replace(/^```[\s\S]*?^```$/gm, '')
    .replace(/`[^`\n]+`/g, (code) => code.slice(1, -1).replace(/[[\]]/g, ''));

/** Every page is one link away from the README; decisions are linked from their own list. */
const unlinked = (linked: ReadonlySet<string>) =>
  readdirSync('docs')
    .map((name) => `docs/${name}`)
    .filter((file) => statSync(file).isFile() && !linked.has(file))
    .map((file) => `README.md has no link to ${file}`);

function tooLong(): string[] {
  const lines = readFileSync('README.md', 'utf8').split('\n').length - 1;
  return lines > maxReadmeLines
    ? [`README.md has ${lines} lines, more than ${maxReadmeLines}`]
    : [];
}

function pictureProblems(linked: ReadonlySet<string>): string[] {
  const pictures = readdirSync('docs/pictures').map((name) => `docs/pictures/${name}`);
  const bytes = pictures.reduce((sum, file) => sum + statSync(file).size, 0);
  return [
    ...pictures
      .filter((file) => !linked.has(file) && !linked.has(file.replace('-dark.', '-light.')))
      .map((file) => `${file} is in no document`),
    ...(bytes > maxPictureBytes
      ? [`docs/pictures has ${bytes} bytes, more than ${maxPictureBytes}`]
      : []),
  ];
}

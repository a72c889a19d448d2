// Moves long texts of control values to files of their own, and back: `{ $file: welcome.mail.body.html }`. An object of
// the service that looks like such a reference is wrapped as `{ $literal: … }`.

import { isJsonObject } from '../core/lossless-json.ts';
import type { JsonObject } from '../core/objects.ts';
import { isFileId } from './normal-form.ts';

const reference = '$file';
const literal = '$literal';

/** Longer names are not possible on common file systems. */
const maxNameLength = 200;

export interface ExtractOptions {
  /** Prefix of the file names: `welcome.mail`. Undefined: every text stays where it is. */
  prefix: string | undefined;
  /** Whether the text at this path is always moved: the body of an e-mail. */
  isBody: (path: readonly string[]) => boolean;
  /** The files so far, by name. New files are added. */
  files: Map<string, string>;
}

/** Returns the values with references in place of texts with line breaks and of bodies. */
export function extractContent(values: JsonObject, options: ExtractOptions): JsonObject {
  const visit = (value: unknown, path: readonly string[]): unknown => {
    if (typeof value === 'string') return moveText(value, path, options);
    if (Array.isArray(value))
      return value.map((inner, index) => visit(inner, [...path, String(index)]));
    if (!isJsonObject(value)) return value;
    const members = mapMembers(value, (inner, name) => visit(inner, [...path, name]));
    return isMarker(value) ? { [literal]: members } : members;
  };
  return mapMembers(values, (inner, name) => visit(inner, [name]));
}

function moveText(
  text: string,
  path: readonly string[],
  { prefix, isBody, files }: ExtractOptions,
) {
  const isMoved = text !== '' && (isBody(path) || /[\r\n]/.test(text));
  if (prefix === undefined || !isMoved) return text;
  if (!path.every((part) => /^[\w-]+$/.test(part))) return text;
  // A text with half a surrogate pair cannot be stored as UTF-8.
  if (!text.isWellFormed()) return text;
  const extension = !isBody(path) ? 'txt' : isJsonDocument(text) ? 'json' : 'html';
  const name = `${prefix}.${path.join('.')}.${extension}`;
  const isTaken = [...files.keys()].some((other) => other.toLowerCase() === name.toLowerCase());
  if (isTaken || name.length > maxNameLength) return text;
  files.set(name, text);
  return { [reference]: name };
}

/** Reverses `extractContent`. `read` returns the text of a file; it may throw. */
export function insertContent(
  values: JsonObject,
  read: (name: string, path: readonly string[]) => string,
): JsonObject {
  const visit = (value: unknown, path: readonly string[]): unknown => {
    if (Array.isArray(value))
      return value.map((inner, index) => visit(inner, [...path, String(index)]));
    if (!isJsonObject(value)) return value;
    const [name] = Object.keys(value);
    const inner = value[name ?? ''];
    if (isMarker(value) && name === reference) return read(inner as string, path);
    const members = isMarker(value) ? (inner as JsonObject) : value;
    return mapMembers(members, (member, key) => visit(member, [...path, key]));
  };
  return mapMembers(values, (inner, name) => visit(inner, [name]));
}

/** `{ $file: text }` or `{ $literal: object }`, with no other member. */
function isMarker(value: JsonObject): boolean {
  const [name, ...others] = Object.keys(value);
  if (others.length > 0) return false;
  return (
    (name === reference && typeof value[reference] === 'string') ||
    (name === literal && isJsonObject(value[literal]))
  );
}

const mapMembers = (value: JsonObject, change: (inner: unknown, name: string) => unknown) =>
  Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, change(inner, name)]));

/** Whether the text is a document of the block editor. */
export function isJsonDocument(text: string): boolean {
  if (!/^\s*\{/.test(text)) return false;
  try {
    return isJsonObject(JSON.parse(text));
  } catch {
    return false;
  }
}

/** An identifier in the name of a content file, where dots separate the parts. */
export const toNamePart = (id: string) => id.replaceAll('.', '~');

/** Whether `name` is the name of a content file of the workflow or layout `id`. */
export const isContentFileOf = (id: string, name: string): boolean =>
  isFileId(id) &&
  name.startsWith(`${toNamePart(id)}.`) &&
  /^[\w~-]+(\.[\w~-]+)+\.(html|json|txt)$/.test(name);

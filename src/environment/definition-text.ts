// The text of a workflow or layout file: one YAML document whose first line names format and mode.

import { usageError } from '../core/errors.ts';
import { isJsonObject } from '../core/lossless-json.ts';
import { type JsonObject, jsonOr } from '../core/objects.ts';
import { writeYaml } from '../core/yaml.ts';
import { type Mode, modeMark, modes } from '../service/mode.ts';
import {
  type Definition,
  isFileId,
  type NormalLayout,
  type NormalWorkflow,
  usesSkip,
} from './normal-form.ts';

const formatNumber = 1;

export const isSupported = (format: number): boolean => format === formatNumber;

/** The first line of a file that svc writes: `name` is what it contains. */
export const plainFirstLine = (name: string): string => `# svc ${name}, format ${formatNumber}`;

export const layoutsFolder = 'layouts';

/** Keeps Git from changing line breaks. */
export const gitAttributes = {
  path: '.gitattributes',
  text: '# svc: Git keeps every byte\n* -text\n',
};

/** A file of the folder: its name, with `layouts/` for the files of layouts. */
export interface TextFile {
  path: string;
  text: string;
}

/** The files of a workflow or layout: the YAML file last. */
export function toFiles(resource: Definition, mode: Mode): TextFile[] {
  const { kind, id } = resource;
  const files = new Map<string, string>();
  const document =
    resource.kind === 'workflow'
      ? workflowDocument(resource.value, files)
      : layoutDocument(resource.value, files);
  const hasCondition = resource.kind === 'workflow' && usesSkip(resource.value);
  const text = `${firstLine(kind, modeMark(mode, hasCondition))}\n${writeYaml(document, { blockQuote: false })}`;
  const folder = kind === 'layout' ? `${layoutsFolder}/` : '';
  return [...files, [`${id}.yaml`, text] as const].map(([name, content]) => ({
    path: `${folder}${name}`,
    text: content,
  }));
}

function workflowDocument({ steps, ...settings }: NormalWorkflow, files: Map<string, string>) {
  return {
    ...settings,
    steps: steps.map(({ controlValues, ...step }) => ({
      ...step,
      controlValues: extractContent(controlValues, {
        // A step id of another form cannot be a part of a file name.
        prefix: isFileId(step.stepId)
          ? [settings.workflowId, step.stepId].map(toNamePart).join('.')
          : undefined,
        isBody: (path) => step.type === 'email' && path.join('.') === 'body',
        files,
      }),
    })),
  };
}

const layoutDocument = (layout: NormalLayout, files: Map<string, string>) => ({
  ...layout,
  controlValues: extractContent(layout.controlValues, {
    prefix: toNamePart(layout.layoutId),
    isBody: (path) => path.join('.') === 'email.body',
    files,
  }),
});

/** The first line of a file, with its mark. */
export const firstLine = (kind: Definition['kind'], mark: Mode | undefined) =>
  `${plainFirstLine(kind)}${mark === undefined ? '' : `, compat ${mark}`}`;

export const firstLineHint = `The first line must be: ${firstLine('workflow', undefined)}`;

export interface FirstLine {
  kind: Definition['kind'];
  format: number;
  /** The mark. */
  mode: Mode | undefined;
}

/** Reads the first line; undefined for a file that svc did not write. */
export function readFirstLine(text: string): FirstLine | undefined {
  const match =
    /^\ufeff?# svc (workflow|layout), format (\d+)(?:, compat (novu|specification))?[ \t]*(\r?\n|$)/.exec(
      text,
    );
  if (!match) return undefined;
  const [, kind, format, compat] = match;
  return {
    kind: kind === 'layout' ? 'layout' : 'workflow',
    format: Number(format),
    mode: modes.find((mode) => mode === compat),
  };
}

// Moves long texts of control values to files of their own, and back: `{ $file: welcome.mail.body.html }`. An object of
// the service that looks like such a reference is wrapped as `{ $literal: … }`.

const reference = '$file';
const literal = '$literal';

/** Longer names are not possible on common file systems. */
const maxNameLength = 200;

interface ExtractOptions {
  /** Prefix of the file names: `welcome.mail`. Undefined: every text stays where it is. */
  prefix: string | undefined;
  /** Whether the text at this path is always moved: the body of an e-mail. */
  isBody: (path: readonly string[]) => boolean;
  /** The files so far, by name. New files are added. */
  files: Map<string, string>;
}

/** Returns the values with references in place of texts with line breaks and of bodies. */
function extractContent(values: JsonObject, options: ExtractOptions): JsonObject {
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
export const isJsonDocument = (text: string): boolean =>
  /^\s*\{/.test(text) && isJsonObject(jsonOr(text, undefined));

/** An identifier in the name of a content file, where dots separate the parts. */
const toNamePart = (id: string) => id.replaceAll('.', '~');

/** Whether `name` is the name of a content file of the workflow or layout `id`. */
export const isContentFileOf = (id: string, name: string): boolean =>
  isFileId(id) &&
  name.startsWith(`${toNamePart(id)}.`) &&
  /^[\w~-]+(\.[\w~-]+)+\.(html|json|txt)$/.test(name);

// Refuses to move or compare `skip` conditions between servers that evaluate them differently.

/** A resource and the mode of the server that it comes from: undefined for a file without a mark. */
interface FromServer {
  mode: Mode | undefined;
  resource: Definition;
}

const effects: Record<Mode, string> = { novu: 'runs', specification: 'skips' };

const hasCondition = ({ resource }: FromServer) =>
  resource.kind === 'workflow' && usesSkip(resource.value);

/** Why no server takes a file, or not together with the others. */
export function findModeMistake(
  file: FromServer,
  others: readonly FromServer[],
): string | undefined {
  const { mode } = file;
  if (!hasCondition(file)) return undefined;
  if (mode === undefined)
    return `a step has a skip condition, so the first line must name the mode: ${modes
      .map(
        (own) => `\`${firstLine('workflow', own)}\` if a true condition ${effects[own]} the step`,
      )
      .join(', ')}`;
  const first = others.find((other) => other.mode !== undefined && hasCondition(other));
  return first === undefined || first.mode === mode
    ? undefined
    : `its skip conditions have the mode \`${mode}\` and those of ${first.resource.id} the mode \`${first.mode}\`, but a server has only one`;
}

/** Throws if a `skip` condition would get the opposite meaning, or if a file does not say which one it has. */
export function checkModes(files: readonly FromServer[], mode: Mode, place: string): void {
  const other = files.filter((file) => file.mode !== mode && hasCondition(file));
  const unmarked = other.filter(({ mode: own }) => own === undefined);
  if (unmarked.length > 0)
    throw usageError(
      `The files of these workflows have skip conditions and do not name their mode: ${joinIds(unmarked)}. Replace their first line by the one that fits:`,
      {
        fieldErrors: modes.map((mode) => ({
          field: firstLine('workflow', mode),
          message: `a true condition ${effects[mode]} the step`,
        })),
        hint: `This server has the mode \`${mode}\`.`,
      },
    );
  if (other.length === 0) return;
  const own = mode === 'novu' ? 'specification' : 'novu';
  throw usageError(
    `The skip conditions of these workflows have the opposite meaning ${place}: ${joinIds(other)}.`,
    {
      hint: `They come from a server in the mode \`${own}\`, where a true condition ${effects[own]} the step. This server has the mode \`${mode}\`, where a true condition ${effects[mode]} the step. The first line of a file names its mode: \`${firstLine('workflow', own)}\` or, for this server, \`${firstLine('workflow', mode)}\`.`,
    },
  );
}

const joinIds = (files: readonly FromServer[]) =>
  files.map(({ resource }) => resource.id).join(', ');

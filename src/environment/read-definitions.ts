// Reads the workflow and layout files of a folder. Files that svc did not write are ignored.
import path from 'node:path';
import { z } from 'zod';
import type { Context } from '../app/context.ts';
import { SvcError } from '../core/errors.ts';
import type { JsonObject } from '../core/objects.ts';
import { closestMatches } from '../core/suggestions.ts';
import { parseYaml } from '../core/yaml.ts';
import type { Mode } from '../service/mode.ts';
import { identifierForm, identifierPattern } from '../service/rules/formats.ts';
import {
  toValueErrors,
  type ValueError,
  withPlainMessages,
} from '../service/schemas/plain-messages.ts';
import { jsonObject } from '../service/schemas/values.ts';
import { allStepTypes, severities } from '../service/schemas/vocabulary.ts';
import { workflowSettings } from '../service/schemas/workflows.ts';
import { anyPayload, isDerived, laterMembers } from '../service/workflow-defaults.ts';
import {
  type FirstLine,
  insertContent,
  isSupported,
  layoutsFolder,
  readFirstLine,
} from './definition-text.ts';
import {
  type Definition,
  type GivenLayout,
  type GivenWorkflow,
  toNormalLayout,
  toNormalWorkflow,
} from './normal-form.ts';
import { isDefinition, type Resource } from './resource.ts';
import {
  createProblems,
  type FileProblem,
  invalidFilesError,
  type SafeFolder,
} from './safe-folder.ts';

export interface ResourceFile {
  /** Relative to the folder: `welcome.yaml`, `layouts/plain.yaml`. */
  path: string;
  /** The mark of the file. */
  mode: Mode | undefined;
  resource: Definition;
  /** The names of the files that contain texts, by the path of the text: `steps.0.controlValues.body`. */
  contentFiles?: ReadonlyMap<string, string>;
}

interface FolderContent {
  files: ResourceFile[];
  /** YAML files without the first line of svc. */
  ignored: string[];
}

/**
 * Reads all files of a folder, or of its workflows only one. Throws one usage error that lists every error as
 * `file:line:column: message`.
 */
export function readFolder(folder: SafeFolder, shownAs: string, only?: string): FolderContent {
  const { problems, ...content } = readFiles(folder, only);
  if (problems.length > 0) throw invalidFilesError(shownAs, problems);
  return content;
}

/** Reads the valid files of a folder, with the mistakes in the others. */
export function readFiles(
  folder: SafeFolder,
  only?: string,
): FolderContent & { problems: FileProblem[] } {
  const names = ['', `${layoutsFolder}/`].flatMap((prefix) =>
    folder
      .names(prefix)
      .filter((name) => (prefix === '' && only ? name === only : name.endsWith('.yaml')))
      .map((name) => `${prefix}${name}`),
  );
  const ignored: string[] = [];
  const problems: FileProblem[] = [];
  const files = names.flatMap((name) => {
    const read = readFile(folder, name);
    if (!read) ignored.push(name);
    problems.push(...(read?.problems ?? []));
    return read?.file ? [read.file] : [];
  });
  return { files, ignored, problems };
}

/** Reads one file; undefined if svc did not write it. Throws a usage error with all of its mistakes. */
export function readResourceFile(folder: SafeFolder, name: string): ResourceFile | undefined {
  const read = readFile(folder, name);
  if (read && read.problems.length > 0) throw invalidFilesError(name, read.problems);
  return read?.file;
}

/** Reads one file, or its mistakes; undefined if svc did not write it. */
export function readFile(
  folder: SafeFolder,
  name: string,
): { file?: ResourceFile; problems: FileProblem[] } | undefined {
  const isLayoutPath = name.startsWith(`${layoutsFolder}/`);
  const { at, ofSyntax } = createProblems(name);
  const text = readOr(folder, name, (message) => at('1:1', [], message));
  if (typeof text !== 'string') return { problems: [text] };
  const firstLine = readFirstLine(text);
  if (!firstLine) return undefined;
  const misplaced = misplacedText(firstLine, isLayoutPath);
  if (misplaced !== undefined) return { problems: [at('1:1', [], misplaced)] };
  const { value, errors, locate } = parseYaml(text);
  const { kind, mode } = firstLine;
  const mistakes = [
    ...errors.map(ofSyntax),
    ...(errors.length > 0 ? [] : findFileErrors(kind, value)).map((mistake) =>
      at(locate(mistake.path), mistake.path, mistake.message),
    ),
  ];
  if (mistakes.length > 0) return { problems: mistakes };
  const contentFiles = new Map<string, string>();
  const read = (outer: readonly PropertyKey[]) => (reference: string, inner: readonly string[]) => {
    contentFiles.set([...outer, ...inner].join('.'), reference);
    const inYaml = [...outer, ...inner.map(toKey)];
    const content = readContent(folder, isLayoutPath, reference, (message) =>
      at(locate(inYaml), [], message.startsWith(reference) ? message : `${reference}: ${message}`),
    );
    if (typeof content === 'string') return content;
    mistakes.push(content);
    return '';
  };
  const resource = toResource(kind, value as JsonObject, read);
  const expected = path.posix.basename(name, '.yaml');
  const idName = `${kind}Id`;
  if (resource.id !== expected)
    mistakes.push(
      at(locate([idName]), [idName], `is ${resource.id}, but the file name is ${expected}.yaml`),
    );
  if (mistakes.length > 0) return { problems: mistakes };
  return { file: { path: name, mode, resource, contentFiles }, problems: [] };
}

const toKey = (part: string) => (/^\d+$/.test(part) ? Number(part) : part);

/** The text of a file, or the problem made of the usage error. */
function readOr<T>(
  folder: SafeFolder,
  name: string,
  toProblem: (message: string) => T,
): string | T {
  try {
    return folder.read(name);
  } catch (error) {
    if (error instanceof SvcError && error.exitReason === 'usage') return toProblem(error.message);
    throw error;
  }
}

type ReadAt = (
  at: readonly PropertyKey[],
) => (reference: string, inner: readonly string[]) => string;

function toResource(kind: Definition['kind'], value: JsonObject, read: ReadAt): Definition {
  if (kind === 'layout') {
    const withReferences = (value.controlValues ?? {}) as JsonObject;
    const values = insertContent(withReferences, read(['controlValues']));
    const { controlValues: _, ...rest } = value;
    const layout = toNormalLayout({ ...(rest as unknown as GivenLayout), controls: { values } });
    return { kind, id: layout.layoutId, value: layout };
  }
  const workflow = value as unknown as GivenWorkflow;
  const steps = (workflow.steps ?? []).map((step, index) => ({
    ...step,
    controlValues: insertContent(step.controlValues ?? {}, read(['steps', index, 'controlValues'])),
  }));
  const normal = toNormalWorkflow({
    // A file without a schema means the one that the service creates.
    payloadSchema: anyPayload,
    ...workflow,
    steps,
  });
  return { kind, id: normal.workflowId, value: normal };
}

/** Why a file is of another format, or in the wrong folder. */
function misplacedText(firstLine: FirstLine, isLayoutPath: boolean): string | undefined {
  const { kind, format } = firstLine;
  if (!isSupported(format)) return `format ${format} is not supported by this version of svc`;
  if ((kind === 'layout') === isLayoutPath) return undefined;
  return `is a ${kind} file, which belongs ${kind === 'layout' ? `in ${layoutsFolder}/` : `beside ${layoutsFolder}/`}`;
}

/** References lead to files in the same folder, never to another one. */
function readContent<T>(
  folder: SafeFolder,
  isLayout: boolean,
  name: string,
  toProblem: (message: string) => T,
): string | T {
  const isPlainName = /^[^/\\\0]+$/.test(name) && !name.startsWith('.') && !/^[a-z]:/i.test(name);
  if (!isPlainName)
    return toProblem(`$file must be the name of a file in the same folder: ${name}`);
  return readOr(folder, `${isLayout ? `${layoutsFolder}/` : ''}${name}`, toProblem);
}

// The schema of workflow and layout files. Members with a default can be omitted. Members and step types of newer servers
// are accepted and kept.

const fileId = z.string().regex(identifierPattern, identifierForm);
const flag = z.boolean().optional();

const preferences = z.looseObject({
  user: jsonObject.nullable().optional(),
  default: jsonObject.optional(),
});

const step = z.looseObject({
  stepId: z.string(),
  name: z.string().optional(),
  type: z.string(),
  controlValues: jsonObject.nullable().optional(),
});

const workflowFile = z.looseObject({
  workflowId: fileId,
  name: z.string().optional(),
  ...workflowSettings,
  severity: z.string().optional(),
  preferences: preferences.optional(),
  steps: z.array(step).optional(),
});

const layoutFile = z.looseObject({
  layoutId: fileId,
  name: z.string().optional(),
  isTranslationEnabled: flag,
  controlValues: jsonObject.optional(),
});

/** Returns the errors of the content of a file: its schema, and steps with the same id. */
function findFileErrors(kind: Definition['kind'], value: unknown): ValueError[] {
  const schema = kind === 'workflow' ? workflowFile : layoutFile;
  const parsed = schema.safeParse(value, withPlainMessages);
  if (!parsed.success) return parsed.error.issues.flatMap(toValueErrors);
  const { steps = [] } = parsed.data as { steps?: z.output<typeof step>[] };
  return [
    ...findUnknownMembers(kind, parsed.data)
      .filter(({ isMistake }) => isMistake)
      .map(({ path }) => ({ path, message: 'is an unknown field' })),
    ...steps.flatMap(({ stepId }, index) =>
      steps.findIndex((other) => other.stepId === stepId) < index
        ? [{ path: ['steps', index, 'stepId'], message: `"${stepId}" is a duplicate` }]
        : [],
    ),
  ];
}

interface UnknownMember {
  path: (string | number)[];
  /** Whether it is a misspelled member, or one that no definition has. Others can be of a newer server. */
  isMistake: boolean;
}

function findUnknownMembers(kind: Definition['kind'], value: object): UnknownMember[] {
  const { preferences: levels = {}, steps = [] } = value as {
    preferences?: object;
    steps?: object[];
  };
  if (kind === 'layout') return unknownIn(value, layoutFile.shape, {}, []);
  return [
    ...unknownIn(value, workflowFile.shape, laterMembers.workflow, []),
    ...unknownIn(levels, preferences.shape, {}, ['preferences']),
    ...steps.flatMap((item, index) =>
      unknownIn(item, step.shape, laterMembers.step, ['steps', index]),
    ),
  ];
}

/** A file that svc wrote has every member of the schema, so that it contains no misspelled ones. */
function unknownIn(
  value: object,
  schema: JsonObject,
  later: JsonObject,
  path: (string | number)[],
): UnknownMember[] {
  const absent = Object.keys(schema).filter((name) => !Object.hasOwn(value, name));
  return Object.keys(value)
    .filter((name) => !Object.hasOwn(schema, name) && !Object.hasOwn(later, name))
    .map((name) => ({
      path: [...path, name],
      isMistake: isDerived(name) || closestMatches(name, absent).length > 0,
    }));
}

/** A part of a definition that this version of svc does not know. It is kept as it is. */
interface UnknownPart {
  path: (string | number)[];
  /** Such as: step type `approval`. */
  what: string;
  /** The known one that is meant, if it is misspelled. */
  suggestion?: string | undefined;
}

export function findUnknownParts({ kind, value }: Definition): UnknownPart[] {
  const members = findUnknownMembers(kind, value).map(({ path }) => ({
    path,
    what: `${path[0] === 'steps' ? 'step ' : ''}field \`${path.at(-1)}\``,
  }));
  if (kind === 'layout') return members;
  const isKnown = (values: readonly string[], text: string) => values.includes(text);
  return [
    ...members,
    ...(isKnown(severities, value.severity)
      ? []
      : [{ path: ['severity'], what: `severity \`${value.severity}\`` }]),
    ...value.steps.flatMap(({ type }, index) =>
      isKnown(allStepTypes, type)
        ? []
        : [
            {
              path: ['steps', index, 'type'],
              what: `step type \`${type}\``,
              suggestion: closestMatches(type, allStepTypes)[0],
            },
          ],
    ),
  ];
}

/** Names the parts of workflows and layouts that a newer server has. They are compared and copied as they are. */
export function noteUnknown({ note }: Context, resources: readonly Resource[]): void {
  const parts = resources
    .filter(isDefinition)
    .flatMap((resource) => findUnknownParts(resource).map(({ what }) => what));
  if (parts.length > 0)
    note(`Unknown to this version of svc, and kept unchanged: ${[...new Set(parts)].join(', ')}.`);
}

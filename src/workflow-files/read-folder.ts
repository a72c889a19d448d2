// Reads the workflow and layout files of a folder. Files that svc did not write are ignored.

import path from 'node:path';
import { SvcError, usageError } from '../core/errors.ts';
import { parseYaml } from '../core/yaml.ts';
import type { Mode } from '../service/mode.ts';
import { anyPayload } from '../service/workflow-defaults.ts';
import { insertContent } from './content-files.ts';
import { findFileErrors } from './file-schema.ts';
import { type FirstLine, isSupportedFormat, layoutsFolder, readFirstLine } from './format.ts';
import {
  type GivenWorkflow,
  type JsonObject,
  type NormalLayout,
  type Resource,
  toNormalWorkflow,
} from './normal-form.ts';
import type { SafeFolder } from './safe-folder.ts';

export interface ResourceFile {
  /** Relative to the folder: `welcome.yaml`, `layouts/plain.yaml`. */
  path: string;
  /** The mark of the file. */
  mode: Mode | undefined;
  resource: Resource;
  /** The names of the files that contain texts, by the path of the text: `steps.0.controlValues.body`. */
  contentFiles?: ReadonlyMap<string, string>;
}

export interface FolderContent {
  files: ResourceFile[];
  /** YAML files without the first line of svc. */
  ignored: string[];
}

/**
 * Reads all files of a folder, or of its workflows only one. Throws one usage error that lists every error as
 * `file:line:column: message`.
 */
export function readFolder(folder: SafeFolder, shownAs: string, only?: string): FolderContent {
  const { errors, ...content } = readFiles(folder, only);
  if (errors.length > 0) throw invalidFilesError(shownAs, errors);
  return content;
}

/** Reads the valid files of a folder, with the errors of the others. */
export function readFiles(folder: SafeFolder, only?: string): FolderContent & { errors: string[] } {
  const names = ['', `${layoutsFolder}/`].flatMap((prefix) =>
    folder
      .names(prefix)
      .filter((name) => (prefix === '' && only ? name === only : name.endsWith('.yaml')))
      .map((name) => `${prefix}${name}`),
  );
  const ignored: string[] = [];
  const errors: string[] = [];
  const files = names.flatMap((name) => {
    try {
      const file = readResourceFile(folder, name);
      if (!file) ignored.push(name);
      return file ? [file] : [];
    } catch (error) {
      errors.push(...errorLines(error, name));
      return [];
    }
  });
  return { files, ignored, errors };
}

/** Reads one file; undefined if svc did not write it. Throws a usage error with all of its errors. */
export function readResourceFile(folder: SafeFolder, name: string): ResourceFile | undefined {
  const isLayoutPath = name.startsWith(`${layoutsFolder}/`);
  const text = folder.read(name);
  const firstLine = readFirstLine(text);
  if (!firstLine) return undefined;
  checkPlace(name, firstLine, isLayoutPath);
  const { value, errors, locate } = parseYaml(text);
  const { kind, mode } = firstLine;
  const fileErrors = errors.length > 0 ? [] : findFileErrors(kind, value);
  const all = [
    ...errors,
    ...fileErrors.map(({ path: at, message }) => `${locate(at)}: ${pathText(at)}${message}`),
  ];
  if (all.length > 0)
    throw invalidFilesError(
      name,
      all.map((line) => `${name}:${line}`),
    );
  const contentErrors: string[] = [];
  const contentFiles = new Map<string, string>();
  const read = (at: readonly PropertyKey[]) => (reference: string, inner: readonly string[]) => {
    contentFiles.set([...at, ...inner].join('.'), reference);
    try {
      return readContent(folder, isLayoutPath, reference);
    } catch (error) {
      const place = `${name}:${locate([...at, ...inner.map(toKey)])}`;
      contentErrors.push(...errorLines(error, reference).map((line) => `${place}: ${line}`));
      return '';
    }
  };
  const resource = toResource(kind, value as JsonObject, read);
  const expected = path.posix.basename(name, '.yaml');
  if (resource.id !== expected)
    contentErrors.push(
      `${name}: ${kind}Id is ${resource.id}, but the file name is ${expected}.yaml`,
    );
  if (contentErrors.length > 0) throw invalidFilesError(name, contentErrors);
  return { path: name, mode, resource, contentFiles };
}

const toKey = (part: string) => (/^\d+$/.test(part) ? Number(part) : part);

type ReadAt = (
  at: readonly PropertyKey[],
) => (reference: string, inner: readonly string[]) => string;

function toResource(kind: Resource['kind'], value: JsonObject, read: ReadAt): Resource {
  if (kind === 'layout') {
    const {
      layoutId,
      name = layoutId,
      isTranslationEnabled = false,
    } = value as unknown as NormalLayout;
    const given = (value.controlValues ?? {}) as JsonObject;
    const controlValues = insertContent(given, read(['controlValues']));
    return { kind, id: layoutId, value: { layoutId, name, isTranslationEnabled, controlValues } };
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

/** Throws a usage error for a file of another format, or in the wrong folder. */
function checkPlace(name: string, firstLine: FirstLine, isLayoutPath: boolean): void {
  const { kind, format } = firstLine;
  if (!isSupportedFormat(firstLine))
    throw usageError(`${name}:1:1: format ${format} is not supported by this version of svc`);
  if ((kind === 'layout') !== isLayoutPath)
    throw usageError(
      `${name}:1:1: is a ${kind} file, which belongs ${kind === 'layout' ? `in ${layoutsFolder}/` : `beside ${layoutsFolder}/`}`,
    );
}

/** References lead to files in the same folder, never to another one. */
function readContent(folder: SafeFolder, isLayout: boolean, name: string): string {
  const isPlainName = /^[^/\\\0]+$/.test(name) && !name.startsWith('.') && !/^[a-z]:/i.test(name);
  if (!isPlainName)
    throw usageError(`$file must be the name of a file in the same folder: ${name}`);
  return folder.read(`${isLayout ? `${layoutsFolder}/` : ''}${name}`);
}

const pathText = (at: readonly PropertyKey[]) =>
  at.length === 0
    ? ''
    : `${at
        .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
        .join('')
        .replace(/^\./, '')} `;

function errorLines(error: unknown, name: string): string[] {
  if (!(error instanceof SvcError)) throw error;
  const { fieldErrors } = error.details;
  const own = fieldErrors?.map(({ message }) => message) ?? [error.message];
  return own.map((line) => (line.startsWith(name) ? line : `${name}: ${line}`));
}

const invalidFilesError = (shownAs: string, lines: readonly string[]) =>
  usageError(`${shownAs} has ${lines.length === 1 ? 'an error' : `${lines.length} errors`}.`, {
    fieldErrors: lines.map((message) => ({ field: '', message })),
  });

// Checks workflow and layout files on this machine, as the service would after a push, and finds the place of each
// mistake.

import path from 'node:path';
import type { Context } from '../app/context.ts';
import { counted } from '../core/text.ts';
import { parseYaml } from '../core/yaml.ts';
import * as result from '../output/result.ts';
import { wrapLines } from '../output/wrap.ts';
import { limits } from '../service/limits.ts';
import { isJsonSchema } from '../service/payload-schema.ts';
import { identifierForm, identifierPattern } from '../service/rules/formats.ts';
import { credentialTypes } from './credentials.ts';
import { findModeMistake, isJsonDocument } from './definition-text.ts';
import {
  findListProblems,
  foreignFileError,
  type NamedFiles,
  noFilesError,
  resolveFiles,
} from './folder.ts';
import {
  type Definition,
  layoutReferences,
  type NormalStep,
  type NormalWorkflow,
} from './normal-form.ts';
import { findUnknownParts, type ResourceFile, readFile, readFiles } from './read-definitions.ts';
import { createProblems, type FileProblem, problemText, type SafeFolder } from './safe-folder.ts';

interface Mistake {
  /** In the file, such as `['steps', 0, 'controlValues', 'subject']`. */
  path: readonly (string | number)[];
  message: string;
  /** A variable in the text at the path. */
  variable?: string | undefined;
  /** A variable that the payload schema lacks, so that the template shows nothing, or what svc does not know. */
  isWarning: boolean;
}

/** The mistakes that the service would reject or report. */
async function findMistakes(
  { sandbox }: Pick<Context, 'sandbox'>,
  { kind, value }: Definition,
): Promise<Mistake[]> {
  const { layoutProblems, workflowProblems } = await sandbox();
  if (kind === 'layout')
    return layoutProblems(value.controlValues).map(({ control, message, variable }) => ({
      path: ['controlValues', ...control.split('.')],
      message,
      variable,
      isWarning: false,
    }));
  const { payloadSchema } = value;
  const schemaMistakes =
    payloadSchema === null || isJsonSchema(payloadSchema)
      ? []
      : [{ path: ['payloadSchema'], message: 'is not a valid JSON Schema', isWarning: false }];
  return [
    ...schemaMistakes,
    ...workflowProblems(value as never).map(
      ({ step = 0, control, message, variable, isUnknownPayload }) => ({
        path: ['steps', step, 'controlValues', ...control.split('.')],
        message: isUnknownPayload ? `payloadSchema has no \`${variable}\`` : message,
        variable,
        isWarning: isUnknownPayload,
      }),
    ),
  ];
}

/** The errors of a resource as lines, for a push. Limits and names are checked for every plan. */
export async function findErrorLines(
  context: Pick<Context, 'sandbox'>,
  definition: Definition,
): Promise<string[]> {
  const steps = definition.kind === 'workflow' ? definition.value.steps : [];
  return (await findMistakes(context, definition))
    .filter(({ isWarning }) => !isWarning)
    .map(({ path, message }) => {
      const [member, step, , ...control] = path;
      return member === 'steps'
        ? `step ${steps[Number(step)]?.stepId}, ${control.join('.')}: ${message}`
        : `${path.join('.')}: ${message}`;
    });
}

/** All mistakes of a file, with their places. `layouts`: the ids in the folder, if it is complete. */
export async function findFileMistakes(
  context: Pick<Context, 'sandbox'>,
  folder: SafeFolder,
  file: ResourceFile,
  layouts: ReadonlySet<string> | undefined,
): Promise<(FileProblem & { isWarning: boolean })[]> {
  const { resource } = file;
  const unknownLayouts =
    resource.kind === 'workflow' && layouts
      ? layoutReferences(resource.value).filter(({ layoutId }) => !layouts.has(layoutId))
      : [];
  const stepAt = (id: string) =>
    resource.kind === 'workflow'
      ? resource.value.steps.findIndex(({ stepId }) => stepId === id)
      : 0;
  const limitMistakes = resource.kind === 'workflow' ? findWorkflowErrors(resource.value) : [];
  const mistakes: Mistake[] = [
    ...limitMistakes.map((message) => ({ path: [], message, isWarning: false })),
    ...unknownLayouts.map(({ stepId, layoutId }) => ({
      path: ['steps', stepAt(stepId), 'controlValues', 'layoutId'],
      message: `layout \`${layoutId}\` is not in the folder`,
      isWarning: false,
    })),
    ...findUnknownParts(resource).map(({ path, what, suggestion }) => ({
      path,
      message: `${what} is unknown to this version of svc, and kept unchanged${suggestion === undefined ? '' : `. Did you mean \`${suggestion}\`?`}`,
      isWarning: true,
    })),
    ...(await findMistakes(context, resource)),
  ];
  if (mistakes.length === 0) return [];
  const { locate } = parseYaml(folder.read(file.path));
  return mistakes.map(({ isWarning, ...mistake }) => ({
    ...toProblem(folder, file, mistake, locate),
    isWarning,
  }));
}

/** The place in the file of the text that the mistake is about, or in the file of the resource. */
function toProblem(
  folder: SafeFolder,
  { path: name, contentFiles }: ResourceFile,
  { path, message, variable }: Omit<Mistake, 'isWarning'>,
  locate: (path: readonly PropertyKey[]) => string,
): FileProblem {
  const content = contentFiles?.get(path.join('.'));
  const keys = path.map((part) => (/^\d+$/.test(String(part)) ? Number(part) : part));
  if (content === undefined) return createProblems(name).at(locate(keys), keys, message);
  const contentFile = name.includes('/')
    ? `${name.slice(0, name.lastIndexOf('/'))}/${content}`
    : content;
  const place = placeInText(folder.read(contentFile), variable);
  return createProblems(contentFile).at(place, keys, message);
}

/** The first occurrence of a variable, or of a template. */
function placeInText(text: string, variable: string | undefined): string {
  const at = Math.max(
    0,
    variable === undefined ? -1 : text.indexOf(variable),
    variable === undefined || !text.includes(variable) ? text.search(/\{[{%]/) : -1,
  );
  const before = text.slice(0, at).split('\n');
  return `${before.length}:${(before.at(-1) ?? '').length + 1}`;
}

// Checks of a workflow before it is sent: what the service answers with an internal error or stores in another form than
// it was sent, and its limits. A write that fails halfway is worse than one that is not sent.

/** Returns the reasons why the service would not store the workflow as it is. */
export function findWorkflowErrors({ name, description, tags, steps }: NormalWorkflow): string[] {
  return [
    ...findNameErrors(name),
    ...(description.length > limits.workflowDescription
      ? [`description is longer than ${limits.workflowDescription} characters`]
      : []),
    ...(tags.length > limits.tagsPerWorkflow
      ? [`it has more than ${limits.tagsPerWorkflow} tags`]
      : []),
    ...(new Set(tags).size < tags.length ? ['a tag occurs twice'] : []),
    ...(tags.some((tag) => tag.trim() === '' || tag.length > limits.workflowTag)
      ? [`a tag is empty or longer than ${limits.workflowTag} characters`]
      : []),
    ...(steps.length > limits.stepsPerWorkflow
      ? [`it has more than ${limits.stepsPerWorkflow} steps`]
      : []),
    ...steps.flatMap((step) =>
      findStepErrors(step).map((message) => `step ${step.stepId}: ${message}`),
    ),
  ];
}

function findStepErrors({ stepId, name, type, controlValues }: NormalStep): string[] {
  const { cron, body, editorType } = controlValues;
  const isEmail = type === 'email' && typeof body === 'string' && body !== '';
  return [
    ...(identifierPattern.test(stepId) ? [] : [`stepId ${identifierForm}`]),
    ...findNameErrors(name),
    ...(type === 'trigger' ? ['the service cannot store steps of type trigger'] : []),
    ...(typeof cron === 'string' && cron !== '' && !isCron(cron)
      ? [`\`${cron}\` is not a cron expression`]
      : []),
    ...(isEmail && editorType === 'block' && !isJsonDocument(body)
      ? ['body must be a block document (JSON), because editorType is block']
      : []),
    ...(isEmail && editorType === 'html' && isJsonDocument(body)
      ? ['body is a block document (JSON), but editorType is html']
      : []),
  ];
}

function findNameErrors(name: string): string[] {
  if (name.trim() === '') return ['name is empty'];
  return name.length > limits.workflowName
    ? [`name is longer than ${limits.workflowName} characters`]
    : [];
}

/** Five or six fields of digits, names and operators. The service checks the values. */
const isCron = (text: string) => /^[\dA-Za-z*?,/#-]+(\s+[\dA-Za-z*?,/#-]+){4,5}$/.test(text.trim());

// Checks the files of a folder, or single files, and lists their mistakes.

interface ReportedMistake extends FileProblem {
  severity: 'error' | 'warning';
}

interface Checked {
  /** Mistakes of reading, with the shown folder. */
  problems: FileProblem[];
  files: { folder: SafeFolder; prefix: string; file: ResourceFile }[];
  /** The layouts of a whole folder. */
  layouts: ReadonlySet<string> | undefined;
}

export async function validateFiles(context: Context, paths: readonly string[], isStrict: boolean) {
  const named = resolveFiles(context, paths);
  const { problems, files, layouts } = readNamed(named);
  const lists =
    named.kind === 'folder' && named.environment
      ? findListProblems(named.environment, Object.keys(await credentialTypes()))
      : [];
  const root = named.kind === 'folder' ? path.dirname(named.shownAs) : '';
  const mistakes: ReportedMistake[] = problems.map((problem) => ({
    ...problem,
    severity: 'error',
  }));
  const all = files.map(({ file }) => file);
  for (const { folder, prefix, file } of files) {
    const modeMistake = findModeMistake(file, all);
    const found = [
      ...(modeMistake === undefined
        ? []
        : [{ ...createProblems(file.path).at('1:1', [], modeMistake), isWarning: false }]),
      ...(await findFileMistakes(context, folder, file, layouts)),
    ];
    for (const { isWarning, ...problem } of found)
      mistakes.push({
        ...problem,
        file: path.posix.join(prefix, problem.file),
        severity: isWarning && !isStrict ? 'warning' : 'error',
      });
  }
  for (const problem of lists.flat())
    mistakes.push({ ...inFolder(root, problem), severity: 'error' });
  const fileCount = files.length + new Set(problems.map(({ file }) => file)).size + lists.length;
  return validationReport(context, mistakes, fileCount);
}

function readNamed(named: NamedFiles): Checked {
  if (named.kind === 'folder') {
    const { folder, shownAs, environment } = named;
    const { files, problems } = readFiles(folder);
    if (files.length === 0 && problems.length === 0 && !environment) throw noFilesError(shownAs);
    const layouts = files.flatMap(({ resource: { kind, id } }) => (kind === 'layout' ? [id] : []));
    return {
      problems: problems.map((problem) => inFolder(shownAs, problem)),
      files: files.map((file) => ({ folder, prefix: slashed(shownAs), file })),
      layouts: new Set(layouts),
    };
  }
  const read = named.files.map(({ folder, name, shownAs }) => {
    const content = readFile(folder, name);
    if (!content) throw foreignFileError(shownAs);
    const isInLayouts = name.includes('/');
    const parent = path.dirname(shownAs);
    const prefix = slashed(isInLayouts ? path.dirname(parent) : parent);
    return { folder, prefix, ...content };
  });
  return {
    problems: read.flatMap(({ prefix, problems }) =>
      problems.map((problem) => inFolder(prefix, problem)),
    ),
    files: read.flatMap(({ folder, prefix, file }) => (file ? [{ folder, prefix, file }] : [])),
    layouts: undefined,
  };
}

const slashed = (folder: string) => folder.split(path.sep).join('/');

const inFolder = (folder: string, problem: FileProblem): FileProblem => ({
  ...problem,
  file: path.posix.join(slashed(folder), problem.file),
});

function validationReport(
  { host: { stdout } }: Context,
  mistakes: readonly ReportedMistake[],
  fileCount: number,
) {
  const errors = mistakes.filter(({ severity }) => severity === 'error');
  const warningCount = mistakes.length - errors.length;
  const counts = [
    ...(errors.length > 0 ? [counted(errors.length, 'error')] : []),
    ...(warningCount > 0 ? [counted(warningCount, 'warning')] : []),
  ];
  const summary = `Checked ${counted(fileCount, 'file')}: ${counts.join(', ') || 'no errors'}.`;
  const lines = mistakes.map(
    (mistake): result.Line => [
      { text: problemText(mistake) },
      { text: `  ${mistake.severity}`, tone: mistake.severity === 'error' ? 'bad' : 'warn' },
    ],
  );
  return result.report({
    value: mistakes,
    lines: [...(stdout.isTty ? wrapLines(lines, stdout.columns, 2) : lines), summary],
    ids: [...new Set(mistakes.map(({ file }) => file))],
    columns: result.fieldColumns(['file', 'line', 'column', 'path', 'message', 'severity']),
    ...(errors.length > 0
      ? {
          end: result.exit('usage', {
            message: summary,
            fieldErrors: errors.map((mistake) => ({ field: '', message: problemText(mistake) })),
          }),
        }
      : {}),
  });
}

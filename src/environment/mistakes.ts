// Checks workflow and layout files on this machine, as the service would after a push, and finds the place of each
// mistake.
import type { Context } from '../app/context.ts';
import { parseYaml } from '../core/yaml.ts';
import { limits } from '../service/limits.ts';
import { isJsonSchema } from '../service/payload-schema.ts';
import { identifierForm, identifierPattern } from '../service/rules/formats.ts';
import { isJsonDocument } from './definition-text.ts';
import {
  type Definition,
  layoutReferences,
  type NormalStep,
  type NormalWorkflow,
} from './normal-form.ts';
import { findUnknownParts, type ResourceFile } from './read-definitions.ts';
import { createProblems, type FileProblem, type SafeFolder } from './safe-folder.ts';

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

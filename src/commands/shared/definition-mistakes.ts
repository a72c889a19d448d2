// Checks workflow and layout files on this machine, as the service would after a push, and finds the place of each
// mistake.
import type { Context } from '../../app/context.ts';
import { parseYaml } from '../../core/yaml.ts';
import { isJsonSchema } from '../../service/payload-schema.ts';
import { createProblems, type FileProblem } from '../../workflow-files/file-problem.ts';
import { findUnknownParts } from '../../workflow-files/file-schema.ts';
import { findWorkflowErrors } from '../../workflow-files/local-checks.ts';
import { type Definition, layoutReferences } from '../../workflow-files/normal-form.ts';
import type { ResourceFile } from '../../workflow-files/read-folder.ts';
import type { SafeFolder } from '../../workflow-files/safe-folder.ts';

export interface Mistake {
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

// Turns workflow files into the state of a sandbox: the workflows and layouts in an environment that is otherwise empty.
// The sandbox adds an active integration for each channel, so that every message is captured.
import path from 'node:path';
import { usageError } from '../core/errors.ts';
import type { EnvironmentState, LayoutState, SandboxState } from '../sandbox/state/schema.ts';
import type { Mode } from '../service/mode.ts';
import { firstLine, readFirstLine } from './definition-text.ts';
import {
  type NormalLayout,
  type NormalWorkflow,
  toCommonWorkflow,
  usesSkip,
} from './normal-form.ts';
import { type ResourceFile, readFiles, readFolder } from './read-definitions.ts';
import { openSafeFolder, problemText } from './safe-folder.ts';

/** The initial data of a sandbox, and for messages the file of a workflow, or of a text of one of its steps. */
export interface Seed {
  state: SandboxState;
  fileOf(workflowId: string, step: number, control: string): string;
  /** The text that names the mode in the file. */
  markOf(mode: Mode): string;
}

/**
 * Reads a folder, or with `workflow` one file of it and the layouts. Throws a usage error if a file is not valid, or if
 * the files come from servers that behave differently.
 */
export function readWorkflowFolder(folder: string, cwd: string, workflow?: string): Seed {
  const { files, ignored } = readFolder(openSafeFolder(folder, cwd, folder), folder, workflow);
  const [first] = files;
  if (!first) {
    const others = ignored.length > 0 ? ` Ignored: ${ignored.join(', ')}.` : '';
    throw usageError(`${folder} contains no workflow files.${others}`, {
      hint: firstLineHint,
      next: ['svc workflows pull'],
    });
  }
  const marked = files.filter(({ mode }) => mode !== undefined);
  const other = marked.find(({ mode }) => mode !== marked[0]?.mode);
  if (marked[0] && other)
    throw usageError(
      `${folder} mixes files of the modes novu and specification: ${marked[0].path}, ${other.path}.`,
      { hint: 'Skip conditions differ between them. Pull all files from the same server.' },
    );
  const isUnmarked = files.some(
    ({ mode, resource }) =>
      mode === undefined && resource.kind === 'workflow' && usesSkip(resource.value),
  );
  const mark = isUnmarked ? undefined : marked[0]?.mode;
  return {
    state: {
      version: 1,
      ...(mark === undefined ? {} : { compat: mark }),
      environments: [{ name: 'Development', ...toResources(files) }],
    },
    fileOf: fileFinder(folder, files),
    markOf: (mode) => firstLine('workflow', mode),
  };
}

const fileFinder =
  (folder: string, files: readonly ResourceFile[]): Seed['fileOf'] =>
  (workflowId, step, control) => {
    const file = files.find(
      ({ resource: { kind, id } }) => kind === 'workflow' && id === workflowId,
    );
    const name = file?.contentFiles?.get(`steps.${step}.controlValues.${control}`);
    return path.join(folder, name ?? `${workflowId}.yaml`);
  };

/** One workflow or layout of a folder, as a state that contains nothing else. */
interface DefinitionFile extends Pick<Seed, 'state' | 'fileOf'> {
  /** As `workflows/welcome.yaml`. */
  path: string;
}

/** Reads the valid files of a folder one by one, with the errors of the others as `file:line:column: message`. */
export function readDefinitionFiles(
  folder: string,
  cwd: string,
): { files: DefinitionFile[]; errors: string[] } {
  const prefix = path.join(folder, path.sep);
  const { files, problems } = readFiles(openSafeFolder(folder, cwd, folder));
  return {
    files: files.map((file) => ({
      path: `${prefix}${file.path}`,
      state: {
        version: 1,
        ...(file.mode === undefined ? {} : { compat: file.mode }),
        environments: [{ name: 'Development', ...toResources([file]) }],
      },
      fileOf: fileFinder(folder, [file]),
    })),
    errors: problems.map((problem) => `${prefix}${problemText(problem)}`),
  };
}

const firstLineHint = `The first line of a workflow file must be: ${firstLine('workflow', undefined)}`;

/** Reads a seed that is one workflow file. Undefined if the text is something else, such as a state. */
export function readWorkflowFile(file: string, text: string, cwd: string): Seed | undefined {
  const kind = readFirstLine(text)?.kind;
  if (kind === 'layout')
    throw usageError(`${file} is a layout file.`, {
      hint: 'Name a folder of workflow files, a workflow file or a state file.',
    });
  if (kind === 'workflow') return readWorkflowFolder(path.dirname(file), cwd, path.basename(file));
  if (/^workflowId:/m.test(text) && !/^version:/m.test(text))
    throw usageError(`${file} looks like a workflow file, but lacks its first line.`, {
      hint: firstLineHint,
    });
  return undefined;
}

function toResources(
  files: readonly ResourceFile[],
): Pick<EnvironmentState, 'layouts' | 'workflows'> {
  const layouts = files.flatMap(({ resource }) =>
    resource.kind === 'layout' ? [resource.value] : [],
  );
  const workflows = files.flatMap(({ resource }) =>
    resource.kind === 'workflow' ? [resource.value] : [],
  );
  return {
    // The service makes the first layout the default one.
    layouts: layouts.map((layout, index) => toLayoutState(layout, index === 0)),
    workflows: workflows.map(toWorkflowState),
  };
}

export function toLayoutState(
  { layoutId, name, isTranslationEnabled, controlValues }: NormalLayout,
  isDefault: boolean,
): LayoutState {
  const { body, editorType } = (controlValues.email ?? {}) as Pick<
    LayoutState,
    'body' | 'editorType'
  >;
  return {
    layoutId,
    name,
    isDefault,
    ...(isTranslationEnabled ? { isTranslationEnabled } : {}),
    ...(editorType === undefined ? {} : { editorType }),
    ...(body === undefined ? {} : { body }),
  };
}

const toWorkflowState = (
  workflow: NormalWorkflow,
): NonNullable<EnvironmentState['workflows']>[number] => toCommonWorkflow(workflow) as never;

// The text of a workflow or layout file: one YAML document whose first line names format and mode.
import { writeYaml } from '../core/yaml.ts';
import { type Mode, modeMark, modes } from '../service/mode.ts';
import { extractContent, toNamePart } from './content-files.ts';
import {
  type Definition,
  isFileId,
  type NormalLayout,
  type NormalWorkflow,
  usesSkip,
} from './normal-form.ts';

const formatNumber = 1;

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
  `# svc ${kind}, format ${formatNumber}${mark === undefined ? '' : `, compat ${mark}`}`;

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

export const isSupportedFormat = ({ format }: FirstLine): boolean => format === formatNumber;

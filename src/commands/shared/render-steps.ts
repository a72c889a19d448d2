// Renders the steps of a workflow on this machine, for one recipient.
import type { Context } from '../../app/context.ts';
import { SvcError } from '../../core/errors.ts';
import { isObject, type JsonObject } from '../../core/objects.ts';
import type { NormalLayout, NormalStep, NormalWorkflow } from '../../environment/normal-form.ts';
import { createRemoteReader } from '../../environment/remote.ts';
import type { PreviewedStep, PreviewFacts } from '../../sandbox/engine/preview.ts';
import { chooseDialect } from '../../sandbox/store/dialect.ts';
import type { Mode } from '../../service/mode.ts';
import { readWorkflow } from './missing-resources.ts';

/** Where the workflow and its layouts come from. */
export interface RenderSource {
  workflow: NormalWorkflow;
  mode(): Promise<Mode>;
  findLayout(layoutId: string): Promise<NormalLayout | undefined>;
  /** The id of the layout of an e-mail that names none, on a server that has one. */
  defaultLayout?(): Promise<string | undefined>;
}

/** Reads the workflow from the active environment. Throws an error with similar names if it does not exist. */
export async function openRemoteSource(
  context: Context,
  workflowId: string,
): Promise<RenderSource> {
  const reader = createRemoteReader(await context.client());
  const workflow = await reader.find('workflow', workflowId);
  if (workflow?.resource.kind !== 'workflow') {
    // Requests it again for the error with similar names.
    await readWorkflow(context, workflowId);
    throw new SvcError('notFound', `Workflow \`${workflowId}\` does not exist.`);
  }
  return {
    workflow: workflow.resource.value,
    mode: reader.mode,
    findLayout: async (layoutId) => {
      const layout = await reader.find('layout', layoutId);
      return layout?.resource.kind === 'layout' ? layout.resource.value : undefined;
    },
    async defaultLayout() {
      for await (const { items } of context.pages('listLayouts', {}, { all: true }))
        for (const { isDefault, layoutId } of items) if (isDefault) return layoutId;
      return undefined;
    },
  };
}

/** Whom and when the steps are rendered for. */
export type Recipient = Omit<
  PreviewFacts,
  'dialect' | 'hasOwnControls' | 'laterVariables' | 'layouts'
>;

interface RenderedSteps {
  steps: PreviewedStep[];
  /** The variables whose values only the service knows. The steps show them as in the template. */
  unresolved: string[];
}

/** Renders the steps that `isWanted` accepts, in order. The others only have a sample output. */
export async function renderSteps(
  { workflow, mode, findLayout, defaultLayout }: RenderSource,
  isWanted: (step: NormalStep) => boolean,
  recipient: Recipient,
): Promise<RenderedSteps> {
  const { previewSteps } = await import('../../sandbox/engine/preview.ts');
  const dialect = chooseDialect({ mode: await mode() });
  const { workflowId, name, description, tags, severity, steps } = workflow;
  const fallback = dialect.usesDefaultLayout ? await defaultLayout?.() : undefined;
  const wanted = steps.filter(isWanted);
  const layouts = await readLayouts(findLayout, wanted, fallback);
  const unresolved = namesOfService([...wanted.map((step) => step.controlValues), ...layouts]);
  const previews = previewSteps(
    { workflowId, name, description, tags, severity, steps },
    {
      ...recipient,
      dialect,
      hasOwnControls: true,
      laterVariables: placeholders(unresolved),
      layouts: { find: (layoutId) => layouts.get(layoutId), default: () => fallback },
    },
  );
  return {
    steps: previews.filter((_preview, index) => isWanted(steps[index] as NormalStep)),
    unresolved,
  };
}

/** Outputs and tags of templates, and the names in conditions and block documents. */
const templateParts = /\{[{%].*?[%}]\}|"(?:env|actor)\.[\w.]+\\?"/g;

/** Variables of the environment and of the actor of an event, which newer servers have. */
const ofService = /(?<![\w.])(?:env|actor)(?:\.[a-zA-Z]\w*)+/g;

const namesOfService = (values: readonly unknown[]): string[] => {
  const parts = JSON.stringify(values).match(templateParts) ?? [];
  return [...new Set(parts.flatMap((part) => part.match(ofService) ?? []))].sort();
};

/** An object with the text `{{env.name}}` at the path `env.name`. A name comes before those of its members. */
function placeholders(names: readonly string[]): JsonObject {
  const variables: JsonObject = {};
  for (const name of names) {
    const parts = name.split('.');
    const last = parts.pop() ?? '';
    let at = variables;
    for (const part of parts) {
      const inner = isObject(at[part]) ? at[part] : {};
      at[part] = inner;
      at = inner;
    }
    at[last] = `{{${name}}}`;
  }
  return variables;
}

interface RenderedLayout {
  layoutId: string;
  name: string;
  body: string;
}

/** The layouts that e-mail steps refer to, and the default one. */
async function readLayouts(
  findLayout: RenderSource['findLayout'],
  steps: readonly NormalStep[],
  fallback: string | undefined,
): Promise<ReadonlyMap<string, RenderedLayout>> {
  const ids = steps.flatMap(({ type, controlValues: { layoutId = fallback } }) =>
    type === 'email' && typeof layoutId === 'string' && layoutId !== '' ? [layoutId] : [],
  );
  const layouts = new Map<string, RenderedLayout>();
  for (const layoutId of new Set(ids)) {
    const layout = await findLayout(layoutId);
    if (!layout) continue;
    const { email } = layout.controlValues as { email?: { body?: string } };
    layouts.set(layoutId, { layoutId, name: layout.name, body: email?.body ?? '' });
  }
  return layouts;
}

// Renders the steps of a workflow on this machine, for one recipient.
import type { Context } from '../../app/context.ts';
import { SvcError } from '../../core/errors.ts';
import type { PreviewedStep, PreviewFacts } from '../../sandbox/engine/preview.ts';
import { chooseDialect } from '../../sandbox/store/dialect.ts';
import type { Mode } from '../../service/mode.ts';
import type { NormalLayout, NormalStep, NormalWorkflow } from '../../workflow-files/normal-form.ts';
import { createRemoteReader } from './remote-workflows.ts';
import { readWorkflow } from './with-suggestions.ts';

/** Where the workflow and its layouts come from. */
export interface RenderSource {
  workflow: NormalWorkflow;
  /** Reads the mode of the server. */
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
export type Recipient = Omit<PreviewFacts, 'isSkipToRun' | 'hasOwnControls' | 'layouts'>;

/** Renders the steps that `isWanted` accepts, in order. The others only have a sample output. */
export async function renderSteps(
  { workflow, mode, findLayout, defaultLayout }: RenderSource,
  isWanted: (step: NormalStep) => boolean,
  recipient: Recipient,
): Promise<PreviewedStep[]> {
  const { previewSteps } = await import('../../sandbox/engine/preview.ts');
  const { isSkipToRun, usesDefaultLayout } = chooseDialect(await mode());
  const { workflowId, name, description, tags, severity, steps } = workflow;
  const fallback = usesDefaultLayout ? await defaultLayout?.() : undefined;
  const layouts = await readLayouts(findLayout, steps.filter(isWanted), fallback);
  const previews = previewSteps(
    { workflowId, name, description, tags, severity, steps },
    { ...recipient, isSkipToRun, hasOwnControls: true, layouts },
  );
  return previews.filter((_preview, index) => isWanted(steps[index] as NormalStep));
}

/** The layouts that e-mail steps refer to, and the default one. */
async function readLayouts(
  findLayout: RenderSource['findLayout'],
  steps: readonly NormalStep[],
  fallback: string | undefined,
): Promise<PreviewFacts['layouts']> {
  const ids = steps.flatMap(({ type, controlValues: { layoutId = fallback } }) =>
    type === 'email' && typeof layoutId === 'string' && layoutId !== '' ? [layoutId] : [],
  );
  const layouts = new Map<string, { layoutId: string; name: string; body: string }>();
  for (const layoutId of new Set(ids)) {
    const layout = await findLayout(layoutId);
    if (!layout) continue;
    const { email } = layout.controlValues as { email?: { body?: string } };
    layouts.set(layoutId, { layoutId, name: layout.name, body: email?.body ?? '' });
  }
  return { find: (layoutId) => layouts.get(layoutId), default: () => fallback };
}

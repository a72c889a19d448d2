// Renders the steps of a workflow on this machine, for one recipient.
import type { Context } from '../../app/context.ts';
import { SvcError } from '../../core/errors.ts';
import type { Preview, PreviewRequest } from '../../sandbox/engine/preview.ts';
import { chooseDialect } from '../../sandbox/store/dialect.ts';
import type { Mode } from '../../service/mode.ts';
import type {
  JsonObject,
  NormalLayout,
  NormalStep,
  NormalWorkflow,
} from '../../workflow-files/normal-form.ts';
import { createRemoteReader } from './remote-workflows.ts';
import { readWorkflow } from './with-suggestions.ts';

/** Where the workflow and its layouts come from. */
export interface RenderSource {
  workflow: NormalWorkflow;
  /** Reads the mode of the server. */
  mode(): Promise<Mode>;
  findLayout(layoutId: string): Promise<NormalLayout | undefined>;
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
  };
}

/** Whom and when the steps are rendered for. */
export interface Recipient
  extends Pick<PreviewRequest, 'addresses' | 'channels' | 'schedule' | 'isCritical' | 'now'> {
  payload: JsonObject;
  subscriber: JsonObject;
}

export interface RenderedStep {
  step: NormalStep;
  preview: Preview;
}

/** Renders the steps that `isWanted` accepts, in order. The others only have a sample output. */
export async function renderSteps(
  { workflow, mode, findLayout }: RenderSource,
  isWanted: (step: NormalStep) => boolean,
  { payload, subscriber, ...recipient }: Recipient,
): Promise<RenderedStep[]> {
  const { missingLayout, previewStep, sampleOutput } = await import(
    '../../sandbox/engine/preview.ts'
  );
  const { isSkipToRun } = chooseDialect(await mode());
  const { workflowId, name, description, tags, severity } = workflow;
  const earlier: JsonObject = {};
  const rendered: RenderedStep[] = [];
  for (const step of workflow.steps) {
    if (isWanted(step)) {
      const layout = await readLayout(findLayout, step);
      const variables = {
        ...{ payload, subscriber, context: {}, steps: { ...earlier } },
        workflow: { workflowId, name, description, tags, severity },
      };
      const preview =
        layout.missing === undefined
          ? previewStep({ step, variables, isSkipToRun, layoutBody: layout.body, ...recipient })
          : missingLayout(layout.missing);
      rendered.push({ step, preview });
    }
    earlier[step.stepId] = sampleOutput(step.type, payload, recipient.now);
  }
  return rendered;
}

/** The body of the layout that an e-mail step refers to. */
async function readLayout(
  findLayout: RenderSource['findLayout'],
  { type, controlValues: { layoutId } }: NormalStep,
): Promise<{ body?: string; missing?: string }> {
  if (type !== 'email' || typeof layoutId !== 'string') return {};
  const layout = await findLayout(layoutId);
  if (!layout) return { missing: layoutId };
  const { email } = layout.controlValues as { email?: { body?: string } };
  return { body: email?.body ?? '' };
}

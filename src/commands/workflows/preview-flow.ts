// Reads the workflow and the subscriber of a preview, and renders the steps in order.
import { tmpdir } from 'node:os';
import { pathToFileURL } from 'node:url';
import type { Context } from '../../app/context.ts';
import { unitMs } from '../../core/durations.ts';
import { errorMessage, localError, SvcError, usageError } from '../../core/errors.ts';
import { shellWord } from '../../core/shell-word.ts';
import { readFields } from '../../input/assignments.ts';
import { readJsonObject, textOrStdin } from '../../input/values.ts';
import * as result from '../../output/result.ts';
import type { Host } from '../../platform/host.ts';
import { openInBrowser } from '../../platform/open-browser.ts';
import { writePrivatePage } from '../../platform/private-page.ts';
import { dialectOf } from '../../sandbox/dialects/index.ts';
import type { PreviewedStep, PreviewedWorkflow } from '../../sandbox/page/preview-file.tsx';
import type { Mode } from '../../service/mode.ts';
import type { Subscriber } from '../../service/schemas/subscribers.ts';
import { layoutsFolder } from '../../workflow-files/format.ts';
import {
  isFileId,
  type JsonObject,
  type NormalLayout,
  type NormalStep,
  type NormalWorkflow,
} from '../../workflow-files/normal-form.ts';
import { createRemoteReader } from '../shared/remote-workflows.ts';
import { withWorkflowSuggestions } from '../shared/with-suggestions.ts';
import { previewLines } from './preview-view.ts';

interface PreviewOptions {
  payload: JsonObject;
  to?: string;
  step?: string;
  html?: boolean;
  open?: boolean;
}

export async function previewWorkflow(
  context: Context,
  workflowId: string,
  { payload, to, step: onlyStep, html, open = false }: PreviewOptions,
) {
  const source = await openSource(context, workflowId);
  const { workflow } = source;
  const { steps } = workflow;
  if (onlyStep !== undefined && !steps.some(({ stepId }) => stepId === onlyStep))
    throw new SvcError('notFound', `Workflow \`${workflowId}\` has no step \`${onlyStep}\`.`, {
      suggestion: { input: onlyStep, candidates: steps.map(({ stepId }) => stepId) },
      next: [`svc workflows preview ${shellWord(workflowId)}`],
    });
  const { missingLayout, previewStep, sampleOutput } = await import(
    '../../sandbox/engine/preview.ts'
  );
  const subscriber = await readSubscriber(context, workflow, to);
  const now = context.host.clock.now();
  const { isSkipToRun } = dialectOf(source.mode);
  const { readOnly } = (workflow.preferences.user ?? workflow.preferences.default).all;
  const earlier: JsonObject = {};
  const previews: PreviewedStep[] = [];
  for (const step of steps) {
    const { stepId, name, type } = step;
    if (onlyStep === undefined || onlyStep === stepId) {
      const layout = await readLayout(source, step);
      const preview = previewStep({
        step,
        variables: {
          ...{ payload, subscriber: subscriber.data, context: {}, steps: { ...earlier } },
          workflow: workflowVariables(workflow),
        },
        ...{ isSkipToRun, now, isCritical: readOnly === true, layoutBody: layout.body },
        ...{
          addresses: subscriber.addresses,
          channels: subscriber.channels,
          schedule: subscriber.schedule,
        },
      });
      const outcome = layout.missing === undefined ? preview : missingLayout(layout.missing);
      previews.push({
        ...{ stepId, name, type, result: outcome.result },
        reason: 'reason' in outcome ? outcome.reason : null,
        content: 'content' in outcome ? outcome.content : null,
        missingVariables: 'content' in outcome ? outcome.missingVariables : [],
        objectVariables: 'content' in outcome ? outcome.objectVariables : [],
      });
    }
    earlier[stepId] = sampleOutput(type, payload, now);
  }
  if (!open) return previewReport(context, previews, html);
  const time = new Date(now).toISOString();
  const { name } = workflow;
  const preview = { name, subscriberId: to, payload, time, steps: previews };
  return openedReport(previews, await openPreview(context.host, preview));
}

/** Where the workflow and its layouts come from. */
interface PreviewSource {
  workflow: NormalWorkflow;
  mode: Mode;
  findLayout(layoutId: string): Promise<NormalLayout | undefined>;
}

/** A file ends with .yaml or .yml, or has a folder in its path. */
const openSource = (context: Context, given: string): Promise<PreviewSource> =>
  /\.ya?ml$|[/\\]/i.test(given) ? openFile(context, given) : openRemote(context, given);

/** The layouts of a file are beside it. No request is sent. */
async function openFile({ host }: Context, file: string): Promise<PreviewSource> {
  const { toNamedFile } = await import('../shared/definition-files.ts');
  const { readResourceFile } = await import('../../workflow-files/read-folder.ts');
  const { folder, name } = toNamedFile(file, host.cwd);
  const read = readResourceFile(folder, name);
  if (read?.resource.kind !== 'workflow')
    throw usageError(`${file} is not a workflow file.`, {
      hint: 'The first line must be: # svc workflow, format 1',
    });
  return {
    workflow: read.resource.value,
    mode: read.mode ?? 'novu',
    findLayout: async (layoutId) => {
      const layoutFile = `${layoutsFolder}/${layoutId}.yaml`;
      if (!isFileId(layoutId) || folder.kindOf(layoutFile) === 'absent') return undefined;
      const layout = readResourceFile(folder, layoutFile)?.resource;
      return layout?.kind === 'layout' ? layout.value : undefined;
    },
  };
}

async function openRemote(context: Context, workflowId: string): Promise<PreviewSource> {
  const client = await context.client();
  const reader = createRemoteReader(client);
  const workflow = await reader.find('workflow', workflowId);
  if (workflow?.resource.kind !== 'workflow') {
    // Requests it again for the error with similar names.
    await withWorkflowSuggestions(context, workflowId, () =>
      client.call('getWorkflow', { path: { workflowId }, query: {} }),
    );
    throw new SvcError('notFound', `Workflow \`${workflowId}\` does not exist.`);
  }
  return {
    workflow: workflow.resource.value,
    mode: await reader.mode(),
    findLayout: async (layoutId) => {
      const layout = await reader.find('layout', layoutId);
      return layout?.resource.kind === 'layout' ? layout.resource.value : undefined;
    },
  };
}

/** Data, channel switches and schedule. Without a subscriber, nothing is skipped because of them. */
async function readSubscriber(context: Context, { workflowId }: NormalWorkflow, to?: string) {
  if (to === undefined)
    return { data: {}, channels: {}, addresses: undefined, schedule: undefined };
  const client = await context.client();
  const subscriber = await client.call('getSubscriber', { path: { subscriberId: to } });
  const { firstName, lastName, email, phone, avatar, locale, timezone, data } = subscriber;
  const preferences = await client.call('getSubscriberPreferences', {
    path: { subscriberId: to },
    query: { criticality: 'all' },
  });
  const own = preferences.workflows.find(({ workflow }) => workflow.identifier === workflowId);
  return {
    data: {
      ...{ subscriberId: to, firstName, lastName, email, phone },
      ...{ avatar, locale, timezone, data: data ?? {} },
    },
    channels: own?.channels ?? {},
    addresses: addressesIn(subscriber.channels ?? []),
    schedule: preferences.global.schedule,
  };
}

/** Which channels have an address in the credentials of a subscriber. The e-mail address and phone number are data. */
const addressesIn = (settings: NonNullable<Subscriber['channels']>) => ({
  chat: settings.some(({ credentials }) => credentials.webhookUrl || credentials.channel),
  push: settings.some(({ credentials: { deviceTokens } }) => (deviceTokens ?? []).length > 0),
});

const workflowVariables = ({ workflowId, name, description, tags, severity }: NormalWorkflow) => ({
  ...{ workflowId, name, description, tags, severity },
});

/** The body of the layout that an e-mail step refers to. */
async function readLayout(
  source: PreviewSource,
  { type, controlValues: { layoutId } }: NormalStep,
): Promise<{ body?: string; missing?: string }> {
  if (type !== 'email' || typeof layoutId !== 'string') return {};
  const layout = await source.findLayout(layoutId);
  if (!layout) return { missing: layoutId };
  const { email } = layout.controlValues as { email?: { body?: string } };
  return { body: email?.body ?? '' };
}

function previewReport(context: Context, previews: readonly PreviewedStep[], html = false) {
  const { stdout } = context.host;
  return result.report({
    value: previews,
    lines: previewLines(previews, { isTty: stdout.isTty, columns: stdout.columns, html }),
    ids: previews.map(({ stepId }) => stepId),
    columns: ['stepId', 'type', 'result', 'reason', 'content.subject', 'content.body'].map(
      (field) => ({ field, header: field }),
    ) as never,
    ...failedEnd(previews),
  });
}

/** For `--open`: the path of the file. */
const openedReport = (
  steps: readonly PreviewedStep[],
  { file, opened }: { file: string; opened: boolean },
) =>
  result.report({
    value: { file, opened },
    lines: [[{ text: file }]],
    ids: [file],
    tsv: file,
    ...failedEnd(steps),
  });

function failedEnd(previews: readonly PreviewedStep[]) {
  const failed = previews.filter((preview) => preview.result === 'failed');
  if (failed.length === 0) return {};
  return {
    end: result.exit('partial', {
      message: 'A step cannot be rendered.',
      fieldErrors: failed.map(({ stepId, reason }) => ({
        field: `step ${stepId}`,
        message: reason ?? '',
      })),
    }),
  };
}

/** Writes the preview as an HTML file that only the user can read, and opens it in the browser. */
async function openPreview(host: Host, workflow: PreviewedWorkflow) {
  const { previewDocument } = await import('../../sandbox/page/preview-file.tsx');
  const file = writePreview(host, previewDocument(workflow));
  return { file, opened: await openInBrowser(host, pathToFileURL(file).href) };
}

function writePreview(host: Host, html: string): string {
  try {
    return writePrivatePage(host, {
      prefix: 'svc-preview-',
      name: 'preview.html',
      html,
      keptMs: unitMs.d,
    });
  } catch (cause) {
    throw localError(`Cannot write the preview to ${tmpdir()}: ${errorMessage(cause)}`, {
      hint: 'Set TMPDIR to a writable folder.',
      cause,
    });
  }
}

interface PayloadOptions {
  payload?: string;
  field?: string[];
  jsonField?: string[];
}

export const readPayload = async (
  { payload, field, jsonField }: PayloadOptions,
  { host }: Context,
): Promise<Record<string, unknown>> => ({
  ...(payload === undefined
    ? {}
    : await readJsonObject(await textOrStdin(payload, host.stdin), '--payload', host)),
  ...(await readFields(field, jsonField)),
});

// Reads the workflow and the subscriber of a preview, and renders the steps in order.
import { tmpdir } from 'node:os';
import { pathToFileURL } from 'node:url';
import type { Context } from '../../app/context.ts';
import { unitMs } from '../../core/durations.ts';
import { errorMessage, isNotOffered, localError, SvcError, usageError } from '../../core/errors.ts';
import { isJsonObject, stringifyExact } from '../../core/lossless-json.ts';
import type { JsonObject } from '../../core/objects.ts';
import { listText, shellWord } from '../../core/text.ts';
import { variableProblemTexts } from '../../core/variable-problems.ts';
import { firstLineHint, layoutsFolder } from '../../environment/definition-text.ts';
import { isFileId, type NormalWorkflow } from '../../environment/normal-form.ts';
import { htmlLines } from '../../output/html-lines.ts';
import type { Line } from '../../output/result.ts';
import * as result from '../../output/result.ts';
import { wrapLines } from '../../output/wrap.ts';
import type { Host } from '../../platform/host.ts';
import { openInBrowser } from '../../platform/open-browser.ts';
import { writePrivatePage } from '../../platform/private-page.ts';
import type { PreviewedStep } from '../../sandbox/engine/preview.ts';
import type { PreviewedWorkflow } from '../../sandbox/page/preview-file.tsx';
import type { Subscriber } from '../../service/schemas/subscribers.ts';
import { openRemoteSource, type RenderSource, renderSteps } from '../shared/render-steps.ts';

interface PreviewOptions {
  payload: JsonObject;
  to?: string;
  step?: string;
  local?: boolean;
  html?: boolean;
  open?: boolean;
}

export async function previewWorkflow(
  context: Context,
  workflowId: string,
  { payload, to, step: onlyStep, local: isLocal = false, html, open = false }: PreviewOptions,
) {
  const isFile = isFileName(workflowId);
  const source = await (isFile ? openFile : openRemoteSource)(context, workflowId);
  const { workflow } = source;
  const { steps } = workflow;
  if (onlyStep !== undefined && !steps.some(({ stepId }) => stepId === onlyStep))
    throw new SvcError('notFound', `Workflow \`${workflowId}\` has no step \`${onlyStep}\`.`, {
      suggestion: { input: onlyStep, candidates: steps.map(({ stepId }) => stepId) },
      next: [`svc workflows preview ${shellWord(workflowId)}`],
    });
  const { data, ...settings } = await readSubscriber(context, workflow, to);
  const now = context.host.clock.now();
  const { readOnly } = (workflow.preferences.user ?? workflow.preferences.default).all;
  const { steps: local, unresolved } = await renderSteps(
    source,
    ({ stepId }) => onlyStep === undefined || onlyStep === stepId,
    { ...settings, payload, subscriber: data, isCritical: readOnly === true, now },
  );
  // A dry run sends reads only.
  const mayAsk = !isFile && !isLocal && context.globals.dryRun === undefined;
  const rendered = mayAsk
    ? await renderByServer(context, workflow, local, { payload, subscriber: data, now })
    : undefined;
  const previews = rendered ?? local;
  if (!rendered && unresolved.length > 0)
    context.note(
      `Only the service knows the values of these variables, which are shown as in the template: ${listText(unresolved)}.`,
    );
  if (!open) return previewReport(context, previews, html);
  const time = new Date(now).toISOString();
  const { name } = workflow;
  const preview = { name, subscriberId: to, payload, time, steps: previews };
  return openedReport(previews, await openPreview(context.host, preview));
}

/** A file ends with .yaml or .yml, or has a folder in its path. */
const isFileName = (name: string): boolean => /\.ya?ml$|[/\\]/i.test(name);

/** The layouts of a file are beside it. No request is sent. */
async function openFile({ host }: Context, file: string): Promise<RenderSource> {
  const { toNamedFile } = await import('../../environment/folder.ts');
  const { readResourceFile } = await import('../../environment/read-definitions.ts');
  const { folder, name } = toNamedFile(file, host.cwd);
  if (folder.kindOf(name) === 'absent')
    throw usageError(`File ${file} does not exist.`, {
      hint: 'Name a workflow file, or a workflow of the service by its identifier.',
    });
  const read = readResourceFile(folder, name);
  if (read?.resource.kind !== 'workflow')
    throw usageError(`${file} is not a workflow file.`, { hint: firstLineHint });
  return {
    workflow: read.resource.value,
    mode: async () => read.mode ?? 'novu',
    findLayout: async (layoutId) => {
      const layoutFile = `${layoutsFolder}/${layoutId}.yaml`;
      if (!isFileId(layoutId) || folder.kindOf(layoutFile) === 'absent') return undefined;
      const layout = readResourceFile(folder, layoutFile)?.resource;
      return layout?.kind === 'layout' ? layout.value : undefined;
    },
  };
}

interface ServerData {
  payload: JsonObject;
  subscriber: JsonObject;
  now: number;
}

/**
 * The previews with the content that the server renders. The server does not check whether a step would be skipped.
 * Undefined if it has no preview for API keys, or if it ignores a field of the payload.
 */
async function renderByServer(
  context: Context,
  { workflowId, steps }: NormalWorkflow,
  previews: readonly PreviewedStep[],
  { payload, subscriber, now }: ServerData,
): Promise<PreviewedStep[] | undefined> {
  const { sampleOutput } = await import('../../sandbox/engine/preview.ts');
  const client = await context.client();
  const samples = Object.fromEntries(
    steps.map(({ stepId, type }) => [stepId, sampleOutput(type, payload, now)]),
  );
  const previewPayload = { payload, subscriber: withoutSamples(subscriber), steps: samples };
  const rendered: PreviewedStep[] = [];
  for (const preview of previews) {
    if (preview.result !== 'shown') {
      rendered.push(preview);
      continue;
    }
    const response = await client
      .call('previewWorkflowStep', {
        path: { workflowId, stepId: preview.stepId },
        body: { previewPayload },
      })
      .catch((error: unknown) => {
        if (isNotOffered(error)) return undefined;
        throw error;
      });
    if (!response) return undefined;
    const { payload: used } = response.previewPayloadExample ?? {};
    const ignored = Object.keys(payload).filter((name) => !hasMember(used, name));
    if (ignored.length > 0) {
      context.note(
        `Rendered on this machine, because the preview of the server ignores payload fields that payloadSchema lacks: ${listText(ignored)}.`,
      );
      return undefined;
    }
    const content = response.result.preview ?? {};
    rendered.push(Object.keys(content).length > 0 ? { ...preview, content } : preview);
  }
  return rendered;
}

const hasMember = (value: unknown, name: string) =>
  isJsonObject(value) && Object.hasOwn(value, name);

/** The server shows sample data, such as John Doe, for members that are absent. */
const withoutSamples = (subscriber: JsonObject): JsonObject => ({
  ...Object.fromEntries(
    ['subscriberId', 'firstName', 'lastName', 'email', 'phone', 'avatar', 'locale', 'timezone'].map(
      (name) => [name, subscriber[name] ?? ''],
    ),
  ),
  data: subscriber.data ?? {},
});

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
      subscriberId: to,
      firstName,
      lastName,
      email,
      phone,
      avatar,
      locale,
      timezone,
      data: data ?? {},
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

function previewReport(context: Context, previews: readonly PreviewedStep[], html = false) {
  const { stdout } = context.host;
  return result.report({
    value: previews,
    lines: previewLines(previews, { isTty: stdout.isTty, columns: stdout.columns, html }),
    ids: previews.map(({ stepId }) => stepId),
    columns: result.fieldColumns([
      ...['stepId', 'type', 'result', 'reason', 'content.subject', 'content.body'],
    ]),
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

// Shows the steps of a preview on a terminal.

const tones = { shown: 'good', skipped: 'warn', failed: 'bad' } as const;

function previewLines(
  previews: readonly PreviewedStep[],
  { isTty, columns, html }: { isTty: boolean; columns: number; html: boolean },
): Line[] {
  const width = isTty ? columns : Number.POSITIVE_INFINITY;
  const lines = previews.flatMap((preview, index): Line[] => [
    ...(index === 0 ? [] : [[]]),
    ...stepLines(preview, { width, html }),
  ]);
  if (lines.length === 0) return ['The workflow has no steps.'];
  return isTty ? wrapLines(lines, columns) : lines;
}

function stepLines(
  preview: PreviewedStep,
  { width, html }: { width: number; html: boolean },
): Line[] {
  const { stepId, type, result, reason, content } = preview;
  const members = flatten(content ?? {});
  const labelWidth = Math.max(...members.map(([name]) => name.length), 0);
  return [
    [
      { text: stepId, tone: 'strong' },
      { text: `  ${type}`, tone: 'muted' },
      ...(reason === null ? [] : [{ text: `  ${result}: ${reason}`, tone: tones[result] }]),
    ],
    ...variableProblemTexts(preview).map((text): Line => [{ text: `  ${text}`, tone: 'warn' }]),
    ...members.flatMap(([name, value]): Line[] => {
      const isEmail = type === 'email' && name === 'body' && typeof value === 'string';
      const [first = '', ...rest] = isEmail && !html ? htmlLines(value) : textLines(value);
      const label = { text: `  ${name.padEnd(labelWidth)}  `, tone: 'muted' } as const;
      if (rest.length === 0 && labelWidth + 4 + first.length <= width)
        return [[label, { text: first }]];
      const indented = [first, ...rest].map((text) => [{ text: text && `    ${text}` }]);
      return [[{ ...label, text: `  ${name}` }], ...indented];
    }),
  ];
}

/** `primaryAction.label` for members of objects. Leaves out null. */
const flatten = (value: object, prefix = ''): [string, unknown][] =>
  Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    if (inner === null) return [];
    return isJsonObject(inner)
      ? flatten(inner, `${prefix}${name}.`)
      : [[`${prefix}${name}`, inner]];
  });

/** Long HTML is shown with one element per line. */
function textLines(value: unknown): string[] {
  if (typeof value !== 'string') return [stringifyExact(value)];
  const isHtml = value.length > 72 && value.includes('><');
  return (isHtml ? value.replaceAll('><', '>\n<') : value).replaceAll('\t', '  ').split('\n');
}

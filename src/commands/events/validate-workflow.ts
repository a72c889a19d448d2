// Checks of `svc events trigger --recipients --validate-only` beyond the rows: whether the workflow can deliver, and
// whether each row has the payload and the addresses that it needs.

import type { Context } from '../../app/context.ts';
import type { RecipientRow } from '../../bulk/operations/events.ts';
import { looksLikeEmail } from '../../bulk/operations/propose-columns.ts';
import { type FieldOptions, resolveColumns } from '../../bulk/operations/subscribers.ts';
import { SvcError } from '../../core/errors.ts';
import { readEnvironmentId } from '../../environment/environments.ts';
import type { RecordSource } from '../../input/records.ts';
import { addressFields, isChannel, isInactive } from '../../service/schemas/vocabulary.ts';
import type { StepIssues, Workflow } from '../../service/schemas/workflows.ts';

export interface WorkflowChecks {
  /** Problems that affect all rows. */
  problems: readonly string[];
  /** Messages of the service that prevent no delivery. */
  notes: readonly string[];
  /** Whether no row can be delivered. */
  isBlocked: boolean;
  /** The reason why a row cannot be delivered. */
  checkRow: (row: RecipientRow) => string | undefined;
}

/** Reads the workflow. Returns undefined, after a note, if no service is configured. */
export async function openWorkflowChecks(
  context: Context,
  workflowId: string,
): Promise<WorkflowChecks | undefined> {
  if (!context.connection.findTarget()) {
    context.note('No service is configured, so only the rows are checked, not the workflow.');
    return undefined;
  }
  const client = await context.client();
  const workflow = await client.call('getWorkflow', { path: { workflowId } });
  const blocking = listBlockingProblems(workflow, workflowId);
  const issues = listIssues(workflow);
  const integrationProblems = await listIntegrationProblems(context, workflow);
  const payloadError = await openPayloadCheck(context, workflow);
  return {
    problems: [...blocking, ...issues.problems, ...integrationProblems],
    notes: issues.notes,
    isBlocked: blocking.length > 0,
    checkRow: (row) =>
      [payloadError(row.payload), ...missingAddresses(workflow, row)].filter(Boolean).join('; ') ||
      undefined,
  };
}

function listBlockingProblems(workflow: Workflow, workflowId: string): string[] {
  return [
    ...(isInactive(workflow) ? [`The workflow ${workflowId} is inactive.`] : []),
    ...(workflow.steps.length === 0 ? [`The workflow ${workflowId} has no steps.`] : []),
  ];
}

function listIssues({ issues = {}, steps }: Workflow) {
  const ofWorkflow = Object.entries(issues).map(
    ([field, { message }]) => `The workflow has an issue: ${field}: ${message}`,
  );
  const ofSteps = steps.flatMap(({ stepId, issues: stepIssues }) =>
    listStepIssues(stepIssues).map(({ field, issueType, message, severity }) => ({
      text: `The step ${stepId} has an issue: ${field}: ${message}`,
      isNote: severity === 'warning' || isUnopenedInbox(field, issueType, message),
    })),
  );
  const issueTexts = (isNote: boolean) =>
    ofSteps.filter((issue) => issue.isNote === isNote).map(({ text }) => text);
  return { problems: [...ofWorkflow, ...issueTexts(false)], notes: issueTexts(true) };
}

const listStepIssues = ({ controls = {}, integration = {} }: StepIssues = {}) =>
  [controls, integration].flatMap((byField) =>
    Object.entries(byField).flatMap(([field, list]) => list.map((issue) => ({ field, ...issue }))),
  );

/** No application has opened the inbox yet. The service delivers in-app messages nevertheless. */
const isUnopenedInbox = (field: string, issueType: string, message: string) =>
  field === 'in_app' &&
  (issueType === 'INBOX_NOT_CONNECTED' || /^inbox is not connected/i.test(message));

const listChannels = ({ steps }: Workflow): string[] => [
  ...new Set(steps.map(({ type }) => type).filter(isChannel)),
];

/** Channels of the workflow without an active integration. Empty if the service cannot list integrations. */
async function listIntegrationProblems(context: Context, workflow: Workflow): Promise<string[]> {
  const service = await context.connection.service();
  const integrations = await service.client.call('listIntegrations', {}).catch(ignoreUnreadable);
  if (!Array.isArray(integrations)) return [];
  const environmentId = await readEnvironmentId(service).catch(ignoreUnreadable);
  const active = new Set(
    integrations
      .filter((integration) => integration.active)
      .filter(
        (integration) =>
          environmentId === undefined || integration._environmentId === environmentId,
      )
      .map(({ channel }) => channel),
  );
  return listChannels(workflow)
    .filter((channel) => !active.has(channel))
    .map((channel) => `The channel ${channel} has no active integration.`);
}

/** The server does not offer the operation, or not to this key. */
function ignoreUnreadable(error: unknown): undefined {
  if (error instanceof SvcError && (error.details.notOffered || error.details.status === 403))
    return undefined;
  throw error;
}

async function openPayloadCheck(context: Context, workflow: Workflow) {
  if (!workflow.payloadSchema) return () => undefined;
  const { payloadErrors } = await context.sandbox();
  return (payload: Record<string, unknown>) =>
    payloadErrors(workflow, structuredClone(payload))
      .map((message) => message.replace(/^Payload validation failed: /, 'payload: '))
      .join('; ');
}

/** Names the columns of addresses that an event does not send: the service uses the addresses that it has stored. */
export function warnAboutUnsentAddresses(
  context: Context,
  source: RecordSource,
  options: FieldOptions,
): void {
  const fields: readonly string[] = Object.values(addressFields);
  for (const { index, field, place } of resolveColumns(source, options, { payload: true }) ?? []) {
    const column = source.header?.[index] ?? field;
    if (place === 'field' && fields.includes(field))
      context.note(`The column ${column} is not sent; add --update-subscribers.`);
  }
}

/** A row without the column may belong to a subscriber whose address the service has. */
function missingAddresses(workflow: Workflow, { subscriber, fields }: RecipientRow): string[] {
  return listChannels(workflow).flatMap((channel) => {
    if (channel !== 'email' && channel !== 'sms') return [];
    const field = addressFields[channel];
    if (!fields.has(field)) return [];
    const value = subscriber[field];
    const isPresent = typeof value === 'string' && value !== '';
    if (!isPresent) return [`${field}: is missing, but the workflow has a step for ${channel}`];
    return field === 'email' && !looksLikeEmail(value) ? [`${field}: not an e-mail address`] : [];
  });
}

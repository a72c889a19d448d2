// The columns of workflows, their steps and their issues.

import type { IssueRow } from '../../environment/push-types.ts';
import { type Column, chooseTone, type RecordPart, type Tone } from '../../output/result.ts';
import type { Workflow, WorkflowStep, WorkflowSummary } from '../../service/schemas/workflows.ts';

const statusTones: Record<string, Tone> = { ACTIVE: 'good', INACTIVE: 'muted', ERROR: 'bad' };
const statusTone = ({ status }: { status: string }): Tone => chooseTone(statusTones, status);

export const workflowColumns: readonly Column<WorkflowSummary>[] = [
  { field: 'workflowId', header: 'WORKFLOW', tone: () => 'strong' },
  { field: 'name', header: 'NAME', shrink: 16, drop: 4 },
  { field: 'status', header: 'STATUS', tone: statusTone },
  { field: 'stepTypeOverviews', header: 'STEPS', shrink: 16, drop: 1 },
  { field: 'tags', header: 'TAGS', drop: 8 },
  { field: 'lastTriggeredAt', header: 'TRIGGERED', time: true, drop: 3 },
  { field: 'updatedAt', header: 'UPDATED', time: true, drop: 6 },
  { field: 'origin', header: 'ORIGIN', drop: 7 },
  { field: 'slug', header: 'SLUG', drop: 9 },
  { field: '_id', header: 'ID', drop: 10, tone: () => 'muted' },
];

export const workflowFields: readonly Column<Workflow>[] = [
  { field: 'workflowId', header: 'WORKFLOW', tone: () => 'strong' },
  { field: 'name', header: 'NAME' },
  { field: 'description', header: 'DESCRIPTION' },
  { field: 'status', header: 'STATUS', tone: statusTone },
  {
    field: 'severity',
    header: 'SEVERITY',
    tone: ({ severity }) => (severity === 'high' ? 'warn' : 'plain'),
  },
  { field: 'tags', header: 'TAGS' },
  { field: 'origin', header: 'ORIGIN' },
  { field: 'lastTriggeredAt', header: 'TRIGGERED', time: true },
  { field: 'updatedAt', header: 'UPDATED', time: true },
  { field: 'slug', header: 'SLUG' },
  { field: '_id', header: 'ID', tone: () => 'muted' },
];

export const stepColumns: readonly Column<WorkflowStep>[] = [
  { field: 'stepId', header: 'STEP', tone: () => 'strong' },
  { field: 'type', header: 'TYPE' },
  { field: 'name', header: 'NAME', shrink: true },
];

export const stepFields: readonly Column<WorkflowStep>[] = [
  { field: 'stepId', header: 'STEP', tone: () => 'strong' },
  { field: 'name', header: 'NAME' },
  { field: 'type', header: 'TYPE' },
  { field: 'workflowId', header: 'WORKFLOW' },
  { field: 'origin', header: 'ORIGIN' },
  { field: 'slug', header: 'SLUG' },
  { field: '_id', header: 'ID', tone: () => 'muted' },
];

const issueColumns: readonly Column<IssueRow>[] = [
  { field: 'step', header: 'STEP', tone: () => 'strong' },
  { field: 'field', header: 'FIELD' },
  { field: 'issue', header: 'ISSUE', tone: () => 'bad' },
  { field: 'message', header: 'MESSAGE', shrink: 20, wrap: true },
];

/** The table of issues. Empty if there are none. */
export function issuePart(rows: readonly IssueRow[]): RecordPart[] {
  if (rows.length === 0) return [];
  return [{ title: 'Issues', rows, columns: issueColumns as never, empty: '' }];
}

/** The control values of a step as rows. */
export const controlRows = (values: Record<string, unknown> | undefined) =>
  Object.entries(values ?? {}).map(([name, value]) => ({ name, value }));

export const controlColumns: readonly Column<{ name: string; value: unknown }>[] = [
  { field: 'name', header: 'CONTROL' },
  { field: 'value', header: 'VALUE', shrink: true },
];

// Workflow definitions.
import { unitMs } from '../../core/durations.ts';
import type { StepFilter } from '../../service/schemas/step-filters.ts';
import type {
  OrderDirection,
  Severity,
  StepType,
  WorkflowOrder,
  WorkflowOrigin,
  WorkflowStatus,
} from '../../service/schemas/vocabulary.ts';
import type { StepIssues, Workflow } from '../../service/schemas/workflows.ts';
import type { StepV1 } from '../../service/schemas/workflows-v1.ts';
import type { CompleteSettings } from '../../service/workflow-defaults.ts';
import type { Scope } from './scope.ts';
import { toJson } from './sql.ts';
import { createTable, isOneOf, joinConditions, updateRow } from './table.ts';

export interface StepDefinition {
  id: string;
  stepId: string;
  name: string;
  type: StepType;
  active: boolean;
  controlValues: Record<string, unknown>;
  issues?: StepIssues;
  filters?: StepFilter[];
  shouldStopOnFail?: boolean;
  /** Content of single providers, by their id. */
  providerOverrides?: Record<string, unknown>;
  /** The schema of the control values of a step that code of an application defines. */
  controlSchema?: Record<string, unknown>;
}

/** The issues of the content of a step, without the issues of its integration. */
export function contentIssues({ issues }: StepDefinition) {
  const { integration: _, ...content } = issues ?? {};
  return content;
}

/** The types of the active steps. */
export const activeTypes = ({ steps }: Pick<StoredWorkflow, 'steps'>): Set<string> =>
  new Set(steps.flatMap(({ active, type }) => (active ? [type] : [])));

type Settings = Omit<CompleteSettings, 'description' | 'severity' | 'isTranslationEnabled'>;

export interface WorkflowBody extends Settings {
  description: string | null;
  origin: WorkflowOrigin;
  severity: Severity;
  /** Absent: false. */
  isTranslationEnabled?: boolean | undefined;
  payloadExample: Record<string, unknown> | null;
  preferences: Workflow['preferences'];
  steps: StepDefinition[];
  agent?: Record<string, unknown> | null | undefined;
  /** The definition that the endpoint of an application returned. */
  discovered?: object;
  /** Given in version 1 of the routes, and only returned there. */
  older?: { groupId?: string | undefined; steps?: StepV1[] | undefined; data?: object | undefined };
}

export interface StoredWorkflow extends WorkflowBody {
  /** When it was synced to another environment. */
  lastPublishedAt?: string;
  id: string;
  identifier: string;
  name: string;
  status: WorkflowStatus;
  tags: string[];
  createdAt: string;
  updatedAt: string;
  lastTriggeredAt: string | null;
}

const workflows = createTable<StoredWorkflow>({
  name: 'workflows',
  columns: {
    id: 'id',
    identifier: 'identifier',
    name: 'name',
    status: 'status',
    tags: 'tags',
    createdAt: 'created_at',
    updatedAt: 'updated_at',
    lastTriggeredAt: 'last_triggered_at',
  },
  json: ['tags'],
});

export const findWorkflow = (
  scope: Scope,
  by: 'id' | 'identifier',
  value: string,
): StoredWorkflow | undefined => workflows.find(scope, `${by} = ?`, value);

export const allWorkflows = (scope: Scope): StoredWorkflow[] =>
  workflows.all(scope, 'true ORDER BY created_at, id');

export const allWorkflowsOfOrganization = (scope: Scope): StoredWorkflow[] =>
  workflows.allOfOrganization(scope, 'true ORDER BY created_at, id');

export interface WorkflowSearch {
  query?: string | undefined;
  tags?: string[] | undefined;
  status?: string[] | undefined;
  orderBy: WorkflowOrder;
  orderDirection: OrderDirection;
  limit: number;
  offset: number;
}

const orderColumns: Record<WorkflowOrder, string> = {
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  name: 'name COLLATE NOCASE',
  lastTriggeredAt: 'last_triggered_at',
};

export function searchWorkflows(
  scope: Scope,
  { query, tags, status, orderBy, orderDirection, limit, offset }: WorkflowSearch,
): { workflows: StoredWorkflow[]; totalCount: number } {
  const { text, values } = joinConditions([
    ['instr(search, ?) > 0', query?.toLowerCase() || undefined],
    [isOneOf('status'), status && toJson(status)],
    [
      `EXISTS (SELECT 1 FROM json_each(workflows.tags) have
      JOIN json_each(?) want ON want.value = have.value)`,
      tags && toJson(tags),
    ],
  ]);
  // Workflows that were never triggered stay in the order of their creation.
  const idDirection = orderBy === 'lastTriggeredAt' ? 'ASC' : orderDirection;
  const order = `${orderColumns[orderBy]} ${orderDirection}, id ${idDirection}`;
  return {
    workflows: workflows.all(
      scope,
      `${text} ORDER BY ${order} LIMIT ? OFFSET ?`,
      ...values,
      limit,
      offset,
    ),
    totalCount: workflows.count(scope, text, ...values),
  };
}

export const insertWorkflow = (scope: Scope, workflow: StoredWorkflow): void =>
  workflows.insert(scope, workflow, searchText(workflow));

/** Saves a changed workflow, with `now` as the time of the change. */
export const saveWorkflow = (scope: Scope, workflow: StoredWorkflow): void =>
  workflows.update(scope, { ...workflow, updatedAt: scope.now }, searchText(workflow));

/** Deletes a workflow and the preferences of subscribers for it. Its history stays. */
export function removeWorkflow({ sql, environmentId }: Scope, id: string): void {
  sql.run('DELETE FROM preferences WHERE env = ? AND workflow = ?', environmentId, id);
  sql.run('DELETE FROM workflows WHERE id = ?', id);
}

export const countWorkflows = (scope: Scope): number => workflows.count(scope, 'true');

const searchText = ({ identifier, name }: StoredWorkflow) => ({
  search: `${identifier}\n${name}`.toLowerCase(),
});

export function recordTriggered(
  { sql, now, dialect }: Scope,
  { id, lastTriggeredAt }: StoredWorkflow,
): void {
  const last = dialect.delaysLastTriggered ? Date.parse(lastTriggeredAt ?? '') : Number.NaN;
  if (Date.parse(now) - last <= 5 * unitMs.m) return;
  updateRow(sql, 'workflows', id, { last_triggered_at: now });
}

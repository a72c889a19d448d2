// Workflow definitions.
import type { StepFilter } from '../../api/schemas/step-filters.ts';
import type {
  OrderDirection,
  Severity,
  StepType,
  WorkflowOrder,
  WorkflowOrigin,
  WorkflowStatus,
} from '../../api/schemas/vocabulary.ts';
import type { StepIssues } from '../../api/schemas/workflow-issues.ts';
import type { Workflow } from '../../api/schemas/workflows.ts';
import type { SqlValue } from './driver.ts';
import type { Scope } from './scope.ts';
import { fromJson, toJson } from './sql.ts';

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
}

export interface WorkflowBody {
  description: string | null;
  origin: WorkflowOrigin;
  severity: Severity;
  active: boolean;
  validatePayload: boolean;
  payloadSchema: Record<string, unknown> | null;
  payloadExample: Record<string, unknown> | null;
  preferences: Workflow['preferences'];
  steps: StepDefinition[];
}

export interface StoredWorkflow extends WorkflowBody {
  id: string;
  identifier: string;
  name: string;
  status: WorkflowStatus;
  tags: string[];
  createdAt: string;
  updatedAt: string;
  lastTriggeredAt: string | null;
}

interface Row {
  id: string;
  identifier: string;
  name: string;
  status: WorkflowStatus;
  tags: string;
  created_at: string;
  updated_at: string;
  last_triggered_at: string | null;
  body: string;
}

const columns =
  'id, identifier, name, status, tags, created_at, updated_at, last_triggered_at, body';

const fromRow = (row: Row): StoredWorkflow => ({
  id: row.id,
  identifier: row.identifier,
  name: row.name,
  status: row.status,
  tags: fromJson<string[]>(row.tags),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  lastTriggeredAt: row.last_triggered_at,
  ...fromJson<WorkflowBody>(row.body),
});

export function findWorkflow(
  { sql, environmentId }: Scope,
  by: 'id' | 'identifier',
  value: string,
): StoredWorkflow | undefined {
  const row = sql.get<Row>(
    `SELECT ${columns} FROM workflows WHERE env = ? AND ${by} = ?`,
    environmentId,
    value,
  );
  return row && fromRow(row);
}

export const allWorkflows = ({ sql, environmentId }: Scope): StoredWorkflow[] =>
  sql
    .all<Row>(
      `SELECT ${columns} FROM workflows WHERE env = ? ORDER BY created_at, id`,
      environmentId,
    )
    .map(fromRow);

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
  { sql, environmentId }: Scope,
  { query, tags, status, orderBy, orderDirection, limit, offset }: WorkflowSearch,
): { workflows: StoredWorkflow[]; totalCount: number } {
  const where = ['env = ?'];
  const values: SqlValue[] = [environmentId];
  const addCondition = (text: string, value: SqlValue) => {
    where.push(text);
    values.push(value);
  };
  if (query) addCondition('instr(search, ?) > 0', query.toLowerCase());
  if (status) addCondition('status IN (SELECT value FROM json_each(?))', toJson(status));
  if (tags) {
    addCondition(
      `EXISTS (SELECT 1 FROM json_each(workflows.tags) have
      JOIN json_each(?) want ON want.value = have.value)`,
      toJson(tags),
    );
  }
  const from = `FROM workflows WHERE ${where.join(' AND ')}`;
  // Workflows that were never triggered stay in the order of their creation.
  const idDirection = orderBy === 'lastTriggeredAt' ? 'ASC' : orderDirection;
  const order = `${orderColumns[orderBy]} ${orderDirection}, id ${idDirection}`;
  const rows = sql.all<Row>(
    `SELECT ${columns} ${from} ORDER BY ${order} LIMIT ? OFFSET ?`,
    ...values,
    limit,
    offset,
  );
  const counted = sql.get<{ count: number }>(`SELECT count(*) AS count ${from}`, ...values);
  return { workflows: rows.map(fromRow), totalCount: counted?.count ?? 0 };
}

export function insertWorkflow({ sql, environmentId }: Scope, workflow: StoredWorkflow): void {
  const { id, identifier, name, status, tags, createdAt, updatedAt, lastTriggeredAt, ...body } =
    workflow;
  sql.run(
    `INSERT INTO workflows (id, env, identifier, name, search, status, tags, created_at, updated_at,
     last_triggered_at, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    environmentId,
    identifier,
    name,
    searchText(identifier, name),
    status,
    toJson(tags),
    createdAt,
    updatedAt,
    lastTriggeredAt,
    toJson(body),
  );
}

/** Saves a changed workflow, with `now` as the time of the change. */
export function saveWorkflow({ sql, now }: Scope, workflow: StoredWorkflow): void {
  const { id, identifier, name, status, tags, createdAt, updatedAt, lastTriggeredAt, ...body } =
    workflow;
  sql.run(
    `UPDATE workflows SET name = ?, search = ?, status = ?, tags = ?, updated_at = ?, body = ?
     WHERE id = ?`,
    name,
    searchText(identifier, name),
    status,
    toJson(tags),
    now,
    toJson(body),
    id,
  );
}

/** Deletes a workflow and the preferences of subscribers for it. Its history stays. */
export function removeWorkflow({ sql, environmentId }: Scope, id: string): void {
  sql.run('DELETE FROM preferences WHERE env = ? AND workflow = ?', environmentId, id);
  sql.run('DELETE FROM workflows WHERE id = ?', id);
}

export const countWorkflows = ({ sql, environmentId }: Scope): number =>
  sql.get<{ count: number }>('SELECT count(*) AS count FROM workflows WHERE env = ?', environmentId)
    ?.count ?? 0;

const searchText = (identifier: string, name: string) => `${identifier}\n${name}`.toLowerCase();

export function recordTriggered({ sql, now }: Scope, id: string): void {
  sql.run('UPDATE workflows SET last_triggered_at = ? WHERE id = ?', now, id);
}

// The data of a push: what is wanted, planned and written.
import type { Service } from '../app/context.ts';
import type { ExitReason, SvcError } from '../core/errors.ts';
import type { OutputFile } from '../platform/files/output-file.ts';
import type { WorkflowStep } from '../service/schemas/workflows.ts';
import type { CredentialTypes, Variables } from './credentials.ts';
import type { WantedResource } from './folder.ts';
import type { PlanItem } from './plan.ts';
import type { FoundResource, SkippedResource } from './remote.ts';
import type { ResourceKind } from './resource.ts';
import type { PlanFile } from './reviewed-plan.ts';

export type PushCommand = 'environments push' | 'workflows push' | 'workflows promote';

export interface Push {
  command: PushCommand;
  wanted: readonly WantedResource[];
  /** The kinds that the source contains; --delete removes resources of these kinds. */
  kinds: readonly ResourceKind[];
  /** Resources that cannot be written, with the reason. */
  skipped?: readonly SkippedResource[];
  target: Service;
  deleteOthers: boolean;
  isCheck: boolean;
  /** Where the resources come from, for messages. */
  source: string;
  /** The command line that `svc runs` shows and `svc runs resume` runs again. */
  run: { args: Record<string, unknown>; options: Record<string, unknown> };
  /** Given if the source can contain credentials. */
  credentials?: CredentialRules;
  /** The file to write the plan to, and the options that it records. */
  savePlan?: { file: OutputFile; options: Record<string, unknown> } | undefined;
  /** The plan to apply, instead of a new one. */
  reviewed?: PlanFile | undefined;
  /** Errors of resources that the service would report after a write. */
  findErrors?: (resource: WantedResource) => Promise<readonly string[]>;
}

interface CredentialRules {
  /** Whether credentials of existing integrations are written, too. */
  areWritten: boolean;
  /** Whether new integrations may lack credentials that their providers require. */
  allowMissing: boolean;
  variables: Variables;
  types: CredentialTypes;
}

/** A planned item with the response that the plan is based on. */
export type PlannedItem = PlanItem<FoundResource>;

export interface WriteResult {
  kind: ResourceKind;
  id: string;
  result: 'written' | 'skipped' | 'failed';
  /** The status that the service reports for a workflow. */
  status: string | null;
  issues: IssueRow[];
  /** Why it was not written as planned. */
  message?: string;
}

export const emptyResult = ({ kind, id }: Pick<PlannedItem, 'kind' | 'id'>): WriteResult => ({
  kind,
  id,
  result: 'written',
  status: null,
  issues: [],
});

/** Whether the service has made a change: `maybe` if no response confirms it. */
export type Written = 'yes' | 'no' | 'maybe';

/** Why the push ended early. */
export interface Stop {
  item?: PlannedItem;
  /** Whether the service has changed the item. */
  written?: Written;
  /** The error of a request. */
  error?: SvcError;
  /** A signal. */
  signal?: ExitReason;
}

export interface PushOutcome {
  push: Push;
  plan: readonly PlannedItem[];
  /** The workflows that use a layout to delete, by layout. */
  usage: ReadonlyMap<string, readonly string[]>;
  /** Items of a reviewed plan that are not written, because they have changed since. */
  outdated: readonly WriteResult[];
  results: readonly WriteResult[];
  stop: Stop | undefined;
  backup?: string | undefined;
}

// The issues that the service reports for the steps of a workflow.

/** An issue of a step. */
export interface IssueRow {
  step: string;
  field: string;
  issue: string;
  /** A warning says so. */
  message: string;
}

/** The issues of a step as rows: issues of its controls, then of its integration. */
export function issueRows({ stepId, issues }: Pick<WorkflowStep, 'stepId' | 'issues'>): IssueRow[] {
  return [issues?.controls, issues?.integration].flatMap((issuesByField) =>
    Object.entries(issuesByField ?? {}).flatMap(([field, list]) =>
      list.map(({ issueType, message, severity }) => ({
        step: stepId,
        field,
        issue: issueType,
        message: severity === 'warning' ? `warning: ${message}` : message,
      })),
    ),
  );
}

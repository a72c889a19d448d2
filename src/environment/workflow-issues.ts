// The issues that the service reports for the steps of a workflow.
import type { WorkflowStep } from '../service/schemas/workflows.ts';

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

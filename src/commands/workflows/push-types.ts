// The data of a push: what is wanted, planned and written.
import type { Service } from '../../app/context.ts';
import type { ExitReason, SvcError } from '../../core/errors.ts';
import type { Resource } from '../../workflow-files/normal-form.ts';
import type { PlanItem } from '../../workflow-files/plan.ts';
import type { ResourceFile } from '../../workflow-files/read-folder.ts';
import type { FoundResource } from '../shared/remote-workflows.ts';
import type { SkippedResource } from '../shared/skipped-resources.ts';

export interface Push {
  wanted: readonly ResourceFile[];
  /** Resources that cannot be written, with the reason. */
  skipped?: readonly SkippedResource[];
  target: Service;
  deleteOthers: boolean;
  isCheck: boolean;
  /** Where the resources come from, for messages. */
  source: string;
  /** The command line that `svc runs` shows and `svc runs resume` runs again. */
  run: { command: string; args: Record<string, unknown>; options: Record<string, unknown> };
}

/** A planned item with the response that the plan is based on. */
export type PlannedItem = PlanItem<FoundResource>;

export interface WriteResult {
  kind: Resource['kind'];
  id: string;
  result: 'written' | 'skipped' | 'failed';
  /** The status that the service reports for a workflow. */
  status: string | null;
  issues: { step: string; field: string; issue: string; message: string }[];
  /** Why it was not written as planned. */
  message?: string;
}

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
  results: readonly WriteResult[];
  stop: Stop | undefined;
  backup?: string | undefined;
}

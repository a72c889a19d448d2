// Selects the layout of an e-mail: the event names one for the step, for the channel or for all of it; then the step, or
// the default layout. Null means no layout.
import { detailTexts } from '../../service/execution-details.ts';
import type { StoredJob } from '../store/jobs.ts';
import type { StoredLayout } from '../store/layouts.ts';
import type { Scope } from '../store/scope.ts';
import { valueAt } from './paths.ts';
import { defaultLayout, layoutNamed } from './read-once.ts';
import { recordDetail } from './record-detail.ts';

/** Throws if there is no such layout. */
export function selectLayout(
  scope: Scope,
  job: StoredJob,
  layoutOfStep: unknown,
  overrides: Record<string, unknown>,
): StoredLayout | undefined {
  const [chosen] = [
    valueAt(overrides, `steps.${job.stepId}.layoutId`),
    valueAt(overrides, 'channels.email.layoutId'),
    overrides.layoutIdentifier || undefined,
    layoutOfStep,
    scope.dialect.usesDefaultLayout ? defaultLayout(scope)?.layoutId : undefined,
  ].filter((value) => value !== undefined);
  if (typeof chosen !== 'string' || chosen === '') return undefined;
  const layout = layoutNamed(scope, chosen);
  if (layout) {
    const { name, layoutId } = layout;
    recordDetail(scope, job, 'Pending', detailTexts.layoutSelected, { name, layoutId });
    return layout;
  }
  const error = `Layout not found for id ${chosen} in the environment ${scope.environmentId}`;
  // The service writes the detail with a space at its end.
  recordDetail(scope, job, 'Failed', detailTexts.layoutNotFound, { layoutId: chosen, error });
  throw new Error(error);
}

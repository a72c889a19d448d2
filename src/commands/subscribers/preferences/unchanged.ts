// Finds the changes of a preferences update that the service ignored.

import type { Context } from '../../../app/context.ts';
import { type Channels, isUnchanged } from '../../../bulk/operations/unchanged-preferences.ts';
import { isObjectId } from '../../../service/rules/formats.ts';
import type { Preferences, UpdatedPreferences } from '../../../service/schemas/preferences.ts';

/** The workflows whose preferences did not change; `(all)` for the global preferences. */
export interface Unchanged {
  critical: string[];
  others: string[];
}

interface Update {
  /** The response: one entry for each of several workflows, or the preferences. */
  value: Preferences | UpdatedPreferences;
  /** The preferences for all workflows after the update. */
  after: Preferences;
}

export async function findUnchanged(
  context: Context,
  { channels, workflowId }: Record<string, unknown>,
  { value, after }: Update,
): Promise<Unchanged> {
  const unchanged: Unchanged = { critical: [], others: [] };
  if (typeof channels !== 'object' || channels === null) return unchanged;
  const check = (name: string, applied: unknown, isCritical: boolean) => {
    if (isUnchanged(channels as Channels, { channels: applied, isCritical }))
      unchanged[isCritical ? 'critical' : 'others'].push(name);
  };
  if (Array.isArray(value)) {
    for (const entry of value)
      check(entry.workflow.identifier, entry.channels, entry.workflow.critical);
  } else if (typeof workflowId !== 'string') check('(all)', after.global.channels, false);
  else {
    const name = await toIdentifier(context, workflowId);
    const isNamed = ({ workflow }: Preferences['workflows'][number]) =>
      workflow.identifier === name || workflow.slug === name;
    const changed = after.workflows.find(isNamed);
    // The response lists only workflows that are not critical.
    if (changed)
      check(changed.workflow.identifier, changed.channels, !value.workflows.some(isNamed));
  }
  return unchanged;
}

/** Preferences contain no internal ids of workflows. */
async function toIdentifier(context: Context, workflowId: string): Promise<string> {
  if (!isObjectId(workflowId)) return workflowId;
  const client = await context.client();
  return (await client.call('getWorkflow', { path: { workflowId } })).workflowId;
}

/** Adds the result to each of several workflows, or the names of unchanged workflows to the preferences. */
export function withUnchanged(value: Update['value'], { critical, others }: Unchanged): unknown {
  const names = [...critical, ...others];
  if (!Array.isArray(value)) return names.length === 0 ? value : { ...value, unchanged: names };
  return value.map((entry) => ({
    ...entry,
    result: names.includes(entry.workflow.identifier) ? 'unchanged' : 'updated',
  }));
}

/** The warning about workflows that have not changed; undefined if all have. */
export function unchangedWarning(critical: Iterable<string>, others: Iterable<string>) {
  const [ignored, different] = [[...critical], [...others]];
  const texts = [
    ...(ignored.length > 0
      ? [
          `The service ignores the changes for critical workflows. Unchanged: ${ignored.join(', ')}.`,
        ]
      : []),
    ...(different.length > 0
      ? [`The service accepted changes but did not make them. Unchanged: ${different.join(', ')}.`]
      : []),
  ];
  return texts.length > 0 ? texts.join(' ') : undefined;
}

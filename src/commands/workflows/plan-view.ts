// Shows a plan: one block per resource that changes, then the counts.
import { listText } from '../../core/text.ts';
import { renderDiff } from '../../diff/render.ts';
import type { Line } from '../../output/result.ts';
import { countActions, type PlanItem } from '../../workflow-files/plan.ts';
import { environmentName } from '../shared/environment-name.ts';
import type { PushOutcome } from './push-types.ts';

const marks = { create: '+', update: '~', delete: '-' } as const;

/** `width`: the columns of a terminal. */
export function planLines({ push, plan, usage }: PushOutcome, width: number | undefined): Line[] {
  const target = environmentName(push.target.place);
  const items = plan.flatMap((item) => {
    const { kind, id, action, changes } = item;
    if (action === 'unchanged') return [];
    const { value } = item.wanted ?? item.current?.resource ?? {};
    const about = value && value.name !== id ? `"${value.name}"` : undefined;
    return [{ mark: marks[action], kind, id, about, changes, notes: notesOf(item, usage) }];
  });
  return [
    `Plan for ${target}, from ${push.source}:`,
    [],
    ...renderDiff(items, width),
    ...(items.length === 0 ? [] : [[]]),
    `${describeCounts(countActions(plan))}.`,
  ];
}

function notesOf({ kind, id, action, wanted }: PlanItem, usage: PushOutcome['usage']): string[] {
  if (action === 'create' && wanted?.kind === 'workflow') {
    const steps = wanted.value.steps.map(({ stepId, type }) =>
      stepId.replaceAll('-', '_') === type ? stepId : `${stepId} (${type})`,
    );
    return [`steps: ${steps.join(', ') || 'none'}`];
  }
  const users = usage.get(id) ?? [];
  return kind === 'layout' && action === 'delete' && users.length > 0
    ? [`The service removes it from the steps of ${listText(users)}.`]
    : [];
}

type Counts = ReturnType<typeof countActions>;

/** `2 to create, 1 to update`. */
export const describeWrites = (counts: Counts): string =>
  (['create', 'update', 'delete'] as const)
    .filter((action) => counts[action] > 0)
    .map((action) => `${counts[action]} to ${action}`)
    .join(', ');

/** `2 to create, 1 to update, 3 unchanged`. */
export const describeCounts = (counts: Counts): string =>
  [describeWrites(counts), counts.unchanged > 0 ? `${counts.unchanged} unchanged` : '']
    .filter((part) => part !== '')
    .join(', ') || 'nothing to do';

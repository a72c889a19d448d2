// The plan of a push as people read it.
import { listText } from '../../../core/text.ts';
import { renderDiff } from '../../../diff/render.ts';
import { inAppChannel } from '../../../environment-files/credentials.ts';
import { countActions } from '../../../environment-files/plan.ts';
import { distinctName } from '../../../environment-files/resource.ts';
import type { Line } from '../../../output/result.ts';
import { environmentName } from '../environments.ts';
import type { PlannedItem, PushOutcome } from './push-types.ts';

const marks = { create: '+', update: '~', delete: '-' } as const;

/** `width`: the columns of a terminal. */
export function planLines({ push, plan, usage }: PushOutcome, width: number | undefined): Line[] {
  const target = environmentName(push.target.place);
  const items = plan.flatMap((item) => {
    const { kind, id, action, changes } = item;
    if (action === 'unchanged') return [];
    const resource = item.wanted ?? item.current?.resource;
    const name = resource && distinctName(resource);
    const about = name === undefined ? undefined : `"${name}"`;
    return [{ mark: marks[action], kind, id, about, changes, notes: planNotes(item, usage) }];
  });
  return [
    `Plan for ${target}, from ${push.source}:`,
    [],
    ...renderDiff(items, width),
    ...(items.length === 0 ? [] : [[]]),
    `${describeCounts(countActions(plan))}.`,
  ];
}

function planNotes(item: PlannedItem, usage: PushOutcome['usage']): string[] {
  const { kind, id, action, wanted } = item;
  if (action === 'create' && wanted?.kind === 'workflow') {
    const steps = wanted.value.steps.map(({ stepId, type }) =>
      stepId.replaceAll('-', '_') === type ? stepId : `${stepId} (${type})`,
    );
    return [`steps: ${steps.join(', ') || 'none'}`];
  }
  if (action === 'delete' && kind === 'topic')
    return ['The service removes the subscriptions to it, too.'];
  const users = usage.get(id) ?? [];
  if (kind === 'layout' && action === 'delete' && users.length > 0)
    return [`The service removes it from the steps of ${listText(users)}.`];
  return kind === 'integration' ? credentialNotes(item) : [];
}

/** Says whether credentials differ, without their values. */
function credentialNotes({ action, credentials, wanted, missing = [] }: PlannedItem): string[] {
  if (missing.length > 0)
    return [`credentials: without ${listText(missing)}, so it is created inactive`];
  if (!credentials)
    return action === 'create' &&
      wanted?.kind === 'integration' &&
      wanted.value.channel !== inAppChannel
      ? ['credentials: none in the file']
      : [];
  const { state, isWritten } = credentials;
  if (action === 'create') return ['credentials: from the file'];
  if (isWritten || state === 'equal') return [`credentials: ${state}`];
  return [`credentials: ${state}, not written without --with-credentials`];
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

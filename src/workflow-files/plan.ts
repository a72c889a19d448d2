// The plan of a push: what is created, updated and deleted in an environment so that it equals the given resources.
import { type Change, compare } from '../diff/compare.ts';
import { isFileId, type Resource } from './normal-form.ts';

/** A workflow or layout as an environment has it. */
export interface RemoteResource {
  resource: Resource;
  updatedAt: string;
  /** Workflows that are defined in code are never written. */
  origin: string;
  /** The default layout, which the service does not delete. */
  isDefault: boolean;
}

export interface PlanItem<R extends RemoteResource = RemoteResource> {
  kind: Resource['kind'];
  id: string;
  action: 'create' | 'update' | 'unchanged' | 'delete';
  changes: Change[];
  /** The value to write; undefined for a deletion. */
  wanted?: Resource;
  /** As the environment had it when the plan was made; undefined for a creation. */
  current?: R;
}

/** Origin of workflows that are edited in the service. */
export const editableOrigin = 'novu-cloud';

/** In the order of the writes: layouts before the workflows that refer to them, deletions last. */
export function makePlan<R extends RemoteResource>(
  wanted: readonly Resource[],
  current: readonly R[],
  deleteOthers: boolean,
): PlanItem<R>[] {
  const find = (kind: Resource['kind'], id: string) =>
    current.find(({ resource }) => resource.kind === kind && resource.id === id);
  const writes = wanted.map((resource): PlanItem<R> => {
    const { kind, id } = resource;
    const existing = find(kind, id);
    if (!existing) return { kind, id, action: 'create', changes: [], wanted: resource };
    const changes = compare(existing.resource.value, resource.value);
    const action = changes.length === 0 ? 'unchanged' : 'update';
    return { kind, id, action, changes, wanted: resource, current: existing };
  });
  const isWanted = ({ resource: { kind, id } }: RemoteResource) =>
    wanted.some((resource) => resource.kind === kind && resource.id === id);
  const deletions = current
    .filter((item) => deleteOthers && !isWanted(item) && isDeletable(item))
    .map(
      (item): PlanItem<R> => ({
        kind: item.resource.kind,
        id: item.resource.id,
        action: 'delete',
        changes: [],
        current: item,
      }),
    );
  const ofKind = (items: readonly PlanItem<R>[], kind: Resource['kind']) =>
    items.filter((item) => item.kind === kind).sort((a, b) => (a.id < b.id ? -1 : 1));
  return [
    ...ofKind(writes, 'layout'),
    ...ofKind(writes, 'workflow'),
    ...ofKind(deletions, 'workflow'),
    ...ofKind(deletions, 'layout'),
  ];
}

/** A folder cannot contain the others, so their absence means nothing. */
const isDeletable = ({ resource, origin, isDefault }: RemoteResource) =>
  isFileId(resource.id) && !isDefault && (resource.kind === 'layout' || origin === editableOrigin);

export const countActions = (plan: readonly PlanItem[]) => ({
  create: plan.filter(({ action }) => action === 'create').length,
  update: plan.filter(({ action }) => action === 'update').length,
  delete: plan.filter(({ action }) => action === 'delete').length,
  unchanged: plan.filter(({ action }) => action === 'unchanged').length,
});

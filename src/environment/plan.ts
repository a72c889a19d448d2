// The plan of a push: what is created, updated and deleted in an environment so that it equals the given resources.

import { missingCredentials } from '../service/providers.ts';
import { editableOrigin } from '../service/schemas/vocabulary.ts';
import { mask } from '../service/secret-fields.ts';
import { type Change, compare } from './compare.ts';
import type { ComparedCredentials, CredentialState, GivenCredentials } from './credentials.ts';
import { isFileId } from './normal-form.ts';
import {
  credentialsOf,
  isDefinition,
  keyText,
  type Resource,
  type ResourceKind,
  resourceKinds,
} from './resource.ts';

/** A resource as an environment has it. */
export interface RemoteResource {
  resource: Resource;
  updatedAt: string;
  /** Workflows that are defined in code are never written. */
  origin: string;
  /** The default layout or the in-app integration, which an environment keeps. */
  isPermanent: boolean;
}

export interface PlanItem<R extends RemoteResource = RemoteResource> {
  kind: ResourceKind;
  id: string;
  action: 'create' | 'update' | 'unchanged' | 'delete';
  changes: Change[];
  /** The value to write; undefined for a deletion. */
  wanted?: Resource;
  /** As the environment had it when the plan was made; undefined for a creation. */
  current?: R;
  /** Given for an integration whose file has credentials. */
  credentials?: { state: CredentialState; isWritten: boolean };
  /** The credentials that the provider of a new integration requires and the file lacks. */
  missing?: string[];
}

interface PlanRules<R extends RemoteResource> {
  deleteOthers: boolean;
  /** Secrets of existing integrations are written, too. */
  withCredentials?: boolean;
  /** New integrations that lack required credentials are inactive and not primary. */
  allowMissingCredentials?: boolean;
  compareCredentials?: (wanted: GivenCredentials, current: R) => ComparedCredentials;
}

/** In the order of the writes; deletions last, in the reverse order. */
export function makePlan<R extends RemoteResource>(
  given: readonly Resource[],
  current: readonly R[],
  rules: PlanRules<R>,
): PlanItem<R>[] {
  const existing = new Map(current.map((remote) => [keyText(remote.resource), remote]));
  const wantedKeys = new Set(given.map(keyText));
  const wanted = given.map((resource): Resource => {
    if (resource.kind !== 'integration' || existing.has(keyText(resource))) return resource;
    const isIncomplete = rules.allowMissingCredentials && missingIn(resource).length > 0;
    return isIncomplete
      ? { ...resource, value: { ...resource.value, active: false, primary: false } }
      : resource;
  });
  const writes = [...wanted, ...displacedPrimaries(wanted, current, wantedKeys, rules)].map(
    (resource) => planWrite(resource, existing.get(keyText(resource)), rules),
  );
  const deletions = current
    .filter((remote) => rules.deleteOthers && !wantedKeys.has(keyText(remote.resource)))
    .filter(isDeletable)
    .map((remote): PlanItem<R> => {
      const { kind, id } = remote.resource;
      return { kind, id, action: 'delete', changes: [], current: remote };
    });
  const ofKind = (items: readonly PlanItem<R>[], kind: ResourceKind) =>
    items
      .filter((item) => item.kind === kind)
      .sort((a, b) => Number(isPrimary(b)) - Number(isPrimary(a)) || (a.id < b.id ? -1 : 1));
  return [
    ...resourceKinds.flatMap((kind) => ofKind(writes, kind)),
    ...[...resourceKinds].reverse().flatMap((kind) => ofKind(deletions, kind)),
  ];
}

const missingIn = ({ value, credentials = {} }: Resource & { kind: 'integration' }): string[] =>
  missingCredentials(value.providerId ?? '', credentials);

/** Integrations without a file that stop being primary because a file makes another one primary. */
function displacedPrimaries(
  wanted: readonly Resource[],
  current: readonly RemoteResource[],
  wantedKeys: ReadonlySet<string>,
  { deleteOthers }: Pick<PlanRules<never>, 'deleteOthers'>,
): Resource[] {
  if (deleteOthers) return [];
  const channels = new Set(
    wanted.flatMap((resource) =>
      resource.kind === 'integration' && resource.value.primary ? [resource.value.channel] : [],
    ),
  );
  return current.flatMap(({ resource }): Resource[] => {
    if (resource.kind !== 'integration' || wantedKeys.has(keyText(resource))) return [];
    const { value } = resource;
    const isDisplaced = value.primary && channels.has(value.channel);
    const { kind, id } = resource;
    return isDisplaced ? [{ kind, id, value: { ...value, primary: false } }] : [];
  });
}

/** The primary integration of a channel takes the place of another one, so it comes first. */
const isPrimary = ({ wanted }: PlanItem) => wanted?.kind === 'integration' && wanted.value.primary;

function planWrite<R extends RemoteResource>(
  wanted: Resource,
  current: R | undefined,
  { withCredentials = false, compareCredentials }: PlanRules<R>,
): PlanItem<R> {
  const { kind, id } = wanted;
  const given = credentialsOf(wanted);
  const missing = wanted.kind === 'integration' ? missingIn(wanted) : [];
  if (!current)
    return {
      kind,
      id,
      action: 'create',
      changes: [],
      wanted,
      ...(given ? { credentials: { state: 'differ', isWritten: true } as const } : {}),
      ...(missing.length > 0 ? { missing } : {}),
    };
  const changes = compare(current.resource.value, wanted.value);
  const compared = given && compareCredentials?.(given, current);
  // The service replaces credentials as a whole, so a change of one field writes all.
  const isWritten =
    compared !== undefined &&
    (compared.readable.length > 0 || (withCredentials && compared.state !== 'equal'));
  const all = isWritten ? [...changes, ...shownChanges(compared)] : changes;
  return {
    kind,
    id,
    wanted,
    current,
    changes: all,
    action: all.length === 0 ? 'unchanged' : 'update',
    ...(compared ? { credentials: { state: compared.state, isWritten } } : {}),
  };
}

/** Credentials that cannot be compared are shown as a whole. */
const shownChanges = ({ changes }: ComparedCredentials): Change[] =>
  changes.length > 0 ? changes : [{ path: 'credentials', to: mask }];

/** A folder cannot contain the others, so their absence means nothing. */
const isDeletable = ({ resource, origin, isPermanent }: RemoteResource) =>
  !isPermanent &&
  (!isDefinition(resource) || isFileId(resource.id)) &&
  (resource.kind !== 'workflow' || origin === editableOrigin);

export const countActions = (plan: readonly PlanItem[]) => ({
  create: plan.filter(({ action }) => action === 'create').length,
  update: plan.filter(({ action }) => action === 'update').length,
  delete: plan.filter(({ action }) => action === 'delete').length,
  unchanged: plan.filter(({ action }) => action === 'unchanged').length,
});

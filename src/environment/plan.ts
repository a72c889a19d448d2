// The plan of a push: what is created, updated and deleted in an environment so that it equals the wanted resources.
// `svc diff` shows such a plan of two sides.

import { z } from 'zod';
import { usageError } from '../core/errors.ts';
import type { JsonObject } from '../core/objects.ts';
import { listText } from '../core/text.ts';
import {
  isOwnProvider,
  missingCredentials,
  missingUnseenCredentials,
} from '../service/providers.ts';
import { withPlainMessages } from '../service/schemas/plain-messages.ts';
import { stepFilterBody } from '../service/schemas/step-filters.ts';
import { editableOrigin } from '../service/schemas/vocabulary.ts';
import { isSecretCredential, mask } from '../service/secret-fields.ts';
import { type Change, compare, isSame } from './compare.ts';
import type { ComparedCredentials, CredentialState, GivenCredentials } from './credentials.ts';
import { secrecyProblem } from './listed-access.ts';
import { findWorkflowErrors } from './mistakes.ts';
import { isFileId, layoutReferences, type NormalWorkflow } from './normal-form.ts';
import type { PlannedItem, Push } from './push-types.ts';
import type { RemoteReader } from './remote.ts';
import {
  credentialsOf,
  isDefinition,
  isSameKey,
  keyText,
  type NormalIntegration,
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

type Compared = Pick<RemoteResource, 'resource'>;

export interface PlanItem<R extends Compared = RemoteResource> {
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

interface PlanRules<R extends Compared> {
  /** The resources to delete if they are not wanted. If absent, none is deleted. */
  isDeletable?: (remote: R) => boolean;
  /** Secrets of existing integrations are written, too. */
  withCredentials?: boolean;
  /** New integrations that lack required credentials are inactive and not primary. */
  allowMissingCredentials?: boolean;
  compareCredentials?: (wanted: GivenCredentials, current: R) => ComparedCredentials | undefined;
}

/** In the order of the writes; deletions last, in the reverse order. */
export function makePlan<R extends Compared>(
  resources: readonly Resource[],
  current: readonly R[],
  rules: PlanRules<R>,
): PlanItem<R>[] {
  const existing = new Map(current.map((remote) => [keyText(remote.resource), remote]));
  const wantedKeys = new Set(resources.map(keyText));
  const wanted = resources.map((resource): Resource => {
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
    .filter((remote) => !wantedKeys.has(keyText(remote.resource)) && rules.isDeletable?.(remote))
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
  current: readonly Compared[],
  wantedKeys: ReadonlySet<string>,
  { isDeletable }: Pick<PlanRules<never>, 'isDeletable'>,
): Resource[] {
  if (isDeletable) return [];
  return current.flatMap(({ resource }): Resource[] => {
    if (resource.kind !== 'integration' || wantedKeys.has(keyText(resource))) return [];
    const { kind, id, value } = resource;
    const isDisplaced = value.primary && hasPrimaryOf(value.channel, wanted);
    return isDisplaced ? [{ kind, id, value: { ...value, primary: false } }] : [];
  });
}

/** Whether one of the resources is the primary integration of the channel. */
const hasPrimaryOf = (channel: string, resources: readonly (Resource | undefined)[]): boolean =>
  resources.some(
    (resource) =>
      resource?.kind === 'integration' &&
      resource.value.channel === channel &&
      resource.value.primary,
  );

/** The primary integration of a channel takes the place of another one, so it comes first. */
const isPrimary = ({ wanted }: Pick<PlanItem, 'wanted'>) =>
  wanted?.kind === 'integration' && wanted.value.primary;

function planWrite<R extends Compared>(
  wanted: Resource,
  current: R | undefined,
  { withCredentials = false, compareCredentials }: PlanRules<R>,
): PlanItem<R> {
  const { kind, id } = wanted;
  const fileCredentials = credentialsOf(wanted);
  const missing = wanted.kind === 'integration' ? missingIn(wanted) : [];
  if (!current)
    return {
      kind,
      id,
      action: 'create',
      changes: [],
      wanted,
      ...(fileCredentials ? { credentials: { state: 'differ', isWritten: true } as const } : {}),
      ...(missing.length > 0 ? { missing } : {}),
    };
  const changes = compare(current.resource.value, wanted.value);
  const compared = fileCredentials && compareCredentials?.(fileCredentials, current);
  // The service replaces credentials as a whole, so a change of one field writes all.
  const isWritten =
    compared !== undefined &&
    (compared.readable.length > 0 || (withCredentials && compared.state !== 'equal'));
  const all = isWritten ? [...changes, ...credentialChanges(compared)] : changes;
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
const credentialChanges = ({ changes }: ComparedCredentials): Change[] =>
  changes.length > 0 ? changes : [{ path: 'credentials', to: mask }];

/** A folder cannot contain the others, so their absence means nothing. */
export const isDeletable = ({ resource, origin, isPermanent }: RemoteResource) =>
  !isPermanent &&
  (!isDefinition(resource) || isFileId(resource.id)) &&
  (resource.kind !== 'workflow' || origin === editableOrigin);

export const countActions = (plan: readonly PlanItem[]) => ({
  create: plan.filter(({ action }) => action === 'create').length,
  update: plan.filter(({ action }) => action === 'update').length,
  delete: plan.filter(({ action }) => action === 'delete').length,
  unchanged: plan.filter(({ action }) => action === 'unchanged').length,
});

// Refuses a plan that cannot be carried out, before anything is written: a push that fails halfway is worse.

type CheckedPush = Pick<Push, 'wanted' | 'findErrors'> & { target: Pick<Push['target'], 'place'> };

export async function checkPlan(
  { target, wanted: files, findErrors }: CheckedPush,
  plan: readonly PlannedItem[],
  reader: Pick<RemoteReader, 'ids'>,
): Promise<void> {
  const { place } = target;
  const layouts = await layoutsAfter(plan, reader);
  const errors: { field: string; message: string }[] = [];
  for (const item of plan) {
    const { kind, id, action, wanted } = item;
    if (!wanted) continue;
    const add = (message: string) => errors.push({ field: `${kind} ${id}`, message });
    if (wanted.kind === 'workflow')
      for (const { stepId, layoutId } of layoutReferences(wanted.value))
        if (!layouts.has(layoutId))
          add(
            `step ${stepId} refers to layout \`${layoutId}\`, which does not exist ${place}; push layouts/${layoutId}.yaml, too`,
          );
    if (action === 'unchanged') continue;
    for (const message of findItemErrors(wanted, item, plan)) add(message);
    const file = files.find(({ resource }) => isSameKey(resource, item));
    if (file && findErrors) for (const message of await findErrors(file)) add(message);
  }
  if (errors.length === 0) return;
  throw usageError('The plan cannot be carried out. Nothing was written.', { fieldErrors: errors });
}

/** The layouts of the environment after the push. Read only if a workflow refers to one. */
async function layoutsAfter(
  plan: readonly PlannedItem[],
  reader: Pick<RemoteReader, 'ids'>,
): Promise<ReadonlySet<string>> {
  const isUsed = plan.some(
    ({ wanted }) => wanted?.kind === 'workflow' && layoutReferences(wanted.value).length > 0,
  );
  if (!isUsed) return new Set();
  const layouts = plan.filter(({ kind }) => kind === 'layout');
  const deleted = new Set(layouts.filter(({ action }) => action === 'delete').map(({ id }) => id));
  return new Set(
    [...(await reader.ids('layout')), ...layouts.map(({ id }) => id)].filter(
      (id) => !deleted.has(id),
    ),
  );
}

function findItemErrors(
  wanted: Resource,
  item: PlannedItem,
  plan: readonly PlannedItem[],
): string[] {
  const { current } = item;
  switch (wanted.kind) {
    case 'workflow':
      return findDefinitionErrors(wanted.value, current?.origin ?? editableOrigin);
    case 'integration':
      return [
        ...findIntegrationErrors(wanted.value, current?.resource, plan),
        ...credentialErrors(wanted, item),
      ];
    case 'topic':
      return current && wanted.value.name === null
        ? ['the service cannot remove the name of a topic']
        : [];
    case 'variable': {
      const before = current?.resource;
      const { isSecret } = wanted.value;
      if (before?.kind === 'variable' && before.value.isSecret !== isSecret)
        return [secrecyProblem(isSecret)];
      return isSecret && !current && !wanted.credentials
        ? ['the file has no value for the secret; add value: {$env: NAME}']
        : [];
    }
    default:
      return [];
  }
}

const findDefinitionErrors = (workflow: NormalWorkflow, origin: string): string[] => [
  ...(origin === editableOrigin ? [] : [`is not edited in the service (origin ${origin})`]),
  ...findWorkflowErrors(workflow),
];

function findIntegrationErrors(
  wanted: NormalIntegration,
  before: Resource | undefined,
  plan: readonly PlannedItem[],
): string[] {
  const { channel, providerId = '', active, primary, conditions } = wanted;
  if (before?.kind !== 'integration')
    return [
      ...(isOwnProvider(providerId)
        ? ['the service does not let requests create an integration of its own provider']
        : []),
      ...conditionErrors(conditions),
    ];
  const changed = (['providerId', 'channel'] as const).filter(
    (name) => before.value[name] !== wanted[name],
  );
  const wantedResources = plan.map((item) => item.wanted);
  const staysPrimary =
    before.value.primary &&
    !primary &&
    active &&
    conditions.length === 0 &&
    !hasPrimaryOf(channel, wantedResources);
  return [
    ...(isSame(before.value.conditions, conditions) ? [] : conditionErrors(conditions)),
    ...changed.map(
      (name) =>
        `its ${name} cannot change from ${before.value[name]} to ${wanted[name]}; use another identifier`,
    ),
    ...(staysPrimary
      ? [`it stays the primary one of ${channel} until another integration has \`primary: true\``]
      : []),
  ];
}

/**
 * An integration that delivers nothing must not be active. The service replaces all credentials, so a write without a
 * secret that it has would erase that secret; if it shows none, those that the provider requires count as stored.
 */
function credentialErrors(
  { credentials: fileCredentials = {}, value }: Resource & { kind: 'integration' },
  { current, credentials, missing = [] }: PlannedItem,
): string[] {
  if (!current)
    return value.active && missing.length > 0
      ? [
          `${value.providerId} requires ${listText(missing)}, which the file lacks; add them, or create the integration inactive with --allow-missing-credentials`,
        ]
      : [];
  if (!credentials?.isWritten) return [];
  const stored = current.response.credentials as JsonObject | undefined;
  const lost = stored
    ? Object.keys(stored).filter(
        (name) =>
          stored[name] &&
          isSecretCredential(name, stored[name]) &&
          !Object.hasOwn(fileCredentials, name),
      )
    : missingUnseenCredentials(value.providerId ?? '', fileCredentials);
  return lost.length === 0
    ? []
    : [
        `its credentials would lose ${listText(lost)}: the service replaces all of them, and the file lacks ${lost.length === 1 ? 'it' : 'them'}; add {$env: NAME} for each`,
      ];
}

/** The service also stores conditions that requests cannot have. */
function conditionErrors(conditions: readonly object[]): string[] {
  const parsed = z.array(stepFilterBody).safeParse(conditions, withPlainMessages);
  return (parsed.error?.issues ?? []).map(
    ({ path, message }) => `conditions.${path.join('.')} ${message}`,
  );
}

// Refuses a plan that cannot be carried out, before anything is written: a push that fails halfway is worse.
import { z } from 'zod';
import { usageError } from '../core/errors.ts';
import type { JsonObject } from '../core/objects.ts';
import { listText } from '../core/text.ts';
import { isOwnProvider, missingUnseenCredentials } from '../service/providers.ts';
import { withPlainMessages } from '../service/schemas/plain-messages.ts';
import { stepFilterBody } from '../service/schemas/step-filters.ts';
import { editableOrigin } from '../service/schemas/vocabulary.ts';
import { isSecretCredential } from '../service/secret-fields.ts';
import { isSame } from './compare.ts';
import { findWorkflowErrors } from './mistakes.ts';
import { layoutReferences, type NormalWorkflow } from './normal-form.ts';
import type { PlannedItem, Push } from './push-types.ts';
import type { RemoteReader } from './remote.ts';
import { isSameKey, type NormalIntegration, type Resource } from './resource.ts';
import { secrecyProblem } from './variable-access.ts';

export async function checkPlan(
  { target, wanted, findErrors }: Push,
  plan: readonly PlannedItem[],
  reader: RemoteReader,
): Promise<void> {
  const { place } = target;
  const layouts = await layoutsAfter(plan, reader);
  const errors: { field: string; message: string }[] = [];
  for (const item of plan) {
    const { kind, id, action } = item;
    const add = (message: string) => errors.push({ field: `${kind} ${id}`, message });
    if (item.wanted?.kind === 'workflow')
      for (const { stepId, layoutId } of layoutReferences(item.wanted.value))
        if (!layouts.has(layoutId))
          add(
            `step ${stepId} refers to layout \`${layoutId}\`, which does not exist ${place}; push layouts/${layoutId}.yaml, too`,
          );
    if (action !== 'create' && action !== 'update') continue;
    for (const message of findItemErrors(item, plan)) add(message);
    const file = wanted.find(({ resource }) => isSameKey(resource, item));
    if (file && findErrors) for (const message of await findErrors(file)) add(message);
  }
  if (errors.length === 0) return;
  throw usageError('The plan cannot be carried out. Nothing was written.', { fieldErrors: errors });
}

/** The layouts of the environment after the push. Read only if a workflow refers to one. */
async function layoutsAfter(
  plan: readonly PlannedItem[],
  reader: RemoteReader,
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

function findItemErrors(item: PlannedItem, plan: readonly PlannedItem[]): string[] {
  const { wanted, current } = item;
  switch (wanted?.kind) {
    case 'workflow':
      return findDefinitionErrors(wanted.value, current?.origin ?? editableOrigin);
    case 'integration':
      return [
        ...findIntegrationErrors(wanted.value, current?.resource, plan),
        ...credentialErrors(item),
      ];
    case 'topic': {
      const before = current?.resource;
      return before?.kind === 'topic' && before.value.name !== null && wanted.value.name === null
        ? ['the service cannot remove the name of a topic']
        : [];
    }
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
  const staysPrimary =
    before.value.primary && !primary && active && conditions.length === 0 && !hasNewPrimary();
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

  function hasNewPrimary() {
    return plan.some(
      (item) =>
        item.wanted?.kind === 'integration' &&
        item.wanted.value.channel === channel &&
        item.wanted.value.primary,
    );
  }
}

/**
 * An integration that delivers nothing must not be active. The service replaces all credentials, so a write without a
 * secret that it has would erase that secret; if it shows none, those that the provider requires count as stored.
 */
function credentialErrors({ wanted, current, credentials, missing = [] }: PlannedItem): string[] {
  if (wanted?.kind !== 'integration') return [];
  const { credentials: given = {}, value } = wanted;
  if (!current)
    return value.active && missing.length > 0
      ? [
          `${value.providerId} requires ${listText(missing)}, which the file lacks; add them, or create the integration inactive with --allow-missing-credentials`,
        ]
      : [];
  if (!credentials?.isWritten) return [];
  const stored = current.given.credentials as JsonObject | undefined;
  const lost = stored
    ? Object.keys(stored).filter(
        (name) =>
          stored[name] && isSecretCredential(name, stored[name]) && !Object.hasOwn(given, name),
      )
    : missingUnseenCredentials(value.providerId ?? '', given);
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

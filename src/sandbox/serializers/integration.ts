// Serializes integrations. The service decrypts their credentials.
import type { Integration } from '../../service/schemas/integrations.ts';
import type { StoredIntegration } from '../store/integrations.ts';
import type { Scope } from '../store/scope.ts';
import { derivedId, encryptedText, withBothIds } from '../values/ids.ts';

export function serializeIntegration(
  { organizationId }: Scope,
  { id, environmentId, createdAt, updatedAt, priority = 0, ...integration }: StoredIntegration,
): Integration {
  const conditions = (integration.conditions ?? []).map((condition, index) =>
    withConditionIds(condition, `${id}:${index}`),
  );
  return {
    _id: id,
    _environmentId: environmentId,
    _organizationId: organizationId,
    ...integration,
    deleted: false,
    ...{ conditions, priority, createdAt, updatedAt, __v: 0, id },
  };
}

/** In a listing, the service leaves out the second id. */
export function serializeListedIntegration(scope: Scope, stored: StoredIntegration): Integration {
  const { id: _, ...listed } = serializeIntegration(scope, stored);
  return listed as Integration;
}

/** After a deletion, the service lists integrations as they are stored: without empty credentials, others encrypted. */
export function serializeRemainingIntegration(
  scope: Scope,
  stored: StoredIntegration,
): Integration {
  const { credentials = {}, ...fields } = serializeListedIntegration(scope, stored);
  const { hasRequiredMembers } = scope.dialect;
  const isStored = hasRequiredMembers || Object.keys(credentials).length > 0;
  // The specification requires the member.
  return (
    isStored ? { ...fields, credentials: encrypted(stored.id, credentials) } : fields
  ) as Integration;
}

const secrets = new Set(['apiKey', 'apiToken', 'secretKey', 'token', 'password', 'serviceAccount']);

const encrypted = (id: string, credentials: StoredIntegration['credentials']) =>
  Object.fromEntries(
    Object.entries(credentials).map(([name, value]) =>
      secrets.has(name) ? [name, encryptedText(id, name)] : [name, value],
    ),
  );

type Condition = NonNullable<StoredIntegration['conditions']>[number];

const withConditionIds = (condition: Condition, label: string) => ({
  ...condition,
  children: condition.children.map((child, index) => ({
    ...child,
    ...withBothIds(derivedId(`${label}:${index}`)),
  })),
  ...withBothIds(derivedId(label)),
});

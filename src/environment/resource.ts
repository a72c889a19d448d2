// The resources of an environment that files can contain, in their normal form: no ids, no dates, no secrets, nothing
// that only one environment has.

import { usageError } from '../core/errors.ts';
import { isJsonObject } from '../core/lossless-json.ts';
import type { JsonObject } from '../core/objects.ts';
import { hasPrimary } from '../service/schemas/vocabulary.ts';
import { type GivenCredentials, inAppChannel } from './credentials.ts';
import { type Definition, plainNumbers } from './normal-form.ts';

/** In the order of writes: workflows refer to layouts, integrations and variables. */
export const resourceKinds = [
  ...(['variable', 'layout', 'integration', 'context', 'topic', 'workflow'] as const),
] as const;
export type ResourceKind = (typeof resourceKinds)[number];

/** The kinds as options and files name them. */
export const kindNames = resourceKinds.map(
  (kind) => `${kind}s` as const,
) as readonly `${ResourceKind}s`[];
export type KindName = (typeof kindNames)[number];

export const nameOfKind = (kind: ResourceKind): KindName => `${kind}s`;
export const toKind = (name: KindName) => name.slice(0, -1) as ResourceKind;

export const isDefinitionKind = (kind: ResourceKind): kind is Definition['kind'] =>
  kind === 'workflow' || kind === 'layout';

/** The kinds that one file lists. */
export type ListedKind = Exclude<ResourceKind, Definition['kind']>;

export interface NormalIntegration {
  /** Absent for in_app: each environment has its own integration for it, found by the channel. */
  identifier?: string;
  providerId?: string;
  channel: string;
  name: string;
  active: boolean;
  primary: boolean;
  conditions: JsonObject[];
}

interface NormalVariable {
  key: string;
  isSecret: boolean;
  /** Absent for a secret, whose value is one of the credentials. */
  value?: string;
}

export type ListedResource =
  | {
      kind: 'integration';
      id: string;
      value: NormalIntegration;
      /** As the file has them; of an environment, those that are not secret. Absent if there are none to be seen. */
      credentials?: GivenCredentials;
    }
  | { kind: 'context'; id: string; value: { type: string; id: string; data: JsonObject } }
  | { kind: 'topic'; id: string; value: { key: string; name: string | null } }
  | {
      kind: 'variable';
      id: string;
      value: NormalVariable;
      /** The reference for the value of a secret: `{ value: { $env: NAME } }`. Only a file has it. */
      credentials?: GivenCredentials;
    };

export type Resource = Definition | ListedResource;

export const isDefinition = (resource: Resource): resource is Definition =>
  isDefinitionKind(resource.kind);

/** The parts that a push writes besides the value: credentials of an integration, the value of a secret. */
export const credentialsOf = (resource: Resource | undefined): GivenCredentials | undefined =>
  resource && 'credentials' in resource ? resource.credentials : undefined;

/** Kind and id, which identify a resource in an environment. */
export type ResourceKey = Pick<Resource, 'kind' | 'id'>;
export const keyText = ({ kind, id }: ResourceKey): string => `${kind} ${id}`;
export const isSameKey = (a: ResourceKey, b: ResourceKey): boolean =>
  a.kind === b.kind && a.id === b.id;

/** The name of a resource that is not its id. */
export const distinctName = ({ id, value }: Resource): string | undefined => {
  const name = 'name' in value ? value.name : undefined;
  return typeof name === 'string' && name !== id ? name : undefined;
};

/** An integration in a response or a file. */
export interface GivenIntegration {
  identifier?: string | undefined;
  providerId?: string | undefined;
  channel: string;
  name?: string | undefined;
  active?: boolean | undefined;
  primary?: boolean | undefined;
  conditions?: readonly object[] | undefined;
}

export function toIntegration(
  integration: GivenIntegration,
): ListedResource & { kind: 'integration' } {
  const { identifier = '', providerId = '', channel, active = true, primary = false } = integration;
  const isInApp = channel === inAppChannel;
  const conditions = (integration.conditions ?? []).map((item) => withoutIds(item) as JsonObject);
  const id = isInApp ? inAppChannel : identifier;
  return {
    kind: 'integration',
    id,
    value: {
      ...(isInApp ? {} : { identifier, providerId }),
      channel,
      name: integration.name ?? (isInApp ? 'In-App' : providerId),
      active,
      // The service uses neither an inactive primary integration nor one with conditions as such.
      primary: hasPrimary(channel) && primary && active && conditions.length === 0,
      conditions,
    },
  };
}

/** The service adds ids to conditions and their parts. */
function withoutIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutIds);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) =>
      name === '_id' || name === 'id' ? [] : [[name, withoutIds(inner)]],
    ),
  );
}

export const toTopic = (topic: {
  key: string;
  name?: string | null | undefined;
}): ListedResource => {
  const { key, name = null } = topic;
  return { kind: 'topic', id: key, value: { key, name } };
};

export const toContext = ({
  type,
  id,
  data,
}: {
  type: string;
  id: string;
  data?: JsonObject | null | undefined;
}): ListedResource => ({
  kind: 'context',
  id: `${type}:${id}`,
  value: { type, id, data: plainNumbers(data ?? {}) as JsonObject },
});

export const toVariable = ({
  key,
  isSecret = false,
  value,
}: {
  key: string;
  isSecret?: boolean | undefined;
  value?: string | undefined;
}): ListedResource & { kind: 'variable' } => ({
  kind: 'variable',
  id: key,
  value: { key, isSecret, ...(value === undefined ? {} : { value }) },
});

// The kinds of resources that `--only` names.

export const kindsText = kindNames.join(', ');

/** Undefined without `--only`. Throws a usage error for an unknown kind. */
export function readKinds(only: readonly string[] | undefined): ResourceKind[] | undefined {
  return only?.map((text) => {
    const kind = kindNames.find((name) => name === text);
    if (kind !== undefined) return toKind(kind);
    throw usageError(`--only: \`${text}\` is not a valid kind. Must be one of: ${kindsText}.`, {
      suggestion: { input: text, candidates: kindNames },
    });
  });
}

// Validates a state: its schema, unknown and duplicate names, masked secrets.
import type { z } from 'zod';
import { plainMessages } from '../../api/schemas/plain-messages.ts';
import { type EnvironmentState, type SandboxState, sandboxState } from './schema.ts';

export const mask = '********';

export interface ValidationError {
  path: PropertyKey[];
  message: string;
}

/** Returns all errors. References and duplicates are checked only if the state matches the schema. */
export function findValidationErrors(value: unknown): ValidationError[] {
  const masks = findMasks(value, []);
  const parsed = sandboxState.safeParse(value, plainMessages);
  if (!parsed.success) return [...parsed.error.issues.flatMap(fromIssue), ...masks];
  // The value as given: parsing reorders its members.
  const { environments } = value as SandboxState;
  return [
    ...findDuplicates(environments, 'name', ['environments']),
    ...(environments.some(({ name }) => name === 'Development')
      ? []
      : [{ path: ['environments'], message: 'must contain the environment Development' }]),
    ...environments.flatMap((one, at) =>
      findEnvironmentErrors(one, ['environments', at], environments),
    ),
    ...masks,
  ];
}

function findEnvironmentErrors(
  one: EnvironmentState,
  path: PropertyKey[],
  all: readonly EnvironmentState[],
): ValidationError[] {
  const { integrations = [], workflows = [], subscribers = [], topics = [] } = one;
  const known = {
    integration: new Set(integrations.map(({ identifier }) => identifier)),
    workflow: new Set(workflows.map(({ workflowId }) => workflowId)),
    subscriber: new Set(subscribers.map(({ subscriberId }) => subscriberId)),
    environment: new Set(all.map(({ name }) => name)),
  };
  const findUnknown = (kind: keyof typeof known, names: readonly string[], within: PropertyKey[]) =>
    names
      .map((name, at) => ({ name, at }))
      .filter(({ name }) => !known[kind].has(name))
      .map(({ name, at }) => ({
        path: [...path, ...within, kind === 'subscriber' ? at : name],
        message: `refers to unknown ${kind} "${name}": it is not in this environment of the file`,
      }));
  const hasUnknownParent = one.parent !== undefined && !known.environment.has(one.parent);
  return [
    ...(hasUnknownParent
      ? [
          {
            path: [...path, 'parent'],
            message: `refers to unknown environment "${one.parent}": it is not in the file`,
          },
        ]
      : []),
    ...findDuplicates(integrations, 'identifier', [...path, 'integrations']),
    ...findDuplicates(workflows, 'workflowId', [...path, 'workflows']),
    ...findDuplicates(subscribers, 'subscriberId', [...path, 'subscribers']),
    ...findDuplicates(topics, 'key', [...path, 'topics']),
    ...topics.flatMap(({ subscribers: subscriberIds = [] }, at) =>
      findUnknown('subscriber', subscriberIds, ['topics', at, 'subscribers']),
    ),
    ...subscribers.flatMap(({ credentials = {}, preferences = {} }, at) => [
      ...findUnknown('integration', Object.keys(credentials), ['subscribers', at, 'credentials']),
      ...findUnknown('workflow', Object.keys(preferences.workflows ?? {}), [
        ...['subscribers', at, 'preferences', 'workflows'],
      ]),
    ]),
  ];
}

function findDuplicates<T extends object>(
  items: readonly T[],
  field: keyof T,
  path: PropertyKey[],
) {
  const seen = new Set<unknown>();
  return items.flatMap((item, at): ValidationError[] => {
    const name = item[field];
    if (seen.has(name))
      return [{ path: [...path, at, field], message: `"${name}" is a duplicate` }];
    seen.add(name);
    return [];
  });
}

function findMasks(value: unknown, path: PropertyKey[]): ValidationError[] {
  if (value === mask) {
    return [
      { path, message: `is a masked secret (${mask}): enter the secret, or export with --reveal` },
    ];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    findMasks(inner, [...path, Array.isArray(value) ? Number(name) : name]),
  );
}

const fromIssue = (issue: z.core.$ZodIssue): ValidationError[] =>
  issue.code === 'unrecognized_keys'
    ? issue.keys.map((key) => ({ path: [...issue.path, key], message: 'is an unknown field' }))
    : [{ path: issue.path, message: issue.message }];

/** `environments[0].topics[2].key` */
export const formatPath = (path: readonly PropertyKey[]): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');

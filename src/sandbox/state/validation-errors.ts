// What is wrong with a state: its form, names that nothing has, names used twice, masks.
import type { z } from 'zod';
import { plainMessages } from '../../api/schemas/plain-messages.ts';
import { type EnvironmentState, type SandboxState, sandboxState } from './schema.ts';

export const mask = '********';

export interface Mistake {
  path: PropertyKey[];
  message: string;
}

/** All mistakes at once; those of meaning when the form is right. */
export function mistakesIn(value: unknown): Mistake[] {
  const masks = masksIn(value, []);
  const read = sandboxState.safeParse(value, plainMessages);
  if (!read.success) return [...read.error.issues.flatMap(fromIssue), ...masks];
  // As it was given: reading it would put its members into another order.
  const { environments } = value as SandboxState;
  return [
    ...twice(environments, 'name', ['environments']),
    ...(environments.some(({ name }) => name === 'Development')
      ? []
      : [{ path: ['environments'], message: 'has no Development, whose key the profile holds' }]),
    ...environments.flatMap((one, at) => inEnvironment(one, ['environments', at], environments)),
    ...masks,
  ];
}

function inEnvironment(
  one: EnvironmentState,
  path: PropertyKey[],
  all: readonly EnvironmentState[],
): Mistake[] {
  const { integrations = [], workflows = [], subscribers = [], topics = [] } = one;
  const known = {
    integration: new Set(integrations.map(({ identifier }) => identifier)),
    workflow: new Set(workflows.map(({ workflowId }) => workflowId)),
    subscriber: new Set(subscribers.map(({ subscriberId }) => subscriberId)),
    environment: new Set(all.map(({ name }) => name)),
  };
  const unknown = (kind: keyof typeof known, names: readonly string[], where: PropertyKey[]) =>
    names
      .map((name, at) => ({ name, at }))
      .filter(({ name }) => !known[kind].has(name))
      .map(({ name, at }) => ({
        path: [...path, ...where, kind === 'subscriber' ? at : name],
        message: `names ${kind} "${name}", which is not in this file's environment`,
      }));
  const parent = one.parent !== undefined && !known.environment.has(one.parent);
  return [
    ...(parent
      ? [
          {
            path: [...path, 'parent'],
            message: `names environment "${one.parent}", which is not in this file`,
          },
        ]
      : []),
    ...twice(integrations, 'identifier', [...path, 'integrations']),
    ...twice(workflows, 'workflowId', [...path, 'workflows']),
    ...twice(subscribers, 'subscriberId', [...path, 'subscribers']),
    ...twice(topics, 'key', [...path, 'topics']),
    ...topics.flatMap(({ subscribers: names = [] }, at) =>
      unknown('subscriber', names, ['topics', at, 'subscribers']),
    ),
    ...subscribers.flatMap(({ credentials = {}, preferences = {} }, at) => [
      ...unknown('integration', Object.keys(credentials), ['subscribers', at, 'credentials']),
      ...unknown('workflow', Object.keys(preferences.workflows ?? {}), [
        ...['subscribers', at, 'preferences', 'workflows'],
      ]),
    ]),
  ];
}

function twice<T extends object>(items: readonly T[], field: keyof T, path: PropertyKey[]) {
  const met = new Set<unknown>();
  return items.flatMap((item, at): Mistake[] => {
    const name = item[field];
    if (met.has(name)) return [{ path: [...path, at, field], message: `"${name}" is there twice` }];
    met.add(name);
    return [];
  });
}

function masksIn(value: unknown, path: PropertyKey[]): Mistake[] {
  if (value === mask) {
    return [
      { path, message: `is ${mask}, a masked secret: give the secret, or export with --reveal` },
    ];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    masksIn(inner, [...path, Array.isArray(value) ? Number(name) : name]),
  );
}

const fromIssue = (issue: z.core.$ZodIssue): Mistake[] =>
  issue.code === 'unrecognized_keys'
    ? issue.keys.map((key) => ({ path: [...issue.path, key], message: 'is no field here' }))
    : [{ path: issue.path, message: issue.message }];

/** `environments[0].topics[2].key` */
export const pathText = (path: readonly PropertyKey[]): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');

// Validates the state of a sandbox: checks its schema and finds unknown names, duplicates and masked secrets.

import { usageError } from '../../core/errors.ts';
import { pathText } from '../../core/text.ts';
import { hasSkip, type Mode } from '../../service/mode.ts';
import {
  toValueErrors,
  type ValueError,
  withPlainMessages,
} from '../../service/schemas/plain-messages.ts';
import { mask } from '../../service/secret-fields.ts';
import type { SandboxVersion } from '../../service/versions.ts';
import { chooseDialect, type Dialect } from '../store/dialect.ts';
import { initialIntegrations } from './default-integrations.ts';
import {
  type EnvironmentState,
  environmentLists,
  type SandboxState,
  sandboxState,
  type TopicState,
} from './schema.ts';

/** Returns all errors. References and duplicates are checked only if the state matches the schema. */
export function findValidationErrors(value: unknown): ValueError[] {
  const masks = findMaskedSecrets(value, []);
  const parsed = sandboxState.safeParse(value, withPlainMessages);
  if (!parsed.success) return [...parsed.error.issues.flatMap(toValueErrors), ...masks];
  // Read the original value, because parsing changes the order of its properties.
  const { environments } = value as SandboxState;
  return [
    ...findDuplicates(environments, 'name', ['environments']),
    ...(environments.some(({ name }) => name === 'Development')
      ? []
      : [{ path: ['environments'], message: 'must contain the environment Development' }]),
    ...environments.flatMap((environment, index) =>
      findEnvironmentErrors(environment, ['environments', index], environments),
    ),
    ...masks,
  ];
}

function findEnvironmentErrors(
  environment: EnvironmentState,
  path: PropertyKey[],
  environments: readonly EnvironmentState[],
): ValueError[] {
  const { integrations = [], workflows = [], subscribers = [], topics = [] } = environment;
  const { events = [] } = environment;
  const knownNames = {
    integration: new Set(initialIntegrations(environment).map(({ identifier }) => identifier)),
    workflow: new Set(workflows.map(({ workflowId }) => workflowId)),
    subscriber: new Set(subscribers.map(({ subscriberId }) => subscriberId)),
    environment: new Set(environments.map(({ name }) => name)),
  };
  const findUnknown = (
    kind: keyof typeof knownNames,
    names: readonly string[],
    subPath: PropertyKey[],
  ) =>
    names
      .map((name, index) => ({ name, index }))
      .filter(({ name }) => !knownNames[kind].has(name))
      .map(({ name, index }) => ({
        path: [...path, ...subPath, kind === 'subscriber' ? index : name],
        message: `refers to unknown ${kind} "${name}": it is not in this environment of the file`,
      }));
  const hasUnknownParent =
    environment.parent !== undefined && !knownNames.environment.has(environment.parent);
  return [
    ...(hasUnknownParent
      ? [
          {
            path: [...path, 'parent'],
            message: `refers to unknown environment "${environment.parent}": it is not in the file`,
          },
        ]
      : []),
    ...findDuplicates(integrations, 'identifier', [...path, 'integrations']),
    ...findDuplicates(workflows, 'workflowId', [...path, 'workflows']),
    ...findDuplicates(subscribers, 'subscriberId', [...path, 'subscribers']),
    ...findDuplicates(topics, 'key', [...path, 'topics']),
    ...topics.flatMap(({ subscribers: subscriberIds = [] }, index) =>
      findUnknown('subscriber', subscriberIds, ['topics', index, 'subscribers']),
    ),
    ...findSubscriptionErrors(topics, [...path, 'topics'], findUnknown),
    ...subscribers.flatMap(({ credentials = {}, preferences = {} }, index) => [
      ...findUnknown('integration', Object.keys(credentials), [
        'subscribers',
        index,
        'credentials',
      ]),
      ...findUnknown('workflow', Object.keys(preferences.workflows ?? {}), [
        ...['subscribers', index, 'preferences', 'workflows'],
      ]),
    ]),
    ...events.flatMap(({ name }, index) =>
      findUnknown('workflow', [name], []).map(({ message }) => ({
        path: [...path, 'events', index, 'name'],
        message,
      })),
    ),
  ];
}

/** Identifiers are unique in the environment. */
function findSubscriptionErrors(
  topics: readonly TopicState[],
  path: PropertyKey[],
  findUnknown: (
    kind: 'subscriber' | 'workflow',
    names: readonly string[],
    subPath: PropertyKey[],
  ) => ValueError[],
): ValueError[] {
  const seen = new Set<string>();
  return topics.flatMap(({ subscriptions = [] }, index) =>
    subscriptions.flatMap(({ subscriberId, identifier, preferences = [] }, at) => {
      const place = [...path, index, 'subscriptions', at];
      const isTaken = identifier !== undefined && seen.has(identifier);
      if (identifier !== undefined) seen.add(identifier);
      const workflowIds = preferences.map(({ workflowId }) => workflowId);
      return [
        ...(isTaken
          ? [{ path: [...place, 'identifier'], message: `"${identifier}" is a duplicate` }]
          : []),
        ...[
          ...findUnknown('subscriber', [subscriberId], []),
          ...findUnknown('workflow', workflowIds, []),
        ].map(({ message }) => ({ path: place, message })),
      ];
    }),
  );
}

function findDuplicates<T extends object>(
  items: readonly T[],
  field: keyof T,
  path: PropertyKey[],
) {
  const seen = new Set<unknown>();
  return items.flatMap((item, index): ValueError[] => {
    const name = item[field];
    if (seen.has(name))
      return [{ path: [...path, index, field], message: `"${name}" is a duplicate` }];
    seen.add(name);
    return [];
  });
}

function findMaskedSecrets(value: unknown, path: PropertyKey[]): ValueError[] {
  if (value === mask) {
    return [
      { path, message: `is a masked secret (${mask}): enter the secret, or export with --reveal` },
    ];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    findMaskedSecrets(inner, [...path, Array.isArray(value) ? Number(name) : name]),
  );
}

/**
 * Validates a single item of an environment, for programs that write a state file item by item. Returns the first error
 * of an item, such as an integration; undefined if a state file can contain it.
 */
export function stateItemError(
  list: keyof typeof environmentLists,
  item: object,
): string | undefined {
  const parsed = environmentLists[list].safeParse(item, withPlainMessages);
  const errors = parsed.success
    ? findMaskedSecrets(item, [])
    : parsed.error.issues.flatMap(toValueErrors);
  const [first] = errors;
  return first && [pathText(first.path), first.message].filter(Boolean).join(' ');
}

// `skip` conditions of a state have opposite meanings in the two modes of a sandbox.

/** The identifiers of the workflows of a state that have a `skip` condition. */
export const workflowsWithSkip = ({
  environments,
}: Pick<SandboxState, 'environments'>): string[] => [
  ...new Set(
    environments.flatMap(({ workflows = [] }) =>
      workflows
        .filter(({ steps = [] }) => steps.some((step) => hasSkip(step.controlValues)))
        .map(({ workflowId }) => workflowId),
    ),
  ),
];

/** Returns a warning if a state has conditions without a mark: an earlier version may have written them for the other mode. */
export function unmarkedSkipWarning(
  state: SandboxState,
  { name, mode, markOf }: { name: string; mode: Mode; markOf(mode: Mode): string },
): string | undefined {
  if (state.compat !== undefined) return undefined;
  const names = workflowsWithSkip(state);
  if (names.length === 0) return undefined;
  const [effect, other] = chooseDialect({ mode }).isSkipToRun
    ? (['runs', 'specification'] as const)
    : (['skips', 'novu'] as const);
  return `${name} does not name the mode of the skip conditions of these workflows: ${names.join(', ')}. In this sandbox, a true condition ${effect} the step. Mark it with \`${markOf(mode)}\` if that is right, else with \`${markOf(other)}\`.`;
}

/** Throws if the state was made for another version of the service. */
export function checkStateVersion({ service }: SandboxState, version: SandboxVersion): void {
  if (service === undefined || service === version) return;
  throw usageError(`The state is of version ${service} of the service, not ${version}.`, {
    hint: `Load it into a sandbox that is started with --service ${service}. If its content is also right for ${version}, remove the line \`service\`.`,
  });
}

/** Throws if the state names another mode than the sandbox has and has `skip` conditions. */
export function checkSkipModes(state: SandboxState, { mode, isSkipToRun }: Dialect): void {
  if (state.compat === undefined || state.compat === mode) return;
  const names = workflowsWithSkip(state);
  if (names.length === 0) return;
  const [own, other] = isSkipToRun ? ['runs', 'skips'] : ['skips', 'runs'];
  throw usageError(
    `The skip conditions of these workflows would have the opposite meaning: ${names.join(', ')}.`,
    {
      hint: `The state has \`compat: ${state.compat}\`: a condition that is true ${other} the step. This sandbox ${own} it. Change the state and its conditions, or load it into a sandbox that is started with --compat ${state.compat}.`,
    },
  );
}

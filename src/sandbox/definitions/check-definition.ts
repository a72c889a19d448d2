// The checks of the service on a workflow after those of its request: limits, with the path of each mistake.
import { stepTypes } from '../../api/schemas/vocabulary.ts';
import { badRequest, unprocessable } from '../http/http-error.ts';
import {
  findMessages,
  isNotEmpty,
  isObject,
  isOneOf,
  required,
  satisfies,
} from '../requests/rules.ts';

interface Definition {
  name?: unknown;
  description?: unknown;
  tags?: unknown;
  steps?: unknown;
  preferences?: unknown;
}

type Mistake = [path: string, messages: string[], value: unknown];

const maxName = 64;
const maxSteps = 20;
const channels = ['email', 'sms', 'in_app', 'push', 'chat'];

const length = (value: unknown) => (typeof value === 'string' ? value.length : 0);
const isNameText = [
  satisfies(
    (value) => length(value) <= maxName,
    (name) => `${name} must be shorter than or equal to ${maxName} characters`,
  ),
  satisfies(
    (value) => length(value) >= 1,
    (name) => `${name} must be longer than or equal to 1 characters`,
  ),
  isNotEmpty,
];

/** Throws the mistakes of the name, the steps and the preferences. */
export function checkDefinition({ name, tags, steps, preferences }: Definition): void {
  if (!Array.isArray(steps)) throw badRequest('steps must be an array');
  report([
    ...steps.flatMap((step, index) => stepMistakes(step, `workflowDto.steps.${index}`)),
    ...preferenceMistakes(preferences),
    mistake('workflowDto.name', name, required(...isNameText), 'name'),
    mistake('workflowDto.tags', tags, { rules: [hasFewTags] }, 'tags'),
  ]);
}

/** Throws the mistakes that the service looks for later. */
export function checkDetails({ description, tags, preferences }: Definition): void {
  report([
    mistake('description', description, { rules: [isShortDescription] }, 'description'),
    mistake('tags', tags, { rules: [areUnique, areShortTags] }, 'tags'),
    ...channelMistakes(preferences, 'user', 'userPreferences'),
    ...channelMistakes(preferences, 'workflow', 'defaultPreferences'),
  ]);
}

/** Throws if a name is empty or too long. */
export const checkName = (path: string, name: unknown): void =>
  report([mistake(path, name, required(...isNameText), 'name')]);

export function checkStepCount(count: number): void {
  if (count <= maxSteps) return;
  throw badRequest(
    `Workflow steps limit exceeded. Maximum allowed steps is ${maxSteps}, but got ${count} steps.`,
    { context: { providedStepsCount: count, maxSteps } },
  );
}

function report(mistakes: readonly Mistake[]): void {
  const found = mistakes.filter(([, messages]) => messages.length > 0);
  if (found.length === 0) return;
  const errors = found.map(([path, messages, value]) => [
    path,
    { messages, ...(value === undefined ? {} : { value }) },
  ]);
  throw unprocessable('Validation failed', { members: { errors: Object.fromEntries(errors) } });
}

const mistake = (
  path: string,
  value: unknown,
  field: Parameters<typeof findMessages>[0][string],
  name: string,
): Mistake => [path, findMessages({ [name]: field }, { [name]: value }), value];

const hasFewTags = satisfies(
  (value) => !Array.isArray(value) || value.length <= 16,
  (name) => `${name} must contain no more than 16 elements`,
);
const isShortDescription = satisfies(
  (value) => length(value) <= 256,
  (name) => `${name} must be shorter than or equal to 256 characters`,
);
const areUnique = satisfies(
  (value) => !Array.isArray(value) || new Set(value).size === value.length,
  (name) => `All ${name}'s elements must be unique`,
);
const areShortTags = satisfies(
  (value) => !Array.isArray(value) || value.every((tag) => length(tag) >= 1 && length(tag) <= 64),
  (name) =>
    `each value in ${name} must be longer than or equal to 1 and shorter than or equal to 64 characters`,
);

const isGiven = satisfies(
  (value) => value !== undefined && value !== null,
  (name) => `${name} should not be null or undefined`,
);

function stepMistakes(step: unknown, path: string): Mistake[] {
  const { name, type } = asObject(step);
  return [
    mistake(`${path}.name`, name, required(...isNameText), 'name'),
    mistake(`${path}.type`, type, required(isGiven, isNotEmpty, isOneOf(stepTypes)), 'type'),
  ];
}

function preferenceMistakes(preferences: unknown): Mistake[] {
  return ['user', 'workflow'].flatMap((name) => {
    const level: unknown = asObject(preferences)[name];
    if (level === undefined || level === null) return [];
    const { all, channels: given } = asObject(level);
    const path = `workflowDto.preferences.${name}`;
    const isNested = satisfies(
      (value) => typeof value === 'object',
      () => 'nested property all must be either object or array',
    );
    return [
      mistake(`${path}.all`, all, { rules: [isNested] }, 'all'),
      mistake(`${path}.channels`, given, required(isObject), 'channels'),
    ];
  });
}

function channelMistakes(preferences: unknown, name: string, path: string): Mistake[] {
  const level: unknown = asObject(preferences)[name];
  if (level === undefined || level === null) return [];
  const given = asObject(asObject(level).channels);
  return channels.map((channel) =>
    mistake(`${path}.channels.${channel}`, given[channel], required(isObject), channel),
  );
}

const asObject = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

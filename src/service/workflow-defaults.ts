// The settings of a workflow that is created without them. This module does not load the schema library.
import type { WorkflowSettings } from './schemas/workflows.ts';

const defaultSettings = {
  description: '',
  tags: [] as string[],
  active: true,
  severity: 'none',
  validatePayload: true,
  payloadSchema: null,
  isTranslationEnabled: false,
};

/** The payload schema of a workflow that is given none. */
export const anyPayload = { type: 'object', additionalProperties: true, properties: {} };

/** Members of the definition that newer servers have. Absent in a file if they are not set. */
export const laterMembers = {
  workflow: { agent: { since: '3.19' } },
  step: { providerOverrides: { since: '3.19' } },
} as const;

/** Members of responses that are not definition: the service makes them. */
const derivedMembers = new Set([
  ...['slug', 'status', 'issues', 'origin', 'payloadExample', 'variables', 'isDefault'],
  // Of the step of a workflow.
  ...['workflowId', 'workflowDatabaseId'],
  // The code of a step, which is deployed to each environment.
  'stepResolverHash',
]);

/** Whether a member of a workflow, step or layout is not a part of its definition: ids, times and persons are not. */
export const isDerived = (name: string): boolean =>
  derivedMembers.has(name) || /^_|(At|By)$/.test(name);

export type SettingName = keyof typeof defaultSettings;
const settingNames = Object.keys(defaultSettings) as SettingName[];

/** Every setting has a value. */
export type CompleteSettings = {
  [Name in Exclude<SettingName, 'payloadSchema' | 'severity'>]: NonNullable<WorkflowSettings[Name]>;
} & { severity: string; payloadSchema: Record<string, unknown> | null };

/** Returns all settings in a fixed order. Absent and null ones have their default. */
export const completeSettings = (
  settings: { [Name in SettingName]?: WorkflowSettings[Name] | string | null | undefined },
): CompleteSettings =>
  Object.fromEntries(
    settingNames.map((name) => [name, settings[name] ?? defaultSettings[name]]),
  ) as CompleteSettings;

/** Returns the settings that are given, in a fixed order. */
export const definedSettings = <T extends object>(workflow: T): Pick<T, keyof T & SettingName> =>
  Object.fromEntries(
    settingNames.flatMap((name) => {
      const value: unknown = Reflect.get(workflow, name);
      return value === undefined ? [] : [[name, value]];
    }),
  ) as Pick<T, keyof T & SettingName>;

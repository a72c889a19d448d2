// The settings of a workflow that is created without them. This module does not load the schema library.
import type { WorkflowSettings } from './schemas/workflow-settings.ts';

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

export type SettingName = keyof typeof defaultSettings;
const settingNames = Object.keys(defaultSettings) as SettingName[];

/** Every setting has a value. */
export type CompleteSettings = {
  [Name in Exclude<SettingName, 'payloadSchema' | 'severity'>]: NonNullable<WorkflowSettings[Name]>;
} & { severity: string; payloadSchema: Record<string, unknown> | null };

/** Returns all settings in a fixed order. Absent and null ones have their default. */
export const completeSettings = (
  given: { [Name in SettingName]?: WorkflowSettings[Name] | string | null | undefined },
): CompleteSettings =>
  Object.fromEntries(
    settingNames.map((name) => [name, given[name] ?? defaultSettings[name]]),
  ) as CompleteSettings;

/** Returns the settings that are given, in a fixed order. */
export const givenSettings = <T extends object>(workflow: T): Pick<T, keyof T & SettingName> =>
  Object.fromEntries(
    settingNames.flatMap((name) => {
      const value: unknown = Reflect.get(workflow, name);
      return value === undefined ? [] : [[name, value]];
    }),
  ) as Pick<T, keyof T & SettingName>;

// The normal form of workflows and layouts: what a file contains and what two environments are compared by. No ids, no
// dates, nothing that only one environment has; members in a fixed order, with the defaults of the service filled in.

import { isExactNumber, isJsonObject } from '../core/lossless-json.ts';
import { parseValues } from '../core/lossless-json-parser.ts';
import { slugPattern } from '../service/rules/formats.ts';
import { channelOrders } from '../service/schemas/vocabulary.ts';
import type { WorkflowSettings } from '../service/schemas/workflow-settings.ts';
import { hasSkip } from '../service/skip-condition.ts';
import { type CompleteSettings, completeSettings } from '../service/workflow-defaults.ts';

export type JsonObject = Record<string, unknown>;

/** `channels` contains all five channels; the service refuses an incomplete list. */
export interface PreferenceLevel extends JsonObject {
  all: JsonObject;
  channels: JsonObject;
}

export interface NormalStep {
  stepId: string;
  name: string;
  type: string;
  controlValues: JsonObject;
}

export interface NormalWorkflow extends CompleteSettings {
  workflowId: string;
  name: string;
  preferences: { user: PreferenceLevel | null; default: PreferenceLevel };
  steps: NormalStep[];
}

export interface NormalLayout {
  layoutId: string;
  name: string;
  isTranslationEnabled: boolean;
  controlValues: JsonObject;
}

export type Definition =
  | { kind: 'layout'; id: string; value: NormalLayout }
  | { kind: 'workflow'; id: string; value: NormalWorkflow };

/** Identifiers that can be file names. Workflows and layouts with other identifiers are not written to files. */
export const isFileId = (id: string): boolean => slugPattern.test(id) && id.length <= 120;

/** A workflow in a response or a file. Members can be missing or null. */
export interface GivenWorkflow extends Omit<WorkflowSettings, 'severity'> {
  workflowId: string;
  name?: string | undefined;
  severity?: string | null | undefined;
  preferences?:
    | { user?: JsonObject | null | undefined; default?: JsonObject | undefined }
    | undefined;
  steps?: readonly GivenStep[] | undefined;
}

interface GivenStep {
  stepId: string;
  name?: string | undefined;
  type: string;
  controlValues?: JsonObject | null | undefined;
  controls?: { values?: JsonObject | undefined } | undefined;
}

export function toNormalWorkflow(given: GivenWorkflow): NormalWorkflow {
  const { workflowId, name = workflowId, preferences = {}, steps = [] } = given;
  const settings = completeSettings(given);
  return {
    workflowId,
    name,
    ...settings,
    tags: [...settings.tags],
    payloadSchema: plainNumbers(settings.payloadSchema) as JsonObject | null,
    preferences: {
      user: preferences.user ? toLevel(preferences.user) : null,
      default: toLevel(preferences.default ?? {}),
    },
    steps: steps.map((step) => ({
      stepId: step.stepId,
      name: step.name ?? step.stepId,
      type: step.type,
      controlValues: plainNumbers(step.controlValues ?? step.controls?.values ?? {}) as JsonObject,
    })),
  };
}

/** A layout in a response. In a listing, `controls.values` is always empty. */
export interface GivenLayout {
  layoutId: string;
  name?: string | undefined;
  isTranslationEnabled?: boolean | undefined;
  controls?: { values?: JsonObject | null | undefined } | undefined;
}

export function toNormalLayout(given: GivenLayout): NormalLayout {
  const { layoutId, name = layoutId, isTranslationEnabled = false, controls } = given;
  const controlValues = plainNumbers(controls?.values ?? {}) as JsonObject;
  return { layoutId, name, isTranslationEnabled, controlValues };
}

/** Fills in the defaults of the service: everything is enabled. */
function toLevel({ all, channels, ...rest }: JsonObject): PreferenceLevel {
  const givenChannels = isJsonObject(channels) ? channels : {};
  const names = [...new Set([...channelOrders.workflowPreferences, ...Object.keys(givenChannels)])];
  return {
    all: { enabled: true, readOnly: false, ...(isJsonObject(all) ? all : {}) },
    channels: Object.fromEntries(
      names.map((name) => {
        const channel = givenChannels[name];
        return [name, { enabled: true, ...(isJsonObject(channel) ? channel : {}) }];
      }),
    ),
    ...rest,
  };
}

/** Replaces numbers that are written in another way, such as `1.0`, by their value. */
export function plainNumbers(value: unknown): unknown {
  if (isExactNumber(value)) return parseValues(String(value));
  if (Array.isArray(value)) return value.map(plainNumbers);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, plainNumbers(inner)]),
  );
}

/** Whether a step has a `skip` condition. */
export const usesSkip = ({ steps }: NormalWorkflow): boolean =>
  steps.some(({ controlValues }) => hasSkip(controlValues));

/** The layouts that the e-mail steps refer to, with the step. */
export const layoutReferences = ({
  steps,
}: NormalWorkflow): { stepId: string; layoutId: string }[] =>
  steps.flatMap(({ stepId, type, controlValues: { layoutId } }) =>
    type === 'email' && typeof layoutId === 'string' ? [{ stepId, layoutId }] : [],
  );

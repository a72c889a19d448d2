// The normal form of workflows and layouts: what a file contains and what two environments are compared by. No ids, no
// dates, nothing that only one environment has; members in a fixed order, with the defaults of the service filled in.
import { isExactNumber, isJsonObject } from '../core/lossless-json.ts';
import { parseValues } from '../core/lossless-json-parser.ts';
import type { JsonObject } from '../core/objects.ts';
import { hasSkip } from '../service/mode.ts';
import { identifierPattern } from '../service/rules/formats.ts';
import { channelOrders } from '../service/schemas/vocabulary.ts';
import type { WorkflowSettings } from '../service/schemas/workflows.ts';
import {
  type CompleteSettings,
  completeSettings,
  isDerived,
} from '../service/workflow-defaults.ts';
import { isSame } from './compare.ts';

/** `channels` contains the channels of every version; the service refuses an incomplete list. */
interface PreferenceLevel extends JsonObject {
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
export const isFileId = (id: string): boolean => identifierPattern.test(id) && id.length <= 120;

/** Some systems have one file for names that differ only in case, so the first of such identifiers has it. */
export const isFirstFileId = (id: string, index: number, ids: readonly string[]): boolean =>
  isFileId(id) && ids.findIndex((other) => other.toLowerCase() === id.toLowerCase()) === index;

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

export function toNormalWorkflow(workflow: GivenWorkflow): NormalWorkflow {
  const { workflowId, name = workflowId, preferences, steps, ...rest } = workflow;
  const settings = completeSettings(workflow);
  const levels = preferences ?? {};
  return {
    workflowId,
    name,
    ...settings,
    tags: [...settings.tags],
    payloadSchema: plainNumbers(settings.payloadSchema) as JsonObject | null,
    ...otherMembers(rest, settings),
    preferences: {
      user: levels.user ? toLevel(levels.user) : null,
      default: toLevel(levels.default ?? {}),
    },
    steps: (steps ?? []).map(
      ({ stepId, name = stepId, type, controlValues, controls, ...rest }) => ({
        stepId,
        name,
        type,
        ...otherMembers(rest),
        controlValues: plainNumbers(controlValues ?? controls?.values ?? {}) as JsonObject,
      }),
    ),
  };
}

/** The members that newer servers have, also those that svc does not know. Null is the same as absent. */
const otherMembers = (members: object, others: object = {}): JsonObject =>
  Object.fromEntries(
    Object.entries(members)
      .filter(([name, value]) => !Object.hasOwn(others, name) && !isDerived(name) && value != null)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => [name, plainNumbers(value)]),
  );

/** Without the members that only newer servers have, which a sandbox lacks. */
export const toCommonWorkflow = ({
  workflowId,
  name,
  preferences,
  steps,
  ...settings
}: NormalWorkflow) => ({
  workflowId,
  name,
  ...completeSettings(settings),
  preferences,
  steps: steps.map(({ stepId, name, type, controlValues }) => ({
    stepId,
    name,
    type,
    controlValues,
  })),
});

/** A layout in a response. In a listing, `controls.values` is always empty. */
export interface GivenLayout {
  layoutId: string;
  name?: string | undefined;
  isTranslationEnabled?: boolean | undefined;
  controls?: { values?: JsonObject | null | undefined } | undefined;
}

export function toNormalLayout(layout: GivenLayout): NormalLayout {
  const { layoutId, name = layoutId, isTranslationEnabled = false, controls, ...rest } = layout;
  const { type: _, ...others } = otherMembers(rest);
  const controlValues = plainNumbers(controls?.values ?? {}) as JsonObject;
  return { layoutId, name, isTranslationEnabled, ...others, controlValues };
}

/**
 * Fills in the defaults of the service: everything is enabled. Channels that only newer servers have are left out if
 * they have the default, which follows `all`.
 */
function toLevel({ all: ownAll, channels, ...rest }: JsonObject): PreferenceLevel {
  const all = { enabled: true, readOnly: false, ...(isJsonObject(ownAll) ? ownAll : {}) };
  const ownChannels = isJsonObject(channels) ? channels : {};
  const always: readonly string[] = channelOrders.workflowPreferences;
  const later = Object.keys(ownChannels).filter(
    (name) => !always.includes(name) && !isSame(ownChannels[name], { enabled: all.enabled }),
  );
  return {
    all,
    channels: Object.fromEntries(
      [...always, ...later.sort()].map((name) => {
        const channel = ownChannels[name];
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

// The overrides of an event that apply to a channel step: by channel, by provider and by step.
import { asObject, isObject, type JsonObject, valueAt } from '../../core/objects.ts';
import { severities } from '../../service/schemas/vocabulary.ts';
import type { Step } from './run.ts';

/** The overrides of a channel step. Overrides of its provider and of the step win over overrides of the channel. */
export function channelOverrides(step: Step, channel: string, providerId?: string): JsonObject {
  const { overrides } = step.run.notification;
  return {
    ...objectAt(overrides, channel),
    ...(providerId === undefined
      ? {}
      : { ...objectAt(overrides, providerId), ...providerOverrides(step, providerId) }),
  };
}

/** The overrides for a provider, in all steps or in this one. */
export function providerOverrides({ scope, run, job }: Step, providerId: string): JsonObject {
  const { overrides } = run.notification;
  return merge(
    objectAt(overrides, `providers.${providerId}`),
    objectAt(overrides, `steps.${job.stepId}.providers.${providerId}`),
    scope.dialect.replacesLists,
  ) as JsonObject;
}

/** Merges objects by member, and lists by position unless the later list replaces the earlier one. */
function merge(earlier: unknown, later: unknown, replacesLists: boolean): unknown {
  if (Array.isArray(later)) {
    if (replacesLists || !Array.isArray(earlier)) return later;
    const rest = earlier.slice(later.length);
    return [...later.map((item, index) => merge(earlier[index], item, replacesLists)), ...rest];
  }
  if (!isObject(earlier) || !isObject(later)) return later ?? earlier;
  const members = Object.entries(later).map(([name, value]) => [
    name,
    merge(Object.hasOwn(earlier, name) ? earlier[name] : undefined, value, replacesLists),
  ]);
  return { ...earlier, ...Object.fromEntries(members) };
}

/**
 * The overrides that a message shows. Those under `providers` and `steps` are only passed to the provider, except for an
 * e-mail of later versions.
 */
export function storedOverrides(step: Step, providerId: string): JsonObject {
  const { scope, run, job } = step;
  const { overrides } = run.notification;
  if (scope.dialect.storesAllOverrides && job.type === 'email')
    return channelOverrides(step, job.type, providerId);
  return { ...objectAt(overrides, job.type), ...objectAt(overrides, providerId) };
}

/** An event may override the severity of its workflow. */
export const chooseSeverity = (workflow: { severity: string }, { severity }: JsonObject): string =>
  typeof severity === 'string' ? severity : workflow.severity;

export const isSeverityKnown = ({ severity }: JsonObject): boolean =>
  severity === undefined ||
  severity === null ||
  (severities as readonly unknown[]).includes(severity);

const objectAt = (overrides: JsonObject, path: string): JsonObject =>
  asObject(valueAt(overrides, path));

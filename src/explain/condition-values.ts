// The condition of a step and the values of its variables: those of the payload are recorded in the event, those of the
// subscriber are of today.
import { asObject } from '../core/objects.ts';
import type { ActivityItem } from '../service/schemas/activity.ts';
import type { Facts } from './now.ts';
import type { StepVerdict } from './verdict.ts';

const maxLength = 160;
const maxValues = 5;

const shown = (value: unknown) => {
  const text = JSON.stringify(value) ?? 'missing';
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
};

/** The `skip` conditions of today of the step, or of all steps of its channel if it is gone. */
function listConditions({ workflow }: Facts, { channel, stepId }: StepVerdict) {
  const steps = workflow?.steps?.filter(({ type }) => type === channel) ?? [];
  const matching = steps.filter(({ _id }) => _id === stepId);
  return (matching.length > 0 ? matching : steps).flatMap((step) => {
    const skip = (step.controls?.values ?? step.controlValues)?.skip;
    return skip === undefined || skip === null ? [] : [{ id: step.stepId, skip }];
  });
}

export function conditionLines(item: ActivityItem, facts: Facts, verdict: StepVerdict): string[] {
  const conditions = listConditions(facts, verdict);
  const subscriber = facts.subscriber ?? item.subscriber;
  const paths = new Set(conditions.flatMap(({ skip }) => listVariables(skip)));
  const values = [...paths]
    .filter((path) => path.startsWith('subscriber.') && subscriber)
    .map((path) => `${path} is ${shown(readPath({ subscriber }, path))}`);
  return [
    ...conditions.map(({ id, skip }) => `step ${id} has the condition ${shown(skip)}`),
    ...values.slice(0, maxValues),
  ];
}

/** The values of the payload that the condition compared. */
export function recordedValues(item: ActivityItem, facts: Facts, verdict: StepVerdict): string[] {
  if (verdict.cause !== 'condition' || item.payload === undefined) return [];
  const paths = new Set(listConditions(facts, verdict).flatMap(({ skip }) => listVariables(skip)));
  return [...paths]
    .filter((path) => path.startsWith('payload.'))
    .slice(0, maxValues)
    .map((path) => `${path} was ${shown(readPath(item, path))}`);
}

/** The paths of `{"var": "payload.plan"}`, in any place. */
function listVariables(condition: unknown): string[] {
  if (Array.isArray(condition)) return condition.flatMap(listVariables);
  return Object.entries(asObject(condition)).flatMap(([name, value]) => {
    const [path] = [value].flat();
    return name === 'var' && typeof path === 'string' ? [path] : listVariables(value);
  });
}

const readPath = (root: object, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (value, name) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, name)
          ? Reflect.get(value, name)
          : undefined,
      root,
    );

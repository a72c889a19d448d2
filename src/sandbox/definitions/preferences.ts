// The delivery preferences of a workflow: from a request, completed, or the standard ones.
import { channelOrders } from '../../service/schemas/vocabulary.ts';
import type { StoredWorkflow } from '../store/workflows.ts';

type Preferences = StoredWorkflow['preferences'];
type Level = NonNullable<Preferences['default']>;

/** A request names `workflow` what a response names `default`. Absent parts are reset. */
export function preferencesFrom(
  given: { user?: unknown; workflow?: unknown } | null | undefined,
): Preferences {
  const { user, workflow } = given ?? {};
  return { user: isLevel(user) ? completed(user) : null, default: completed(workflow) };
}

const isLevel = (value: unknown): value is Level => typeof value === 'object' && value !== null;

function completed(value: unknown): Level {
  const level: Level = isLevel(value) ? value : {};
  const isEnabled = (name: string) => level.channels?.[name]?.enabled ?? true;
  return {
    all: { enabled: level.all?.enabled ?? true, readOnly: level.all?.readOnly ?? false },
    channels: Object.fromEntries(
      channelOrders.workflowPreferences.map((name) => [name, { enabled: isEnabled(name) }]),
    ),
  };
}

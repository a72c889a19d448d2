// Issues of a definition by the path of the value, and how the service joins the issues of several checks.
import type { StepIssues } from '../../service/schemas/workflow-issues.ts';

export type Issues = NonNullable<StepIssues['controls']>;
export type Issue = Issues[string][number];

/** Issues of a later check replace earlier ones at the same place of the same list. */
export function mergeIssues(...all: readonly Issues[]): Issues {
  const merged: Issues = {};
  for (const issues of all) {
    for (const [path, list] of Object.entries(issues)) {
      const known = merged[path] ?? [];
      const replaced = list.map((issue, index) => ({ ...known[index], ...issue }));
      merged[path] = [...replaced, ...known.slice(list.length)];
    }
  }
  return merged;
}

// The kinds of resources that `--only` names.
import { usageError } from '../../core/errors.ts';
import { kindNames, type ResourceKind, toKind } from '../../environment-files/resource.ts';

export const kindsText = kindNames.join(', ');

/** Undefined without `--only`. Throws a usage error for an unknown kind. */
export function readKinds(only: readonly string[] | undefined): ResourceKind[] | undefined {
  return only?.map((given) => {
    const kind = kindNames.find((name) => name === given);
    if (kind !== undefined) return toKind(kind);
    throw usageError(`--only: \`${given}\` is not a valid kind. Must be one of: ${kindsText}.`, {
      suggestion: { input: given, candidates: kindNames },
    });
  });
}

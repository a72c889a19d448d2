// Validates a single item of an environment, for programs that write a state file item by item.
import { withPlainMessages } from '../../service/schemas/plain-messages.ts';
import { environmentLists } from './schema.ts';
import { findMaskedSecrets, formatPath, toValidationErrors } from './validation-errors.ts';

/** Returns the first error of an item, such as an integration; undefined if a state file can contain it. */
export function stateItemError(
  list: keyof typeof environmentLists,
  item: object,
): string | undefined {
  const parsed = environmentLists[list].safeParse(item, withPlainMessages);
  const errors = parsed.success
    ? findMaskedSecrets(item, [])
    : parsed.error.issues.flatMap(toValidationErrors);
  const [first] = errors;
  return first && [formatPath(first.path), first.message].filter(Boolean).join(' ');
}

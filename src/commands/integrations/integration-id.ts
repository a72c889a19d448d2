// Checks the id of an integration, because the service responds with 500 to an identifier.
import { usageError } from '../../core/errors.ts';
import { isObjectId } from '../../service/rules/formats.ts';

/** Returns the id. Throws a usage error if it does not have 24 hex digits. */
export function checkedId(id: string): string {
  if (isObjectId(id)) return id;
  throw usageError(`\`${id}\` is not the id of an integration: an id has 24 hex digits.`, {
    hint: 'Use the id (`_id`), not the identifier. If the server does not list integrations, its web interface shows the ids.',
    next: ['svc integrations list'],
  });
}

// The id of an integration as it is typed. The service fails with a 500 when it gets an identifier instead.
import { usageError } from '../../core/errors.ts';

/** The id itself, if it can be one. */
export function checkedId(typed: string): string {
  if (/^[0-9a-f]{24}$/i.test(typed)) return typed;
  throw usageError(`\`${typed}\` is not the id of an integration: an id has 24 hex digits.`, {
    hint: 'Use the id (`_id`), not the identifier. The web interface of the service shows it, and so does this request where the server offers it:',
    next: ['svc api GET /v1/integrations'],
  });
}

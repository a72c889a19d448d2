// The options for the profile of a subscriber, and errors that name them.
import { dashed } from '../../cli/option-words.ts';
import { text } from '../../cli/options.ts';
import { SvcError, usageError } from '../../core/errors.ts';

export const profileOptions = {
  firstName: text('--first-name <text>', 'First name'),
  lastName: text('--last-name <text>', 'Last name'),
  email: text('--email <address>', 'E-mail address'),
  phone: text('--phone <number>', 'Phone number'),
  avatar: text('--avatar <url>', 'URL of a picture'),
  locale: text('--locale <locale>', 'Locale such as en or en-US'),
  timezone: text('--timezone <zone>', 'IANA time zone such as Europe/Berlin'),
  data: text('--data <json|@file>', 'Custom data as a JSON object'),
};

const invalidField = /^The request is not valid: `(?:subscribers\.0\.)?(\w+)` (.*)$/;

/** Names the option of an invalid field instead of the place in the request. */
export function nameOptions(error: unknown, given: Readonly<Record<string, unknown>>): unknown {
  if (!(error instanceof SvcError) || error.exitReason !== 'usage') return error;
  const [, field = '', problem = ''] = invalidField.exec(error.message) ?? [];
  if (!Object.hasOwn(profileOptions, field) || typeof given[field] !== 'string') return error;
  const fieldErrors = error.details.fieldErrors?.map((fieldError) => ({
    ...fieldError,
    field: fieldError.field.replace(/^subscribers\.0\./, ''),
  }));
  return usageError(`${dashed(field)}: \`${given[field]}\` ${problem}`, {
    ...error.details,
    ...(fieldErrors ? { fieldErrors } : {}),
  });
}

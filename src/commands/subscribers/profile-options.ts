// The options for the profile of a subscriber.
import { text } from '../../cli/options.ts';

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

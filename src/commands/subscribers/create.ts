// `svc subscribers create`
import { command } from '../../cli/command.ts';
import { text } from '../../cli/options.ts';
import { SvcError } from '../../core/errors.ts';
import { readJsonObject } from '../../input/values.ts';
import * as result from '../../output/result.ts';
import { subscriberArgument } from '../shared/arguments.ts';

export const create = command({
  summary: 'Create a subscriber, or update the given fields of an existing one',
  arguments: {
    subscriberId: subscriberArgument,
  },
  options: {
    firstName: text('--first-name <text>', 'First name'),
    lastName: text('--last-name <text>', 'Last name'),
    email: text('--email <address>', 'E-mail address'),
    phone: text('--phone <number>', 'Phone number'),
    avatar: text('--avatar <url>', 'URL of a picture'),
    locale: text('--locale <locale>', 'Locale such as en or en-US'),
    timezone: text('--timezone <zone>', 'IANA time zone such as Europe/Berlin'),
    data: text('--data <json|@file>', 'Custom data as a JSON object'),
  },
  output: '{subscriberId, result}, where result is created or updated.',
  examples: [
    {
      line: 'svc subscribers create u42 --email ada@example.com --first-name Ada',
      description: 'Create subscriber u42',
    },
    {
      line: `svc subscribers create u42 --data '{"plan":"pro"}'`,
      description: 'Set custom data of an existing subscriber',
    },
  ],
  fields: ['subscriberId', 'result'],
  operations: ['bulkCreateSubscribers'],
  writes: true,
  async run(context, { args: { subscriberId }, options }) {
    const { data, ...fields } = options;
    const row = {
      subscriberId,
      ...fields,
      ...(data === undefined ? {} : { data: await readJsonObject(data, '--data', context.host) }),
    };
    const client = await context.client();
    const response = await client.call('bulkCreateSubscribers', { body: { subscribers: [row] } });
    const { readImportOutcomes } = await import('../../bulk/operations/import-outcomes.ts');
    const [outcome = { state: 'unknown' as const }] = readImportOutcomes(response, [
      { id: subscriberId },
    ]);
    if ('reason' in outcome) throw new SvcError('refused', outcome.reason);
    if (outcome.state === 'unknown') throw missingOutcome(subscriberId);
    return result.report({
      value: { subscriberId, result: outcome.state },
      headline: `${outcome.state === 'created' ? 'Created' : 'Updated'} subscriber ${subscriberId}`,
      lines: [],
      ids: [subscriberId],
    });
  },
});

const missingOutcome = (subscriberId: string) =>
  new SvcError(
    'refused',
    `The response does not mention subscriber \`${subscriberId}\`, so the result is unknown.`,
    {
      hint: 'Run the command again: creating an existing subscriber updates it.',
    },
  );

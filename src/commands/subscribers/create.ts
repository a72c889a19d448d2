import { command } from '../../cli/command.ts';
import { required } from '../../cli/options.ts';
import { SvcError } from '../../core/errors.ts';
import { readJsonObject } from '../../input/values.ts';
import * as result from '../../output/result.ts';
import { nameOptions, profileOptions } from './view.ts';

export const create = command({
  summary: 'Create a subscriber, or update the given fields of an existing one',
  arguments: {
    subscriberId: required('<subscriber-id>', 'Id of the subscriber in your application', {
      value: 'id',
    }),
  },
  options: profileOptions,
  output: '{subscriberId, result}, where result is created or updated.',
  examples: {
    'svc subscribers create u42 --email ada@example.com --first-name Ada': 'Create subscriber u42',
    'svc subscribers create u42 --data \'{"plan":"pro"}\'':
      'Set custom data of an existing subscriber',
  },
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
    const response = await client
      .call('bulkCreateSubscribers', { body: { subscribers: [row] } })
      .catch((error: unknown) => {
        throw nameOptions(error, options);
      });
    const { readImportOutcomes } = await import('../../bulk/operations/import-outcomes.ts');
    const [outcome = { state: 'unknown' as const }] = readImportOutcomes(response, [
      { id: subscriberId },
    ]);
    if ('reason' in outcome) throw new SvcError('refused', outcome.reason);
    if (outcome.state === 'unknown') throw missingOutcome(subscriberId);
    return result.report({
      value: { subscriberId, result: outcome.state },
      headline: `${outcome.state === 'created' ? 'Created' : 'Updated'} subscriber ${subscriberId}`,
      ids: [subscriberId],
    });
  },
});

const missingOutcome = (subscriberId: string) =>
  new SvcError(
    'refused',
    `The response does not mention subscriber \`${subscriberId}\`, so the result is unknown.`,
    { hint: 'Run the command again: creating an existing subscriber updates it.' },
  );

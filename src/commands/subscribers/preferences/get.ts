// `svc subscribers preferences get`
import { criticalities } from '../../../api/schemas/vocabulary.ts';
import { command } from '../../../cli/command.ts';
import { choice, required } from '../../../cli/options.ts';
import * as result from '../../../output/result.ts';
import { matrix, matrixColumns, weekPart } from './view.ts';

export const get = command({
  summary: 'Show the preferences of a subscriber: workflow × channel, and the week',
  details: 'Where a channel was set by somebody, the source stands behind it.',
  arguments: {
    subscriberId: required('<subscriber-id>', 'Your identifier of the subscriber', 'subscribers'),
  },
  options: {
    criticality: choice('--criticality <which>', criticalities, 'Which workflows', {
      defaultText: 'nonCritical',
    }),
  },
  output:
    'A matrix of workflow and channel with the source of each choice; as data, the answer of the service.',
  examples: [
    { line: 'svc subscribers preferences get u1', description: 'The matrix' },
    {
      line: 'svc subscribers preferences get u1 --jq .global.channels',
      description: 'The global choices',
    },
  ],
  operations: ['getSubscriberPreferences'],
  writes: false,
  async run(context, { args: { subscriberId }, options: { criticality } }) {
    const client = await context.client();
    const value = await client.call('getSubscriberPreferences', {
      path: { subscriberId },
      query: { criticality },
    });
    return result.one({
      value,
      fields: [
        {
          field: 'subscriberId',
          header: 'SUBSCRIBER',
          value: () => subscriberId,
          tone: () => 'strong',
        },
      ],
      parts: [
        { title: 'Channels', rows: matrix(value), columns: matrixColumns as never, empty: '' },
        ...weekPart(value.global.schedule),
      ],
      id: () => subscriberId,
    });
  },
});

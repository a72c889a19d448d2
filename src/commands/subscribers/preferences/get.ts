// `svc subscribers preferences get`

import { command } from '../../../cli/command.ts';
import { choice } from '../../../cli/options.ts';
import * as result from '../../../output/result.ts';
import { criticalities } from '../../../service/schemas/vocabulary.ts';
import { subscriberArgument } from '../../shared/arguments.ts';
import { matrixColumns, matrixRows, weeklyScheduleParts } from './view.ts';

export const get = command({
  summary: 'Show the preferences of a subscriber by workflow and channel, and the schedule',
  details:
    'A setting that differs from that of all workflows is followed by its source, such as (subscriber).',
  arguments: {
    subscriberId: subscriberArgument,
  },
  options: {
    criticality: choice(
      '--criticality <which>',
      criticalities,
      'Show only workflows of this criticality',
      {
        defaultText: 'nonCritical',
      },
    ),
  },
  output: 'A table of the settings by workflow and channel. As JSON, the response of the service.',
  examples: [
    { line: 'svc subscribers preferences get u1', description: 'The preferences of subscriber u1' },
    {
      line: 'svc subscribers preferences get u1 --jq .global.channels',
      description: 'The global settings of each channel',
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
        { title: 'Channels', rows: matrixRows(value), columns: matrixColumns as never, empty: '' },
        ...weeklyScheduleParts(value.global.schedule),
      ],
      id: () => subscriberId,
    });
  },
});

import { command } from '../../../cli/command.ts';
import { choice, flag, several } from '../../../cli/options.ts';
import { counted } from '../../../core/text.ts';
import { readContextKey } from '../../../input/values.ts';
import * as result from '../../../output/result.ts';
import { criticalities } from '../../../service/schemas/vocabulary.ts';
import { subscriberArgument } from '../../shared/arguments.ts';
import { matrixColumns, matrixRows, weeklyScheduleParts } from './view.ts';

export const get = command({
  summary: 'Show the preferences of a subscriber by workflow and channel, and the schedule',
  details:
    'Shows the settings for all workflows, and the workflows in which a channel differs from them. Such a setting is followed by its source, such as (subscriber).\n\nServers since 3.13 can keep choices for contexts, if this feature is turned on. Another server ignores --context and shows the choices without one.',
  arguments: { subscriberId: subscriberArgument },
  options: {
    all: flag('--all', 'Also show workflows that have the settings of all workflows'),
    criticality: choice(
      '--criticality <which>',
      criticalities,
      'Show only workflows of this criticality',
      { defaultText: 'nonCritical' },
    ),
    context: several('--context <type:id>', 'Show what was chosen for exactly these contexts', {
      complete: 'contexts',
    }),
  },
  output: 'A table of the settings by workflow and channel. As JSON, the response of the service.',
  examples: {
    'svc subscribers preferences get u1': 'The preferences of subscriber u1',
    'svc subscribers preferences get u1 --all': 'The settings of every workflow',
    'svc subscribers preferences get u1 --jq .global.channels':
      'The global settings of each channel',
  },
  operations: ['getSubscriberPreferences'],
  writes: false,
  tool: 'read',
  async run(
    context,
    { args: { subscriberId }, options: { all = false, criticality, context: keys } },
  ) {
    const value = await context.call('getSubscriberPreferences', {
      path: { subscriberId },
      query: { criticality, contextKeys: keys?.map(readContextKey) },
    });
    const rows = matrixRows(value);
    const visible = rows.filter(({ isDefault }) => all || !isDefault);
    const others = rows.length - visible.length;
    return result.one({
      value,
      fields: [
        {
          field: 'subscriberId',
          header: 'SUBSCRIBER',
          value: () => subscriberId,
          tone: () => 'strong',
        },
        {
          field: 'others',
          header: 'OTHERS',
          value: () =>
            others === 0
              ? ''
              : `${counted(others, 'workflow')} with the settings of (all); --all shows them`,
          tone: () => 'muted',
        },
      ],
      parts: [
        { title: 'Channels', rows: visible, columns: matrixColumns as never, empty: '' },
        ...weeklyScheduleParts(value.global.schedule),
      ],
      id: () => subscriberId,
    });
  },
});

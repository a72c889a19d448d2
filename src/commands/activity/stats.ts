// `svc activity stats`
import { command } from '../../cli/command.ts';
import { choice } from '../../cli/options.ts';
import { unitMs } from '../../core/durations.ts';
import { createStats, groupings } from '../../explain/stats.ts';
import { activityFilters, activityQuery } from './filters.ts';
import { activityPages } from './pages.ts';
import { createServiceTime } from './service-time.ts';
import { statsResult } from './stats-view.ts';

const defaultDays = 7;

export const stats = command({
  summary: 'Count delivered, failed, skipped and waiting messages, with the reasons',
  details: `Reads all events that match, by default those of the last 7 days, in constant memory.

An event has one recipient per subscriber, and each recipient has one message per step that sends one: delivered, failed, skipped (not sent, for example because of a preference) or waiting. The rate is delivered / (delivered + failed). Days and hours are in UTC.`,
  options: {
    by: choice('--by <group>', groupings, 'Group by workflow, channel, time or reason', {
      defaultText: 'workflow',
    }),
    ...activityFilters,
  },
  output:
    'Totals, groups and the most frequent reasons. As JSON, {since, until, by, total: {events, recipients, delivered, failed, skipped, waiting}, groups: [{key, …the same}], reasons: [{cause, count}]}. In a pipe, CSV and TSV: one line per group. With -o ids, the keys of the groups.',
  fields: [
    'since',
    'until',
    'by',
    'total',
    'groups',
    'reasons',
    'key',
    'events',
    'recipients',
  ].concat(['delivered', 'failed', 'skipped', 'waiting']),
  examples: [
    { line: 'svc activity stats', description: 'Show the last 7 days by workflow' },
    {
      line: 'svc activity stats --since 24h --by reason --workflow welcome',
      description: 'Show why messages of a workflow did not arrive',
    },
    {
      line: 'svc activity stats --since 30d --by day -o csv',
      description: 'Print numbers per day for a spreadsheet',
    },
  ],
  operations: ['listActivity', 'getWorkflow', 'listWorkflows'],
  writes: false,
  async run(context, { options }) {
    const { by = 'workflow', ...filters } = options;
    const serviceTime = createServiceTime(context);
    const query = await activityQuery(context, filters, serviceTime);
    const until = query.before ?? new Date(await serviceTime()).toISOString();
    query.after ??= new Date(Date.parse(until) - unitMs.d * defaultDays).toISOString();
    const counted = createStats(by, filters.channel);
    const { showReading } = await import('../shared/reading-progress.ts');
    const progress = showReading(context);
    try {
      for await (const { items } of activityPages(context, query, filters.transaction)) {
        for (const item of items) counted.add(item);
        progress.add(items.length);
      }
    } finally {
      progress.stop();
    }
    const { stdout } = context.host;
    return statsResult(
      {
        since: query.after,
        until,
        by,
        ...counted.result(),
      },
      { columns: stdout.isTty ? stdout.columns : 80, unicode: context.settings.unicode },
    );
  },
});

import { bulkOptions } from '../../bulk/command/options.ts';
import { command } from '../../cli/command.ts';
import { choice, duration, optional, resumeOption, severalOf, text } from '../../cli/options.ts';
import { type FindingKind, findingKinds } from '../../deliveries/audit-kinds.ts';
import { activityFilters } from './filters.ts';

const { concurrency, rate, maxErrors, rejects, force } = bulkOptions;

const auditOptions = {
  since: text('--since <24h|ISO>', 'Only events after this time', { defaultText: '24h' }),
  until: activityFilters.until,
  workflow: activityFilters.workflow,
  grace: duration('--grace <duration>', 'How late an event may be', { defaultText: '10m' }),
  only: severalOf('--only <kind>', findingKinds, 'Only findings of this kind'),
  metrics: text('--metrics <file.prom>', 'Also write the counts as Prometheus text', {
    complete: 'files',
  }),
  fix: choice('--fix <kind>', ['dead-addresses'], 'Delete the credentials with dead addresses'),
};

export interface AuditOptions {
  since?: string;
  until?: string;
  workflow?: string[];
  grace?: number;
  only?: FindingKind[];
  metrics?: string;
  fix?: 'dead-addresses';
}

export const audit = command({
  summary: 'Find events that should be finished by now and are not, or that delivered no message',
  details: `Reads the listing of events once, newest first, in constant memory, and computes from delays, digests, throttles and schedules when each event must be finished at the latest. The findings:

overdue: a step should have run, or a digest or delay should have ended.
without-jobs: the service accepted the event and created no jobs.
lost-in-digest: the event was merged into a digest that never ended.
twice: a step was sent twice to a recipient, among the last 100,000 messages.
silent: every step failed or was skipped, not only because it was turned off.
dead-addresses: a provider does not know a token or webhook any more.

With a file, all findings are written to it, and an audit that was interrupted continues with --resume, as an export does.

svc says what it cannot decide: events whose digest or wait the service does not show. It reads the schedule of a recipient only if the result depends on it, for at most 500 recipients. With --fix dead-addresses, svc asks and deletes the credentials of these recipients for the provider, as a run that can be resumed.`,
  arguments: { file: optional('[file.ndjson|csv]', 'Write the findings to this file', 'files') },
  options: { ...auditOptions, ...resumeOption, concurrency, rate, maxErrors, rejects, force },
  output:
    'Groups of findings with count, cause, examples and the next commands; exits with 9 if there are any. As JSON, {since, until, events, findings, groups: [{kind, workflow, cause, channel, providerId, count, since, message, examples, next}], unread: [{reason, count}]}. With -o ndjson, CSV, TSV and in a pipe, one line for each of the first 100,000 findings; with -o ids, their transaction ids. With a file, only the groups. With --fix, the summary of the run.',
  fields: ['since', 'until', 'events', 'findings', 'groups', 'unread'],
  exitCodes: ['undelivered', 'partial'],
  examples: {
    'svc activity audit --since 7d --only overdue':
      'Events of the last week that should be finished by now',
    'svc activity audit --since 24h --only overdue -o ids': 'The transactions to send again',
    'svc activity audit overdue.csv --since 30d --only overdue --resume':
      'Every overdue event of a month; run it again after an interruption',
    'svc activity audit --since 24h --metrics svc.prom --quiet':
      'For cron, with numbers for Prometheus',
  },
  operations: [
    ...(['listActivity', 'getActivity', 'getWorkflow', 'listWorkflows', 'getSubscriber'] as const),
    ...(['getSubscriberPreferences', 'deleteSubscriberCredentials'] as const),
  ],
  skipsMissingOperations: true,
  writes: ({ options }) => options.fix !== undefined,
  gracefulShutdown: ({ options }) => options.fix !== undefined,
  tool: 'write',
  async run(context, { args: { file }, options }) {
    const { runAudit } = await import('./audit-flow.ts');
    return runAudit(context, file, options, auditOptions);
  },
});

import { command } from '../../cli/command.ts';
import { duration, flag, integer, optional, several, text } from '../../cli/options.ts';

export const replay = command({
  summary: 'Show what a change of workflows would have done to past events',
  details:
    'Runs the events of the last days twice on this machine: through the workflows as they are, and through those of a folder or of another environment. It prints whose messages would be the same, changed, gained, lost, or moved to another time or digest. Nothing is sent, and providers never fail.\n\nFirst, the run with the present workflows is compared with what the service did: this says how far the emulator can be trusted. Below --min-confidence, svc does not judge the change.\n\nWorkflows that are not in the folder stay as they are. Events of workflows that are defined by code, and events whose workflow, recipient or payload is gone, are left out and counted. The data of people stays in memory, and reports show ids unless you add --show-content.\n\nWith --events nothing is requested: `svc activity export <file> --with people` writes the events, and beside them a state file with the people and the workflows.',
  arguments: { folder: optional('[folder]', 'A folder of workflow files, or one file', 'files') },
  options: {
    to: text('--to <profile>', 'Compare with the workflows of this environment', {
      complete: 'profiles',
      conflicts: ['events'],
    }),
    since: text('--since <2h|ISO>', 'Events after this time', { defaultText: '7d' }),
    until: text('--until <2h|ISO>', 'Events before this time'),
    events: text('--events <file>', 'Read the events from an export', { complete: 'files' }),
    workflow: several('--workflow <workflow-id>', 'Only events of this workflow', {
      complete: 'workflows',
    }),
    sample: integer('--sample <n>', 'Replay about n events: all those of some recipients', {
      min: 1,
    }),
    maxEvents: integer('--max-events <n>', 'Read at most the n newest events', {
      min: 1,
      defaultText: '50000',
    }),
    horizon: duration('--horizon <duration>', 'How long digests and delays may last', {
      defaultText: '31d',
    }),
    anonymous: flag('--anonymous', 'Replace personal data, as `svc sandbox pull` does'),
    minConfidence: integer(
      '--min-confidence <percent>',
      'Exit with 9 if the emulator reproduces less',
      { min: 0, max: 100, unit: '%', defaultText: '90' },
    ),
    check: flag('--check', 'Exit with 10 if messages differ'),
    maxLost: text('--max-lost <n|%>', 'Exit with 10 if more messages are lost'),
    maxChanged: text('--max-changed <n|%>', 'Exit with 10 if more messages are changed'),
    show: integer('--show <n>', 'Examples for each kind of change', { min: 0, defaultText: '1' }),
    showContent: flag('--show-content', 'Show how the texts of the examples differ'),
    open: flag('--open', 'Open the examples side by side in the browser'),
  },
  output:
    'A table by workflow and channel, then the kinds of change. As JSON, {events, recipients, since, until, before, after, confidence, totals, rows, changes, leftOut}; with -o ndjson, one object for each difference; -o markdown is for a comment on a pull request.',
  fields: [
    ...['events', 'recipients', 'since', 'until', 'before', 'after', 'confidence', 'totals'],
    ...['rows', 'changes', 'leftOut'],
  ],
  exitCodes: ['undelivered', 'different'],
  examples: {
    'svc workflows replay workflows/ --since 7d':
      'The files of the folder, on the events of a week',
    'svc workflows replay --to production --since 24h --workflow welcome':
      'The workflow of this environment against that of production',
    'svc workflows replay workflows/ --events last-week.ndjson --max-lost 0 -o markdown':
      'In CI, without a network',
  },
  operations: [
    ...(['listActivity', 'listWorkflows', 'getWorkflow', 'listLayouts', 'getLayout'] as const),
    ...(['listIntegrations', 'listEnvironments', 'getSubscriber'] as const),
    ...(['getSubscriberPreferences', 'listContexts'] as const),
  ],
  skipsMissingOperations: true,
  writes: false,
  tool: 'rare',
  async run(context, { args: { folder }, options }) {
    const { replayWorkflows } = await import('./replay-workflows.ts');
    return replayWorkflows(context, folder, options);
  },
});

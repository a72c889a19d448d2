// `svc subscribers bulk-import`
import path from 'node:path';
import { command } from '../../cli/command.ts';
import { choice, commaList, flag, integer, required, several, text } from '../../cli/options.ts';
import { watchRun } from '../run-progress.ts';
import { runReport } from '../run-report.ts';

const input = 'Input';
const pace = 'Pace';

export const bulkImport = command({
  summary: 'Create or update subscribers from CSV, NDJSON or a JSON array, any number of them',
  details:
    'Columns are matched to fields without regard to case, blanks, _ and -; data.* columns become custom data. Every row is checked before it is sent. Rows that are not valid or that the service refuses go to a rejects file in the format of the input, ready to be mended and imported again. Ends with 3 when some rows failed, with 6 when all did.',
  arguments: { file: required('<file|->', 'The file, or - for standard input', 'files') },
  options: {
    format: choice(
      '--format <format>',
      ['csv', 'ndjson', 'json'],
      'Format of the input; else guessed',
      { group: input },
    ),
    delimiter: text('--delimiter <character>', 'Between CSV cells; else guessed', { group: input }),
    map: several('--map <field=column>', 'Take a field from a column of another name', {
      group: input,
    }),
    dataColumn: commaList('--data-column <a,b>', 'Send these columns as custom data', {
      group: input,
    }),
    dataRest: flag('--data-rest', 'Send all unknown columns or keys as custom data', {
      group: input,
    }),
    rejects: text('--rejects <path>', 'Where rejected rows go', {
      group: input,
      complete: 'files',
    }),
    force: flag('--force', 'Replace a rejects file that exists', { group: input }),
    concurrency: integer('--concurrency <n>', 'Most requests at a time', {
      min: 1,
      max: 64,
      group: pace,
      defaultText: '8',
    }),
  },
  gives:
    'The summary of the run: {runId, rows, created, updated, failed, invalid, …}; with -o ndjson, one line for each row.',
  examples: [
    { line: 'svc subscribers bulk-import users.csv', means: 'A file of any size' },
    { line: 'svc subscribers bulk-import - --format ndjson < users.ndjson', means: 'From a pipe' },
    { line: 'svc subscribers bulk-import users.csv --jq .created', means: 'In a script' },
  ],
  calls: ['bulkCreateSubscribers'],
  writes: true,
  many: true,
  drains: true,
  async run(context, { args: { file }, options }) {
    const { world } = context;
    const client = await context.client();
    const { openRecords } = await import('../../input/records.ts');
    const { importSubscribers } = await import('../../runs/import-subscribers.ts');
    const source = await openRecords({
      file,
      stdin: world.stdin,
      format: options.format,
      delimiter: options.delimiter,
    });
    const runId = world.newId().replaceAll('-', '').slice(0, 12);
    const extension = source.format === 'csv' ? 'csv' : source.format;
    const rejects = options.rejects
      ? path.resolve(world.cwd, options.rejects)
      : path.join(context.folders.state, 'runs', runId, `rejects.${extension}`);
    const began = world.clock.now();
    const summary = await importSubscribers({
      runId,
      source,
      client,
      rejects: { file: rejects, force: options.force === true },
      columns: {
        map: options.map ?? [],
        dataColumns: options.dataColumn ?? [],
        dataRest: options.dataRest === true,
      },
      concurrency: options.concurrency ?? 8,
      interruption: world.interruption,
      abortion: world.abortion,
      now: world.clock.now,
      watch: (tally) => watchRun(context, 'Importing', source, tally, began),
    });
    return runReport(summary, 'Imported');
  },
});

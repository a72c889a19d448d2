// Builds the shell command that sends fixed rejected rows: the same command and options with the rejects file as input.
import type { Context } from '../../app/context.ts';
import { optionWords } from '../../cli/option-words.ts';
import { shellWord } from '../../core/text.ts';
import type { RecordFormat } from '../../input/records.ts';
import type { BulkCommand } from './bulk-command.ts';
import { optionsWith } from './options.ts';

export function retryCommand(
  { followUps, globals }: Context,
  { retry, options: { csvSafe, encoding: _inputOnly, ...options }, declaredOptions }: BulkCommand,
  rejects: string,
  inputFormat: RecordFormat | undefined,
): string {
  const extension = /\.(csv|ndjson|json)$/.exec(rejects)?.[1];
  const format = inputFormat === 'lines' ? 'csv' : (inputFormat ?? extension ?? 'csv');
  const needsFormat = retry.fromStdin || extension !== format;
  const input = [retry.fromStdin ? '-' : rejects, ...(needsFormat ? ['--format', format] : [])];
  const original = optionsWith('original', declaredOptions);
  const { dataColumn } = options;
  const joinedColumns = Array.isArray(dataColumn) ? { dataColumn: dataColumn.join(',') } : {};
  const words = [
    'svc',
    ...retry.words,
    ...(retry.fromRun ? [] : input),
    ...optionWords({ ...options, ...joinedColumns }, [...original]),
    // A resumed run has the option of its start.
    ...(csvSafe || globals.csvSafe ? ['--csv-safe'] : []),
  ];
  const line = followUps.line(words.map(shellWord).join(' '));
  return retry.fromStdin ? `${line} < ${shellWord(rejects)}` : line;
}

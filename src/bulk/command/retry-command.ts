// The whole command that takes mended rejects, ready for a shell: the same words and options, the file in place.
import type { Context } from '../../app/context.ts';
import { dashed } from '../../commands/shared/format-options.ts';
import { shellWord } from '../../core/shell-word.ts';
import type { RecordFormat } from '../../input/records.ts';
import type { BulkCommand } from './run-bulk.ts';

/** Options of the place, form and part of the first input, and of its run alone. */
const ofFirst = new Set(
  'file recipients toFile run format delimiter skip take spool failOnEmpty resume rejects force maxErrors concurrency waitTimeout'.split(
    ' ',
  ),
);

/** Without these the rows would go elsewhere, or nowhere. */
const connection = ['profile', 'baseUrl', 'apiKeyFile', 'caFile', 'insecureHttp'] as const;

export function retryCommand(
  { globals }: Context,
  { again, options }: BulkCommand,
  rejects: string,
  given: RecordFormat | undefined,
): string {
  const extension = /\.(csv|ndjson|json)$/.exec(rejects)?.[1];
  const format = given === 'lines' ? 'csv' : (given ?? extension ?? 'csv');
  const isSaid = again.fromStdin || extension !== format;
  const input = [again.fromStdin ? '-' : rejects, ...(isSaid ? ['--format', format] : [])];
  const words = [
    'svc',
    ...again.words,
    ...(again.fromRun ? [] : input),
    ...Object.entries(options)
      .filter(([name]) => !ofFirst.has(name))
      .flatMap(([name, value]) => wordsOf(name, value)),
    ...connection.flatMap((name) => wordsOf(name, globals[name])),
  ];
  const line = words.map(shellWord).join(' ');
  return again.fromStdin ? `${line} < ${shellWord(rejects)}` : line;
}

/** `dataRest: true` → `--data-rest`; a list of columns is one word, any other list several options. */
function wordsOf(name: string, value: unknown): string[] {
  const flag = dashed(name);
  if (value === undefined || value === false) return [];
  if (value === true) return [flag];
  if (!Array.isArray(value)) return [flag, String(value)];
  if (name === 'dataColumn') return [flag, value.join(',')];
  return value.flatMap((one) => [flag, String(one)]);
}

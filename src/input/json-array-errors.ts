// Errors of a JSON array, with the line and a hint. All except the first can occur after rows were sent.
import { SvcError, usageError } from '../core/errors.ts';

export const notArrayError = (name: string, line: number) =>
  usageError(`${name} is not a JSON array of objects (line ${line}).`, {
    hint: 'For one object per line (NDJSON), use --format ndjson.',
  });

const unreadableError = (name: string, reason: string, line: number, hint: string) =>
  new SvcError('partial', `${name} cannot be read to the end: ${reason}.`, { line, hint });

export const trailingTextError = (name: string, line: number, found: string) =>
  unreadableError(
    name,
    `line ${line} has text after the end of the JSON array: \`${found}\``,
    line,
    'Remove the text. To join several arrays in one file, use jq -s add.',
  );

export const strayBraceError = (name: string, line: number) =>
  unreadableError(name, `line ${line} has an unmatched \`}\``, line, 'Remove the brace.');

export const endlessElementError = (name: string, line: number) =>
  unreadableError(
    name,
    `the element that starts on line ${line} is longer than 16 MiB`,
    line,
    'Check for an unclosed bracket or quote.',
  );

export const truncatedArrayError = (name: string, line: number, elementLine: number | undefined) =>
  unreadableError(
    name,
    elementLine === undefined
      ? `it ends on line ${line} without the closing \`]\` of the JSON array`
      : `it ends inside the element that starts on line ${elementLine}`,
    elementLine ?? line,
    'The file is probably truncated, or a bracket or quote is not closed.',
  );

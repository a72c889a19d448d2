// Why a JSON array cannot be read, with the line and what to do. All but the first stop a run that has begun.
import { SvcError, usageError } from '../core/errors.ts';

export const notArray = (name: string, line: number) =>
  usageError(`${name} is not a JSON array of objects (line ${line}).`, {
    hint: 'One object a line is NDJSON: --format ndjson.',
  });

const unreadable = (name: string, why: string, line: number, hint: string) =>
  new SvcError('partial', `${name} cannot be read further: ${why}.`, { line, hint });

export const textBehind = (name: string, line: number, found: string) =>
  unreadable(
    name,
    `line ${line} has text after the end of the JSON array: \`${found}\``,
    line,
    'Remove the text. Several arrays in one file become one with jq -s add.',
  );

export const strayBrace = (name: string, line: number) =>
  unreadable(name, `line ${line} has a \`}\` that closes nothing`, line, 'Remove the brace.');

export const endless = (name: string, line: number) =>
  unreadable(
    name,
    `the element that begins on line ${line} does not end within 16 MiB`,
    line,
    'Look for a bracket or a quote that is not closed.',
  );

export const cutOff = (name: string, line: number, begun: number | undefined) =>
  unreadable(
    name,
    begun === undefined
      ? `it ends on line ${line} without the \`]\` that closes the JSON array`
      : `it ends in the middle of the element that begins on line ${begun}`,
    begun ?? line,
    'The file is probably cut off, or a bracket or a quote is not closed.',
  );

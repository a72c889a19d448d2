// Shows the steps of a preview on a terminal.

import { isJsonObject, stringifyExact } from '../../core/lossless-json.ts';
import { variableProblemTexts } from '../../core/variable-problems.ts';
import { htmlLines } from '../../output/html-lines.ts';
import type { Line } from '../../output/result.ts';
import { wrapLines } from '../../output/wrap-lines.ts';
import type { PreviewedStep } from '../../sandbox/engine/preview.ts';

const tones = { shown: 'good', skipped: 'warn', failed: 'bad' } as const;

export function previewLines(
  previews: readonly PreviewedStep[],
  { isTty, columns, html }: { isTty: boolean; columns: number; html: boolean },
): Line[] {
  const width = isTty ? columns : Number.POSITIVE_INFINITY;
  const lines = previews.flatMap((preview, index): Line[] => [
    ...(index === 0 ? [] : [[]]),
    ...stepLines(preview, { width, html }),
  ]);
  if (lines.length === 0) return ['The workflow has no steps.'];
  return isTty ? wrapLines(lines, columns) : lines;
}

function stepLines(
  preview: PreviewedStep,
  { width, html }: { width: number; html: boolean },
): Line[] {
  const { stepId, type, result, reason, content } = preview;
  const members = flatten(content ?? {});
  const labelWidth = Math.max(...members.map(([name]) => name.length), 0);
  return [
    [
      { text: stepId, tone: 'strong' },
      { text: `  ${type}`, tone: 'muted' },
      ...(reason === null ? [] : [{ text: `  ${result}: ${reason}`, tone: tones[result] }]),
    ],
    ...variableProblemTexts(preview).map((text): Line => [{ text: `  ${text}`, tone: 'warn' }]),
    ...members.flatMap(([name, value]): Line[] => {
      const isEmail = type === 'email' && name === 'body' && typeof value === 'string';
      const [first = '', ...rest] = isEmail && !html ? htmlLines(value) : textLines(value);
      const label = { text: `  ${name.padEnd(labelWidth)}  `, tone: 'muted' } as const;
      if (rest.length === 0 && labelWidth + 4 + first.length <= width)
        return [[label, { text: first }]];
      const indented = [first, ...rest].map((text) => [{ text: text && `    ${text}` }]);
      return [[{ ...label, text: `  ${name}` }], ...indented];
    }),
  ];
}

/** `primaryAction.label` for members of objects. Leaves out null. */
const flatten = (value: object, prefix = ''): [string, unknown][] =>
  Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    if (inner === null) return [];
    return isJsonObject(inner)
      ? flatten(inner, `${prefix}${name}.`)
      : [[`${prefix}${name}`, inner]];
  });

/** Long HTML is shown with one element per line. */
function textLines(value: unknown): string[] {
  if (typeof value !== 'string') return [stringifyExact(value)];
  const isHtml = value.length > 72 && value.includes('><');
  return (isHtml ? value.replaceAll('><', '>\n<') : value).replaceAll('\t', '  ').split('\n');
}

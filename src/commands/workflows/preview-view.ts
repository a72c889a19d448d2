// Shows the steps of a preview on a terminal.
import { inlineText } from '../../diff/value-text.ts';
import { wrapLines } from '../../diff/wrap-lines.ts';
import type { Line } from '../../output/result.ts';
import type { StepPreview } from './preview-flow.ts';

const tones = { shown: 'good', skipped: 'warn', failed: 'bad' } as const;

export function previewLines(
  previews: readonly StepPreview[],
  { isTty, columns }: { isTty: boolean; columns: number },
): Line[] {
  const lines = previews.flatMap((preview, index): Line[] => [
    ...(index === 0 ? [] : [[]]),
    ...stepLines(preview),
  ]);
  if (lines.length === 0) return ['The workflow has no steps.'];
  return isTty ? wrapLines(lines, columns) : lines;
}

function stepLines({ stepId, type, result, reason, content }: StepPreview): Line[] {
  const members = Object.entries(content ?? {}).filter(([, value]) => value !== null);
  const width = Math.max(...members.map(([name]) => name.length), 0);
  return [
    [
      { text: stepId, tone: 'strong' },
      { text: `  ${type}`, tone: 'muted' },
      ...(reason === null ? [] : [{ text: `  ${result}: ${reason}`, tone: tones[result] }]),
    ],
    ...members.flatMap(([name, value]): Line[] => {
      const [first = '', ...rest] = textLines(value);
      const label = { text: `  ${name.padEnd(width)}  `, tone: 'muted' } as const;
      if (rest.length === 0) return [[label, { text: first }]];
      return [[label], ...[first, ...rest].map((text) => [{ text: `    ${text}` }])];
    }),
  ];
}

/** Long HTML is shown with one element per line. */
function textLines(value: unknown): string[] {
  if (typeof value !== 'string') return [inlineText(value)];
  const isHtml = value.length > 72 && value.includes('><');
  return (isHtml ? value.replaceAll('><', '>\n<') : value).replaceAll('\t', '  ').split('\n');
}

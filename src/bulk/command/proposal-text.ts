// Shows proposed columns: as a table with sample rows on a terminal, dim for columns that were matched by name; as one
// line per proposed column elsewhere.
import type { Context } from '../../app/context.ts';
import type { FieldError } from '../../core/errors.ts';
import type { Tone } from '../../output/result.ts';
import { safeText } from '../../output/safe-text.ts';
import { openStyle, wantsColor } from '../../output/style.ts';
import type { ProposedColumn } from '../operations/propose-columns.ts';

const maxSampleLength = 40;

const shorten = (text: string) =>
  text.length > maxSampleLength ? `${text.slice(0, maxSampleLength)}…` : text;

const targetText = ({ column, targets, reason }: ProposedColumn) => {
  if (targets.length === 0) return `not sent: ${reason}`;
  return targets.map((target) => (target === `data.${column}` ? 'custom data' : target)).join(', ');
};

/** One line per column, with its sample cells. */
export const proposalLines = (proposal: readonly ProposedColumn[]): FieldError[] =>
  proposal.map((proposed) => {
    const samples = proposed.samples.filter((cell) => cell !== '').map(shorten);
    const sampleText = samples.length === 0 ? '' : ` (${samples.join(', ')})`;
    return { field: shorten(proposed.column), message: `${targetText(proposed)}${sampleText}` };
  });

/** A proposed column, or one that was matched by its name. */
export interface ShownColumn extends ProposedColumn {
  isMatched?: boolean;
}

/** The table for a terminal. */
export async function proposalText(
  { host: { stderr, env }, settings }: Context,
  name: string,
  shown: readonly ShownColumn[],
): Promise<string> {
  const { tableText } = await import('../../output/table.ts');
  const style = await openStyle(wantsColor({ isTty: stderr.isTty, ...settings.color, env }));
  const columnTone = ({ isMatched, targets }: ShownColumn): Tone =>
    isMatched ? 'muted' : targets.length === 0 ? 'warn' : 'good';
  // A row can be empty in all columns that are shown, or missing.
  const sampleRows = [0, 1, 2].filter((row) => shown.some(({ samples }) => samples[row]));
  const columns = [
    { header: 'COLUMN', shrink: 12, wrap: true as const },
    { header: 'FIELD', shrink: 12, wrap: true as const },
    ...sampleRows.map((_row, index) => ({
      header: `ROW ${index + 1}`,
      shrink: 6,
      drop: index + 1,
    })),
  ];
  const rows = shown.map((column) => [
    { text: safeText(column.column), tone: column.isMatched ? 'muted' : 'strong' } as const,
    { text: safeText(targetText(column)), tone: columnTone(column) },
    ...sampleRows.map((row) => ({
      text: safeText(shorten(column.samples[row] ?? '')),
      tone: 'muted' as const,
    })),
  ]);
  const table = await tableText(columns, rows, { width: stderr.columns, style, header: true });
  return `Proposed fields for columns of ${safeText(name)}:\n\n${table}\n`;
}

// Shows proposed columns: as a table with three sample rows on a terminal, as one line per column elsewhere.
import type { Context } from '../../app/context.ts';
import type { FieldError } from '../../core/errors.ts';
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
    return { field: proposed.column, message: `${targetText(proposed)}${sampleText}` };
  });

const columns = [
  { header: 'COLUMN', shrink: 12, wrap: true },
  { header: 'FIELD', shrink: 12, wrap: true },
  { header: 'ROW 1', shrink: 6, drop: 1 },
  { header: 'ROW 2', shrink: 6, drop: 2 },
  { header: 'ROW 3', shrink: 6, drop: 3 },
] as const;

/** The table for a terminal. */
export async function proposalText(
  { host: { stderr, env }, settings }: Context,
  name: string,
  proposal: readonly ProposedColumn[],
): Promise<string> {
  const { tableText } = await import('../../output/table.ts');
  const style = await openStyle(wantsColor({ isTty: stderr.isTty, ...settings.color, env }));
  const rows = proposal.map((proposed) => [
    { text: safeText(proposed.column), tone: 'strong' as const },
    {
      text: safeText(targetText(proposed)),
      tone: proposed.targets.length === 0 ? ('warn' as const) : ('good' as const),
    },
    ...proposed.samples.map((cell) => ({ text: safeText(shorten(cell)), tone: 'muted' as const })),
  ]);
  const table = await tableText(columns, rows, { width: stderr.columns, style, header: true });
  return `Proposed fields for columns of ${safeText(name)}:\n\n${table}\n`;
}

// The outcome of a transaction, as printed by `events trigger --wait` and `activity get --follow`.
import type { Context } from '../app/context.ts';
import { listText, shellWord } from '../core/text.ts';
import type { Line, Span, Tone } from '../output/result.ts';
import * as result from '../output/result.ts';
import { wrapLines } from '../output/wrap.ts';
import { verdictMessage } from './messages.ts';
import { outcomeSpan } from './outcome-tokens.ts';
import { createDigestEvents } from './read.ts';
import { findDigestId, stepVerdicts } from './verdict.ts';
import { notProcessedText, type Watched, type WatchOptions } from './watch.ts';

/** The output in a pipe: recipient, outcome and reasons, one recipient per line. */
const outcomeTsv = ({ recipients }: Watched): string =>
  recipients
    .map(({ subscriberId, outcome, reasons }) => [subscriberId, outcome, reasons.join('; ')])
    .map((cells) => cells.map((cell) => cell.replace(/[\t\r\n]/g, ' ')).join('\t'))
    .join('\n');

interface Row {
  subscriberId: string;
  token: Span;
  reason: string;
}

interface ReportOptions extends Pick<WatchOptions, 'expected'> {
  /** Channels that must have reached every recipient. */
  required?: readonly string[];
}

/** How the outcome is reported, and how the command ends. */
export async function outcomeReport(context: Context, watched: Watched, options: ReportOptions) {
  const { transactionId, outcome, recipients } = watched;
  const missing = (options.required ?? []).flatMap((channel) => notReached(watched, channel));
  const text = `${outcome}${missing.length === 0 ? '' : `: ${missing.join('; ')}`}`;
  const undelivered = recipients.filter(
    (recipient) => !['delivered', 'merged'].includes(recipient.outcome),
  );
  return {
    lines: await outcomeLines(context, watched, { ...options, text }),
    tsv: outcomeTsv(watched),
    ids: [transactionId],
    end: result.exit(outcome === 'delivered' ? 'ok' : 'undelivered', {
      message: recipients.length === 0 ? notProcessedText(options.expected) : `${text}.`,
      fieldErrors: undelivered.map(({ subscriberId, outcome: own, reasons }) => ({
        field: subscriberId,
        message: [own, ...reasons].join('; '),
      })),
      next: [`svc activity get ${shellWord(transactionId)}`],
    }),
  };
}

/** One line per recipient and channel, the outcome, and the command that checks again if it is unfinished. */
async function outcomeLines(
  context: Context,
  watched: Watched,
  { expected, text }: ReportOptions & { text: string },
): Promise<Line[]> {
  const { transactionId, outcome, recipients } = watched;
  const { stdout } = context.host;
  const rows = await readRows(context, watched);
  const nameWidth = Math.max(0, ...rows.map(({ subscriberId }) => subscriberId.length));
  const tokenWidth = Math.max(0, ...rows.map(({ token }) => token.text.length));
  const wrapped = (line: Line, indent: number) =>
    stdout.isTty ? wrapLines([line], stdout.columns, indent) : [line];
  const lines = rows.flatMap(({ subscriberId, token, reason }) => {
    const name = `${subscriberId.padEnd(nameWidth)}  `;
    if (reason === '') return wrapped([{ text: name }, token], 0);
    const paddedToken = { ...token, text: `${token.text.padEnd(tokenWidth)}  ` };
    return wrapped(
      [{ text: name }, paddedToken, { text: reason }],
      name.length + paddedToken.text.length,
    );
  });
  if (recipients.length === 0) lines.push(notProcessedText(expected));
  lines.push(...wrapped([{ text, tone: outcomeTones[outcome] }], 2));
  if (outcome === 'unfinished')
    lines.push(`Check again: svc activity get ${shellWord(transactionId)}`);
  return lines;
}

const outcomeTones: Record<Watched['outcome'], Tone> = {
  delivered: 'good',
  undelivered: 'bad',
  unfinished: 'warn',
};

async function readRows(context: Context, { items, recipients }: Watched): Promise<Row[]> {
  const { unicode } = context.settings;
  const digests = createDigestEvents(context);
  const main = await digests.read(items.flatMap((item) => findDigestId(item) ?? []));
  const findEvent = (id: string) => main.find(({ _id }) => _id === id);
  return items.flatMap((item, index): Row[] => {
    const { subscriberId = '', outcome, reasons = [] } = recipients[index] ?? {};
    const verdicts = stepVerdicts(item, findEvent);
    if (verdicts.length === 0)
      return [{ subscriberId, token: { text: outcome ?? '' }, reason: reasons.join('; ') }];
    return verdicts.map((verdict) => ({
      subscriberId,
      token: outcomeSpan(verdict.verdict, verdict.channel, unicode),
      reason: verdict.verdict === 'delivered' && !verdict.digest ? '' : verdictMessage(verdict),
    }));
  });
}

const maxNames = 5;

/** Why the outcome is not delivered although other channels are. */
function notReached({ items, recipients }: Watched, channel: string): string[] {
  const missing = items.flatMap((item, index) => {
    const steps = stepVerdicts(item).filter((verdict) => verdict.channel === channel);
    const { subscriberId = '' } = recipients[index] ?? {};
    return steps.some(({ verdict }) => verdict === 'delivered')
      ? []
      : [{ subscriberId, hasStep: steps.length > 0 }];
  });
  if (missing.length === 0) return [];
  if (!missing.some(({ hasStep }) => hasStep)) return [`the workflow has no ${channel} step`];
  const names = missing.slice(0, maxNames).map(({ subscriberId }) => subscriberId);
  const others = missing.length > maxNames ? [`${missing.length - maxNames} others`] : [];
  return [`${channel} did not reach ${listText([...names, ...others])}`];
}

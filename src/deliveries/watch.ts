// Waits for a transaction: polls its activity until its jobs have finished, prints new execution details, and reports the
// outcome, as `events trigger --wait` and `activity get --follow` print it.
import type { Context } from '../app/context.ts';
import { isSandboxTarget } from '../config/target.ts';
import { collectItems, pollUntil } from '../core/async.ts';
import { listSome, shellWord } from '../core/text.ts';
import type { Line, Span } from '../output/result.ts';
import * as result from '../output/result.ts';
import { shortTimes } from '../output/style.ts';
import { wrapLines } from '../output/wrap.ts';
import { isWaitStart } from '../service/job-outcomes.ts';
import type { ActivityItem, ExecutionDetail } from '../service/schemas/activity.ts';
import { detailText } from './details.ts';
import {
  type DeliveryCondition,
  type EventOutcome,
  followDigest,
  isWithoutSteps,
  judgeDelivery,
  type RecipientOutcome,
} from './outcome.ts';
import { eventTones, outcomeSpan } from './outcome-tokens.ts';
import { createDigestEvents } from './read.ts';
import { findDigestId, recipientOf, stepVerdicts, verdictMessage, waitEnd } from './verdict.ts';

export interface Watched {
  transactionId: string;
  /** `merged`: nothing failed, and a recipient waits for a digest that is not delivered yet. */
  outcome: EventOutcome | 'merged';
  recipients: RecipientOutcome[];
  items: ActivityItem[];
}

export interface WatchOptions {
  transactionId: string;
  condition: DeliveryCondition;
  timeoutMs: number;
  /** Minimum number of recipients; not exact if topics may add more. */
  expected: { minRecipients: number; isExact: boolean; topics?: readonly string[] };
  /** The report has a line for each step, so a step is printed early only if it is delayed. */
  printsSteps?: boolean;
}

const polling = { firstMs: 250, maxMs: 2_000 };
/** Time after which an event without jobs is reported. Most services need less. */
const expectedDelayMs = 5_000;

export async function watchTransaction(
  context: Context,
  { transactionId, condition, timeoutMs, expected, printsSteps = false }: WatchOptions,
): Promise<Watched> {
  const { clock, shutdownSignal } = context.host;
  const startedAt = clock.ticks();
  const reporter = createReporter(context, printsSteps ? isWaitStart : isRelevant);
  let wasFinished = false;
  return pollUntil({ ...polling, clock, signal: shutdownSignal, timeoutMs }, async (isLast) => {
    const items = (await readActivity(context, transactionId)).reverse();
    reporter.printNew(items);
    if (items.length === 0 && clock.ticks() - startedAt > expectedDelayMs)
      reporter.printNotProcessed(expected);
    const recipients = items.map((item) => judgeDelivery(item, condition));
    // The service may add the jobs of an event without any a moment later.
    const isCertain = expected.isExact && !items.some(isWithoutSteps);
    const isFinished =
      items.length >= expected.minRecipients &&
      recipients.every(({ outcome }) => outcome !== 'unfinished');
    // The service adds the recipients of a topic one by one, so one more poll must find no new ones.
    if ((isFinished && (wasFinished || isCertain)) || isLast())
      return judgeAll(context, { transactionId, items, recipients }, isFinished);
    wasFinished = isFinished;
    return undefined;
  });
}

/** Reads the digests that carry merged events, because these have the outcomes of the digests. */
async function judgeAll(
  context: Context,
  watched: Omit<Watched, 'outcome'>,
  isFinished: boolean,
): Promise<Watched> {
  const { items } = watched;
  const digests = createDigestEvents(context);
  await digests.read(items.flatMap((item) => findDigestId(item) ?? []));
  const followed = watched.recipients.map((recipient, index) =>
    followDigest(recipient, items[index] ? stepVerdicts(items[index], digests.find) : []),
  );
  const recipients = followed.map(({ isCarried: _carried, ...recipient }) => recipient);
  const isMerged = followed.some(({ outcome, isCarried }) => outcome === 'merged' && !isCarried);
  return { ...watched, recipients, outcome: overallOutcome(recipients, isFinished, isMerged) };
}

function overallOutcome(
  recipients: readonly RecipientOutcome[],
  isFinished: boolean,
  isMerged: boolean,
): Watched['outcome'] {
  if (recipients.some(({ outcome }) => outcome === 'undelivered')) return 'undelivered';
  return isFinished ? (isMerged ? 'merged' : 'delivered') : 'unfinished';
}

/** All items of a transaction, newest first. */
export const readActivity = (context: Context, transactionId: string): Promise<ActivityItem[]> =>
  collectItems(context.pages('listActivity', { query: { transactionId } }, { all: true }));

/** Leaves out intermediate details such as `Step queued` and `Message created`. */
const isRelevant = (detail: ExecutionDetail) => detail.status !== 'Pending' || isWaitStart(detail);

/** Prints each message once. */
function createReporter(context: Context, isPrinted: (entry: ExecutionDetail) => boolean) {
  const printed = new Set<string>();
  const printOnce = (id: string, text: string) => {
    if (printed.has(id)) return;
    printed.add(id);
    context.note(text);
  };
  return {
    printNew(items: readonly ActivityItem[]) {
      for (const item of items) {
        for (const job of item.jobs ?? []) {
          for (const entry of job.executionDetails.filter(isPrinted))
            printOnce(entry._id, `  ${recipientOf(item)}  ${job.type}  ${detailText(entry)}`);
        }
      }
      const [dueAt] = items
        .flatMap(({ jobs = [] }) => jobs.filter(({ status }) => status === 'delayed'))
        .flatMap((job) => waitEnd(job) ?? [])
        .sort();
      if (dueAt !== undefined && isSandboxTarget(context.connection.target()))
        printOnce(
          'clock',
          `A step is delayed. To move the sandbox's clock: ${context.propose(`svc sandbox clock set ${shellWord(dueAt)}`)}`,
        );
    },
    printNotProcessed: (expected: WatchOptions['expected']) =>
      printOnce('notProcessed', notProcessedText(expected)),
  };
}

function notProcessedText({ topics = [] }: WatchOptions['expected']): string {
  const text = 'The service has not processed the event yet.';
  if (topics.length === 0) return text;
  const keys = topics.map((key) => `\`${key}\``).join(', ');
  return `${text} An event for a topic without subscribers is never processed (${keys}).`;
}

// The report of the outcome.

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
  const waits =
    outcome === 'merged' ? recipients.flatMap(({ reasons }) => reasons.slice(0, 1)) : [];
  const why = [...missing, ...[...new Set(waits)].sort().slice(0, 1)];
  const text = `${outcome}${why.length === 0 ? '' : `: ${why.join('; ')}`}`;
  const undelivered = recipients.filter(
    (recipient) => !['delivered', 'merged'].includes(recipient.outcome),
  );
  return {
    lines: await outcomeLines(context, watched, { ...options, text }),
    tsv: outcomeTsv(watched),
    ids: [transactionId],
    end: result.exit(['delivered', 'merged'].includes(outcome) ? 'ok' : 'undelivered', {
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
  const { stdout, clock } = context.host;
  const rows = await readRows(context, watched);
  const nameWidth = Math.max(0, ...rows.map(({ subscriberId }) => subscriberId.length));
  const tokenWidth = Math.max(0, ...rows.map(({ token }) => token.text.length));
  const wrapped = (spans: Span[], indent: number) => {
    if (!stdout.isTty) return [spans];
    const line = spans.map((span) => ({ ...span, text: shortTimes(span.text, clock.now()) }));
    return wrapLines([line], stdout.columns, indent);
  };
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
  lines.push(...wrapped([{ text, tone: eventTones[outcome] }], 2));
  if (outcome === 'unfinished')
    lines.push(`Check again: ${context.propose(`svc activity get ${shellWord(transactionId)}`)}`);
  return lines;
}

async function readRows(context: Context, { items, recipients }: Watched): Promise<Row[]> {
  const { unicode } = context.settings;
  const digests = createDigestEvents(context);
  await digests.read(items.flatMap((item) => findDigestId(item) ?? []));
  return items.flatMap((item, index): Row[] => {
    const { subscriberId = '', outcome, reasons = [] } = recipients[index] ?? {};
    const verdicts = stepVerdicts(item, digests.find);
    if (verdicts.length === 0)
      return [{ subscriberId, token: { text: outcome ?? '' }, reason: reasons.join('; ') }];
    return verdicts.map((verdict) => ({
      subscriberId,
      token: outcomeSpan(verdict.verdict, verdict.channel, unicode),
      reason:
        verdict.verdict === 'delivered' && !verdict.digest && verdict.reason === undefined
          ? ''
          : verdictMessage(verdict),
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
  const names = missing.map(({ subscriberId }) => subscriberId);
  return [`${channel} did not reach ${listSome(names, maxNames)}`];
}

// The result of `svc activity explain`: one row per channel on a terminal, with its evidence and next commands below.
import type { ExitReason } from '../../core/errors.ts';
import type { ChannelExplanation, Explanation } from '../../explain/explanation.ts';
import type { Verdict } from '../../explain/verdict.ts';
import type { Column, Tone } from '../../output/result.ts';
import * as result from '../../output/result.ts';

const verdictTones: Record<Verdict, Tone> = {
  delivered: 'good',
  notSent: 'warn',
  failed: 'bad',
  waiting: 'muted',
};

const verdictWords: Record<Verdict, string> = {
  delivered: 'delivered',
  notSent: 'not sent',
  failed: 'failed',
  waiting: 'waiting',
};

interface Row {
  channel: string;
  verdict: string;
  why: string;
  tone: Tone;
  whyTone: Tone;
}

const columns: readonly Column<Row>[] = [
  { field: 'channel', header: 'CHANNEL', tone: () => 'strong' },
  { field: 'verdict', header: 'VERDICT', tone: ({ tone }) => tone },
  { field: 'why', header: 'WHY', shrink: 24, wrap: true, tone: ({ whyTone }) => whyTone },
];

function rowsOf({ channel, verdict, cause, message, evidence, next }: ChannelExplanation): Row[] {
  const below = (why: string, whyTone: Tone): Row => ({
    channel: '',
    verdict: '',
    why,
    tone: 'plain',
    whyTone,
  });
  return [
    {
      channel,
      verdict: verdictWords[verdict],
      why: cause === null ? message : `${message} (${cause})`,
      tone: verdictTones[verdict],
      whyTone: 'plain',
    },
    ...evidence.map((line) => below(line, 'muted')),
    ...next.map((line) => below(`→ ${line}`, 'plain')),
  ];
}

export function explanationResult({
  explanation,
  next,
}: {
  explanation: Explanation;
  next: readonly string[];
}) {
  const { channels, message } = explanation;
  const isDelivered = exitReasonOf(explanation) === 'ok';
  return result.one({
    value: explanation,
    fields: [
      {
        field: 'message',
        header: 'ANSWER',
        wrap: true,
        tone: () => (isDelivered ? 'good' : 'warn'),
      },
      { field: 'workflow', header: 'WORKFLOW' },
      { field: 'transactionId', header: 'TRANSACTION' },
      { field: 'at', header: 'WHEN', time: true },
      {
        field: 'cause',
        header: 'CAUSE',
        value: ({ cause }) => (channels.length === 0 ? cause : ''),
      },
      { field: 'next', header: 'NEXT', value: () => next[0] },
    ],
    parts:
      channels.length === 0
        ? []
        : [
            {
              title: 'Channels',
              rows: channels.flatMap(rowsOf),
              columns: columns as never,
              empty: '',
            },
          ],
    id: ({ transactionId }) => transactionId ?? '',
    end: {
      kind: 'exit',
      exitReason: exitReasonOf(explanation),
      failure: { message, next: [...new Set([...next, ...channels.flatMap((one) => one.next)])] },
    },
  });
}

function exitReasonOf({ cause, channels }: Explanation): ExitReason {
  if (cause === 'no_event') return 'notFound';
  const isDelivered =
    channels.length > 0 && channels.every(({ verdict }) => verdict === 'delivered');
  return isDelivered ? 'ok' : 'undelivered';
}

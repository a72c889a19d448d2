// The result of `svc activity explain`: on a terminal, one row per channel with its evidence below, then the next commands.
import type { ExitReason } from '../../core/errors.ts';
import type { ChannelExplanation, Explanation } from '../../deliveries/explanation.ts';
import { outcomeSpan } from '../../deliveries/outcome-tokens.ts';
import type { Column, Tone } from '../../output/result.ts';
import * as result from '../../output/result.ts';
import type { StepOutcome } from '../../service/job-outcomes.ts';

interface Row {
  channel: string;
  verdict: StepOutcome | '';
  why: string;
  whyTone: Tone;
}

const columns: readonly Column<Row>[] = [
  { field: 'channel', header: 'CHANNEL', tone: () => 'strong' },
  {
    field: 'verdict',
    header: 'VERDICT',
    spans: ({ verdict }, unicode) =>
      verdict === '' ? [] : [outcomeSpan(verdict, verdict, unicode)],
  },
  { field: 'why', header: 'WHY', shrink: 24, wrap: true, tone: ({ whyTone }) => whyTone },
];

function toRows({ channel, verdict, cause, message, evidence }: ChannelExplanation): Row[] {
  const below = (why: string, whyTone: Tone): Row => ({ channel: '', verdict: '', why, whyTone });
  return [
    { channel, verdict, why: cause === null ? message : `${message} (${cause})`, whyTone: 'plain' },
    ...evidence.map((line) => below(withoutRepetition(line, message), 'muted')),
  ];
}

/** Evidence is a time and a text of the service. Only the time is shown if the message has the text already. */
function withoutRepetition(evidence: string, message: string): string {
  const [, time, text] = /^(\d\S+Z) (.+)$/s.exec(evidence) ?? [];
  return time !== undefined && text !== undefined && message.includes(text) ? time : evidence;
}

export function explanationResult({
  explanation,
  next,
}: {
  explanation: Explanation;
  next: readonly string[];
}) {
  const { channels, message } = explanation;
  const isDelivered = chooseExitReason(explanation) === 'ok';
  const nextOfChannels = [...new Set(channels.flatMap((channel) => channel.next))];
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
              rows: channels.flatMap(toRows),
              columns: columns as never,
              empty: '',
            },
            ...(nextOfChannels.length === 0 ? [] : [{ title: 'Next', commands: nextOfChannels }]),
          ],
    id: ({ transactionId }) => transactionId ?? '',
    end: {
      kind: 'exit',
      exitReason: chooseExitReason(explanation),
      failure: { message, next: [...next, ...nextOfChannels] },
    },
  });
}

function chooseExitReason({ cause, channels }: Explanation): ExitReason {
  if (cause === 'no_event') return 'notFound';
  const isDelivered =
    channels.length > 0 && channels.every(({ verdict }) => verdict === 'delivered');
  return isDelivered ? 'ok' : 'undelivered';
}

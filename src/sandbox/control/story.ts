// Describes events as text for a person: when each was triggered, and why its messages were delivered or not.
import { stepVerdicts, verdictMessage, workflowIdentifier } from '../../deliveries/verdict.ts';
import { eventFinder, serializeActivity } from '../api/events.ts';
import { messagesOfTransaction } from '../store/messages.ts';
import { searchNotifications } from '../store/notifications.ts';
import type { Scope } from '../store/scope.ts';

export interface StoryFilter {
  transactionId?: string | undefined;
  /** The id of a subscriber. */
  subscriber?: string | undefined;
}

const listedEvents = 50;
const signs = { delivered: '✓', failed: '✗', skipped: '–', waiting: '…' } as const;

/** Oldest first, at most the newest 50 events. */
export function storyText(scope: Scope, { transactionId, subscriber }: StoryFilter): string {
  const notifications = searchNotifications(
    scope,
    {
      transactionId: transactionId === undefined ? undefined : [transactionId],
      subscriberIds: subscriber === undefined ? undefined : [subscriber],
    },
    { limit: listedEvents, offset: 0 },
  );
  const findEvent = eventFinder(scope);
  const lines = serializeActivity(scope, notifications)
    .toReversed()
    .flatMap((item) => {
      const { createdAt, transactionId: transaction, subscriber: recipient } = item;
      const messages = messagesOfTransaction(scope, transaction);
      const steps = stepVerdicts(item, findEvent).map((step) => {
        const message = messages.find(({ channel }) => channel === step.channel);
        const title = message?.subject ?? message?.title;
        const sent = message ? ` at ${message.createdAt}${title ? `: "${title}"` : ''}` : '';
        const { verdict, channel } = step;
        return `  ${signs[verdict]} ${channel}${verdict === 'delivered' ? sent : `: ${verdictMessage(step)}`}`;
      });
      return [
        `${createdAt} ${workflowIdentifier(item) ?? '(deleted workflow)'} to ${recipient?.subscriberId ?? '(deleted subscriber)'}, transaction ${transaction}`,
        ...(steps.length > 0 ? steps : ['  no step that sends a message']),
      ];
    });
  if (lines.length > 0) return lines.join('\n');
  const what = transactionId === undefined ? 'event' : `event of transaction ${transactionId}`;
  return `No ${what}${subscriber === undefined ? '' : ` to ${subscriber}`} by ${scope.now}.`;
}

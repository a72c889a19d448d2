// The timeline of an event: the steps of each recipient in order, each with its result or the reason why it was skipped.

import { counted } from '../../core/counts.ts';
import type { ActivityItem } from '../../service/schemas/activity.ts';
import { isChannel } from '../../service/schemas/vocabulary.ts';
import { isCountCapped, type ListedEvent } from '../store/page-events.ts';
import { messageIdsOfJobs } from '../store/page-messages.ts';
import { clockTime, dateText, timeAfter } from './format.ts';
import { Badge } from './icons.tsx';
import { Data } from './message.tsx';
import { personName, stepTitle } from './message-text.ts';
import { Empty } from './shell.tsx';
import type { StepText } from './step-texts.ts';
import { eventPath, messagePath, type View } from './view.ts';

export interface Recipient {
  item: ActivityItem;
  /** The transaction whose digest contains the event. */
  digestedInto: string | undefined;
  steps: StepText[];
}

interface Props {
  view: View;
  event: ListedEvent;
  workflow: string;
  /** The number of recipients of all pages. */
  count: number;
  recipients: readonly Recipient[];
  /** More about steps, by the id of the job. */
  notes: Map<string, string>;
}

export const Timeline = ({ view, event, workflow, count, recipients, notes }: Props) => {
  const { transactionId, createdAt } = event;
  const payload = recipients[0]?.item.payload ?? {};
  return (
    <article class="message">
      <header>
        <p class="kind">
          <Badge type="trigger" />
          Event
        </p>
        <h2 class="title" dir="auto">
          {workflow}
        </h2>
        <dl class="facts">
          <div>
            <dt>Transaction</dt>
            <dd>
              <bdi>{transactionId}</bdi>
            </dd>
          </div>
          <div>
            <dt>Triggered</dt>
            <dd>
              <time datetime={createdAt}>
                {dateText(createdAt)}, {clockTime(createdAt)}
              </time>
            </dd>
          </div>
          <div>
            <dt>Recipients</dt>
            <dd>
              {count.toLocaleString('en')}
              {isCountCapped(count) ? ' or more' : ''}
            </dd>
          </div>
        </dl>
      </header>
      <Data name="Payload" value={payload} />
      {recipients.length === 0 ? (
        <Empty title="No recipients">
          <p>The event has not been processed yet, or it reached no subscriber.</p>
        </Empty>
      ) : (
        recipients.map((recipient) => (
          <RecipientSteps {...{ view, recipient, notes }} triggeredAt={createdAt} />
        ))
      )}
    </article>
  );
};

interface RecipientProps {
  view: View;
  recipient: Recipient;
  notes: Map<string, string>;
  triggeredAt: string;
}

const RecipientSteps = ({ view, recipient, notes, triggeredAt }: RecipientProps) => {
  const { item, steps, digestedInto } = recipient;
  const messages = messageIdsOfJobs(
    view.scope,
    steps.map(({ job }) => job._id),
  );
  return (
    <section class="recipient">
      <h3>
        <bdi>{item.subscriber ? personName(item.subscriber) : 'Deleted subscriber'}</bdi>{' '}
        {item.subscriber && personName(item.subscriber) !== item.subscriber.subscriberId ? (
          <span class="aside">
            <bdi>{item.subscriber.subscriberId}</bdi>
          </span>
        ) : null}
      </h3>
      <ol class="timeline">
        {steps.map((step) => (
          <Step
            {...{ step, triggeredAt }}
            messages={messages.get(step.job._id) ?? []}
            merged={digestedInto}
            note={notes.get(step.job._id)}
          />
        ))}
      </ol>
    </section>
  );
};

interface StepProps {
  step: StepText;
  messages: readonly string[];
  merged: string | undefined;
  note: string | undefined;
  /** Times of other days have their date. */
  triggeredAt: string;
}

const Step = ({ step, messages, merged, note, triggeredAt }: StepProps) => {
  const { job, state, sentence } = step;
  const isMessage = isChannel(job.type);
  const details = job.executionDetails;
  const name = job.step.name ?? job.type;
  return (
    <li class={`step ${state}`}>
      <Badge type={job.type} />
      <div class="step-text">
        <p class="step-head">
          <strong dir="auto">{name}</strong> <span class="step-type">{stepTitle(job.type)}</span>{' '}
          <span class={`state ${state}`}>{step.name}</span>
          {job.updatedAt && state !== 'waiting' ? (
            <time datetime={job.updatedAt}>{timeAfter(job.updatedAt, triggeredAt)}</time>
          ) : null}
        </p>
        <p class="sentence" dir="auto">
          {sentence}
        </p>
        {note === undefined ? null : <code class="note">{note}</code>}
        <p class="step-links">
          {messages.map((id, index) => (
            <a href={messagePath(id)}>
              {messages.length === 1 ? 'Show the message' : `Message ${index + 1}`}
              <span class="hidden"> of step {name}</span>
            </a>
          ))}
          {job.status === 'merged' && merged && !isMessage ? (
            <a href={eventPath(merged)}>Show the digest</a>
          ) : null}
        </p>
        {details.length === 0 ? null : (
          <details class="log">
            <summary>
              {counted(details.length, 'detail')}
              <span class="hidden"> of step {name}</span>
            </summary>
            <ol>
              {details.map(({ createdAt, detail, raw }) => (
                <li>
                  <time datetime={createdAt}>{timeAfter(createdAt ?? '', triggeredAt)}</time>{' '}
                  {detail}
                  {raw ? <code dir="ltr">{raw}</code> : null}
                </li>
              ))}
            </ol>
          </details>
        )}
      </div>
    </li>
  );
};

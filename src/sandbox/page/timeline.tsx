// The timeline of an event: for each recipient the steps in a line, with their times, results and reasons.

import { counted } from '../../core/text.ts';
import { isWaitStart } from '../../service/job-outcomes.ts';
import type { ActivityItem } from '../../service/schemas/activity.ts';
import { digestedEvents, isCountCapped, type ListedEvent } from '../store/page-events.ts';
import { messageIdsOfJobs } from '../store/page-messages.ts';
import { CopyAs, eventSnippets } from './copy.tsx';
import { clockTime, dateText, excerpt, shortDuration, timeAfter } from './format.ts';
import { FormOrigin, SendAgain } from './forms.tsx';
import { Badge } from './icons.tsx';
import { Data } from './message.tsx';
import { personName, stepTitle } from './message-names.ts';
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
  /** The name and the identifier of the workflow; undefined if it was deleted. */
  workflow: { name: string; identifier: string } | undefined;
  /** The number of recipients of all pages. */
  count: number;
  recipients: readonly Recipient[];
  /** More about steps, by the id of the job. */
  notes: Map<string, string>;
}

export const Timeline = ({ view, event, workflow, count, recipients, notes }: Props) => {
  const { transactionId, createdAt } = event;
  const { payload = {}, subscriber: { subscriberId: subscriber } = {} } = recipients[0]?.item ?? {};
  return (
    <article class="message event">
      <header>
        <p class="kind">
          <Badge type="trigger" />
          Event
        </p>
        <h2 class="title" dir="auto">
          {workflow?.name ?? 'Deleted workflow'}
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
      {recipients.length === 0 ? (
        <Empty title="No recipients">
          <p>The event has not been processed yet, or it reached no subscriber.</p>
        </Empty>
      ) : (
        recipients.map((recipient) => (
          <RecipientSteps {...{ view, recipient, notes }} triggeredAt={createdAt} />
        ))
      )}
      <Data name="Payload" value={payload} />
      {workflow ? (
        <div class="acts">
          <SendAgain
            {...{ view, payload, subscriber }}
            workflow={workflow.identifier}
            event={transactionId}
          />
          <CopyAs
            snippets={eventSnippets(view, transactionId, count === 1 ? subscriber : undefined)}
          />
        </div>
      ) : null}
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
  const name = item.subscriber ? personName(item.subscriber) : 'Deleted subscriber';
  return (
    <section class="recipient">
      <h3>
        <bdi>{name}</bdi>{' '}
        {item.subscriber && name !== item.subscriber.subscriberId ? (
          <span class="aside">
            <bdi>{item.subscriber.subscriberId}</bdi>
          </span>
        ) : null}
      </h3>
      <section class="track" aria-label={`Steps of ${name}`} tabindex={0}>
        <ol>
          {steps.map((step) => (
            <Step
              {...{ view, step, triggeredAt }}
              messages={messages.get(step.job._id) ?? []}
              merged={digestedInto}
              note={notes.get(step.job._id)}
            />
          ))}
        </ol>
      </section>
    </section>
  );
};

interface StepProps {
  view: View;
  step: StepText;
  messages: readonly string[];
  merged: string | undefined;
  note: string | undefined;
  /** Times of other days have their date. */
  triggeredAt: string;
}

const Step = ({ view, step, messages, merged, note, triggeredAt }: StepProps) => {
  const { job, outcome, sentence, until } = step;
  const details = job.executionDetails;
  const name = job.step.name ?? job.type;
  const time = outcome === 'waiting' ? undefined : job.updatedAt;
  return (
    <li class={`step ${outcome}`}>
      <Badge type={job.type} />
      <div class="step-text">
        <p class="step-head">
          <strong dir="auto">{name}</strong> <span class="step-type">{stepTitle(job.type)}</span>
        </p>
        <p class="step-state">
          <span class={`state ${outcome}`}>{step.name}</span>{' '}
          {time ? <time datetime={time}>{timeAfter(time, triggeredAt)}</time> : null}
        </p>
        <Wait step={step} triggeredAt={triggeredAt} />
        <p class="sentence" dir="auto">
          {sentence}
        </p>
        {note === undefined ? null : <code class="note">{note}</code>}
        {job.type === 'digest' ? <Digested view={view} job={job._id} /> : null}
        {until === undefined ? null : <RunUntil {...{ view, until, name }} id={job._id} />}
        <p class="step-links">
          {messages.map((id, index) => (
            <a href={messagePath(id)}>
              {messages.length === 1 ? 'Show the message' : `Message ${index + 1}`}
              <span class="hidden"> of step {name}</span>
            </a>
          ))}
          {job.status === 'merged' && merged ? (
            <a href={eventPath(merged)}>
              Show the digest<span class="hidden"> of step {name}</span>
            </a>
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

/** The window of a digest or delay, with its length. */
const Wait = ({ step: { job, until }, triggeredAt }: { step: StepText; triggeredAt: string }) => {
  if (job.type !== 'digest' && job.type !== 'delay') return null;
  const start = job.executionDetails.find(isWaitStart);
  const from = start?.createdAt;
  const to = until ?? (job.status === 'completed' ? job.updatedAt : undefined);
  if (!from || !to || to <= from) return null;
  return (
    <p class="window">
      <time datetime={from}>{timeAfter(from, triggeredAt)}</time>
      <span>{shortDuration(Date.parse(to) - Date.parse(from))}</span>
      <time datetime={to}>{timeAfter(to, triggeredAt)}</time>
    </p>
  );
};

const maxDigested = 20;

/** The events of a digest, in one row that can be opened. */
const Digested = ({ view, job }: { view: View; job: string }) => {
  const { count, events } = digestedEvents(view.scope, job, maxDigested);
  return count < 2 ? null : (
    <details class="digested">
      <summary>{counted(count, 'event')}</summary>
      <ol>
        {events.map(({ transactionId, payload }) => (
          <li>
            <a href={eventPath(transactionId)}>
              <bdi>{payloadExcerpt(payload)}</bdi>
            </a>
          </li>
        ))}
        {count > events.length ? <li>and {counted(count - events.length, 'other')}</li> : null}
      </ol>
    </details>
  );
};

/** The values of a payload in one line, the ones that are easy to read first. */
export const payloadExcerpt = (payload: Record<string, unknown>): string =>
  Object.entries(payload)
    .sort(([, a], [, b]) => Number(isNested(a)) - Number(isNested(b)))
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .map((text) => excerpt(text, false).slice(0, 80))
    .slice(0, 4)
    .join(' · ') || 'no payload';

const isNested = (value: unknown) => typeof value === 'object' && value !== null;

interface RunUntilProps {
  view: View;
  until: string;
  id: string;
  name: string;
}

const RunUntil = ({ view, until, id, name }: RunUntilProps) => (
  <form class="run-until" method="post" action="/page/clock">
    <FormOrigin view={view} />
    <button type="submit" id={`until-${id}`} name="advance" value={until}>
      Run until here<span class="hidden">: the end of the wait of step {name}</span>
    </button>
  </form>
);

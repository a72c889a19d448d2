// The timeline of an event for one recipient: the steps in a line, with their times, results and reasons.

import { shortDuration } from '../../core/durations.ts';
import { counted } from '../../core/text.ts';
import { detailTexts, isWaitStart } from '../../service/job-outcomes.ts';
import type { ActivityItem } from '../../service/schemas/activity.ts';
import { isChannel } from '../../service/schemas/vocabulary.ts';
import { eventFinder, serializeActivity } from '../api/events.ts';
import { listJobs, type StoredJob } from '../store/jobs.ts';
import { findNotification } from '../store/notifications.ts';
import { digestedEvents } from '../store/page-events.ts';
import { messageIdsOfJobs } from '../store/page-messages.ts';
import type { Scope } from '../store/scope.ts';
import { excerpt, timeAfter } from './format.ts';
import { FormOrigin } from './forms.tsx';
import { Badge } from './icons.tsx';
import { personName, stepTitle } from './message-names.ts';
import { type StepText, stepTexts } from './step-texts.ts';
import { eventPath, messagePath, storyPath, type View } from './view.ts';

export interface Recipient {
  item: ActivityItem;
  /** The transaction whose digest contains the event. */
  digestedInto: string | undefined;
  steps: StepText[];
}

/** Reads the steps of notifications. */
export function readRecipients(
  scope: Scope,
  notifications: readonly { id: string }[],
): Recipient[] {
  const stored = notifications.flatMap(({ id }) => findNotification(scope, id) ?? []);
  const items = serializeActivity(scope, stored);
  const findEvent = eventFinder(scope);
  return stored.flatMap(({ digestedBy }, index): Recipient[] => {
    const item = items[index];
    const main = digestedBy === undefined ? undefined : findNotification(scope, digestedBy);
    const digestedInto = main?.transactionId;
    return item ? [{ item, digestedInto, steps: stepTexts(item, findEvent, digestedInto) }] : [];
  });
}

/** The outcome of each step that sends a message. */
export const StepTokens = ({ steps }: Recipient) => (
  <span class="tokens">
    {steps
      .filter(({ job }) => isChannel(job.type))
      .map(({ job, outcome }) => (
        <span class={`token ${outcome}`}>
          {stepTitle(job.type)}
          <span class="hidden"> {outcome}</span>
        </span>
      ))}
  </span>
);

interface RecipientProps {
  view: View;
  recipient: Recipient;
  triggeredAt: string;
}

export const RecipientSteps = ({ view, recipient, triggeredAt }: RecipientProps) => {
  const { item, steps, digestedInto } = recipient;
  const notes = stepNotes(view.scope, item._id ?? '');
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
        {item.subscriber ? (
          <a class="aside" href={storyPath(item.subscriber.subscriberId)}>
            Story<span class="hidden"> of {name}</span>
          </a>
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

/**
 * Returns what the responses of the service do not contain about steps, by the id of the job: the condition that skipped
 * the step, and the mistake in its templates.
 */
function stepNotes(scope: Scope, notification: string): Map<string, string> {
  return new Map(
    listJobs(scope, [notification]).flatMap((job) => {
      const note = findNote(scope, job);
      return note === undefined ? [] : [[job.id, note]];
    }),
  );
}

function findNote({ dialect }: Scope, { type, details, step }: StoredJob): string | undefined {
  const noted = details.findLast(({ note }) => note !== undefined);
  if (noted) return noted.note;
  const has = (text: string) => details.some(({ detail }) => detail === text);
  if (has(isChannel(type) ? detailTexts.skippedByRule : detailTexts.skippedByCondition))
    return `${dialect.isSkipToRun ? 'This condition was false' : 'This condition was true'}: ${JSON.stringify(step.controlVariables?.skip)}`;
  return has(detailTexts.skippedByCondition)
    ? `These filters did not match: ${JSON.stringify(step.filters)}`
    : undefined;
}

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
    .map((text) => excerpt(text, false, 80))
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

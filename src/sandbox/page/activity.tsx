// The list of events, and the timeline of one of them.
import { counted } from '../../core/text.ts';
import { type EventOutcome, eventOutcome } from '../../deliveries/outcome.ts';
import { stepVerdicts } from '../../deliveries/verdict.ts';
import { detailTexts } from '../../service/job-outcomes.ts';
import type { ActivityItem } from '../../service/schemas/activity.ts';
import { isChannel } from '../../service/schemas/vocabulary.ts';
import { eventFinder, serializeActivity } from '../api/events.ts';
import { listJobs, type StoredJob } from '../store/jobs.ts';
import { findNotification } from '../store/notifications.ts';
import {
  countRecipients,
  digestedEvents,
  findDigest,
  type GroupedSteps,
  groupRecipients,
  groupSteps,
  isCountCapped,
  type ListedEvent,
  pageOfEvents,
  pageOfNotifications,
} from '../store/page-events.ts';
import type { Scope } from '../store/scope.ts';
import { findWorkflow } from '../store/workflows.ts';
import { FilterForm, type Filters, isFiltered } from './filters.tsx';
import { dayText, shortTime } from './format.ts';
import { ListRow, ListView } from './list-view.tsx';
import { personName, stepTitle } from './message-names.ts';
import { Empty } from './shell.tsx';
import { stepTexts } from './step-texts.ts';
import { payloadExcerpt, type Recipient, Timeline } from './timeline.tsx';
import { commandForProfile, eventPath, linkTo, type View } from './view.ts';

const pageSize = 25;
const recipientsPerPage = 20;
const path = '/page/activity';

interface Props {
  view: View;
  filters: Filters;
  /** Only events before this place in the listing. */
  before: number | undefined;
  /** Only recipients after this place in the event. */
  after: number | undefined;
  /** The event that was opened; without one, the last one is shown. */
  opened?: ListedEvent;
}

export const ActivityView = ({ view, filters, before, after, opened }: Props) => {
  const countOutcomes = outcomeCounter(view.scope);
  const { q: text, subscriber: subscriberId, workflow, payload } = filters;
  const wanted = eventOutcomes.find((outcome) => outcome === filters.outcome);
  const { events, next, progress } = pageOfEvents(
    view.scope,
    {
      text,
      subscriberId,
      workflow,
      payload,
      before,
      matches: wanted && (({ transactionId }) => countOutcomes(transactionId).has(wanted)),
    },
    pageSize,
  );
  const shown = opened ?? events[0];
  const start = before === undefined ? undefined : String(before);
  const query = { ...filters, before: start };
  return (
    <ListView
      {...{ view, filters, path, progress }}
      section="Activity"
      noun="events"
      before={start}
      next={next === undefined ? undefined : String(next)}
      openedTitle={opened && `Event ${opened.transactionId}`}
      shownPath={shown && eventPath(shown.transactionId)}
      form={
        <FilterForm {...{ view, filters, path }} label="Search events" outcomes={eventOutcomes} />
      }
      items={
        events.length === 0 && next === undefined ? (
          <NoEvents view={view} isFiltered={isFiltered(filters)} />
        ) : (
          <ol class="items">
            {withoutMerged(view, events).map((row) => (
              <EventRow
                {...{ ...row, view, countOutcomes }}
                href={linkTo(eventPath(row.event.transactionId), query)}
                isCurrent={row.transactions.includes(shown?.transactionId ?? '')}
              />
            ))}
          </ol>
        )
      }
      detail={shown ? <EventDetail {...{ view, after }} event={shown} query={query} /> : null}
      nothing="An event appears here with every step and the reason of every skipped one."
    />
  );
};

const NoEvents = ({ view, isFiltered: hasFilters }: { view: View; isFiltered: boolean }) =>
  hasFilters ? (
    <Empty title="No events match">
      <p>
        <a href={path}>Show all events</a>
      </p>
    </Empty>
  ) : (
    <Empty title="No events yet">
      <p>
        Trigger an event with <code>{commandForProfile(view.place, 'svc events trigger')}</code>.
      </p>
    </Empty>
  );

interface EventOfList {
  event: ListedEvent;
  /** The transactions that the row stands for. */
  transactions: string[];
  /** The job of the digest that carries the event. */
  digest: string | undefined;
}

/** The events of one digest that follow each other are one row, in the place of the newest. */
function withoutMerged({ scope }: View, events: readonly ListedEvent[]): EventOfList[] {
  const rows: (EventOfList & { main: string })[] = [];
  for (const event of events) {
    const digest = findDigest(scope, event.transactionId);
    const main = digest?.transactionId ?? event.transactionId;
    const last = rows.at(-1);
    if (last?.main === main) {
      last.transactions.push(event.transactionId);
      if (event.transactionId === main) last.event = event;
    } else {
      const transactions = [event.transactionId];
      rows.push({ event, transactions, digest: digest?.job, main });
    }
  }
  return rows;
}

interface RowProps extends Omit<EventOfList, 'transactions'> {
  view: View;
  href: string;
  isCurrent: boolean;
  countOutcomes: (transactionId: string) => Map<EventOutcome, number>;
}

const EventRow = ({ view, event, digest, href, isCurrent, countOutcomes }: RowProps) => {
  const { transactionId, createdAt } = event;
  const count = countRecipients(view.scope, transactionId);
  const [first] = listRecipients(view, event, { limit: 1 }).recipients;
  const { subscriber } = first?.item ?? {};
  const day = dayText(createdAt, view.now);
  return (
    <ListRow
      {...{ href, isCurrent, badge: 'trigger' }}
      id={`e-${transactionId}`}
      title={findWorkflow(view.scope, 'id', event.workflow)?.name ?? 'Deleted workflow'}
      time={[createdAt, `${day === 'Today' ? '' : `${day}, `}${shortTime(createdAt)}`]}
      sub={
        <span>
          {count === 1 && subscriber ? (
            <bdi>{personName(subscriber)}</bdi>
          ) : (
            `${counted(count, 'recipient')}${isCountCapped(count) ? ' or more' : ''}`
          )}
          {' · '}
          <bdi>{transactionId}</bdi>
        </span>
      }
    >
      {count === 1 && digest !== undefined ? <DigestExcerpt view={view} job={digest} /> : null}
      {count === 1 && first ? <StepTokens recipient={first} /> : null}
      {count > 1 ? <OutcomeTokens counts={countOutcomes(transactionId)} /> : null}
    </ListRow>
  );
};

const maxExcerpts = 3;

const DigestExcerpt = ({ view, job }: { view: View; job: string }) => {
  const { count, events } = digestedEvents(view.scope, job, maxExcerpts);
  return count < 2 ? null : (
    <span class="row-digest">
      <b>{counted(count, 'event')} in one digest</b>
      {events.map(({ payload }) => (
        <span dir="auto">{payloadExcerpt(payload)}</span>
      ))}
    </span>
  );
};

/** The outcome of each step that sends a message. */
const StepTokens = ({ recipient: { steps } }: { recipient: Recipient }) => (
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

const OutcomeTokens = ({ counts }: { counts: Map<EventOutcome, number> }) => (
  <span class="tokens">
    {eventOutcomes.map((outcome) =>
      counts.has(outcome) ? (
        <span class={`token ${outcomeClasses[outcome]}`}>
          {counts.get(outcome)?.toLocaleString('en')} {outcome}
        </span>
      ) : null,
    )}
  </span>
);

function listRecipients(
  { scope }: View,
  { transactionId }: ListedEvent,
  page: { after?: number | undefined; limit: number },
) {
  const events = pageOfNotifications(scope, transactionId, { ...page, limit: page.limit + 1 });
  const shown = events.slice(0, page.limit);
  const items = serializeActivity(
    scope,
    shown.map(({ notification }) => notification),
  );
  const findEvent = eventFinder(scope);
  const recipients = shown.flatMap(({ notification: { digestedBy } }, index): Recipient[] => {
    const item = items[index];
    const main = digestedBy === undefined ? undefined : findNotification(scope, digestedBy);
    const digestedInto = main?.transactionId;
    return item ? [{ item, digestedInto, steps: stepTexts(item, findEvent, digestedInto) }] : [];
  });
  const last = events.length > page.limit ? shown.at(-1)?.row : undefined;
  return { recipients, next: last };
}

interface DetailProps {
  view: View;
  event: ListedEvent;
  after: number | undefined;
  query: Record<string, string | undefined>;
}

const EventDetail = ({ view, event, after, query }: DetailProps) => {
  const { recipients, next } = listRecipients(view, event, { after, limit: recipientsPerPage });
  const notes = stepNotes(
    view.scope,
    recipients.flatMap(({ item }) => item._id ?? []),
  );
  const ownPath = eventPath(event.transactionId);
  return (
    <>
      <Timeline
        {...{ view, event, recipients, notes }}
        workflow={findWorkflow(view.scope, 'id', event.workflow)}
        count={countRecipients(view.scope, event.transactionId)}
      />
      {after === undefined && next === undefined ? null : (
        <nav class="pages" aria-label="Recipients">
          {after === undefined ? <span /> : <a href={linkTo(ownPath, query)}>First recipients</a>}
          {next === undefined ? null : (
            <a href={linkTo(ownPath, { ...query, after: String(next) })}>More recipients</a>
          )}
        </nav>
      )}
    </>
  );
};

/**
 * Returns what the responses of the service do not contain about steps, by the id of the job: the condition that skipped
 * the step, and the mistake in its templates.
 */
function stepNotes(scope: Scope, notifications: readonly string[]): Map<string, string> {
  return new Map(
    listJobs(scope, notifications).flatMap((job) => {
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

// The outcomes of an event for its recipients, counted for the list of events.

const eventOutcomes = ['delivered', 'undelivered', 'unfinished'] as const;

/** An event has the sign of the matching outcome of a channel step. */
const outcomeClasses = {
  delivered: 'delivered',
  undelivered: 'failed',
  unfinished: 'waiting',
} as const satisfies Record<EventOutcome, string>;

/** Returns the function that counts the first 1,000 recipients of an event by outcome. */
function outcomeCounter(scope: Scope) {
  const digests = new Map<string, ActivityItem | undefined>();
  const findEvent = (id: string) => {
    if (!digests.has(id)) {
      const steps = groupSteps(scope, id);
      digests.set(id, steps && toItem(steps));
    }
    return digests.get(id);
  };
  return (transactionId: string): Map<EventOutcome, number> => {
    const counts = new Map<EventOutcome, number>();
    for (const group of groupRecipients(scope, transactionId)) {
      const item = toItem(group);
      const outcome = eventOutcome(item, stepVerdicts(item, findEvent));
      counts.set(outcome, (counts.get(outcome) ?? 0) + group.count);
    }
    return counts;
  };
}

/** An item with only what outcomes are derived from. The place of a step stands for its id. */
const toItem = ({ jobs, digestedBy }: GroupedSteps) =>
  ({
    _digestedNotificationId: digestedBy,
    transactionId: '',
    jobs: jobs.map(({ type, status, position }) => ({
      type,
      status,
      executionDetails: [],
      step: { _id: String(position) },
    })),
  }) as unknown as ActivityItem;

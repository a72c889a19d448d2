// The list of events, and the timeline of one of them.
import { counted } from '../../core/counts.ts';
import { serializeActivity } from '../serializers/activity.ts';
import { findNotification } from '../store/notifications.ts';
import {
  countRecipients,
  isCountCapped,
  type ListedEvent,
  pageOfEvents,
  pageOfNotifications,
} from '../store/page-events.ts';
import { countOutcomes } from '../store/page-outcomes.ts';
import { findWorkflow } from '../store/workflows.ts';
import { Search } from './filters.tsx';
import { clockTime, dayText } from './format.ts';
import { Badge } from './icons.tsx';
import { personName, stepTitle } from './message-text.ts';
import { Pages } from './messages.tsx';
import { Empty, Shell } from './shell.tsx';
import { stepNotes } from './step-notes.ts';
import { stepTexts } from './step-texts.ts';
import { type Recipient, Timeline } from './timeline.tsx';
import { commandOf, eventPath, linkTo, type View } from './view.ts';

const pageSize = 25;
const recipientsPerPage = 20;

interface Props {
  view: View;
  text: string | undefined;
  /** Only events before this place in the listing. */
  before: number | undefined;
  /** Only recipients after this place in the event. */
  after: number | undefined;
  /** The event that was opened; without one, the last one is shown. */
  opened?: ListedEvent;
}

export const ActivityView = ({ view, text, before, after, opened }: Props) => {
  const { events, next } = pageOfEvents(view.scope, { text, before }, pageSize);
  const shown = opened ?? events[0];
  const query = { q: text, before: before === undefined ? undefined : String(before) };
  return (
    <Shell
      view={view}
      section="Activity"
      title={opened ? `Event ${opened.transactionId}` : 'Activity'}
      listPath={linkTo('/page/activity', query)}
      isOpened={opened !== undefined}
      list={
        <>
          <search>
            <form class="filters" action="/page/activity" data-follow>
              <Search value={text} label="Search events" />
            </form>
          </search>
          {events.length === 0 ? (
            <Empty
              title={
                next === undefined
                  ? text
                    ? 'No events match'
                    : 'No events yet'
                  : 'No match in the newest events'
              }
            >
              {text ? (
                <p>
                  <a href="/page/activity">Show all events</a>
                </p>
              ) : (
                <p>
                  Trigger an event with <code>{commandOf(view.place, 'svc events trigger')}</code>.
                </p>
              )}
            </Empty>
          ) : (
            <ol class="items">
              {events.map((event) => (
                <EventRow
                  view={view}
                  event={event}
                  href={linkTo(eventPath(event.transactionId), query)}
                  isCurrent={event.transactionId === shown?.transactionId}
                />
              ))}
            </ol>
          )}
          <Pages
            newest={before === undefined ? undefined : linkTo('/page/activity', { q: text })}
            older={
              next === undefined
                ? undefined
                : linkTo('/page/activity', { q: text, before: String(next) })
            }
            olderText={events.length === 0 ? 'Search older events' : undefined}
          />
        </>
      }
      detail={
        shown ? (
          <EventDetail {...{ view, after }} event={shown} query={query} />
        ) : (
          <Empty title={text ? undefined : 'Nothing to show yet'}>
            <p>An event appears here with every step and the reason of every skipped one.</p>
          </Empty>
        )
      }
    />
  );
};

const workflowName = ({ scope }: View, { workflow }: ListedEvent) =>
  findWorkflow(scope, 'id', workflow)?.name ?? 'Deleted workflow';

interface RowProps {
  view: View;
  event: ListedEvent;
  href: string;
  isCurrent: boolean;
}

const EventRow = ({ view, event, href, isCurrent }: RowProps) => {
  const { transactionId, createdAt } = event;
  const count = countRecipients(view.scope, transactionId);
  const [first] = recipientsOf(view, event, { limit: 1 }).recipients;
  const { subscriber } = first?.item ?? {};
  return (
    <li>
      <a
        id={`e-${transactionId}`}
        class="row"
        href={href}
        aria-current={isCurrent ? 'true' : undefined}
      >
        <Badge type="trigger" />
        <span class="row-text">
          <span class="row-head">
            <strong dir="auto">{workflowName(view, event)}</strong>
            <time datetime={createdAt}>
              {dayText(createdAt, view.now) === 'Today' ? '' : `${dayText(createdAt, view.now)}, `}
              {clockTime(createdAt).slice(0, 5)}
            </time>
          </span>
          <span class="row-sub">
            <span>
              {count === 1 && subscriber ? (
                <bdi>{personName(subscriber)}</bdi>
              ) : (
                `${counted(count, 'recipient')}${isCountCapped(count) ? ' or more' : ''}`
              )}
              {' · '}
              <bdi>{transactionId}</bdi>
            </span>
          </span>
          {count === 1 && first ? <StepDots recipient={first} /> : null}
          {count > 1 ? <OutcomeDots view={view} event={event} /> : null}
        </span>
      </a>
    </li>
  );
};

const StepDots = ({ recipient: { steps } }: { recipient: Recipient }) => (
  <span class="dots">
    {steps.map(({ job, state, name }) => (
      <span class={`step-dot ${state}`}>
        {stepTitle(job.type)}
        <span class="hidden"> {name.toLowerCase()}</span>
      </span>
    ))}
  </span>
);

const OutcomeDots = ({ view, event }: { view: View; event: ListedEvent }) => (
  <span class="dots">
    {countOutcomes(view.scope, event.transactionId).map(({ outcome, count }) => (
      <span class={`step-dot ${outcome}`}>
        {count.toLocaleString('en')}
        <span class="hidden"> {outcome}</span>
      </span>
    ))}
  </span>
);

function recipientsOf(
  { scope }: View,
  { transactionId }: ListedEvent,
  page: { after?: number | undefined; limit: number },
) {
  const found = pageOfNotifications(scope, transactionId, { ...page, limit: page.limit + 1 });
  const shown = found.slice(0, page.limit);
  const items = serializeActivity(
    scope,
    shown.map(({ notification }) => notification),
  );
  const recipients = shown.flatMap(({ notification: { digestedBy } }, index): Recipient[] => {
    const item = items[index];
    const main = digestedBy === undefined ? undefined : findNotification(scope, digestedBy);
    const digestedInto = main?.transactionId;
    return item ? [{ item, digestedInto, steps: stepTexts(item, digestedInto) }] : [];
  });
  const last = found.length > page.limit ? shown.at(-1)?.row : undefined;
  return { recipients, next: last };
}

interface DetailProps {
  view: View;
  event: ListedEvent;
  after: number | undefined;
  query: Record<string, string | undefined>;
}

const EventDetail = ({ view, event, after, query }: DetailProps) => {
  const { recipients, next } = recipientsOf(view, event, { after, limit: recipientsPerPage });
  const notes = stepNotes(
    view.scope,
    recipients.flatMap(({ item }) => item._id ?? []),
  );
  const path = eventPath(event.transactionId);
  return (
    <>
      <Timeline
        {...{ view, event, recipients, notes }}
        workflow={workflowName(view, event)}
        count={countRecipients(view.scope, event.transactionId)}
      />
      {after === undefined && next === undefined ? null : (
        <nav class="pages" aria-label="Recipients">
          {after === undefined ? <span /> : <a href={linkTo(path, query)}>First recipients</a>}
          {next === undefined ? null : (
            <a href={linkTo(path, { ...query, after: String(next) })}>More recipients</a>
          )}
        </nav>
      )}
    </>
  );
};

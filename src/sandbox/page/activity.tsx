// The list of events, with one of them beside it.
import { groupBy } from '../../core/objects.ts';
import { counted } from '../../core/text.ts';
import {
  countRecipients,
  digestedEvents,
  findDigest,
  isCountCapped,
  type ListedEvent,
  pageOfEvents,
} from '../store/page-events.ts';
import {
  groupOutcomes,
  type OutcomeGroup,
  ofEvents,
  recipientsOf,
} from '../store/page-overview.ts';
import type { Scope } from '../store/scope.ts';
import { findWorkflow } from '../store/workflows.ts';
import { EventDetail, type RecipientQuery } from './event.tsx';
import { FilterForm, isFiltered, type readEventFilters } from './filters.tsx';
import { dayText, shortTime } from './format.ts';
import { ListRow, ListView } from './list-view.tsx';
import { personName } from './message-names.ts';
import {
  ChannelTokens,
  countGroups,
  hasOutcome,
  judgeGroup,
  outcomeChoices,
} from './outcome-counts.tsx';
import { Empty, NoMatches } from './shell.tsx';
import { payloadExcerpt, readRecipients, StepTokens } from './timeline.tsx';
import { commandForProfile, eventPath, linkTo, activityPath as path, type View } from './view.ts';

const pageSize = 25;

interface Props {
  view: View;
  filters: ReturnType<typeof readEventFilters>;
  /** Only events before this place in the listing. */
  before: number | undefined;
  /** Which recipients of the event are shown. */
  recipients: RecipientQuery;
  /** The event that was opened; without one, that of the first row is shown. */
  opened?: ListedEvent;
}

export const ActivityView = ({ view, filters, before, recipients, opened }: Props) => {
  const { q: text, subscriber: subscriberId, outcome, ...others } = filters;
  const { events, next, progress } = pageOfEvents(
    view.scope,
    {
      ...{ ...others, text, subscriberId, before },
      select: outcome === undefined ? undefined : reaching(view.scope, outcome),
    },
    pageSize,
  );
  const groups = outcomesOf(view.scope, events);
  const rows = withoutMerged(view, events);
  const selected = opened ?? rows[0]?.event;
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
      shownPath={selected && eventPath(selected.transactionId)}
      form={
        <FilterForm
          {...{ view, filters, path }}
          label="Search events"
          outcomes={outcomeChoices(outcome)}
        >
          <Time name="from" label="From (UTC)" value={filters.from} />
          <Time name="to" label="To (UTC)" value={filters.to} />
        </FilterForm>
      }
      items={
        events.length === 0 && next === undefined ? (
          <NoEvents view={view} isFiltered={isFiltered(filters)} />
        ) : (
          <ol class="items">
            {rows.map((row) => (
              <EventRow
                {...{ ...row, view }}
                groups={groups.get(row.event.transactionId) ?? []}
                href={linkTo(eventPath(row.event.transactionId), query)}
                isCurrent={row.transactions.includes(selected?.transactionId ?? '')}
              />
            ))}
          </ol>
        )
      }
      detail={selected ? <EventDetail {...{ view, recipients, query }} event={selected} /> : null}
      nothing="An event appears here with every step and the reason of every skipped one."
    />
  );
};

/** The outcomes of events by transaction. */
const outcomesOf = (scope: Scope, events: readonly ListedEvent[]) =>
  groupBy(
    groupOutcomes(
      scope.sql,
      ofEvents(scope, ...events.map(({ transactionId }) => transactionId)),
      'event',
    ),
    ({ key }) => key,
  );

/** Selects the events that have the outcome for a recipient. */
const reaching = (scope: Scope, outcome: string) => (events: readonly ListedEvent[]) => {
  const groups = outcomesOf(scope, events);
  return events.filter(({ transactionId }) =>
    groups.get(transactionId)?.some((group) => hasOutcome(judgeGroup(group), outcome)),
  );
};

const Time = ({ name, label, value }: Record<'name' | 'label' | 'value', string | undefined>) => (
  <label>
    {label}
    <input type="datetime-local" name={name} value={value} />
  </label>
);

const NoEvents = ({ view, isFiltered: hasFilters }: { view: View; isFiltered: boolean }) =>
  hasFilters ? (
    <NoMatches noun="events" path={path} />
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
  /** The outcomes of its recipients. */
  groups: readonly OutcomeGroup[];
}

const EventRow = ({ view, event, digest, href, isCurrent, groups }: RowProps) => {
  const { scope } = view;
  const { transactionId, createdAt } = event;
  const count = countRecipients(scope, transactionId);
  const [first] =
    count === 1 ? readRecipients(scope, recipientsOf(scope, transactionId, {}, 1)) : [];
  const { subscriber } = first?.item ?? {};
  const day = dayText(createdAt, view.now);
  return (
    <ListRow
      {...{ href, isCurrent, badge: 'trigger' }}
      id={`e-${transactionId}`}
      title={findWorkflow(scope, 'id', event.workflow)?.name ?? 'Deleted workflow'}
      mark={
        <time datetime={createdAt}>
          {day === 'Today' ? '' : `${day}, `}
          {shortTime(createdAt)}
        </time>
      }
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
      {count === 1 && first ? <StepTokens {...first} /> : null}
      {count > 1 ? <ChannelTokens {...countGroups(groups)} /> : null}
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

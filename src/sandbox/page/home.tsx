// The home of the page: what became of the messages of a day, why, and what is due. Each number leads to its list.
import type { Child } from 'hono/jsx';
import { shortDuration, unitMs } from '../../core/durations.ts';
import { counted } from '../../core/text.ts';
import { messageCount } from '../../deliveries/outcome-tokens.ts';
import { noOutcomes } from '../../deliveries/summary.ts';
import { type StepOutcome, stepOutcomes } from '../../service/job-outcomes.ts';
import { toIso } from '../store/clock.ts';
import { pageOfMessages } from '../store/page-messages.ts';
import { type ComingJobs, createOutcomesSince, newestEventTime } from '../store/page-overview.ts';
import type { Scope, Store } from '../store/scope.ts';
import { findWorkflow } from '../store/workflows.ts';
import { dayText, shortTime, timeAfter } from './format.ts';
import { FormOrigin } from './forms.tsx';
import { stepTitle } from './message-names.ts';
import { MessageRow } from './messages.tsx';
import {
  Bar,
  CountLimit,
  type Counts,
  countGroups,
  countsText,
  Reasons,
} from './outcome-counts.tsx';
import { Empty, Shell } from './shell.tsx';
import {
  activityPath,
  commandForProfile,
  eventPath,
  linkTo,
  messagePath,
  messagesPath,
  type View,
} from './view.ts';

const hoursOfDay = 24;
const maxRows = 6;
const maxDueRows = 4;

/** Counts the outcomes of an environment since an hour. */
type CountSince = (scope: Scope, hour: string) => Counts;

/** Counts again only after a write, so that going back to the home and a second tab take no time. */
export function createCounter(store: Store): CountSince {
  const kept = new Map<string, Counts>();
  const outcomesSince = createOutcomesSince(store.sql);
  store.onCommit(() => kept.clear());
  return (scope, hour) => {
    const key = `${scope.environmentId} ${hour}`;
    const counts = kept.get(key) ?? countGroups(outcomesSince(scope, hour));
    kept.set(key, counts);
    return counts;
  };
}

interface Props {
  view: View;
  countSince: CountSince;
}

export const HomeView = ({ view, countSince }: Props) => {
  const newest = newestEventTime(view.scope);
  return (
    <Shell
      view={view}
      section="Home"
      title="Home"
      listPath="/"
      isOpened={true}
      list={null}
      detail={
        newest === undefined ? (
          <NoMessages view={view} />
        ) : (
          <Overview {...{ view, countSince, newest }} />
        )
      }
    />
  );
};

const NoMessages = ({ view }: { view: View }) => (
  <Empty title="No events yet">
    <p>
      Trigger an event with <code>{commandForProfile(view.place, 'svc events trigger')}</code>, or
      send one from a <a href="/page/workflows">workflow</a>. Its outcome appears here.
    </p>
  </Empty>
);

/** The day that ends now. If nothing happened in it, the day that ends with the newest event. */
function overviewHours(now: string, newest: string): string[] {
  const current = Date.parse(now);
  const last = current - Date.parse(newest) < hoursOfDay * unitMs.h ? current : Date.parse(newest);
  const end = Math.floor(last / unitMs.h);
  return Array.from({ length: hoursOfDay }, (_, index) =>
    new Date((end - hoursOfDay + 1 + index) * unitMs.h).toISOString().slice(0, 13),
  );
}

const Overview = ({ view, countSince, newest }: Props & { newest: string }) => {
  const hours = overviewHours(view.now, newest);
  const [from = ''] = hours;
  const counts = countSince(view.scope, from);
  const { messages } = pageOfMessages(view.scope, {}, maxRows);
  const listOf = (query: Record<string, string>) =>
    linkTo(activityPath, { from: `${from}:00`, ...query });
  const end = hours.at(-1) ?? '';
  return (
    <article class="home" data-interval="5000">
      <h2 class="title">
        {view.now.startsWith(end)
          ? 'The last 24 hours'
          : `24 hours until ${dayText(newest, view.now)}, ${shortTime(newest)}`}
      </h2>
      <Totals {...{ counts, listOf }} />
      <CountLimit counts={counts} />
      <Card name="Messages per hour (UTC)" isWide>
        <Hours {...{ hours, counts, now: view.now }} />
      </Card>
      <Card name="Failing workflows">
        <FailingWorkflows {...{ view, counts, listOf }} />
      </Card>
      <Card name="Why messages were not delivered">
        {counts.reasons.length === 0 ? (
          <p class="none">Every message that was due was delivered.</p>
        ) : (
          <Reasons {...{ counts }} max={maxRows} linkTo={(outcome) => listOf({ outcome })} />
        )}
      </Card>
      <Card name="What is due">
        <Due view={view} />
      </Card>
      <Card name="Newest messages" more={<a href={messagesPath}>All messages</a>}>
        <ol class="items">
          {messages.map((message) => (
            <MessageRow message={message} href={messagePath(message.id)} isCurrent={false} />
          ))}
        </ol>
      </Card>
    </article>
  );
};

interface CardProps {
  name: string;
  isWide?: boolean;
  more?: Child;
  children: Child;
}

const Card = ({ name, isWide, more, children }: CardProps) => (
  <section class={isWide ? 'panel wide' : 'panel'} aria-label={name}>
    <h3>
      {name} {more}
    </h3>
    {children}
  </section>
);

type ListOf = (query: Record<string, string>) => string;

const Totals = ({ counts: { messages }, listOf }: { counts: Counts; listOf: ListOf }) => (
  <ul class="totals">
    {stepOutcomes.map((outcome) => (
      <li>
        <a
          class={messages[outcome] > 0 ? outcome : ''}
          href={listOf({ outcome: `any.${outcome}` })}
        >
          <b>{messages[outcome].toLocaleString('en')}</b> {outcome}
        </a>
      </li>
    ))}
  </ul>
);

interface HoursProps {
  hours: readonly string[];
  counts: Counts;
  now: string;
}

/** A column for each hour, as high as its number of messages. */
const Hours = ({ hours, counts, now }: HoursProps) => {
  const all = hours.map((hour) => counts.keys.get(hour) ?? noOutcomes());
  const max = Math.max(1, ...all.map(messageCount));
  return (
    <ol class="hours">
      {hours.map((hour, index) => {
        const own = all[index] ?? noOutcomes();
        const start = `${hour}:00`;
        const label = `${dayText(`${start}:00Z`, now)}, ${shortTime(start)}: ${countsText(own)}`;
        const column = (
          <svg class="column" aria-hidden="true" preserveAspectRatio="none" viewBox="0 0 10 100">
            <Column counts={own} max={max} />
          </svg>
        );
        return (
          <li>
            {messageCount(own) === 0 ? (
              column
            ) : (
              <a
                href={linkTo(activityPath, { from: start, to: nextHour(start) })}
                title={label}
                aria-label={label}
              >
                {column}
              </a>
            )}
            <span aria-hidden="true">{index % 6 === 5 ? hour.slice(11) : ''}</span>
          </li>
        );
      })}
    </ol>
  );
};

const nextHour = (start: string) =>
  new Date(Date.parse(`${start}:00Z`) + unitMs.h).toISOString().slice(0, 16);

/** Failures at the bottom, where they are seen first. */
const columnOrder = ['failed', 'skipped', 'waiting', 'delivered'] as const satisfies StepOutcome[];

const Column = ({ counts, max }: { counts: Record<StepOutcome, number>; max: number }) => {
  let y = 100;
  return (
    <>
      {columnOrder
        .filter((outcome) => counts[outcome] > 0)
        .map((outcome) => {
          const height = Math.max((100 * counts[outcome]) / max, 2);
          y -= height;
          return (
            <rect class={outcome} x="0" y={y.toFixed(2)} width="10" height={height.toFixed(2)} />
          );
        })}
    </>
  );
};

interface PartProps {
  view: View;
  counts: Counts;
  listOf: ListOf;
}

const FailingWorkflows = ({ view, counts, listOf }: PartProps) => {
  const failing = [...counts.workflows]
    .filter(([, { failed }]) => failed > 0)
    .sort(([, a], [, b]) => b.failed - a.failed)
    .slice(0, maxRows);
  if (failing.length === 0) return <p class="none">No workflow failed.</p>;
  return (
    <ul class="numbers">
      {failing.map(([id, own]) => {
        const workflow = findWorkflow(view.scope, 'id', id);
        const name = workflow?.name ?? 'Deleted workflow';
        const query = { outcome: 'any.failed', workflow: workflow?.identifier ?? '' };
        return (
          <li>
            <a href={listOf(query)}>
              <b class="failed">{own.failed.toLocaleString('en')}</b>
              <span>
                <bdi>{name}</bdi>
                <Bar counts={own} label={countsText(own)} />
              </span>
            </a>
          </li>
        );
      })}
    </ul>
  );
};

const Due = ({ view }: { view: View }) => {
  const own = view.coming.filter(({ workflow }) => workflow !== undefined);
  if (own.length === 0) return <p class="none">No digest and no delay is waiting.</p>;
  return (
    <ul class="due">
      {own.slice(0, maxDueRows).map((jobs) => (
        <DueJobs {...{ view, jobs }} />
      ))}
      {own.length > maxDueRows ? (
        <li>
          <a href={linkTo(activityPath, { outcome: 'any.waiting' })}>All waiting events</a>
        </li>
      ) : null}
    </ul>
  );
};

const DueJobs = ({ view, jobs }: { view: View; jobs: ComingJobs }) => {
  const { dueAt, count, type, workflow, transactionId } = jobs;
  const due = toIso(dueAt);
  const path =
    count === 1
      ? eventPath(transactionId)
      : linkTo(activityPath, { outcome: 'any.waiting', workflow: workflow?.identifier });
  return (
    <li>
      <a href={path}>
        <bdi>{workflow?.name}</bdi>
        <span class="aside">
          {count === 1 ? stepTitle(type) : counted(count, `waiting ${type}`)}
        </span>
      </a>
      <time datetime={due}>
        {timeAfter(due, view.now)} ·{' '}
        <span class="whole">in {shortDuration(dueAt - Date.parse(view.now))}</span>
      </time>
      <form method="post" action="/page/clock">
        <FormOrigin view={view} />
        <button type="submit" name="advance" value={due}>
          Run until here
          <span class="hidden">
            : {workflow?.name}, {timeAfter(due, view.now)}
          </span>
        </button>
      </form>
    </li>
  );
};

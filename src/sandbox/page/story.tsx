// The story of a person: every event, message, skipped step and wait on one line of time, newest first, with the
// addresses and preferences of today beside it. `svc subscribers story` prints the same.
import { shortDuration } from '../../core/durations.ts';
import { groupBy } from '../../core/objects.ts';
import { scheduleText } from '../../deliveries/details.ts';
import { chosenPreferences } from '../../deliveries/preferences-text.ts';
import type { StepOutcome } from '../../service/job-outcomes.ts';
import { isChannel } from '../../service/schemas/vocabulary.ts';
import { readPreferences } from '../api/preferences.ts';
import { listCredentials } from '../store/credentials.ts';
import { listedMessage, messageIdsOfJobs } from '../store/page-messages.ts';
import { notificationsOf } from '../store/page-overview.ts';
import type { Scope } from '../store/scope.ts';
import type { StoredSubscriber } from '../store/subscribers.ts';
import { clockTime, dayText } from './format.ts';
import { Badge } from './icons.tsx';
import { Pages } from './list-view.tsx';
import { Row } from './message.tsx';
import { messageTitle, stepTitle } from './message-names.ts';
import { Empty } from './shell.tsx';
import { payloadExcerpt, type Recipient, readRecipients } from './timeline.tsx';
import { eventPath, linkTo, messagePath, storyPath, type View } from './view.ts';

const eventsPerPage = 25;

interface Props {
  view: View;
  text: string | undefined;
  before: string | undefined;
  subscriber: StoredSubscriber;
}

export const Story = ({ view, text, before, subscriber }: Props) => {
  const { scope, now } = view;
  const start = Number.parseInt(before ?? '', 10) || undefined;
  const found = notificationsOf(scope, subscriber.id, start, eventsPerPage + 1);
  const recipients = readRecipients(scope, found.slice(0, eventsPerPage));
  const next = found.length > eventsPerPage ? found[eventsPerPage - 1]?.place : undefined;
  const days = groupByDay(
    recipients.flatMap((recipient) => entriesOf(scope, recipient)),
    now,
  );
  const path = storyPath(subscriber.subscriberId);
  return (
    <div class="story">
      <Person {...{ scope, subscriber }} />
      <div>
        {days.size === 0 ? (
          <Empty title="No events yet">
            <p>Every event, message, skipped step and wait of this person appears here.</p>
          </Empty>
        ) : (
          [...days].map(([day, entries]) => (
            <section>
              <h3>{day}</h3>
              <ol>
                {entries.map((entry) => (
                  <StoryEntry {...{ entry, now }} />
                ))}
              </ol>
            </section>
          ))
        )}
        <Pages
          newest={before === undefined ? undefined : linkTo(path, { q: text })}
          older={next === undefined ? undefined : linkTo(path, { q: text, before: String(next) })}
        />
      </div>
    </div>
  );
};

interface Entry {
  at: string;
  badge: string;
  /** Undefined for the event itself. */
  outcome: StepOutcome | undefined;
  title: string;
  text: string;
  href: string;
}

/** An event and its steps. Steps that wait are at the time at which they continue. */
function entriesOf(scope: Scope, { item, steps }: Recipient): Entry[] {
  const messages = messageIdsOfJobs(
    scope,
    steps.map(({ job }) => job._id),
  );
  const createdAt = item.createdAt ?? '';
  const href = eventPath(item.transactionId);
  const event: Entry = {
    at: createdAt,
    badge: 'trigger',
    outcome: undefined,
    href,
    title: item.template?.name ?? 'Deleted workflow',
    text: payloadExcerpt(item.payload ?? {}),
  };
  const wait = steps.findIndex(({ job, outcome }) => outcome === 'waiting' && !isChannel(job.type));
  // Steps behind a wait are named by it.
  const behind = wait === -1 ? [] : steps.slice(wait + 1).map(({ job }) => stepTitle(job.type));
  return [
    event,
    ...steps.slice(0, steps.length - behind.length).map(({ job, outcome, sentence, until }) => {
      const [id] = messages.get(job._id) ?? [];
      const message = id === undefined ? undefined : listedMessage(scope, id);
      const title = message && outcome === 'delivered' ? messageTitle(message) : sentence;
      return {
        at: until ?? (outcome === 'waiting' ? undefined : job.updatedAt) ?? createdAt,
        badge: job.type,
        outcome: isChannel(job.type) || outcome !== 'delivered' ? outcome : undefined,
        title,
        text: `${stepTitle(job.type)} · ${event.title}${outcome === 'waiting' && behind.length > 0 ? `, then ${behind.join(', ')}` : ''}`,
        href: id === undefined ? href : messagePath(id),
      };
    }),
  ];
}

/** Newest first. The steps of an event that ran in the same second stay in their order. */
function groupByDay(entries: readonly Entry[], now: string) {
  const second = ({ at }: Entry) => at.slice(0, 19);
  const sorted = entries.toSorted((a, b) =>
    second(a) < second(b) ? 1 : second(a) > second(b) ? -1 : 0,
  );
  return groupBy(sorted, ({ at }) => (at > now ? 'Coming' : dayText(at, now)));
}

const StoryEntry = ({ entry, now }: { entry: Entry; now: string }) => {
  const { at, badge, outcome, title, text, href } = entry;
  const time = at > now ? `in ${shortDuration(Date.parse(at) - Date.parse(now))}` : clockTime(at);
  return (
    <li class={outcome ?? (badge === 'trigger' ? 'start' : undefined)}>
      <time datetime={at}>{time}</time>
      <Badge type={badge} />
      <div class="row-text">
        <p>
          {outcome === undefined ? null : (
            <span class={`token ${outcome}`}>
              <span class="hidden">{outcome}</span>
            </span>
          )}{' '}
          <a href={href} dir="auto">
            {title}
          </a>
        </p>
        <p class="sub" dir="auto">
          {text}
        </p>
      </div>
    </li>
  );
};

/** The addresses and preferences of today. */
const Person = ({ scope, subscriber }: { scope: Scope; subscriber: StoredSubscriber }) => {
  const { subscriberId, profile } = subscriber;
  const preferences = readPreferences(scope, subscriber.id, 'all');
  const chosen = chosenPreferences(preferences);
  const { schedule } = preferences.global;
  const devices = listCredentials(scope, subscriber.id).map(({ providerId }) => providerId);
  const facts: [string, string | null | undefined][] = [
    ['Subscriber', subscriberId],
    ['E-mail', profile.email ?? 'no address'],
    ['Phone', profile.phone ?? 'no number'],
    ['Devices', devices.join(', ')],
    ['Time zone', profile.timezone],
    ['Language', profile.locale],
    ['Schedule', schedule?.isEnabled ? scheduleText(schedule) : undefined],
  ];
  return (
    <aside aria-label="Addresses and preferences">
      <dl class="facts">
        {facts.map(([name, value]) =>
          value ? (
            <Row name={name}>
              <bdi>{value}</bdi>
            </Row>
          ) : null,
        )}
        <Row name="Preferences">
          {chosen.length === 0 ? 'Everything on' : chosen.map((text) => <p>{text}</p>)}
        </Row>
      </dl>
    </aside>
  );
};

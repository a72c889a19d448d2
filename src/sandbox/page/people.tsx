// The people: the list of subscribers, and the story or the in-app inbox of one of them.
import {
  countUnread,
  pageOfMessages,
  recentRecipients,
  searchSubscribers,
} from '../store/page-messages.ts';
import { type StoredSubscriber, subscribersById } from '../store/subscribers.ts';
import { InboxCard } from './content.tsx';
import { SearchForm } from './filters.tsx';
import { dayText, shortTime } from './format.ts';
import { Pages } from './list-view.tsx';
import { shownContent } from './message.tsx';
import { personName } from './message-names.ts';
import { Empty, Shell } from './shell.tsx';
import { Story } from './story.tsx';
import { inboxPath, linkTo, messagePath, storyPath, type View } from './view.ts';

const maxSubscribers = 50;
const pageSize = 25;

interface Props {
  view: View;
  /** A text in the id, name, email or phone of subscribers. */
  text: string | undefined;
  before: string | undefined;
  /** The subscriber that was opened; without one, the last recipient is shown. */
  opened?: StoredSubscriber;
  /** Shows the story instead of the inbox. */
  isStory: boolean;
}

export const PeopleView = ({ view, text, before, opened, isStory }: Props) => {
  const subscribers = listedSubscribers(view, text);
  const selected = opened ?? subscribers[0];
  return (
    <Shell
      view={view}
      section="People"
      title={opened ? `${isStory ? 'Story' : 'Inbox'} of ${subscriberName(opened)}` : 'People'}
      listPath={linkTo('/page/inbox', { q: text })}
      isOpened={opened !== undefined}
      list={
        <>
          <SearchForm path="/page/inbox" value={text} label="Find a subscriber" />
          <SubscriberList {...{ view, text, subscribers, isStory }} current={selected?.id} />
        </>
      }
      detail={
        selected ? (
          <article class="inbox">
            <h2 class="title">
              <bdi>{subscriberName(selected)}</bdi>
            </h2>
            <nav class="tabs" aria-label="Person">
              {[
                { name: 'Inbox', path: inboxPath, isCurrent: !isStory },
                { name: 'Story', path: storyPath, isCurrent: isStory },
              ].map(({ name, path, isCurrent }) => (
                <a
                  href={linkTo(path(selected.subscriberId), { q: text })}
                  aria-current={isCurrent ? 'page' : undefined}
                >
                  {name}
                </a>
              ))}
            </nav>
            {isStory ? (
              <Story {...{ view, text, before }} subscriber={selected} />
            ) : (
              <Inbox {...{ view, text, before }} subscriber={selected} />
            )}
          </article>
        ) : (
          <Empty title={text ? undefined : 'No person to show yet'}>
            <p>People appear here after their first message. The search finds all subscribers.</p>
          </Empty>
        )
      }
    />
  );
};

function listedSubscribers({ scope }: View, text: string | undefined): StoredSubscriber[] {
  if (text) return searchSubscribers(scope, text, maxSubscribers);
  const ids = recentRecipients(scope, maxSubscribers);
  const subscribers = subscribersById(scope, ids);
  return ids.flatMap((id) => subscribers.get(id) ?? []);
}

const subscriberName = ({ subscriberId, profile }: StoredSubscriber) =>
  personName({ ...profile, subscriberId });

interface ListProps {
  view: View;
  text: string | undefined;
  subscribers: readonly StoredSubscriber[];
  current: string | undefined;
  isStory: boolean;
}

const SubscriberList = ({ view, text, subscribers, current, isStory }: ListProps) =>
  subscribers.length === 0 ? (
    <Empty title={text ? 'No subscribers match' : 'No messages yet'} />
  ) : (
    <>
      <ol class="items">
        {subscribers.map((subscriber) => {
          const { unread, isCapped } = countUnread(view.scope, subscriber.id);
          const count = isCapped && unread > 0 ? `${unread}+` : String(unread);
          return (
            <li>
              <a
                id={`s-${subscriber.id}`}
                class="row person"
                href={linkTo((isStory ? storyPath : inboxPath)(subscriber.subscriberId), {
                  q: text,
                })}
                aria-current={subscriber.id === current ? 'true' : undefined}
              >
                <span class="avatar" aria-hidden="true">
                  {[...subscriberName(subscriber)][0]?.toUpperCase()}
                </span>
                <span class="row-text">
                  <span class="row-head">
                    <strong dir="auto">{subscriberName(subscriber)}</strong>
                    {unread > 0 ? (
                      <span class="count">
                        {count}
                        <span class="hidden"> unread</span>
                      </span>
                    ) : null}
                  </span>
                  <span class="row-sub">
                    <bdi>{subscriber.subscriberId}</bdi>
                  </span>
                </span>
              </a>
            </li>
          );
        })}
      </ol>
      {subscribers.length < maxSubscribers ? null : (
        <p class="list-end">
          {text ? `The first ${maxSubscribers} matches.` : `The last ${maxSubscribers} recipients.`}{' '}
          Search to find others.
        </p>
      )}
    </>
  );

interface InboxProps {
  view: View;
  text: string | undefined;
  before: string | undefined;
  subscriber: StoredSubscriber;
}

const Inbox = ({ view, text, before, subscriber }: InboxProps) => {
  const { subscriberId, id } = subscriber;
  const filter = { channel: 'in_app', subscriberId, before };
  const { messages, next } = pageOfMessages(view.scope, filter, pageSize);
  const { unread, isCapped } = countUnread(view.scope, id);
  const path = inboxPath(subscriberId);
  return (
    <>
      <p class="unread">{unread === 0 ? 'All read' : `${unread}${isCapped ? '+' : ''} unread`}</p>
      {messages.length === 0 ? (
        <Empty title="This inbox is empty" />
      ) : (
        messages.map((message) => (
          <InboxCard
            content={{
              ...shownContent(message),
              sender: message.templateIdentifier,
              details: messagePath(message.id),
              time: `${dayText(message.createdAt, view.now)}, ${shortTime(message.createdAt)}`,
            }}
          />
        ))
      )}
      <Pages
        newest={before === undefined ? undefined : linkTo(path, { q: text })}
        older={next === undefined ? undefined : linkTo(path, { q: text, before: next })}
      />
    </>
  );
};

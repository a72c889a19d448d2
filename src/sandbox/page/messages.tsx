// The list of messages.
import { counted } from '../../core/counts.ts';
import {
  countMessages,
  type ListedMessage,
  type MessageFilter,
  maxScanned,
  pageOfMessages,
} from '../store/page-messages.ts';
import { FilterForm, type Filters } from './filters.tsx';
import { clockTime, dayText, excerpt } from './format.ts';
import { Badge } from './icons.tsx';
import { MessageDetail, Status } from './message.tsx';
import { channelTitle, deviceOf, recipientOf, titleOf } from './message-text.ts';
import { Empty, Shell } from './shell.tsx';
import { commandOf, linkTo, messagePath, type View } from './view.ts';

const pageSize = 40;

interface Props {
  view: View;
  filters: Filters;
  /** Only messages older than the one with this id. */
  before: string | undefined;
  /** The message that was opened; without one, the newest is shown. */
  opened?: ListedMessage;
}

export const MessagesView = ({ view, filters, before, opened }: Props) => {
  const filter: MessageFilter = {
    ...{ channel: filters.channel, subscriberId: filters.subscriber, workflow: filters.workflow },
    ...{ status: filters.status, text: filters.q, before },
  };
  const { messages, next } = pageOfMessages(view.scope, filter, pageSize);
  const shown = opened ?? messages[0];
  return (
    <Shell
      view={view}
      section="Messages"
      title={shown && opened ? titleOf(shown) : 'Messages'}
      listPath={linkTo('/', { ...filters, before })}
      isOpened={opened !== undefined}
      list={
        <>
          <FilterForm view={view} filters={filters} />
          <MessageList {...{ view, filters, before, messages, next }} current={shown?.id} />
          <Pages
            newest={before === undefined ? undefined : linkTo('/', filters)}
            older={next === undefined ? undefined : linkTo('/', { ...filters, before: next })}
            olderText={messages.length === 0 ? 'Search older messages' : undefined}
          />
        </>
      }
      detail={
        shown ? (
          <MessageDetail view={view} message={shown} />
        ) : (
          <Empty title={isFiltered(filters) ? undefined : 'Nothing to show yet'}>
            <p>
              {isFiltered(filters) ? 'A message that matches' : 'A message'} appears here as soon as
              the sandbox captures one.
            </p>
          </Empty>
        )
      }
    />
  );
};

const isFiltered = (filters: Filters) =>
  Object.values(filters).some((value) => value !== undefined);

type ListProps = Omit<Props, 'opened'> & {
  messages: readonly ListedMessage[];
  /** Older messages may match. */
  next: string | undefined;
  current: string | undefined;
};

const MessageList = ({ view, filters, before, messages, next, current }: ListProps) => {
  if (messages.length === 0)
    return isFiltered(filters) || before !== undefined ? (
      <Empty
        title={
          next === undefined
            ? 'No messages match'
            : `No match in the ${before === undefined ? 'newest' : 'next'} ${maxScanned.toLocaleString('en')} messages`
        }
      >
        <p>
          <a href="/">Show all messages</a>
        </p>
      </Empty>
    ) : (
      <Empty title="No messages yet">
        <p>
          Trigger an event with <code>{commandOf(view.place, 'svc events trigger')}</code>. Messages
          appear here as soon as they are captured.
        </p>
      </Empty>
    );
  return (
    <>
      {isFiltered(filters) ? null : (
        <p class="total">{counted(countMessages(view.scope), 'message')}</p>
      )}
      {groupByDay(messages, view.now).map(({ day, items }) => (
        <section class="day">
          <h2>{day}</h2>
          <ol class="items">
            {items.map((message) => (
              <MessageRow
                message={message}
                href={linkTo(messagePath(message.id), { ...filters, before })}
                isCurrent={message.id === current}
              />
            ))}
          </ol>
        </section>
      ))}
    </>
  );
};

interface RowProps {
  message: ListedMessage;
  href: string;
  isCurrent: boolean;
}

const MessageRow = ({ message, href, isCurrent }: RowProps) => {
  const { id, channel, createdAt, content, status, templateIdentifier } = message;
  const title = titleOf(message);
  const device = deviceOf(message);
  const text = excerpt(content, channel === 'email');
  return (
    <li>
      <a id={`m-${id}`} class="row" href={href} aria-current={isCurrent ? 'true' : undefined}>
        <Badge type={channel} />
        <span class="row-text">
          <span class="row-head">
            <strong dir="auto">{title}</strong>
            <time datetime={createdAt}>{clockTime(createdAt).slice(0, 5)}</time>
          </span>
          <span class="row-sub">
            <span>
              <span class="hidden">{channelTitle(channel)} to </span>
              <bdi>{message.subscriberName ?? message.subscriberId ?? recipientOf(message)}</bdi>
              {device === undefined ? '' : ` · ${device}`}
              {' · '}
              {templateIdentifier}
            </span>
            <Status status={status} />
          </span>
          {text === '' || text === title ? null : (
            <span class="row-excerpt" dir="auto">
              {text}
            </span>
          )}
        </span>
      </a>
    </li>
  );
};

function groupByDay(messages: readonly ListedMessage[], now: string) {
  const days: { day: string; items: ListedMessage[] }[] = [];
  for (const message of messages) {
    const day = dayText(message.createdAt, now);
    const last = days.at(-1);
    if (last?.day === day) last.items.push(message);
    else days.push({ day, items: [message] });
  }
  return days;
}

interface PagesProps {
  newest: string | undefined;
  older: string | undefined;
  olderText?: string | undefined;
}

export const Pages = ({ newest, older, olderText = 'Older' }: PagesProps) =>
  newest === undefined && older === undefined ? null : (
    <nav class="pages" aria-label="Pages">
      {newest === undefined ? <span /> : <a href={newest}>Newest</a>}
      {older === undefined ? null : <a href={older}>{olderText}</a>}
    </nav>
  );

// The list of messages, with the opened one beside it.
import { groupBy } from '../../core/objects.ts';
import { counted } from '../../core/text.ts';
import { messageOutcomes } from '../../service/job-outcomes.ts';
import { messageStatuses } from '../../service/schemas/vocabulary.ts';
import { countMessages, type ListedMessage, pageOfMessages } from '../store/page-messages.ts';
import { channelChips, FilterForm, type Filters, isFiltered } from './filters.tsx';
import { dayText, shortTime } from './format.ts';
import { Icon } from './icons.tsx';
import { ListRow, ListView } from './list-view.tsx';
import { MessageDetail, type OpenedMessage, Status } from './message.tsx';
import {
  channelTitle,
  deviceName,
  messageTitle,
  recipientName,
  storedExcerpt,
} from './message-names.ts';
import { Empty, NoMatches } from './shell.tsx';
import type { Tab } from './tabs.tsx';
import { commandForProfile, linkTo, messagePath, messagesPath, type View } from './view.ts';

const pageSize = 40;

const outcomes = Object.values(messageOutcomes).map((name) => ({ value: name, text: name }));

interface Props {
  view: View;
  filters: Filters;
  /** Only messages older than the one with this id. */
  before: string | undefined;
  /** The tab of the address, which links to other messages keep. */
  tab: string | undefined;
  /** The page of the list. */
  page: ReturnType<typeof messagesFor>;
  /** The message that is shown. */
  selected: OpenedMessage | undefined;
  /** A person opened the message; otherwise, it is the newest one. */
  isOpened: boolean;
}

/** The page of the list that an address asks for. */
export const messagesFor = (view: View, filters: Filters, before: string | undefined) => {
  const { q: text, subscriber: subscriberId, channel, workflow, outcome, payload } = filters;
  const status = messageStatuses.find((name) => messageOutcomes[name] === outcome);
  const filter = { text, subscriberId, channel, workflow, status, payload, before };
  return pageOfMessages(view.scope, filter, pageSize);
};

export const MessagesView = ({ view, filters, before, tab, page, selected, isOpened }: Props) => {
  const { messages, next, progress } = page;
  const query = { ...filters, before };
  const linkWith = (change: { tab?: Tab; id?: string; compare?: string }) => {
    const compare = change.id === undefined ? selected?.compared?.message.id : change.compare;
    const chosen = change.tab ?? tab;
    const path =
      isOpened || change.id ? messagePath(change.id ?? selected?.message.id ?? '') : messagesPath;
    return linkTo(path, { ...query, tab: chosen === 'preview' ? undefined : chosen, compare });
  };
  return (
    <ListView
      {...{ view, filters, before, next, progress }}
      section="Messages"
      noun="messages"
      path={messagesPath}
      openedTitle={selected && isOpened ? messageTitle(selected.message) : undefined}
      kept={{ tab }}
      shownPath={selected && messagePath(selected.message.id)}
      form={
        <FilterForm
          {...{ view, filters, outcomes }}
          path={messagesPath}
          label="Search messages"
          chips={channelChips}
        />
      }
      actions={isFiltered(filters) || messages.length === 0 ? null : <DeleteAll view={view} />}
      items={
        <MessageList
          {...{ view, filters, before, tab, messages, next }}
          current={selected?.message.id}
        />
      }
      detail={selected ? <MessageDetail {...{ ...selected, view, linkWith }} /> : null}
      nothing={`${isFiltered(filters) ? 'A message that matches' : 'A message'} appears here as soon as the sandbox captures one.`}
    />
  );
};

/** Needs two clicks, so that nothing is deleted by mistake. */
const DeleteAll = ({ view }: { view: View }) => (
  <details class="delete">
    <summary>
      {counted(countMessages(view.scope), 'message')}
      <Icon name="trash" />
      <span class="hidden">Delete all</span>
    </summary>
    <form method="post" action="/page/delete-all">
      <input type="hidden" name="token" value={view.token} />
      <p>Delete all messages of this environment? Events and workflows are kept.</p>
      <button type="submit" class="danger">
        Delete all
      </button>
    </form>
  </details>
);

interface ListProps {
  view: View;
  filters: Filters;
  before: string | undefined;
  tab: string | undefined;
  messages: readonly ListedMessage[];
  /** Older messages may match. */
  next: string | undefined;
  current: string | undefined;
}

const MessageList = ({ view, filters, before, tab, messages, next, current }: ListProps) => {
  if (messages.length === 0 && next !== undefined) return null;
  if (messages.length === 0)
    return isFiltered(filters) || before !== undefined ? (
      <NoMatches noun="messages" path={messagesPath} />
    ) : (
      <Empty title="No messages yet">
        <p>
          Trigger an event with <code>{commandForProfile(view.place, 'svc events trigger')}</code>.
          Messages appear here as soon as they are captured.
        </p>
      </Empty>
    );
  return (
    <>
      {[...groupBy(messages, ({ createdAt }) => dayText(createdAt, view.now))].map(
        ([day, items]) => (
          <section class="day">
            <h2>{day}</h2>
            <ol class="items">
              {items.map((message) => (
                <MessageRow
                  message={message}
                  href={linkTo(messagePath(message.id), { ...filters, before, tab })}
                  isCurrent={message.id === current}
                />
              ))}
            </ol>
          </section>
        ),
      )}
    </>
  );
};

interface RowProps {
  message: ListedMessage;
  href: string;
  isCurrent: boolean;
}

export const MessageRow = ({ message, href, isCurrent }: RowProps) => {
  const { id, channel, createdAt, templateIdentifier } = message;
  const title = messageTitle(message);
  const device = deviceName(message);
  const text = storedExcerpt(message);
  return (
    <ListRow
      {...{ href, isCurrent, title, badge: channel }}
      id={`m-${id}`}
      mark={<time datetime={createdAt}>{shortTime(createdAt)}</time>}
      sub={
        <>
          <span>
            <span class="hidden">{channelTitle(channel)} to </span>
            <bdi>{message.subscriberName ?? message.subscriberId ?? recipientName(message)}</bdi>
            {device === undefined ? '' : ` · ${device}`}
            {' · '}
            {templateIdentifier}
          </span>
          <Status message={message} />
        </>
      }
    >
      {text === '' || text === title ? null : (
        <span class="row-excerpt" dir="auto">
          {text}
        </span>
      )}
    </ListRow>
  );
};

// The details of a message: who got it, what it looks like, and the data that it was made from.

import { isObject } from '../../core/objects.ts';
import { type GivenProblems, variableProblemTexts } from '../../core/variable-problems.ts';
import { messageOutcomes } from '../../service/job-outcomes.ts';
import { listJobs } from '../store/jobs.ts';
import { missedAddresses, sentContent } from '../store/messages.ts';
import { type ListedMessage, listedMessage } from '../store/page-messages.ts';
import { type RemovedParts, removedFrom } from '../templates/email.ts';
import { findLinks } from '../templates/links.ts';
import { Content } from './content.tsx';
import { CopyAs, messageSnippets } from './copy.tsx';
import { type Check, checkEmail, closedPorts } from './email-checks.ts';
import { EmailTab, mailHeaders } from './email-tabs.tsx';
import { clockTime, dateText, shortTime, sizeText } from './format.ts';
import { SendAgain } from './forms.tsx';
import { Badge } from './icons.tsx';
import { channelTitle, findSender, messageTitle, recipientName } from './message-names.ts';
import { type Tab, Tabs, tabFor } from './tabs.tsx';
import { eventPath, inboxPath, type View } from './view.ts';

export interface OpenedMessage {
  message: ListedMessage;
  tab: Tab;
  /** Empty unless it is an e-mail. */
  checks: readonly Check[];
  /** The message that was sent again as this one, or from which it was made. */
  compared?: { message: ListedMessage; isBefore: boolean } | undefined;
}

interface Props extends OpenedMessage {
  view: View;
  /** The address of this view with another tab, or of the compared message. */
  linkWith: (change: { tab?: Tab; id?: string; compare?: string }) => string;
}

export const MessageDetail = ({ view, message, tab, checks, compared, linkWith }: Props) => {
  const { channel, id, createdAt, subscriberId, transactionId, errorText } = message;
  const { attachments = [] } = message.sent ?? {};
  const missed = missedAddresses(message);
  const sender = findSender(view.scope, message);
  const recipient = recipientName(message);
  const name = message.subscriberName ?? subscriberId;
  const title =
    message.subject || message.title || channel === 'email'
      ? messageTitle(message)
      : `${channelTitle(channel)} to ${name ?? recipient}`;
  const links = channel === 'email' ? findLinks(message.content, true) : [];
  return (
    <article class="message">
      <header>
        <div class="kind">
          <Badge type={channel} />
          {channelTitle(channel)} <Status message={message} />
          {compared ? (
            <nav class="switch" aria-label="Compare">
              {[true, false].map((isBefore) => {
                const isShown = compared.isBefore !== isBefore;
                const href = isShown
                  ? linkWith({ id, compare: compared.message.id })
                  : linkWith({ id: compared.message.id, compare: id });
                return (
                  <a
                    id={isBefore ? 'before' : 'after'}
                    href={href}
                    aria-current={isShown ? 'true' : undefined}
                  >
                    {isBefore ? 'Before' : 'After'}
                  </a>
                );
              })}
            </nav>
          ) : null}
        </div>
        <h2 class="title" dir="auto">
          {title}
        </h2>
        <dl class="facts">
          {channel === 'in_app' ? null : <Row name="From">{<bdi>{sender.address}</bdi>}</Row>}
          <Row name="To">
            <bdi>{recipient ?? 'no address'}</bdi>{' '}
            {name && name !== recipient ? (
              <span class="aside">
                {subscriberId && channel === 'in_app' ? (
                  <a href={inboxPath(subscriberId)}>{name}</a>
                ) : (
                  <bdi>{name}</bdi>
                )}
              </span>
            ) : null}
          </Row>
          {attachments.length === 0 ? null : (
            <Row name="Attached">
              <bdi>
                {attachments.map(({ name, size }) => `${name} (${sizeText(size)})`).join(', ')}
              </bdi>
            </Row>
          )}
          <Row name="Workflow">
            {message.templateIdentifier}{' '}
            <span class="aside">
              <a href={eventPath(transactionId)}>Timeline</a>
            </span>
          </Row>
          <TimeRow name="Captured" at={createdAt} />
        </dl>
        {errorText ? (
          <p class={`problem ${missed ? 'skipped' : messageOutcomes[message.status]}`}>
            {missed ? (
              <>
                <strong>Partly delivered</strong>, {missed}.
              </>
            ) : (
              <>
                <strong>Not delivered.</strong> {errorText}
              </>
            )}
          </p>
        ) : null}
        <VariableWarnings problems={message.problems ?? {}} />
      </header>
      <Tabs
        channel={channel}
        current={tab}
        counts={{
          links: links.length,
          checks: checks.filter(({ state }) => state === 'warning' || state === 'problem').length,
        }}
        linkToTab={(other) => linkWith({ tab: other })}
      />
      <div class="tab">
        {tab === 'payload' ? (
          <Payload message={message} />
        ) : channel === 'email' ? (
          <EmailTab
            {...{ view, message, title, tab, links, checks }}
            headers={mailHeaders(message, sender.address, recipient)}
          />
        ) : tab === 'raw' ? (
          <pre class="source" tabindex={0}>
            {message.content}
          </pre>
        ) : (
          <Content
            content={{
              ...shownContent(message),
              sender: channel === 'in_app' ? message.templateIdentifier : sender.name,
            }}
          />
        )}
      </div>
      <div class="acts">
        <SendAgain
          view={view}
          workflow={message.templateIdentifier}
          event={transactionId}
          message={id}
          subscriber={subscriberId}
          payload={message.payload}
        />
        <CopyAs snippets={messageSnippets(view, message)} />
      </div>
      <p class="id">
        Message <code>{id}</code> of provider <code>{message.providerId}</code>
      </p>
    </article>
  );
};

const Payload = ({ message }: { message: ListedMessage }) => {
  const { payload, overrides, data = {}, deviceTokens } = message;
  return (
    <>
      <Json value={payload} />
      <Data name="Overrides" value={overrides} />
      <Data name="Data" value={data} />
      {deviceTokens ? <Data name="Device tokens" value={deviceTokens} /> : null}
    </>
  );
};

export const VariableWarnings = ({ problems }: { problems: GivenProblems }) => {
  const texts = variableProblemTexts(problems);
  return texts.length === 0 ? null : (
    <p class="problem warning" dir="auto">
      <strong>Check the variables.</strong> {texts.join('; ')}
    </p>
  );
};

export const Row = ({ name, children }: { name: string; children: unknown }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

export const TimeRow = ({ name, at }: { name: string; at: string }) => (
  <Row name={name}>
    <time datetime={at}>
      {dateText(at)}, {clockTime(at)}
    </time>
  </Row>
);

/** A delivered message is the rule, which needs no mark. */
export const Status = ({ message }: { message: ListedMessage }) => {
  const outcome = messageOutcomes[message.status];
  if (outcome === 'delivered') return null;
  if (missedAddresses(message)) return <span class="state status skipped">Partly delivered</span>;
  return (
    <span class={`state status ${outcome}`}>{outcome === 'failed' ? 'Failed' : 'Skipped'}</span>
  );
};

export const Json = ({ value }: { value: unknown }) => (
  <pre class="source" tabindex={0} dir="ltr">
    {JSON.stringify(value, null, 2)}
  </pre>
);

/** JSON that can be opened. Nothing is shown for an empty value. */
export const Data = ({ name, value }: { name: string; value: object }) =>
  Object.keys(value).length === 0 ? null : (
    <details class="data">
      <summary>{name}</summary>
      <Json value={value} />
    </details>
  );

/** The parts of a stored message that people see. */
export const shownContent = (message: ListedMessage): Omit<Content, 'sender'> => ({
  channel: message.channel,
  subject: message.subject ?? message.title,
  body: message.content,
  avatar: message.avatar,
  url: message.cta.data?.url,
  buttons: (message.cta.action?.buttons ?? []).map(({ type, content, url }) => ({
    type,
    label: content,
    url,
  })),
  time: shortTime(message.createdAt),
  isRead: message.read,
  state: inboxState(message),
});

function inboxState({ archived, snoozedUntil }: ListedMessage): string | undefined {
  if (snoozedUntil) return `Snoozed until ${shortTime(snoozedUntil)}`;
  return archived ? 'Archived' : undefined;
}

// Reads what the detail of a message shows besides its content.

export async function openMessage(
  view: View,
  stored: ListedMessage,
  requestedTab: string | undefined,
  compare: string | undefined,
): Promise<OpenedMessage> {
  const message = asSent(stored);
  const tab = tabFor(message.channel, requestedTab);
  const checks = message.channel === 'email' ? await runChecks(view, message, tab) : [];
  const other = compare === undefined ? undefined : listedMessage(view.scope, compare);
  const isBefore = other !== undefined && isOlder(other, message);
  return { message, tab, checks, compared: other && { message: other, isBefore } };
}

/** With the content that the event sends instead of its template. */
export const asSent = (message: ListedMessage): ListedMessage => ({
  ...message,
  content: sentContent(message),
});

/** Ids grow with time. */
const isOlder = (a: ListedMessage, b: ListedMessage): boolean =>
  a.createdAt === b.createdAt ? a.id < b.id : a.createdAt < b.createdAt;

async function runChecks(view: View, message: ListedMessage, tab: Tab): Promise<Check[]> {
  const { content, problems = {} } = message;
  // The number of findings, which every tab shows, opens no connections.
  const urls = tab === 'checks' ? findLinks(content, true).map(({ url }) => url) : [];
  const closed = await closedPorts(urls);
  return checkEmail({ content, problems, closed, removed: removedParts(view, message) });
}

/** The parts that the service removed from the step of the message; undefined if the step is not known. */
function removedParts(
  { scope }: View,
  { notification, job }: ListedMessage,
): RemovedParts | undefined {
  const step = listJobs(scope, [notification]).find(({ id }) => id === job)?.step;
  const controls = isObject(step?.controlVariables) ? step.controlVariables : {};
  const { body, disableOutputSanitization } = controls;
  return typeof body === 'string'
    ? removedFrom(body, disableOutputSanitization !== true)
    : undefined;
}

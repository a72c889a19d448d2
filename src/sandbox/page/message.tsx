// The details of a message: who got it, what it looks like, and the data that it was made from.
import { type GivenProblems, variableProblemTexts } from '../../core/variable-problems.ts';
import type { ListedMessage } from '../store/page-messages.ts';
import { Content, EmailFrame, Link } from './content.tsx';
import { type EmailLink, emailDocument } from './email-document.ts';
import { clockTime, dateText } from './format.ts';
import { Badge, Icon } from './icons.tsx';
import { channelTitle, recipientOf, senderOf, titleOf } from './message-text.ts';
import { eventPath, inboxPath, messagePath, type View } from './view.ts';

interface Fact {
  name: string;
  value: unknown;
}

export const MessageDetail = ({ view, message }: { view: View; message: ListedMessage }) => {
  const { channel, id, createdAt, subscriberId, transactionId, errorText, payload } = message;
  const sender = senderOf(view.scope, message);
  const recipient = recipientOf(message);
  const name = message.subscriberName ?? subscriberId;
  const title =
    message.subject || message.title || channel === 'email'
      ? titleOf(message)
      : `${channelTitle(channel)} to ${name ?? recipient}`;
  return (
    <article class="message">
      <header>
        <p class="kind">
          <Badge type={channel} />
          {channelTitle(channel)} <Status status={message.status} />
        </p>
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
          <Row name="Workflow">
            {message.templateIdentifier}{' '}
            <span class="aside">
              <a href={eventPath(transactionId)}>Timeline</a>
            </span>
          </Row>
          <Row name="Captured">
            <time datetime={createdAt}>
              {dateText(createdAt)}, {clockTime(createdAt)}
            </time>
          </Row>
        </dl>
        {errorText ? (
          <p class="problem">
            <strong>Not delivered.</strong> {errorText}
          </p>
        ) : null}
        <VariableWarnings problems={message.problems ?? {}} />
      </header>
      {channel === 'email' ? (
        <Email message={message} title={title} />
      ) : (
        <Content
          content={{
            ...shownContent(message),
            sender: channel === 'in_app' ? message.templateIdentifier : sender.name,
          }}
        />
      )}
      <Data name="Payload" value={payload} />
      <Data name="Overrides" value={message.overrides} />
      <Data name="Data" value={message.data ?? {}} />
      {message.deviceTokens ? <Data name="Device tokens" value={message.deviceTokens} /> : null}
      <p class="id">
        Message <code>{id}</code> of provider <code>{message.providerId}</code>
      </p>
    </article>
  );
};

export const VariableWarnings = ({ problems }: { problems: GivenProblems }) => {
  const texts = variableProblemTexts(problems);
  return texts.length === 0 ? null : (
    <p class="problem" dir="auto">
      <strong>Check the variables.</strong> {texts.join('; ')}
    </p>
  );
};

const Row = ({ name, children }: { name: string; children: Fact['value'] }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

export const Status = ({ status }: { status: string }) =>
  status === 'sent' ? null : <span class="status bad">Not delivered</span>;

const Email = ({ message: { id, content }, title }: { message: ListedMessage; title: string }) => {
  const document = emailDocument(content);
  const path = messagePath(id);
  return (
    <>
      <EmailFrame
        title={`E-mail: ${title}`}
        source={{ url: `${path}/email` }}
        document={document}
      />
      <Links links={document.links} />
      <p class="more">
        <a href={`${path}/email`} target="_blank" rel="noopener">
          Open in a new tab
        </a>{' '}
        <a href={`${path}/source`} target="_blank" rel="noopener">
          HTML source
        </a>
      </p>
    </>
  );
};

export const Links = ({ links }: { links: readonly EmailLink[] }) =>
  links.length === 0 ? null : (
    <section class="links" aria-label="Links in the e-mail">
      <h3>
        <Icon name="link" />
        Links
      </h3>
      <ul>
        {links.map(({ url, text }) => (
          <li>
            {text === '' || text === url ? null : <bdi class="link-text">{text}</bdi>}
            <Link url={url} text={url} />
          </li>
        ))}
      </ul>
    </section>
  );

/** JSON that can be opened. Nothing is shown for an empty value. */
export const Data = ({ name, value }: { name: string; value: object }) =>
  Object.keys(value).length === 0 ? null : (
    <details class="data">
      <summary>{name}</summary>
      <pre tabindex={0} dir="ltr">
        {JSON.stringify(value, null, 2)}
      </pre>
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
    ...{ type, label: content, url },
  })),
  time: clockTime(message.createdAt).slice(0, 5),
  isRead: message.read,
});

// The content of the tabs of an e-mail.

import type { Child } from 'hono/jsx';
import { htmlText } from '../../core/html-text.ts';
import { asObject } from '../../core/objects.ts';
import type { ListedMessage } from '../store/page-messages.ts';
import type { Link as ContentLink } from '../templates/links.ts';
import { Link } from './content.tsx';
import type { Check } from './email-checks.ts';
import { emailDocument } from './email-document.ts';
import { EmailFrame } from './email-frame.tsx';
import { excerpt, safeLink } from './format.ts';
import type { Tab } from './tabs.tsx';
import { messagePath, type View } from './view.ts';

interface Props {
  view: View;
  message: ListedMessage;
  title: string;
  tab: Tab;
  links: readonly ContentLink[];
  headers: readonly MailHeader[];
  /** Made only for their tab. */
  checks: readonly Check[];
}

export const EmailTab = ({
  view,
  message: { id, content },
  title,
  tab,
  links,
  headers,
  checks,
}: Props) => {
  const path = messagePath(id);
  switch (tab) {
    case 'text':
      return <PlainText html={content} />;
    case 'source':
      return (
        <>
          <Source html={content} />
          <p class="more">
            <NewTab href={`${path}/source`} text="Plain source" />
          </p>
        </>
      );
    case 'headers':
      return <Headers headers={headers} />;
    case 'links':
      return <Links links={links} />;
    case 'checks':
      return <Checks checks={checks} />;
    default:
      return (
        <>
          <MailRow sender={headers[0]?.value} subject={title} text={excerpt(content, true)} />
          <EmailFrame
            title={`E-mail: ${title}`}
            source={{ path: `${path}/email`, view }}
            document={emailDocument(content)}
          />
          <p class="more">
            <NewTab href={`${path}/email`} text="Open in a new tab" isPrimary />
          </p>
        </>
      );
  }
};

interface MailRowProps {
  sender: string | undefined;
  subject: string;
  text: string;
}

/** The e-mail in the list of a phone, which cuts each line. */
const MailRow = ({ sender, subject, text }: MailRowProps) => (
  <section class="mail-row" aria-label="In a mailbox on a phone">
    <strong dir="auto">{sender?.replace(/ <.*/, '')}</strong>
    <span dir="auto">{subject}</span>
    <span dir="auto">{text || 'No text'}</span>
  </section>
);

/** `isPrimary`: the key `o` opens it. */
const NewTab = ({ href, text, isPrimary }: { href: string; text: string; isPrimary?: boolean }) => (
  <a href={href} target="_blank" rel="noopener" data-open={isPrimary ? '' : undefined}>
    {text}
  </a>
);

const PlainText = ({ html }: { html: string }) => {
  const { text, links } = htmlText(html);
  return (
    <div class="plain">
      <div class="text" dir="auto">
        {text || 'No text'}
      </div>
      {links.length === 0 ? null : (
        <ol>
          {links.map((url) => (
            <li>{linkOrText(url)}</li>
          ))}
        </ol>
      )}
    </div>
  );
};

const linkOrText = (url: string) => {
  const link = safeLink(url);
  return link ? <Link url={link} text={url} /> : <bdi>{url || '(empty)'}</bdi>;
};

const Headers = ({ headers }: { headers: readonly MailHeader[] }) => (
  <dl class="mail-headers">
    {headers.map(({ name, value }) => (
      <div>
        <dt>{name}</dt>
        <dd>
          <bdi>{value}</bdi>
        </dd>
      </div>
    ))}
  </dl>
);

export const Links = ({ links }: { links: readonly ContentLink[] }) =>
  links.length === 0 ? (
    <p class="none">The e-mail has no links.</p>
  ) : (
    <ol class="links">
      {links.map(({ url, text }) => (
        <li>
          <bdi class="link-text">{text || '(no text)'}</bdi>
          {linkOrText(url)}
        </li>
      ))}
    </ol>
  );

const stateNames = { good: 'Good', warning: 'Warning', problem: 'Problem', note: 'Note' } as const;

const Checks = ({ checks }: { checks: readonly Check[] }) => (
  <ul class="checks">
    {checks.map(({ name, state, text, findings }) => (
      <li class={state}>
        <span class="sign" aria-hidden="true" />
        <div>
          <h3>
            {name} <span class="hidden">{stateNames[state]}</span>
          </h3>
          <p>{text}</p>
          {findings.length === 0 ? null : (
            <ul>
              {findings.map((finding) => (
                <li>
                  <bdi>{finding}</bdi>
                </li>
              ))}
            </ul>
          )}
        </div>
      </li>
    ))}
  </ul>
);

// The headers that an e-mail would have: from its integration and subscriber, unless the event sets them.

interface MailHeader {
  name: string;
  value: string;
}

export function mailHeaders(
  {
    subject,
    sentSubject = subject,
    createdAt,
    overrides,
    sent = {},
    id,
    transactionId,
  }: ListedMessage,
  sender: string,
  recipient: string | undefined,
): MailHeader[] {
  const custom = asObject(overrides.headers);
  const headers: [string, string | undefined][] = [
    ['From', sender],
    ['To', recipient],
    ['Cc', sent.cc?.join(', ')],
    ['Bcc', sent.bcc?.join(', ')],
    ['Reply-To', sent.replyTo],
    ['Subject', sentSubject ?? ''],
    ['Date', new Date(createdAt).toUTCString()],
    ['Content-Type', 'text/html; charset=utf-8'],
    ...Object.entries(custom).map(([name, value]): [string, string] => [name, String(value)]),
    ['X-Message', id],
    ['X-Transaction', transactionId],
  ];
  return headers.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
}

// The HTML of an e-mail with its syntax in colors.

const token =
  /(<!--[\s\S]*?(?:-->|$)|<![^>]*>)|(<\/?[a-z][\w:-]*)((?:"[^"]*"|'[^']*'|[^>"'])*)(\/?>|$)|([^<]+|<)/gi;
const attribute = /([^\s=/]+)(\s*=\s*)?("[^"]*"|'[^']*'|[^\s"'>]+)?|\s+|\//g;

/** The rest of a longer source is shown without colors, so that the view stays quick. */
const maxColored = 150_000;

const Source = ({ html }: { html: string }) => {
  const end = html.length > maxColored ? html.lastIndexOf('<', maxColored) : html.length;
  const colored = html.slice(0, end);
  return (
    <pre class="source" tabindex={0} dir="ltr">
      <code>
        {[...colored.matchAll(token)].map(
          ([all, comment, open, attributes = '', close = '']): Child => {
            if (comment) return <i>{all}</i>;
            if (!open) return all;
            return (
              <>
                <b>{open}</b>
                {coloredAttributes(attributes)}
                <b>{close}</b>
              </>
            );
          },
        )}
        {html.slice(end)}
      </code>
    </pre>
  );
};

const coloredAttributes = (text: string): Child =>
  [...text.matchAll(attribute)].map(
    ([all, name, equals = '', value = '']): Child =>
      name === undefined ? (
        all
      ) : (
        <>
          <u>{name}</u>
          {equals}
          {value === '' ? '' : <s>{value}</s>}
        </>
      ),
  );

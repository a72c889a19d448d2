// Messages as people see them: an e-mail in its frame, the card of an inbox, and bubbles and cards of other channels.

import type { Child } from 'hono/jsx';
import { dataImage, safeLink } from './format.ts';
import { Icon } from './icons.tsx';
import { cutText, smsLength } from './message-lengths.ts';

export interface Content {
  channel: string;
  subject?: string | undefined;
  body: string;
  avatar?: string | undefined;
  /** The address that the message leads to. */
  url?: string | undefined;
  buttons?: readonly { type: string; label: string; url?: string | undefined }[];
  /** The name of the sender, such as the name in the integration. */
  sender: string;
  /** `12:04`. */
  time?: string | undefined;
  isRead?: boolean;
  /** Why an inbox does not list it: it is archived or snoozed. */
  state?: string | undefined;
  /** The page with its details. */
  details?: string;
}

/** A message of any channel but e-mail. */
export const Content = ({ content }: { content: Content }) => {
  switch (content.channel) {
    case 'in_app':
      return (
        <div class="stage">
          <InboxCard content={content} />
        </div>
      );
    case 'push':
      return <PushCard content={content} />;
    case 'chat':
      return <ChatMessage content={content} />;
    default:
      return <SmsBubble content={content} />;
  }
};

/** Bodies keep their line breaks. The direction of each text follows its own script. */
const Text = ({ text, empty }: { text: string; empty: string }) =>
  text.trim() === '' ? (
    <p class="text none">{empty}</p>
  ) : (
    <p class="text" dir="auto">
      {text}
    </p>
  );

export const InboxCard = ({ content }: { content: Content }) => {
  const {
    subject,
    body,
    avatar,
    url,
    buttons = [],
    time,
    isRead,
    state,
    sender,
    details,
  } = content;
  const link = safeLink(url);
  const image = avatar !== undefined && dataImage(avatar) === undefined ? avatar : undefined;
  const isOfButton = buttons.some((button) => button.url === url);
  const targets = [
    { label: 'Message', url: isOfButton ? undefined : url },
    ...buttons,
    { label: 'Avatar', url: image },
  ].flatMap(({ label, url: to }) => (to ? [{ label, url: to }] : []));
  return (
    <article class={isRead ? 'card read' : 'card'}>
      <Avatar image={avatar} name={sender} />
      <div class="card-text">
        <p class="card-head">
          {subject ? (
            <strong dir="auto">{link ? <Link url={link} text={subject} /> : subject}</strong>
          ) : null}
          {time ? <span class="when">{time}</span> : null}
          {details ? (
            <a class="when" href={details}>
              Details<span class="hidden"> of {subject || body.slice(0, 40)}</span>
            </a>
          ) : null}
          {state ? <span class="when">{state}</span> : null}
          {isRead ? null : <span class="dot" role="img" aria-label="Unread" />}
        </p>
        <Text text={body} empty="No content" />
        {buttons.length === 0 ? null : (
          <p class="buttons">
            {buttons.map((button) => (
              <Button {...button} />
            ))}
          </p>
        )}
        {targets.map((target) => (
          <Target {...target} />
        ))}
      </div>
    </article>
  );
};

interface ButtonProps {
  type: string;
  label: string;
  url?: string | undefined;
}

const Button = ({ type, label, url }: ButtonProps) => {
  const link = safeLink(url);
  const look = { class: `fake-button ${type}`, dir: 'auto' } as const;
  return link ? (
    <a {...look} href={link} target="_blank" rel="noopener noreferrer">
      {label}
    </a>
  ) : (
    <span {...look}>{label}</span>
  );
};

/** An address that the card leads to, or that it shows. */
const Target = ({ label, url }: { label: string; url: string }) => {
  const link = safeLink(url);
  return (
    <p class="leads">
      <Icon name="link" />
      <span>
        <bdi>{label}</bdi> → {link ? <Link url={link} text={link} /> : <bdi>{url}</bdi>}
      </span>
    </p>
  );
};

const Avatar = ({ image, name }: { image: string | undefined; name: string }) => {
  const data = dataImage(image);
  return data ? (
    <img class="avatar" src={data} alt="" />
  ) : (
    <span class="avatar" aria-hidden="true">
      {[...name.trim()][0]?.toUpperCase() ?? '·'}
    </span>
  );
};

const SmsBubble = ({ content: { body, sender, time } }: { content: Content }) => (
  <div class="stage phone">
    <p class="phone-head">
      <bdi>{sender}</bdi>
      {time ? <span class="when">{time}</span> : null}
    </p>
    <div class="bubble">
      <Text text={body} empty="No text" />
    </div>
    {body === '' ? null : <p class="measure">{smsLength(body)}</p>}
  </div>
);

const PushCard = ({ content: { subject, body, sender, time } }: { content: Content }) => (
  <div class="stage lockscreen">
    <div class="push-card">
      <span class="app" aria-hidden="true">
        <Icon name="push" />
      </span>
      <div class="card-text">
        <p class="card-head">
          <span class="app-name">{sender}</span>
          {time ? <span class="when">{time}</span> : null}
        </p>
        {subject ? (
          <p class="push-title" dir="auto">
            <Cut text={subject} max={pushLengths.title} />
          </p>
        ) : null}
        {body.trim() === '' ? (
          <Text text={body} empty="No text" />
        ) : (
          <p class="text" dir="auto">
            <Cut text={body} max={pushLengths.body} />
          </p>
        )}
      </div>
    </div>
    {isCut(subject, pushLengths.title) || isCut(body, pushLengths.body) ? (
      <p class="measure">
        A locked phone cuts the title after about {pushLengths.title} characters and the text after
        about {pushLengths.body}.
      </p>
    ) : null}
  </div>
);

/** As many as usual phones show of a closed notification. */
const pushLengths = { title: 45, body: 150 };

const isCut = (text = '', max: number) => cutText(text, max)[1] !== '';

const Cut = ({ text, max }: { text: string; max: number }) => {
  const [seen, rest] = cutText(text, max);
  return (
    <>
      {seen}
      {rest === '' ? null : <span class="cut">{rest}</span>}
    </>
  );
};

const ChatMessage = ({ content: { body, sender, time } }: { content: Content }) => (
  <div class="stage chat-room">
    <Avatar image={undefined} name={sender} />
    <div class="card-text">
      <p class="card-head">
        <strong>{sender}</strong>
        <span class="tag">App</span>
        {time ? <span class="when">{time}</span> : null}
      </p>
      {body.trim() === '' ? <Text text={body} empty="No text" /> : <Mrkdwn text={body} />}
    </div>
  </div>
);

export const Link = ({ url, text }: { url: string; text: string }) => (
  <a href={url} target="_blank" rel="noopener noreferrer">
    <bdi>{text}</bdi>
  </a>
);

// The text of a chat message as chat programs show mrkdwn: bold, italic, struck and fixed-width text, quotes and links.

const inline =
  /```\n?([\s\S]+?)\n?```|`([^`\n]+)`|<(https?:\/\/[^\s<>|]+|mailto:[^\s<>|]+)(?:\|([^<>\n]*))?>|(?<![\p{L}\p{N}])(?:\*([^\s*](?:[^*\n]*[^\s*])?)\*|_([^\s_](?:[^_\n]*[^\s_])?)_|~([^\s~](?:[^~\n]*[^\s~])?)~)(?![\p{L}\p{N}])/gu;

const maxDepth = 4;

/** The text without its signs, for a line in a list. */
export function mrkdwnText(text: string, depth = 0): string {
  if (depth > maxDepth) return text;
  const withoutSigns = text.replace(
    inline,
    (_all, block, code, url, label, bold, italic, struck) =>
      block ?? code ?? (url ? label || url : mrkdwnText(bold ?? italic ?? struck ?? '', depth + 1)),
  );
  return depth > 0 ? withoutSigns : unescaped(withoutSigns.replace(/^>\s?/gm, ''));
}

const Mrkdwn = ({ text }: { text: string }) => (
  <div class="text" dir="auto">
    {linesByQuote(text).map(({ isQuote, lines }) =>
      isQuote ? <blockquote>{formatted(lines, 0)}</blockquote> : formatted(lines, 0),
    )}
  </div>
);

/** Groups lines that begin with `>`, without the sign. */
function linesByQuote(text: string): { isQuote: boolean; lines: string }[] {
  const groups: { isQuote: boolean; lines: string }[] = [];
  for (const line of text.split('\n')) {
    const quoted = /^>\s?(.*)$/.exec(line);
    const last = groups.at(-1);
    const content = quoted?.[1] ?? line;
    if (last && last.isQuote === (quoted !== null)) last.lines += `\n${content}`;
    else groups.push({ isQuote: quoted !== null, lines: content });
  }
  return groups;
}

function formatted(text: string, depth: number): Child[] {
  if (depth > maxDepth) return [text];
  const parts: Child[] = [];
  let end = 0;
  for (const match of text.matchAll(inline)) {
    const [all, block, code, url, label, bold, italic, struck] = match;
    parts.push(unescaped(text.slice(end, match.index)));
    end = match.index + all.length;
    if (block !== undefined) parts.push(<pre>{unescaped(block)}</pre>);
    else if (code !== undefined) parts.push(<code>{unescaped(code)}</code>);
    else if (url !== undefined) parts.push(linkPart(unescaped(url), label));
    else if (bold !== undefined) parts.push(<b>{formatted(bold, depth + 1)}</b>);
    else if (italic !== undefined) parts.push(<i>{formatted(italic, depth + 1)}</i>);
    else parts.push(<s>{formatted(struck ?? '', depth + 1)}</s>);
  }
  return [...parts, unescaped(text.slice(end))];
}

function linkPart(url: string, label: string | undefined): Child {
  const link = safeLink(url);
  const linkText = label ? unescaped(label) : url;
  return link ? (
    <a href={link} target="_blank" rel="noopener noreferrer">
      {linkText}
    </a>
  ) : (
    linkText
  );
}

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };
const unescaped = (text: string) =>
  text.replace(/&(?:amp|lt|gt);/g, (entity) => entities[entity] ?? entity);

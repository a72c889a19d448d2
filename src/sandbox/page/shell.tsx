// The frame of every view: head, navigation, clock, and the two panes for a list and a detail.
import type { Child } from 'hono/jsx';
import { Clock } from './clock.tsx';
import { Icon, Icons } from './icons.tsx';
import { commandOf, type Place, type View } from './view.ts';

const sections = [
  { name: 'Messages', path: '/', icon: 'email' },
  { name: 'Inbox', path: '/page/inbox', icon: 'in_app' },
  { name: 'Activity', path: '/page/activity', icon: 'trigger' },
] as const;

export type Section = (typeof sections)[number]['name'];

interface ShellProps {
  view: View;
  section: Section;
  title: string;
  list: Child;
  detail: Child;
  /** The address of the list, with its filters and page. */
  listPath: string;
  /** A detail was opened: on a small screen, only the detail is shown, with a link to the list. */
  isOpened: boolean;
}

export const Shell = ({ view, section, title, list, detail, listPath, isOpened }: ShellProps) => (
  <Document place={view.place} title={title}>
    <body class={isOpened ? 'shows-detail' : 'shows-list'} data-live="/page/live">
      <a class="skip" href="#detail">
        Skip to the content
      </a>
      <header class="top">
        <p class="name">
          <strong>{view.place.profile ?? 'Sandbox'}</strong>
          <span>
            :{view.place.port} · {view.environment}
            {view.scope.dialect.shownName === undefined ? '' : ` · ${view.scope.dialect.shownName}`}
          </span>
        </p>
        <nav aria-label="Views" data-region="views">
          {sections.map(({ name, path, icon }) => (
            <a id={`view-${name}`} href={path} aria-current={name === section ? 'page' : undefined}>
              <Icon name={icon} />
              {name}
            </a>
          ))}
        </nav>
        <Clock view={view} />
        <h1 class="hidden" data-region="title">
          {title}
        </h1>
      </header>
      <p class="notice" role="status" data-region="notice">
        {view.notice ?? ''}
      </p>
      <main>
        <p class="back" data-region="back">
          {isOpened ? (
            <a href={listPath}>
              <Icon name="back" />
              {section}
            </a>
          ) : null}
        </p>
        <section
          class="list"
          aria-label={section}
          data-region="list"
          data-address={listPath}
          tabindex={-1}
        >
          <NotEmulated view={view} />
          {list}
        </section>
        <section class="detail" id="detail" aria-label="Details" data-region="detail" tabindex={0}>
          {detail}
        </section>
      </main>
      <p class="hidden" role="status" id="news" />
      <p class="offline" role="alert" hidden>
        The sandbox has stopped. Start it again with{' '}
        <code>{commandOf(view.place, 'svc sandbox start')}</code>, then run{' '}
        <code>{commandOf(view.place, 'svc sandbox open')}</code>.
      </p>
      <Icons />
    </body>
  </Document>
);

const NotEmulated = ({ view: { notEmulated } }: { view: View }) =>
  notEmulated.length === 0 ? null : (
    <div class="problem">
      <p>Requests for routes that exist in the service, not in the sandbox:</p>
      <ul>
        {notEmulated.map(({ method, path, requests }) => (
          <li>
            <code>{`${method} ${path}`}</code> ({requests})
          </li>
        ))}
      </ul>
    </div>
  );

interface DocumentProps {
  place: Place;
  title: string;
  children: Child;
}

export const Document = ({ place, title, children }: DocumentProps) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{`${title} · ${place.profile ?? 'sandbox'}, port ${place.port}`}</title>
      <link rel="icon" href={favicon} />
      <link rel="stylesheet" href="/page/style.css" />
      <script src="/page/script.js" defer />
    </head>
    {children}
  </html>
);

const favicon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%234356c8'/%3E%3Cpath d='M4 5.5h8v5H4zM4 5.5l4 3 4-3' fill='none' stroke='%23fff'/%3E%3C/svg%3E";

/** A quiet message in place of content. */
export const Empty = ({ title, children }: { title?: string | undefined; children?: Child }) => (
  <div class="empty">
    {title === undefined ? null : <p class="empty-title">{title}</p>}
    {children}
  </div>
);

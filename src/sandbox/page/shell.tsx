// The frame of every view: head, navigation, clock, and the two panes for a list and a detail.
import type { Child } from 'hono/jsx';
import { type Theme, themes } from '../control/sessions.ts';
import { Clock } from './clock.tsx';
import { DialogButtons, Dialogs } from './find.tsx';
import { FormOrigin, PeopleOptions, peopleList } from './forms.tsx';
import { Icon, Icons } from './icons.tsx';
import { commandForProfile, type Place, type Section, sections, type View } from './view.ts';

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
  <Document
    place={view.place}
    title={view.fileProblems.length === 0 ? title : `✗ ${title}`}
    theme={view.theme}
    color={view.environment.color}
  >
    <body class={isOpened ? 'shows-detail' : 'shows-list'} data-live="/page/live">
      <a class="skip" href="#detail">
        Skip to the content
      </a>
      <header class="top">
        <svg class="environment" aria-hidden="true">
          <rect width="100%" height="100%" fill={view.environment.color} />
        </svg>
        <p class="name">
          <strong>{view.place.profile ?? 'Sandbox'}</strong>
          <span>
            <span class="port">:{view.place.port} · </span>
            {`${view.environment.name} · ${view.scope.dialect.shownName}`}
          </span>
        </p>
        <nav aria-label="Views" data-region="views">
          {sections.map(({ name, path, icon }) => (
            <a id={`view-${name}`} href={path} aria-current={name === section ? 'page' : undefined}>
              <Icon name={icon} />
              {name}
              {name === 'Workflows' && view.fileProblems.length > 0 ? (
                <span class="broken">
                  {view.fileProblems.length}
                  <span class="hidden"> errors in files</span>
                </span>
              ) : null}
            </a>
          ))}
        </nav>
        <Clock view={view} />
        <DialogButtons />
        <ThemeSwitch view={view} />
        <h1 class="hidden" data-region="title">
          {title}
        </h1>
      </header>
      <div role="status" data-region="notice">
        {view.notice ? (
          <p class={view.notice.isProblem ? 'notice bad' : 'notice'}>{view.notice.text}</p>
        ) : null}
      </div>
      <main>
        <p class="back" data-region="back">
          {isOpened && list !== null ? (
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
      <Dialogs />
      <button type="button" class="fresh" id="fresh" hidden />
      <datalist id={peopleList}>
        <PeopleOptions scope={view.scope} text="" />
      </datalist>
      <p class="hidden" role="status" id="news" />
      <p class="offline" role="alert" hidden>
        The sandbox has stopped. Start it again with{' '}
        <code>{commandForProfile(view.place, 'svc sandbox start')}</code>, then run{' '}
        <code>{commandForProfile(view.place, 'svc sandbox open')}</code>.
      </p>
      <Icons />
    </body>
  </Document>
);

const NotEmulated = ({ view: { notEmulated } }: { view: View }) =>
  notEmulated.length === 0 ? null : (
    <div class="problem warning files">
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

/** Light, dark, or as in the settings of the browser: the next of the three. */
const ThemeSwitch = ({ view }: { view: View }) => {
  const { theme } = view;
  const all = [undefined, ...themes];
  const next = all[(all.indexOf(theme) + 1) % all.length];
  return (
    <form class="theme" method="post" action="/page/theme" data-region="theme">
      <FormOrigin view={view} />
      <button
        type="submit"
        id="theme"
        name="theme"
        value={next ?? 'system'}
        title={`Colors: ${theme ?? 'as in the system'}`}
      >
        <Icon name={theme === 'dark' ? 'dark' : theme === 'light' ? 'light' : 'system'} />
        <span class="hidden">
          Colors: {theme ?? 'as in the system'}. Change to {next ?? 'the colors of the system'}
        </span>
      </button>
    </form>
  );
};

interface DocumentProps {
  place: Place;
  theme?: Theme | undefined;
  /** The color of the environment, as `#4356c8`. */
  color?: string;
  title: string;
  children: Child;
}

export const Document = ({ place, title, theme, color, children }: DocumentProps) => (
  <html lang="en" data-theme={theme}>
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{`${title} · ${place.profile ?? 'sandbox'}, port ${place.port}`}</title>
      <link rel="icon" href={favicon(color)} />
      <link rel="stylesheet" href="/page/style.css" />
      <script src="/page/script.js" defer />
    </head>
    {children}
  </html>
);

const accent = '#4356c8';

/** The icon of the tab has the color of the environment. */
const favicon = (color = accent) =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" fill="${color}"/><path d="M4 5.500h8v5H4zM4 5.500l4 3 4-3" fill="none" stroke="#fff"/></svg>`,
  )}`;

/** A quiet message in place of content. */
export const Empty = ({ title, children }: { title?: string | undefined; children?: Child }) => (
  <div class="empty">
    {title === undefined ? null : <p class="empty-title">{title}</p>}
    {children}
  </div>
);

/** `noun`: the plural of the items. `path`: the list without filters. */
export const NoMatches = ({ noun, path }: { noun: string; path: string }) => (
  <Empty title={`No ${noun} match`}>
    <p>
      <a href={path}>Show all {noun}</a>
    </p>
  </Empty>
);

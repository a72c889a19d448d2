// The frame of the views that list items, newest first, with one of them beside the list.
import type { Child } from 'hono/jsx';
import { FollowSwitch, isFiltered, SearchProgress } from './filters.tsx';
import { Badge } from './icons.tsx';
import { Empty, Shell } from './shell.tsx';
import { linkTo, type Section, type View } from './view.ts';

interface ListViewProps {
  view: View;
  section: Section;
  /** The title of the opened item; undefined if the item that is shown is the newest one. */
  openedTitle: string | undefined;
  path: string;
  filters: Record<string, string | undefined>;
  /** Where the page of the list starts; undefined on the first one. */
  before: string | undefined;
  /** Where the next page starts. */
  next: string | undefined;
  /** Other members of the address, which links keep. */
  kept?: Record<string, string | undefined>;
  /** The path of the item that is shown. */
  shownPath: string | undefined;
  form: Child;
  actions?: Child;
  items: Child;
  progress?: { read: number; total: number } | undefined;
  /** The plural of the items. */
  noun: string;
  /** The item that is shown. */
  detail: Child;
  /** The text instead of an item. */
  nothing: string;
}

export const ListView = (props: ListViewProps) => {
  const { view, section, openedTitle, path, filters, before, kept, shownPath } = props;
  const { progress, noun } = props;
  const query = { ...filters, before, ...kept };
  const older = props.next && linkTo(path, { ...filters, before: props.next });
  return (
    <Shell
      view={view}
      section={section}
      title={openedTitle ?? section}
      listPath={linkTo(path, query)}
      isOpened={openedTitle !== undefined}
      list={
        <>
          {props.form}
          <div class="list-head">
            {before === undefined ? (
              <FollowSwitch
                listPath={linkTo(path, query)}
                itemPath={shownPath && linkTo(shownPath, query)}
                isFollowing={openedTitle === undefined}
              />
            ) : null}
            {props.actions}
          </div>
          <div class="results">{props.items}</div>
          <SearchProgress {...{ progress, noun, next: older }} />
          <Pages
            newest={before === undefined ? undefined : linkTo(path, filters)}
            older={progress ? undefined : older}
          />
        </>
      }
      detail={
        shownPath === undefined ? (
          <Empty title={isFiltered(filters) ? undefined : 'Nothing to show yet'}>
            <p>{props.nothing}</p>
          </Empty>
        ) : (
          props.detail
        )
      }
    />
  );
};

interface RowProps {
  id: string;
  href: string;
  isCurrent: boolean;
  badge: string;
  title: string;
  /** After the title. */
  mark: Child;
  /** Below the title. */
  sub: Child;
  children?: Child;
}

export const ListRow = ({ id, href, isCurrent, badge, title, mark, sub, children }: RowProps) => (
  <li>
    <a id={id} class="row" href={href} aria-current={isCurrent ? 'true' : undefined}>
      <Badge type={badge} />
      <span class="row-text">
        <span class="row-head">
          <strong dir="auto">{title}</strong>
          {mark}
        </span>
        <span class="row-sub">{sub}</span>
        {children}
      </span>
    </a>
  </li>
);

interface PagesProps {
  newest: string | undefined;
  older: string | undefined;
}

export const Pages = ({ newest, older }: PagesProps) =>
  newest === undefined && older === undefined ? null : (
    <nav class="pages" aria-label="Pages">
      {newest === undefined ? <span /> : <a href={newest}>Newest</a>}
      {older === undefined ? null : <a href={older}>Older</a>}
    </nav>
  );

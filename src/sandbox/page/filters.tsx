// The search and the filters of a list. They are part of its address.
import type { Child } from 'hono/jsx';
import { allWorkflows } from '../store/workflows.ts';
import { Icon } from './icons.tsx';
import { channels, channelTitle } from './message-names.ts';
import { peopleList } from './people.tsx';
import { linkTo, type View } from './view.ts';

const names = ['q', 'channel', 'subscriber', 'workflow', 'outcome', 'payload'] as const;

export type Filters = Record<(typeof names)[number], string | undefined>;

/** Reads the filters of a query. */
export const readFilters = (query: (name: string) => string | undefined): Filters =>
  Object.fromEntries(names.map((name) => [name, query(name)?.trim() || undefined])) as Filters;

export const isFiltered = (filters: Filters): boolean =>
  Object.values(filters).some((value) => value !== undefined);

interface Props {
  view: View;
  filters: Filters;
  /** The address of the list. */
  path: string;
  /** The label of the search. */
  label: string;
  outcomes: readonly string[];
  /** The list has messages of several channels. */
  hasChannels?: boolean;
}

export const FilterForm = ({ view, filters, path, label, outcomes, hasChannels }: Props) => {
  const { q, channel, subscriber, workflow, outcome, payload } = filters;
  const used = [subscriber, workflow, outcome, payload].filter((value) => value !== undefined);
  return (
    <search>
      <form class="filters" action={path} data-follow>
        <Search value={q} label={label} />
        <details class="more-filters" open={used.length > 0}>
          <summary>
            Filters
            {used.length === 0 ? null : <span class="number">{used.length}</span>}
          </summary>
          <div class="fields">
            <Choice name="outcome" label="Outcome" any="Any outcome" value={outcome}>
              {outcomes.map((name) => ({ value: name, text: name }))}
            </Choice>
            <label>
              Subscriber
              <input
                name="subscriber"
                value={subscriber}
                list={peopleList}
                autocomplete="off"
                placeholder="Any subscriber"
              />
            </label>
            <Choice name="workflow" label="Workflow" any="Any workflow" value={workflow}>
              {allWorkflows(view.scope).map(({ identifier, name }) => ({
                value: identifier,
                text: name,
              }))}
            </Choice>
            <label>
              Payload
              <input
                name="payload"
                value={payload}
                autocomplete="off"
                placeholder="Contains text"
              />
            </label>
            <p class="actions">
              <button type="submit" class="main">
                Apply
              </button>
              <a class="button" href={path}>
                Clear
              </a>
            </p>
          </div>
        </details>
        {hasChannels ? (
          <>
            {channel ? <input type="hidden" name="channel" value={channel} /> : null}
            <nav class="chips" aria-label="Channels">
              {[undefined, ...channels].map((name) => (
                <a
                  href={linkTo(path, { ...filters, channel: name })}
                  aria-current={name === channel ? 'true' : undefined}
                >
                  {name === undefined ? 'All' : channelTitle(name)}
                </a>
              ))}
            </nav>
          </>
        ) : null}
      </form>
    </search>
  );
};

interface ChoiceProps {
  name: string;
  label: string;
  any: string;
  value: string | undefined;
  children: readonly { value: string; text: string }[];
}

export const Choice = ({ name, label, any, value, children }: ChoiceProps) => (
  <label>
    {label}
    <select name={name}>
      <option value="">{any}</option>
      {children.map((option) => (
        <option value={option.value} selected={option.value === value}>
          {option.text}
        </option>
      ))}
    </select>
  </label>
);

export const Search = ({ value, label }: { value: string | undefined; label: string }) => (
  <div class="search">
    <Icon name="search" />
    <input
      type="search"
      name="q"
      value={value}
      placeholder={label}
      aria-label={label}
      aria-keyshortcuts="/"
    />
    <span class="key" aria-hidden="true">
      /
    </span>
  </div>
);

interface FollowProps {
  /** The address of the list, which shows the newest item beside it. */
  listPath: string;
  /** The address of the item that is shown; undefined without one. */
  itemPath: string | undefined;
  isFollowing: boolean;
}

/** Following shows each new item as it comes; paused, the item that is shown stays. */
export const FollowSwitch = ({ listPath, itemPath, isFollowing }: FollowProps) =>
  itemPath === undefined ? null : (
    <nav class="switch follow" aria-label="Newest item">
      <a id="follow" href={listPath} aria-current={isFollowing ? 'true' : undefined}>
        Following
      </a>
      <a id="pause" href={itemPath} aria-current={isFollowing ? undefined : 'true'}>
        Paused
      </a>
    </nav>
  );

interface ProgressProps {
  progress: { read: number; total: number } | undefined;
  noun: string;
  /** The address of the next step, which the script opens by itself. */
  next: string | undefined;
}

/** How far a search has come. */
export const SearchProgress = ({ progress, noun, next }: ProgressProps): Child =>
  progress && next !== undefined ? (
    <div class="progress" role="status">
      <p>
        Searched {progress.read.toLocaleString('en')} of {progress.total.toLocaleString('en')}{' '}
        {noun}
      </p>
      <progress value={progress.read} max={progress.total} aria-label="Progress of the search" />
      <a href={next} data-continue>
        Search older {noun}
      </a>
    </div>
  ) : null;

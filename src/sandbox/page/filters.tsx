// The search and the filters of a list. They are part of its address.
import type { Child } from 'hono/jsx';
import { allWorkflows } from '../store/workflows.ts';
import { peopleList } from './forms.tsx';
import { Icon } from './icons.tsx';
import { channels, channelTitle } from './message-names.ts';
import { linkTo, type View } from './view.ts';

/** `q` is the search. */
type FiltersOf<Name extends string> = Record<Name | 'q', string | undefined>;

/** Returns a function that reads the filters of a query. */
export const filterReader =
  <const Name extends string>(names: readonly Name[]) =>
  (query: (name: string) => string | undefined): FiltersOf<Name> =>
    Object.fromEntries(
      ['q', ...names].map((name) => [name, query(name)?.trim() || undefined]),
    ) as FiltersOf<Name>;

export const readFilters = filterReader([
  'channel',
  'subscriber',
  'workflow',
  'outcome',
  'payload',
]);

export type Filters = ReturnType<typeof readFilters>;

/** `from` and `to` are times as `2026-01-15T12:00`, in UTC. */
export const readEventFilters = filterReader([
  'subscriber',
  'workflow',
  'outcome',
  'payload',
  'from',
  'to',
]);

export const isFiltered = (filters: FiltersOf<string>): boolean =>
  Object.values(filters).some((value) => value !== undefined);

interface Props {
  view: View;
  filters: FiltersOf<'subscriber' | 'workflow' | 'outcome' | 'payload'>;
  /** The address of the list. */
  path: string;
  /** The label of the search. */
  label: string;
  outcomes: readonly Option[];
  chips?: FrameProps['chips'];
  /** Further fields. */
  children?: Child;
}

/** The filter of messages by channel, as chips. */
export const channelChips: FrameProps['chips'] = {
  name: 'channel',
  label: 'Channels',
  choices: channels.map((name) => ({ value: name, text: channelTitle(name) })),
};

export const FilterForm = ({ view, filters, path, label, outcomes, chips, children }: Props) => {
  const { subscriber, workflow, outcome, payload } = filters;
  const used = Object.entries(filters).filter(
    ([name, value]) => value !== undefined && name !== 'q' && name !== chips?.name,
  );
  return (
    <FilterFrame {...{ path, label, filters, chips }} used={used.length}>
      <Choice
        {...{ name: 'outcome', label: 'Outcome', any: 'Any outcome', value: outcome }}
        options={outcomes}
      />
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
      <Choice
        {...{ name: 'workflow', label: 'Workflow', any: 'Any workflow', value: workflow }}
        options={allWorkflows(view.scope).map(({ identifier, name }) => ({
          value: identifier,
          text: name,
        }))}
      />
      <label>
        Payload
        <input name="payload" value={payload} autocomplete="off" placeholder="Contains text" />
      </label>
      {children}
    </FilterFrame>
  );
};

interface FrameProps {
  path: string;
  label: string;
  filters: FiltersOf<string>;
  /** How many of the fields have a value. */
  used: number;
  /** A filter with a link for each value. */
  chips: { name: string; label: string; choices: readonly Option[] } | undefined;
  children: Child;
}

interface Option {
  value: string;
  text: string;
}

/** The search, further filters as fields, and one filter as chips. */
export const FilterFrame = ({ path, label, filters, used, chips, children }: FrameProps) => {
  const chosen = chips && filters[chips.name];
  return (
    <SearchForm {...{ path, label }} value={filters.q}>
      <details class="more-filters" open={used > 0}>
        <summary>
          Filters
          {used === 0 ? null : <span class="number">{used}</span>}
        </summary>
        <div class="fields">
          {children}
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
      {chips ? (
        <>
          {chosen ? <input type="hidden" name={chips.name} value={chosen} /> : null}
          <nav class="chips" aria-label={chips.label}>
            {[{ value: undefined, text: 'All' }, ...chips.choices].map(({ value, text }) => (
              <a
                href={linkTo(path, { ...filters, [chips.name]: value })}
                aria-current={value === chosen ? 'true' : undefined}
              >
                {text}
              </a>
            ))}
          </nav>
        </>
      ) : null}
    </SearchForm>
  );
};

interface SearchFormProps {
  path: string;
  value: string | undefined;
  label: string;
  children?: Child;
}

export const SearchForm = ({ path, value, label, children }: SearchFormProps) => (
  <search>
    <form class="filters" action={path} data-follow>
      <Search {...{ value, label }} />
      {children}
    </form>
  </search>
);

interface ChoiceProps {
  name: string;
  label: string;
  any: string;
  value: string | undefined;
  /** Not as children: JSX passes a single child without its list. */
  options: readonly Option[];
}

export const Choice = ({ name, label, any, value, options }: ChoiceProps) => (
  <label>
    {label}
    <select name={name}>
      <option value="">{any}</option>
      {options.map((option) => (
        <option value={option.value} selected={option.value === value}>
          {option.text}
        </option>
      ))}
    </select>
  </label>
);

interface SearchProps {
  value: string | undefined;
  label: string;
  /** Default: the search of the list. */
  name?: string;
}

export const Search = ({ value, label, name = 'q' }: SearchProps) => (
  <div class="search">
    <Icon name="search" />
    <input
      type="search"
      id={`search-${name}`}
      name={name}
      value={value}
      placeholder={label}
      aria-label={label}
      aria-keyshortcuts={name === 'q' ? '/' : undefined}
      data-keep={name !== 'q'}
    />
    {name === 'q' ? (
      <span class="key" aria-hidden="true">
        /
      </span>
    ) : null}
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

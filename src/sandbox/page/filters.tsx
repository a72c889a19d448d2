// The search and the filters of a list. They are part of its address.
import { allWorkflows } from '../store/workflows.ts';
import { Icon } from './icons.tsx';
import { channels, channelTitle } from './message-text.ts';
import { linkTo, type View } from './view.ts';

export type Filters = Record<
  'q' | 'channel' | 'subscriber' | 'workflow' | 'status',
  string | undefined
>;

/** Reads the filters of a query. */
export function readFilters(query: (name: string) => string | undefined): Filters {
  const value = (name: string) => query(name)?.trim() || undefined;
  return {
    q: value('q'),
    channel: value('channel'),
    subscriber: value('subscriber'),
    workflow: value('workflow'),
    status: value('status'),
  };
}

const statuses = [
  { value: undefined, text: 'Any status' },
  { value: 'sent', text: 'Sent' },
  { value: 'failed', text: 'Not delivered' },
] as const;

export const FilterForm = ({ view, filters }: { view: View; filters: Filters }) => {
  const { q, channel, subscriber, workflow, status } = filters;
  const isOpen = [subscriber, workflow, status].some((value) => value !== undefined);
  return (
    <search>
      <form class="filters" action="/" data-follow>
        <Search value={q} label="Search messages" />
        <details class="more-filters" open={isOpen}>
          <summary>Filters</summary>
          <label>
            Subscriber
            <input name="subscriber" value={subscriber} autocomplete="off" />
          </label>
          <label>
            Workflow
            <select name="workflow">
              <option value="">Any workflow</option>
              {allWorkflows(view.scope).map(({ identifier, name }) => (
                <option value={identifier} selected={identifier === workflow}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <label>
            Status
            <select name="status">
              {statuses.map(({ value, text }) => (
                <option value={value ?? ''} selected={value === status}>
                  {text}
                </option>
              ))}
            </select>
          </label>
          <p class="actions">
            <button type="submit">Apply</button>
            <a href="/">Clear</a>
          </p>
        </details>
        {channel ? <input type="hidden" name="channel" value={channel} /> : null}
        <nav class="chips" aria-label="Channels">
          {[undefined, ...channels].map((one) => (
            <a
              href={linkTo('/', { ...filters, channel: one })}
              aria-current={one === channel ? 'true' : undefined}
            >
              {one === undefined ? 'All' : channelTitle(one)}
            </a>
          ))}
        </nav>
      </form>
    </search>
  );
};

export const Search = ({ value, label }: { value: string | undefined; label: string }) => (
  <div class="search">
    <Icon name="search" />
    <input type="search" name="q" value={value} placeholder={label} aria-label={label} />
  </div>
);

// The results of Ctrl-K: views, actions, workflows, people and events. And the list of keys.
import { eventsByPrefix } from '../store/page-events.ts';
import { searchSubscribers } from '../store/page-messages.ts';
import type { Scope } from '../store/scope.ts';
import { allWorkflows } from '../store/workflows.ts';
import { Icon } from './icons.tsx';
import { personName } from './message-names.ts';
import { eventPath, sections, storyPath, workflowPath } from './view.ts';

const maxFound = 6;

/** The button that an action presses. */
const actions = [
  { name: 'Advance the clock', press: '#advance-now', icon: 'clock' },
  { name: 'Change the colors', press: '#theme', icon: 'light' },
  { name: 'Show the keys', press: '#show-keys', icon: 'again' },
] as const;

export const Found = ({ scope, text }: { scope: Scope; text: string }) => {
  const wanted = text.trim().toLowerCase();
  const matches = (...names: string[]) => names.some((name) => name.toLowerCase().includes(wanted));
  const workflows = allWorkflows(scope).filter(({ name, identifier }) => matches(name, identifier));
  const people = searchSubscribers(scope, wanted, maxFound);
  const events = wanted === '' ? [] : eventsByPrefix(scope, text.trim(), maxFound);
  const rows = [
    ...sections
      .filter(({ name }) => matches(name))
      .map(({ name, path, icon }) => <FoundLink {...{ name, href: path, icon }} kind="View" />),
    ...actions.filter(({ name }) => matches(name)).map((action) => <FoundAction {...action} />),
    ...workflows
      .slice(0, maxFound)
      .map(({ name, identifier }) => (
        <FoundLink {...{ name }} href={workflowPath(identifier)} icon="digest" kind={identifier} />
      )),
    ...people.map(({ subscriberId, profile }) => {
      const name = personName({ ...profile, subscriberId });
      return (
        <FoundLink {...{ name }} href={storyPath(subscriberId)} icon="person" kind={subscriberId} />
      );
    }),
    ...events.map((name) => (
      <FoundLink {...{ name }} href={eventPath(name)} icon="trigger" kind="Event" />
    )),
  ];
  return rows.length === 0 ? <li class="none">Nothing is found.</li> : rows;
};

interface FoundProps {
  name: string;
  href: string;
  icon: string;
  /** Beside the name. */
  kind: string;
}

const FoundLink = ({ name, href, icon, kind }: FoundProps) => (
  <li>
    <a href={href}>
      <Icon name={icon} />
      <bdi>{name}</bdi>
      {kind === name ? null : <bdi class="aside">{kind}</bdi>}
    </a>
  </li>
);

const FoundAction = ({ name, press, icon }: (typeof actions)[number]) => (
  <li>
    <button type="button" data-press={press}>
      <Icon name={icon} />
      {name} <span class="aside">Action</span>
    </button>
  </li>
);

const keys = [
  ['Ctrl K', 'Find people, workflows, events and actions'],
  ['/', 'Search the list'],
  ['j', 'Open the next item of the list'],
  ['k', 'Open the previous item of the list'],
  ['↑ ↓', 'Go through the rows of the list; move the slider of the clock'],
  ['o', 'Open what is shown in its own tab'],
  ['Esc', 'Leave a field; back to the list'],
  ['?', 'Show these keys'],
] as const;

/** Opened by the script; without it, the buttons are hidden. */
export const Dialogs = () => (
  <>
    <dialog id="palette" aria-label="Find">
      <input
        type="search"
        id="palette-text"
        placeholder="People, workflows, events, actions"
        aria-label="Find people, workflows, events and actions"
        autocomplete="off"
      />
      <ul id="found" aria-live="polite" />
    </dialog>
    <dialog id="keys" aria-labelledby="keys-title">
      <h2 id="keys-title">Keys</h2>
      <dl>
        {keys.map(([key, text]) => (
          <div>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  </>
);

export const DialogButtons = () => (
  <p class="tools">
    <button type="button" id="find" aria-keyshortcuts="Control+K" title="Find (Ctrl K)">
      <Icon name="search" />
      <span class="hidden">Find</span>
    </button>
    <button type="button" id="show-keys" aria-keyshortcuts="?" title="Keys (?)">
      <span aria-hidden="true">?</span>
      <span class="hidden">Keys</span>
    </button>
  </p>
);

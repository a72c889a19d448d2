// The tabs of a message. The tab is part of the address, so that it stays while a person goes through messages.
import { channels } from './message-names.ts';

const tabNames = {
  preview: 'Preview',
  raw: 'Raw',
  text: 'Text',
  source: 'Source',
  headers: 'Headers',
  links: 'Links',
  checks: 'Checks',
  payload: 'Payload',
} as const;

export type Tab = keyof typeof tabNames;

const emailTabs: readonly Tab[] = [
  ...(['preview', 'text', 'source', 'headers', 'links', 'checks', 'payload'] as const),
];

/** The tabs of a message of a channel. */
function listTabs(channel: string): readonly Tab[] {
  if (channel === 'email') return emailTabs;
  return channel === 'chat' ? ['preview', 'raw', 'payload'] : ['preview', 'payload'];
}

/** The tab that an address names; a message without it shows its preview. */
export function tabFor(channel: string, requested: string | undefined): Tab {
  const tabs = channels.includes(channel) ? listTabs(channel) : listTabs('');
  return tabs.find((tab) => tab === requested) ?? 'preview';
}

interface Props {
  channel: string;
  current: Tab;
  /** The number beside the name of a tab. */
  counts: { links: number; checks: number };
  /** The address of the view with that tab. */
  linkToTab: (tab: Tab) => string;
}

export const Tabs = ({ channel, current, counts, linkToTab }: Props) => (
  <nav class="tabs" aria-label="Message">
    {listTabs(channel).map((tab) => (
      <a
        id={`tab-${tab}`}
        href={linkToTab(tab)}
        aria-current={tab === current ? 'page' : undefined}
      >
        {tabNames[tab]}
        {tab === 'links' || (tab === 'checks' && counts.checks > 0) ? (
          <span class="number">{counts[tab]}</span>
        ) : null}
      </a>
    ))}
  </nav>
);

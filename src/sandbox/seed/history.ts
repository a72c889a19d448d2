// Past events of subscribers other than u1, chosen to produce jobs in every state. The engine runs them when
// the store is seeded.

export interface PastEvent {
  /** The transaction id is `seed-<name>`. */
  name: string;
  /** Minutes before the store was seeded. The list is sorted by it, oldest first. */
  minutesAgo: number;
  workflow: string;
  to: unknown;
  payload: Record<string, unknown>;
  context?: Record<string, string>;
  /** Minutes from the event to its cancellation. */
  cancelledAfter?: number;
}

const day = 24 * 60;

const comment = (author: string, text: string) => ({
  post: { id: 'p7', title: 'Roadmap' },
  author,
  comment: text,
});

export const pastEvents: readonly PastEvent[] = [
  {
    name: 'welcome-bruno',
    minutesAgo: 9 * day,
    workflow: 'welcome',
    to: 'u2',
    payload: { product: 'Example' },
    context: { tenant: 'org-globex' },
  },
  {
    name: 'comments-1',
    minutesAgo: 8 * day,
    workflow: 'comment-digest',
    to: 'u3',
    payload: comment('Ada', 'Looks good.'),
  },
  {
    name: 'comments-2',
    minutesAgo: 8 * day - 2,
    workflow: 'comment-digest',
    to: 'u3',
    payload: comment('Bruno', 'When?'),
  },
  {
    name: 'comments-3',
    minutesAgo: 8 * day - 5,
    workflow: 'comment-digest',
    to: 'u3',
    payload: comment('Efua', 'Me too!'),
  },
  {
    name: 'price-1',
    minutesAgo: 7 * day,
    workflow: 'price-alert',
    to: 'u5',
    payload: { product: 'Lamp', price: 19.9 },
  },
  {
    name: 'price-2',
    minutesAgo: 7 * day - 20,
    workflow: 'price-alert',
    to: 'u5',
    payload: { product: 'Lamp', price: 18.5 },
  },
  {
    name: 'order',
    minutesAgo: 6 * day,
    workflow: 'order-update',
    to: ['u3', 'u6'],
    payload: { order: 'A-100', state: 'shipped' },
  },
  {
    name: 'code',
    minutesAgo: 5 * day,
    workflow: 'one-time-code',
    to: 'u9',
    payload: { code: '123456' },
  },
  {
    name: 'welcome-farid',
    minutesAgo: 5 * day - 60,
    workflow: 'welcome',
    to: 'u6',
    payload: { product: 'Example' },
  },
  {
    name: 'trial-cancelled',
    minutesAgo: 4 * day,
    workflow: 'trial-ending',
    to: 'u5',
    payload: { plan: 'pro' },
    cancelledAfter: 30,
  },
  {
    name: 'trial',
    minutesAgo: 2 * day,
    workflow: 'trial-ending',
    to: 'u7',
    payload: { plan: 'pro' },
    context: { tenant: 'org-acme' },
  },
];

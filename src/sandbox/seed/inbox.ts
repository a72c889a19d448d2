// Finished runs of subscriber u1 and the inbox notifications that they created.

export interface SeedRun {
  /** Part of the seeded ids of the run. */
  name: string;
  workflow: string;
  /** Minutes before the store was seeded. */
  minutesAgo: number;
  payload: Record<string, unknown>;
  contextKeys?: string[];
  topics?: string[];
  inbox: { subject: string; content: string; url?: string; read: boolean; seen: boolean };
}

export const seedRuns: readonly SeedRun[] = [
  {
    name: 'welcome',
    workflow: 'welcome',
    minutesAgo: 3 * 24 * 60,
    payload: { product: 'Example' },
    inbox: {
      subject: 'Welcome, Ada!',
      content: 'Good to have you at Example.',
      url: 'https://example.com/start',
      read: true,
      seen: true,
    },
  },
  {
    name: 'comments',
    workflow: 'comment-digest',
    minutesAgo: 26 * 60,
    payload: { post: { id: 'p1', title: 'Hello' }, comment: 'Nice!', author: 'Bruno' },
    topics: ['announcements'],
    inbox: {
      subject: '2 new comments',
      content: 'On Hello: Bruno, Chiyo',
      read: false,
      seen: true,
    },
  },
  {
    name: 'invoice',
    workflow: 'invoice-paid',
    minutesAgo: 90,
    payload: { invoiceId: 'INV-1', amount: 49.5, currency: 'EUR' },
    contextKeys: ['tenant:org-acme'],
    inbox: {
      subject: 'Payment received',
      content: '49.5 EUR for INV-1. Thank you!',
      read: false,
      seen: false,
    },
  },
];

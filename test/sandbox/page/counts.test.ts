// Every view of the page with no, one and two items of each kind.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { SandboxState } from '../../support/sandbox-311.ts';
import { openPage } from './open-page.ts';

interface Counts {
  environments: number;
  workflows: number;
  steps: number;
  subscribers: number;
  topics: number;
  events: number;
  requests: number;
}

const upTo = <T>(count: number, create: (number: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => create(index + 1));

const channels = ['email', 'in_app', 'sms'] as const;

const controlValues = {
  email: { subject: 'Order', body: '<a href="https://example.com">Order</a>' },
  in_app: { subject: 'Order', body: '{{payload.order}}' },
  sms: { body: 'Order {{payload.order}}' },
};

function seedOf(counts: Counts): SandboxState {
  const { environments, workflows, steps, subscribers, topics, events } = counts;
  const subscriberIds = upTo(subscribers, (number) => `u${number}`);
  const sender = { name: 'w1', to: 'u1', payload: { order: 'A-7' }, ago: '1h' };
  return {
    version: 1,
    environments: [
      {
        name: 'Development',
        workflows: upTo(workflows, (number) => ({
          workflowId: `w${number}`,
          steps: upTo(steps, (place) => {
            const type = channels[place] ?? 'sms';
            return { stepId: `${type}-step`, type, controlValues: controlValues[type] };
          }),
        })),
        subscribers: subscriberIds.map((subscriberId) => ({
          ...{ subscriberId, email: `${subscriberId}@example.com`, phone: '+15550100' },
        })),
        topics: upTo(topics, (number) => ({ key: `t${number}`, subscribers: subscriberIds })),
        events: workflows === 0 || steps === 0 ? [] : upTo(events, () => sender),
      },
      ...upTo(environments, (number) => ({ name: `Other ${number}`, parent: 'Development' })),
    ],
  };
}

const sections = ['/', '/page/inbox', '/page/activity', '/page/requests', '/page/workflows'];
const filtered = [
  ...['/?q=order', '/?channel=sms', '/?outcome=failed', '/?workflow=w1', '/?subscriber=u1'],
  ...['/page/activity?workflow=w1&q=w', '/page/requests?outcome=failed', '/page/workflows?q=w1'],
  ...['/page/inbox?q=u', '/page/people?q=u', '/page/inbox/u1', '/page/workflows/w1'],
];

/** Follows the links of the page from every section. Returns the views that failed, and how many it has read. */
async function readViews({ get }: Awaited<ReturnType<typeof openPage>>) {
  const paths = new Set([...sections, ...filtered]);
  const failed: string[] = [];
  for (const path of paths) {
    const { status, text } = await get(path);
    if (status !== 200 && !(status === 404 && filtered.includes(path)))
      failed.push(`${path}: ${status}`);
    for (const [, link = ''] of text.matchAll(/(?:href|src)="(\/[^"]*)"/g))
      if (paths.size < 200) paths.add(link.replaceAll('&amp;', '&').replace(/#.*/, ''));
  }
  return { failed, count: paths.size };
}

async function viewsWith(counts: Counts) {
  const page = await openPage({ seed: seedOf(counts), queueDelayMs: 0 });
  for (let left = counts.requests; left > 0; left -= 1) {
    await page.ask('GET /v2/topics/none');
    await page.ask('GET /v1/channel-connections');
  }
  return readViews(page);
}

const all = (count: number): Counts => ({
  ...{ environments: count, workflows: count, steps: count, subscribers: count },
  ...{ topics: count, events: count, requests: count },
});

it.each([0, 1, 2])('shows every view with %i of everything', async (count) => {
  const { failed, count: read } = await viewsWith(all(count));
  expect(failed).toEqual([]);
  expect(read).toBeGreaterThan(sections.length + filtered.length);
});

it('shows every view, whatever the numbers of items are', async () => {
  const few = fc.integer({ min: 0, max: 2 });
  const counts = fc.record({
    ...{ environments: few, workflows: few, steps: few, subscribers: few },
    ...{ topics: few, events: few, requests: few },
  });
  await fc.assert(
    fc.asyncProperty(counts, async (given) => {
      expect((await viewsWith(given)).failed).toEqual([]);
    }),
    { numRuns: 25 },
  );
}, 60_000);

// The cost of listings and bulk writes: a page is found by an index, whatever the number of items, and a bulk write
// looks its rows up together.
import { describe, expect, test } from 'vitest';
import type { SandboxVersion } from '../../src/service/versions.ts';
import { openSandbox } from './open.ts';
import { explainQuery, recordingDriver } from './recording-driver.ts';

const ids = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `cost-${String(from + index).padStart(4, '0')}`);
const rows = (count: number, from = 0) =>
  ids(count, from).map((subscriberId) => ({ subscriberId, firstName: 'Ada' }));

/** A sandbox with subscribers that are all in one topic. */
async function openFilled(count: number, service: SandboxVersion = '3.11') {
  const { driver, executed } = await recordingDriver();
  const { ask, store } = await openSandbox({ driver, service });
  await ask('POST /v1/subscribers/bulk', { subscribers: rows(count) });
  await ask('POST /v2/topics/cost/subscriptions', { subscriberIds: ids(count) });
  /** The statements of a request, without those that find its environment and due jobs. */
  const during = async (...request: Parameters<typeof ask>) => {
    executed.length = 0;
    const { status, body } = await ask(...request);
    expect(status).toBeLessThan(300);
    const isOwn = (text: string) => /\b(subscribers|subscriptions|topics|credentials)\b/.test(text);
    return { body, statements: executed.filter(isOwn) };
  };
  const plan = (text: string) => explainQuery(store.sql, text);
  return { ask, during, plan };
}

describe.each([
  '/v2/subscribers',
  '/v2/subscribers?orderBy=subscriberId&',
  '/v1/subscribers',
  '/v2/topics',
  '/v2/topics/cost/subscriptions',
  '/v2/subscribers/cost-0000/subscriptions',
  '/v2/contexts',
])('a page of %s', (path) => {
  const first = `GET ${path}${path.includes('?') ? '' : '?'}limit=3`;

  test('is found by an index, in its order', async () => {
    const { during, plan } = await openFilled(9);
    const { body, statements } = await during(first);
    const pages = [statements];
    if (body.next) pages.push((await during(`${first}&after=${body.next}`)).statements);
    const details = pages.flat().flatMap((text) => plan(text).map((detail) => ({ text, detail })));
    // The credentials of the subscribers on a page are few.
    const isSorted = (text: string) => text.includes('FROM credentials');
    const isSlow = ({ text, detail }: { text: string; detail: string }) =>
      /SCAN (?!json_each|\(subquery)/.test(detail) ||
      (detail.includes('TEMP B-TREE FOR ORDER BY') && !isSorted(text));
    expect(details.filter(isSlow)).toEqual([]);
  });

  test('needs the same number of statements, whatever its length', async () => {
    const count = async (line: string) =>
      (await (await openFilled(9)).during(line)).statements.length;
    expect(await count(first.replace('limit=3', 'limit=6'))).toBe(await count(first));
  });
});

test.each([
  ['POST /v2/topics/cost/subscriptions', { subscriberIds: ids(3, 8) }],
  ['DELETE /v2/topics/cost/subscriptions', { subscriberIds: ids(2) }],
])(
  '%s looks up the subscriptions that it names, not those of the whole topic',
  async (...request) => {
    const { ask, during, plan } = await openFilled(9, '3.19');
    await ask('POST /v1/subscribers/bulk', { subscribers: rows(3, 8) });
    const { statements } = await during(...request);
    const details = statements
      .filter((text) => text.startsWith('SELECT') && text.includes('FROM subscriptions'))
      .flatMap(plan);
    const wide = /subscriptions USING (?:COVERING )?INDEX \w+ \((?:topic|env)=\?\)/;
    expect(details.length).toBeGreaterThan(0);
    expect(details.filter((detail) => wide.test(detail))).toEqual([]);
  },
);

test('the items of a listing are counted once, until something is written', async () => {
  const { ask, during } = await openFilled(9);
  const counts = async () => {
    const { body, statements } = await during('GET /v2/subscribers?limit=3&orderDirection=ASC');
    const { statements: next } = await during(
      `GET /v2/subscribers?limit=3&orderDirection=ASC&after=${body.next}`,
    );
    const count = [...statements, ...next].filter((text) => text.includes('count(*)')).length;
    return { count, totalCount: body.totalCount };
  };
  const before = await counts();
  expect(before.count).toBe(1);
  await ask('POST /v1/subscribers/bulk', { subscribers: rows(1, 9) });
  expect(await counts()).toEqual({ count: 1, totalCount: before.totalCount + 1 });
});

describe('a bulk write', () => {
  test.each([
    [
      'new subscribers',
      'POST /v1/subscribers/bulk',
      (from: number, count: number) => ({ subscribers: rows(count, from) }),
    ],
    [
      'subscriptions',
      'POST /v2/topics/cost/subscriptions',
      (from: number, count: number) => ({ subscriberIds: ids(count, from) }),
    ],
  ])('of %s executes one statement for each row', async (_name, line, bodyOf) => {
    const { ask, during } = await openFilled(9);
    if (line.includes('subscriptions'))
      await ask('POST /v1/subscribers/bulk', { subscribers: rows(20, 100) });
    const few = await during(line, bodyOf(100, 5));
    const many = await during(line, bodyOf(105, 15));
    expect(many.statements.length - few.statements.length).toBe(10);
  });

  test('of existing subscribers and subscriptions looks them up together', async () => {
    const { during } = await openFilled(9);
    const updated = await during('POST /v1/subscribers/bulk', { subscribers: rows(9) });
    expect(updated.statements.length).toBe(10);
    const subscribed = await during('POST /v2/topics/cost/subscriptions', {
      subscriberIds: ids(9),
    });
    expect(subscribed.statements.length).toBe(3);
    const removed = await during('DELETE /v2/topics/cost/subscriptions', { subscriberIds: ids(9) });
    expect(removed.statements.length).toBe(12);
  });
});

test('ids with special characters are found in bulk writes', async () => {
  const { ask } = await openSandbox();
  const special = ['a\u0000b', 'a\uffffb', 'ä', '"', '𝒳'];
  const subscribers = special.map((subscriberId) => ({ subscriberId }));
  const first = await ask('POST /v1/subscribers/bulk', { subscribers });
  const accepted = first.body.created.map(
    (subscriber: { subscriberId: string }) => subscriber.subscriberId,
  );
  expect(accepted.length).toBeGreaterThan(0);
  const second = await ask('POST /v1/subscribers/bulk', { subscribers });
  expect(second.body.updated).toEqual(first.body.created);
  const { body } = await ask('POST /v2/topics/special/subscriptions', { subscriberIds: accepted });
  expect(body.meta).toMatchObject({ successful: accepted.length, failed: 0 });
});

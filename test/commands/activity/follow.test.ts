// `svc activity list --follow` against a service with many new items.
import { expect, it } from 'vitest';
import { openNetworkRig } from '../../support/network-rig.ts';
import { json, openService } from '../../support/service.ts';

it('svc activity list --follow shows each item of a burst once, also if more items have the newest timestamp', async () => {
  const at = (index: number) => new Date(1_768_000_000_000 + index).toISOString();
  const item = (index: number) => ({
    _id: `n${index}`,
    transactionId: `t${index}`,
    createdAt: at(index),
  });
  const items = Array.from({ length: 1_210 }, (_, index) => item(index));
  const interrupt = new AbortController();
  let polls = 0;
  const { env } = await openService(({ target }, response) => {
    const query = new URL(target, 'http://x').searchParams;
    const page = Number(query.get('page'));
    if (page === 0) polls += 1;
    if (polls > 3) interrupt.abort('interrupted');
    // First ten items, then 1,200 more, then another one with the newest timestamp.
    const known = polls === 1 ? items.slice(0, 10) : items;
    const late = polls > 2 ? [{ ...item(1_209), _id: 'late', transactionId: 'late' }] : [];
    const after = query.get('after') ?? '';
    const newer = [...known, ...late].filter(({ createdAt }) => createdAt >= after).reverse();
    const limit = Number(query.get('limit'));
    const data = newer.slice(page * limit, (page + 1) * limit);
    json(response, 200, { data, page, pageSize: limit, hasMore: data.length === limit });
  });
  const { code, stdout } = await openNetworkRig().svc(
    ['activity', 'list', '--follow', '-o', 'ids'],
    { env, shutdownSignal: interrupt.signal },
  );
  expect(code).toBe(130);
  const shown = stdout.trim().split('\n');
  expect(shown.slice(0, 10)).toEqual(items.slice(0, 10).map(({ transactionId }) => transactionId));
  expect(shown.toSorted()).toEqual(
    ['late', ...items.map(({ transactionId }) => transactionId)].toSorted(),
  );
});

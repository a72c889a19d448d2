// `svc activity list --follow` shows new events until Ctrl-C.
import { expect, it } from 'vitest';
import { openHome } from '../support/built.ts';
import { json, openService } from '../support/service.ts';

it('svc activity list --follow shows existing and new events, and exits with 130 on Ctrl-C', async () => {
  const home = openHome();
  await home.sandbox();
  const following = home.start(['activity', 'list', '--follow', '-o', 'ids']);
  await following.says('txn_6774858005787ee036e9fda0');
  const line = ['events', 'trigger', 'welcome', '--to', 'u1', '--transaction-id', 'fresh-one'];
  expect((await home.svc(line)).code).toBe(0);
  expect(await following.says('fresh-one')).toMatch(/fresh-one\n$/);
  following.process.kill('SIGINT');
  expect((await following.ended).code).toBe(130);
});

it('svc activity list --follow shows each item of a burst once, also if more items have the newest timestamp', async () => {
  const at = (index: number) => new Date(1_768_000_000_000 + index).toISOString();
  const item = (index: number) => ({
    _id: `n${index}`,
    transactionId: `t${index}`,
    createdAt: at(index),
  });
  const items = Array.from({ length: 1_210 }, (_, index) => item(index));
  let polls = 0;
  const { env } = await openService(({ target }, response) => {
    const query = new URL(target, 'http://x').searchParams;
    const page = Number(query.get('page'));
    if (page === 0) polls += 1;
    // First ten items, then 1,200 more, then another one with the newest timestamp.
    const known = polls === 1 ? items.slice(0, 10) : items;
    const late = polls > 2 ? [{ ...item(1_209), _id: 'late', transactionId: 'late' }] : [];
    const after = query.get('after') ?? '';
    const found = [...known, ...late].filter(({ createdAt }) => createdAt >= after).reverse();
    const limit = Number(query.get('limit'));
    const data = found.slice(page * limit, (page + 1) * limit);
    json(response, 200, { data, page, pageSize: limit, hasMore: data.length === limit });
  });
  const following = openHome().start(['activity', 'list', '--follow', '-o', 'ids'], {
    env: { ...process.env, ...env },
  });
  const stdout = await following.says('late');
  following.process.kill('SIGINT');
  expect((await following.ended).code).toBe(130);
  const shown = stdout.trim().split('\n');
  expect(shown.slice(0, 10)).toEqual(items.slice(0, 10).map(({ transactionId }) => transactionId));
  expect(shown.toSorted()).toEqual(
    ['late', ...items.map(({ transactionId }) => transactionId)].toSorted(),
  );
}, 30_000);

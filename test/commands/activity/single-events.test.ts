// Results that depend on events which are read one by one: digests that carry other events, and payloads that the listing
// leaves out.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { frozenNow } from '../../support/fixed.ts';
import { sentEvents } from '../../support/requests.ts';
import { type FakeAnswer, openRig, parsed, type Rig, writeInput } from '../../support/rig.ts';

const at = (minutesAgo: number) => new Date(frozenNow - minutesAgo * 60_000).toISOString();

interface Item {
  _id: string;
  transactionId: string;
  payload?: object;
}

const job = (type: string, status: string, executionDetails: object[] = []) => ({
  ...{ _id: `${type}-${status}`, type, status, executionDetails, providerId: 'fcm' },
  step: { _id: type },
});

const event = (id: string, jobs: object[], more: object = {}) => ({
  ...{ _id: id, transactionId: `txn-${id}`, createdAt: at(30), jobs },
  ...{ _subscriberId: 'u1', subscriber: { _id: 'u1', subscriberId: 'u1' } },
  template: { _id: 'w', name: 'Welcome', triggers: [{ identifier: 'welcome' }] },
  ...more,
});
const merged = (id: string, digest: string, more: object = {}) =>
  event(id, [job('digest', 'merged'), job('email', 'merged')], {
    _digestedNotificationId: digest,
    ...more,
  });
const digested = (id: string, status = 'completed', more: object = {}) =>
  event(id, [job('digest', 'completed'), job('email', status)], more);

/** The service lists events, and returns these and others one by one, if `fail` has no other answer. */
function answerEvents(
  { answerBy }: Rig,
  listed: readonly Item[],
  others: readonly Item[] = [],
  fail: (id: string) => FakeAnswer | undefined = () => undefined,
) {
  const byId = new Map([...others, ...listed].map((item) => [item._id, item]));
  answerBy(({ method, url }) => {
    const [, id] = /^\/v1\/notifications\/(.+)$/.exec(url.pathname) ?? [];
    if (method !== 'GET' || !url.pathname.startsWith('/v1/notifications')) return undefined;
    if (id !== undefined) return fail(id) ?? { status: 200, body: { data: byId.get(id) } };
    const [page, ids] = [
      Number(url.searchParams.get('page') ?? 0),
      url.searchParams.getAll('transactionId'),
    ];
    const wanted =
      ids.length === 0 ? listed : listed.filter((item) => ids.includes(item.transactionId));
    const data = wanted
      .slice(50 * page, 50 * page + 50)
      .map(({ payload: _payload, ...item }) => item);
    const hasMore = wanted.length > 50 * page + 50;
    return { status: 200, body: { data, page, pageSize: 50, hasMore } };
  });
}

/** Rejects the first requests, and then none. */
function limitRate(requests: number) {
  let left = requests;
  return (): FakeAnswer | undefined => {
    left -= 1;
    return left < 0 ? undefined : { status: 429, headers: { 'retry-after': '1' }, body: {} };
  };
}

const numbers = (count: number) => Array.from({ length: count }, (_unused, index) => index);

describe('a digest that is older than the listing', () => {
  const events = numbers(120).map((n) => merged(`e${n}`, `d${n}`));
  const digests = numbers(120).map((n) => digested(`d${n}`, 'completed', { createdAt: at(9e3) }));
  const stats = ['activity', 'stats', '--since', '1d', '--json'];

  it.each([0, 10])(
    'has the outcome of each event, also after %i responses with 429',
    async (count) => {
      const rig = await openRig();
      answerEvents(rig, events, digests, limitRate(count));
      const { code, stdout } = await rig.svc(stats);
      expect(code).toBe(0);
      expect(parsed(stdout).total).toMatchObject({ events: 120, delivered: 120, skipped: 0 });
    },
  );

  it('is not taken for a missing one if the service is not available', async () => {
    const rig = await openRig();
    answerEvents(rig, events, digests, () => ({ status: 503, body: {} }));
    const { code, stdout } = await rig.svc(stats);
    expect({ code, stdout }).toEqual({ code: 7, stdout: '' });
  });

  it('has the outcome of each recipient of a run, and counts as failed in the end', async () => {
    const rig = await openRig();
    const lines = numbers(60).map((n) =>
      JSON.stringify({ name: 'welcome', to: `r${n}`, transactionId: `txn-e${n}` }),
    );
    rig.answerBy(({ method, body }) =>
      method === 'POST'
        ? {
            status: 201,
            body: {
              data: (body as { events: Item[] }).events.map(({ transactionId }) => ({
                ...{ acknowledged: true, status: 'processed', transactionId },
              })),
            },
          }
        : undefined,
    );
    const file = writeInput(rig, 'events.ndjson', lines.join('\n'));
    await rig.svc(['events', 'trigger', '--file', file, '--yes', '--json']);
    const failed = digests.map((digest) => ({ ...digest, ...digested(digest._id, 'failed') }));
    answerEvents(rig, events, failed, limitRate(5));
    const { code, stdout } = await rig.svc(['runs', 'watch', 'last', '--json']);
    expect(code).toBe(9);
    expect(parsed(stdout)).toMatchObject({
      channels: [{ channel: 'email', failed: 60, skipped: 0 }],
    });
  });
});

it('waits in constant memory for the digests of very many events, and counts each with its digest', async () => {
  const people = numbers(300);
  const more = (n: number) => ({ _subscriberId: `s${n}`, subscriber: { subscriberId: `s${n}` } });
  const events = numbers(15).flatMap((time) =>
    people.map((n) => merged(`e${time}-${n}`, `d${n}`, more(n))),
  );
  const rig = await openRig();
  answerEvents(rig, [...events, ...people.map((n) => digested(`d${n}`, 'completed', more(n)))]);
  const { stdout, requests } = await rig.svc(['activity', 'stats', '--since', '1d', '--json']);
  expect(parsed(stdout).total).toMatchObject({ events: 4_800, delivered: 4_800, skipped: 0 });
  const reads = requests.filter(({ line }) => line.includes('/notifications/'));
  expect(reads.length).toBeGreaterThan(0);
  expect(reads.length).toBeLessThanOrEqual(80);
});

describe('activity audit', () => {
  it('does not call an address dead that works since, if the newer event waits for a digest', async () => {
    const gone = {
      detail: 'Unexpected provider error',
      status: 'Failed',
      raw: '{"message":"Requested entity was not found."}',
    };
    const sent = { detail: 'Message sent', status: 'Success' };
    const newer = event(
      'new',
      [job('push', 'completed', [sent]), job('digest', 'merged'), job('email', 'merged')],
      { _digestedNotificationId: 'old' },
    );
    const older = event('old', [
      job('push', 'failed', [gone]),
      job('digest', 'completed'),
      job('email', 'completed'),
    ]);
    const rig = await openRig();
    answerEvents(rig, [newer, older]);
    const { code, stdout } = await rig.svc(['activity', 'audit', '--since', '1d', '--json']);
    expect({ code, findings: parsed(stdout).findings }).toEqual({ code: 0, findings: 0 });
    answerEvents(rig, [older, newer]);
    expect((await rig.svc(['activity', 'audit', '--since', '1d'])).code).toBe(9);
  });

  it('says of how many events it cannot decide', async () => {
    const rig = await openRig();
    answerEvents(rig, [merged('e1', 'd1'), event('e2', [job('email', 'completed')])], [], () => ({
      status: 404,
      body: { statusCode: 404, timestamp: at(0), path: '/v1/notifications/d1', message: 'gone' },
    }));
    const { stdout, stderr } = await rig.svc(['activity', 'audit', '--since', '1d', '-o', 'table']);
    expect(stdout).toContain('1 event not decided. Every other event is finished or still in time');
    expect(stderr).toContain('1 event not decided: the event with the digest cannot be read');
  });
});

describe('activity explain', () => {
  it('does not take the 404 of a gateway for a workflow that does not exist', async () => {
    const rig = await openRig();
    rig.answerBy(({ url }) =>
      url.pathname === '/v2/workflows/welcome'
        ? { status: 404, body: { message: 'no Route matched' } }
        : undefined,
    );
    const line = ['activity', 'explain', 'u1', '--workflow', 'welcome'];
    const { code, stderr } = await rig.svc(line);
    expect(code).toBe(7);
    expect(stderr).toContain('The 404 for /v2/workflows/welcome is not in the format');
  });

  it('does not explain the event of another subscriber', async () => {
    const rig = await openRig();
    answerEvents(rig, [event('e', [job('email', 'completed')])]);
    const { code, stderr } = await rig.svc(['activity', 'explain', 'u2']);
    expect(code).toBe(6);
    expect(stderr).toContain('listed the event txn-e of another subscriber for u2');
  });
});

describe('a payload that the listing leaves out', () => {
  const events = numbers(60).map((n) =>
    event(`e${n}`, [job('email', 'failed')], { payload: n < 10 ? {} : { order: n } }),
  );

  it.each([0, 10])('is in an export, also after %i responses with 429', async (count) => {
    const rig = await openRig();
    answerEvents(rig, events, [], limitRate(count));
    const line = 'activity export out.ndjson --since 1d --with payloads';
    expect((await rig.svc(line.split(' '))).code).toBe(0);
    const lines = readFileSync(path.join(rig.folder, 'out.ndjson'), 'utf8').trim().split('\n');
    expect(lines.map((text) => JSON.parse(text).payload)).toEqual(
      events.map((item) => ('payload' in item ? item.payload : undefined)),
    );
  });

  it('is resent, or nothing is', async () => {
    const rig = await openRig();
    const ids = writeInput(
      rig,
      'ids.txt',
      events.map(({ transactionId }) => transactionId).join('\n'),
    );
    const line = ['events', 'resend', '--transactions', ids, '--yes', '--json'];
    answerEvents(rig, events, [], () => ({ status: 503, body: {} }));
    const refused = await rig.svc(line);
    expect({ code: refused.code, sent: sentEvents(refused.requests) }).toEqual({
      code: 7,
      sent: [],
    });
    answerEvents(rig, events, [], limitRate(10));
    const { code, requests } = await rig.svc(line);
    expect(code).toBe(0);
    const orders = sentEvents(requests).map(
      ({ payload }) => (payload as { order?: number }).order ?? 'none',
    );
    expect(orders.sort()).toEqual(
      numbers(60)
        .map((n) => (n < 10 ? 'none' : n))
        .sort(),
    );
  });
});

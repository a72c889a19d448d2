// A --run-id that is used again after its journal was lost: svc reports only what happened, and sends nothing twice.
import { rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  filterWrites,
  idempotencyKeys,
  sentEvents,
  transactionIds,
} from '../../support/requests.ts';
import { openRig, parsed, type Rig, writeInput } from '../../support/rig.ts';
import { unauthorized } from '../../support/runs.ts';
import { words } from '../../support/words.ts';

const people = ['u1', 'u2', 'u3'];
const csv = (ids: readonly string[]) => `subscriberId\n${ids.map((id) => `${id}\n`).join('')}`;

async function openCampaign() {
  const rig = await openRig();
  const write = (ids: readonly string[]) => writeInput(rig, 'users.csv', csv(ids));
  const file = write(people);
  const send = (...more: string[]) =>
    rig.svc(
      words`events trigger welcome --recipients ${file} --run-id nightly --yes --json ${more}`,
    );
  return { rig, send, write };
}

/** Every way to lose the journal of a run. */
const losses: [string, (rig: Rig) => unknown][] = [
  ['runs delete', ({ svc }) => svc(['runs', 'delete', 'nightly', '--yes'])],
  [
    'an empty state folder',
    ({ folder }) => rmSync(path.join(folder, 'state'), { recursive: true }),
  ],
];

/** The transaction ids of the events that are not of the seed. */
async function listEvents({ svc }: Rig) {
  const { stdout } = await svc(['activity', 'list', '--all', '--json']);
  const items = JSON.parse(stdout) as { transactionId: string }[];
  const seeded = (await openRig()).svc(['activity', 'list', '--all', '-o', 'ids']);
  const ids = new Set((await seeded).stdout.split('\n'));
  return items.map(({ transactionId }) => transactionId).filter((id) => !ids.has(id));
}

describe.each(losses)('a run id that is used again after %s', (_name, lose) => {
  it('sends another payload as new events', async () => {
    const { rig, send } = await openCampaign();
    const first = await send('-f', 'product=A');
    await lose(rig);
    const second = await send('-f', 'product=B');
    expect({ code: second.code, ...parsed(second.stdout) }).toMatchObject({
      ...{ code: 0, triggered: 3, replayed: 0 },
    });
    const sent = [...transactionIds(first.requests), ...transactionIds(second.requests)];
    expect(new Set(sent).size).toBe(6);
    expect(new Set(await listEvents(rig))).toEqual(new Set(sent));
  });

  it('sends no event of the same work again, and counts all as replayed', async () => {
    const { rig, send } = await openCampaign();
    const { requests } = await send();
    await lose(rig);
    const again = await send();
    expect({ code: again.code, ...parsed(again.stdout) }).toMatchObject({
      ...{ code: 0, rows: 3, triggered: 3, replayed: 3, alreadyFinished: false },
    });
    expect(sentEvents(again.requests)).toEqual([]);
    expect((await listEvents(rig)).sort()).toEqual(transactionIds(requests).sort());
    // The ids are in the new journal, so that the run can be watched and cancelled.
    const watched = await rig.svc(['runs', 'watch', 'nightly', '--json']);
    expect(parsed(watched.stdout)).toMatchObject({ recipients: 3, finished: 3 });
  });

  it('sends the rows that changed, and counts the others as replayed', async () => {
    const { rig, send, write } = await openCampaign();
    await send();
    await lose(rig);
    write(['u1', 'changed', 'u3', 'added']);
    const again = await send();
    expect({ code: again.code, ...parsed(again.stdout) }).toMatchObject({
      ...{ code: 0, rows: 4, triggered: 4, replayed: 2 },
    });
    expect(await listEvents(rig)).toHaveLength(5);
  });
});

describe('a run that starts again on another machine', () => {
  const many = Array.from({ length: 250 }, (_unused, index) => `r${index + 1}`);

  it('looks up 20 ids with one request, and nothing more if they are new', async () => {
    const { send, write } = await openCampaign();
    write(many);
    const { code, requests } = await send();
    expect(code).toBe(0);
    const lookUps = requests.filter(({ line }) => line.startsWith('GET /v1/notifications'));
    expect(lookUps).toHaveLength(1);
    const ids = new URL(`http://s${lookUps[0]?.line.slice(4)}`).searchParams;
    expect(ids.getAll('transactionId')).toEqual(transactionIds(requests).slice(0, 20));
  });

  it('continues after the batches that a killed process has sent', async () => {
    const { rig, send, write } = await openCampaign();
    write(many);
    rig.answerWrites('sandbox', 'sandbox', unauthorized);
    const killed = await send('--concurrency', '1', '--environment-id', 'e');
    expect(killed.code).not.toBe(0);
    const before = await listEvents(rig);
    expect(before.length).toBeGreaterThan(0);
    expect(before.length).toBeLessThan(250);
    rmSync(path.join(rig.folder, 'state'), { recursive: true });
    const again = await send('--environment-id', 'e');
    expect({ code: again.code, ...parsed(again.stdout) }).toMatchObject({
      ...{ code: 0, rows: 250, triggered: 250, replayed: before.length },
    });
    const after = await listEvents(rig);
    expect(after).toHaveLength(250);
    expect(new Set(after).size).toBe(250);
    for (const { line } of again.requests)
      expect(line.split('transactionId=').length - 1).toBeLessThanOrEqual(20);
  });

  it('sends the same keys and ids while the service does not show the events yet', async () => {
    const { rig, send } = await openCampaign();
    const first = await send();
    rmSync(path.join(rig.folder, 'state'), { recursive: true });
    const body = { page: 0, pageSize: 50, hasMore: false, data: [] };
    rig.answerBy(({ url }) =>
      url.pathname === '/v1/notifications' ? { status: 200, body } : undefined,
    );
    const again = await send();
    expect(parsed(again.stdout)).toMatchObject({ triggered: 3, replayed: 3 });
    const [writes, writesAgain] = [first, again].map(({ requests }) => filterWrites(requests));
    expect(idempotencyKeys(writesAgain ?? [])).toEqual(idempotencyKeys(writes ?? []));
    expect(transactionIds(again.requests)).toEqual(transactionIds(first.requests));
    rig.answerBy(() => undefined);
    expect(await listEvents(rig)).toHaveLength(3);
  });

  it('sends its rows if its key cannot read the activity', async () => {
    const { rig, send } = await openCampaign();
    rig.answerBy(({ url }) =>
      url.pathname === '/v1/notifications'
        ? { status: 403, body: { statusCode: 403, message: 'no' } }
        : undefined,
    );
    const { code, stdout } = await send();
    expect({ code, ...parsed(stdout) }).toMatchObject({ code: 0, triggered: 3, replayed: 0 });
  });
});

describe('transaction ids in the input', () => {
  const events = (name: string, to: string, payload = {}) =>
    `${JSON.stringify({ name, to, payload, transactionId: 'order-17' })}\n`;
  const send = (rig: Rig, text: string) =>
    rig.svc(words`events trigger --file ${writeInput(rig, 'events.ndjson', text)} --yes --json`);

  it('that the service has for the same event count as replayed', async () => {
    const rig = await openRig();
    const line = events('welcome', 'u1', { product: 'A', list: [1] });
    expect(parsed((await send(rig, line)).stdout)).toMatchObject({ triggered: 1, replayed: 0 });
    const again = await send(rig, line);
    expect({ code: again.code, ...parsed(again.stdout) }).toMatchObject({
      ...{ code: 0, triggered: 1, replayed: 1 },
    });
    expect(sentEvents(again.requests)).toEqual([]);
  });

  it.each([
    ['another workflow', events('order-update', 'u1', { order: 1 })],
    ['another recipient', events('welcome', 'u2')],
    ['another payload', events('welcome', 'u1', { product: 'B' })],
  ])('that the service has for %s stop the run before it sends anything', async (_name, line) => {
    const rig = await openRig();
    await send(rig, events('welcome', 'u1', { product: 'A' }));
    const other = await send(rig, line);
    expect({ code: other.code, ...parsed(other.stdout) }).toMatchObject({
      ...{ code: 3, rows: 0, triggered: 0 },
    });
    expect(other.stderr).toContain(
      'the service already has another event with transaction id order-17, so it would drop this one',
    );
    expect(sentEvents(other.requests)).toEqual([]);
    expect(await listEvents(rig)).toEqual(['order-17']);
  });
});

describe('a resend of a run whose id is used again', () => {
  it('has other transaction ids than the resend of the earlier run', async () => {
    const { rig, send } = await openCampaign();
    const resent: string[] = [];
    for (const product of ['A', 'B']) {
      const [failed] = transactionIds((await send('-f', `product=${product}`)).requests);
      rig.answerBy(({ method, url }) => {
        if (method !== 'GET' || url.pathname !== '/v1/notifications') return undefined;
        const data = url.searchParams
          .getAll('transactionId')
          .filter((id) => id === failed)
          .map((transactionId) => ({
            ...{ _id: transactionId, transactionId, _subscriberId: 's' },
            subscriber: { subscriberId: 'u1' },
            jobs: [{ _id: 'j', type: 'email', status: 'failed', executionDetails: [] }],
          }));
        return { status: 200, body: { page: 0, pageSize: 50, hasMore: false, data } };
      });
      const ran = await rig.svc(['events', 'resend', '--run', 'nightly', '--yes', '--json']);
      resent.push(...transactionIds(ran.requests));
      rig.answerBy(() => undefined);
      rmSync(path.join(rig.folder, 'state'), { recursive: true });
    }
    expect(resent).toHaveLength(2);
    expect(new Set(resent).size).toBe(2);
  });
});

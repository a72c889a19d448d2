// A run of events that was killed and is resumed, on a server without idempotency keys: a batch that was in flight is looked
// up, and what is sent again is counted and named.
import { cpSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openRig, parsed, type Rig, writeInput } from '../../support/rig.ts';

interface Service {
  /** The rows of the events in each request. */
  sent: string[][];
  /** Which ids the activity lists at its nth request, from 1. */
  isListed: (id: string, request: number) => boolean;
  status: number;
  hasKeys: boolean;
}

const recipient = (event: { to: { subscriberId: string } }) => event.to.subscriberId;

/** Copies the state of svc when the second batch is sent, as if the process was killed then. */
function openService(rig: Rig): Service {
  const service: Service = { sent: [], isListed: () => false, status: 200, hasKeys: false };
  let listings = 0;
  rig.answerBy(({ method, url, body }) => {
    if (method === 'GET' && url.pathname === '/v1/notifications') {
      listings += 1;
      if (service.status !== 200)
        return { status: service.status, body: { statusCode: service.status, message: 'no' } };
      const listed = url.searchParams
        .getAll('transactionId')
        .filter((id) => service.isListed(id, listings));
      const data = listed.map((transactionId, index) => ({
        ...{ _id: `6a71f0a8bdcbd10c5f2b${String(index).padStart(4, '0')}`, transactionId },
        jobs: [],
      }));
      return { status: 200, body: { data, hasMore: false, page: 0, pageSize: 100 } };
    }
    if (method !== 'POST' || url.pathname !== '/v1/events/trigger/bulk') return undefined;
    const { events } = body as {
      events: { transactionId: string; to: { subscriberId: string } }[];
    };
    service.sent.push(events.map(recipient));
    if (service.sent.length === 2)
      cpSync(path.join(rig.folder, 'state'), path.join(rig.folder, 'killed'), { recursive: true });
    const data = events.map(({ transactionId }) => ({
      ...{ acknowledged: true, status: 'processed', transactionId },
    }));
    const headers: Record<string, string> = service.hasKeys ? { 'idempotency-key': 'k' } : {};
    return { status: 201, headers, body: { data } };
  });
  return service;
}

const people = Array.from({ length: 250 }, (_unused, index) => `p${index + 1}`);

/** Sends 250 events in three batches, and resumes the run as it was when the second one was in flight. */
async function resumeKilled(change: (service: Service) => void = () => undefined) {
  const rig = await openRig();
  const service = openService(rig);
  service.hasKeys = false;
  const rows = people.map((id) => `{"name":"welcome","to":{"subscriberId":"${id}"}}\n`);
  const file = writeInput(rig, 'events.ndjson', rows.join(''));
  change(service);
  const line = ['events', 'trigger', '--file', file, '--concurrency', '1', '--yes', '--json'];
  const { runId } = parsed((await rig.svc(line)).stdout) as { runId: string };
  rmSync(path.join(rig.folder, 'killed', 'runs', runId, 'lock'), { force: true });
  service.sent = [];
  const env = { SVC_STATE_DIR: path.join(rig.folder, 'killed') };
  const resume = (more: string[], tty = false) =>
    rig.svc(['runs', 'resume', runId, ...more], { env, tty });
  return { service, resume };
}

const sizes = (service: Service) => service.sent.map((rows) => rows.length);

it('what the service lists is not sent again', async () => {
  const { service, resume } = await resumeKilled();
  service.isListed = () => true;
  const { code, stdout } = await resume(['--json']);
  expect({ code, summary: parsed(stdout) }).toMatchObject({
    code: 0,
    summary: { rows: 250, triggered: 250, replayed: 100 },
  });
  expect(parsed(stdout)).not.toHaveProperty('sentAgain');
  expect(sizes(service)).toEqual([50]);
});

it('the service gets time to list the events', async () => {
  const { service, resume } = await resumeKilled();
  service.isListed = (_id, request) => request > 12;
  const { stdout } = await resume(['--json']);
  expect(parsed(stdout)).toMatchObject({ triggered: 250, replayed: 100 });
  expect(sizes(service)).toEqual([50]);
});

it('what the service does not list is sent again, counted and named', async () => {
  const { service, resume } = await resumeKilled();
  const { code, stdout } = await resume(['--json']);
  expect({ code, summary: parsed(stdout) }).toMatchObject({
    code: 0,
    summary: { triggered: 250, replayed: 0, sentAgain: { events: 100, rows: ['101-200'] } },
  });
  expect(sizes(service)).toEqual([100, 50]);
});

it('a part that is listed is not counted as sent again', async () => {
  const { service, resume } = await resumeKilled();
  const listed = new Set<string>();
  service.isListed = (id) => listed.has(id) || (listed.size < 30 && Boolean(listed.add(id)));
  const { stdout } = await resume(['--json']);
  expect(parsed(stdout)).toMatchObject({ sentAgain: { events: 70 } });
});

it('says what may run twice, also if the key may not read the activity', async () => {
  const { service, resume } = await resumeKilled();
  service.status = 403;
  const { code, stdout, stderr } = await resume([], true);
  expect(code).toBe(0);
  expect(`${stdout}${stderr}`.replace(/\s+/g, ' ')).toContain(
    'Sent again: 100 events (rows 101-200). They were in flight when the run was killed',
  );
});

it('looks nothing up on a server with idempotency keys', async () => {
  const { resume } = await resumeKilled((service) => {
    service.hasKeys = true;
  });
  const { stdout, requests } = await resume(['--json']);
  expect(parsed(stdout)).toMatchObject({ triggered: 250 });
  expect(parsed(stdout)).not.toHaveProperty('sentAgain');
  expect(requests.filter(({ line }) => line.includes('/v1/notifications'))).toEqual([]);
});

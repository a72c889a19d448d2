// A service that shows or confirms events of another transaction: svc counts none of them as its own.
import { describe, expect, it } from 'vitest';
import { openRig, parsed, type Rig, writeInput } from '../../support/rig.ts';
import { words } from '../../support/words.ts';
import { openSandboxRig } from '../sandbox/sandbox-rig.ts';

/** The activity is one delivered event of another transaction, whatever the query asks for. */
function showForeignEvent({ answerBy }: Rig) {
  const jobs = ['in_app', 'email'].map((type) => ({
    ...{ _id: type, type, status: 'completed', executionDetails: [] },
  }));
  const event = {
    ...{ _id: 'a', transactionId: 'txn_other', _subscriberId: 's', jobs },
    subscriber: { subscriberId: 'u1' },
  };
  const body = { page: 0, pageSize: 50, hasMore: false, data: [event] };
  answerBy(({ method, url }) =>
    method === 'GET' && url.pathname === '/v1/notifications' ? { status: 200, body } : undefined,
  );
}

async function openForeignService() {
  const rig = await openRig();
  const file = writeInput(rig, 'users.csv', 'subscriberId\nu1\nu2\n');
  const send = (...more: string[]) =>
    rig.svc(words`events trigger welcome --recipients ${file} --yes --json ${more}`);
  return { rig, send };
}

describe('an event of another transaction', () => {
  it.each<[string, string[], number, string]>([
    [
      'events trigger --wait',
      ['events', 'trigger', 'welcome', '--to', 'u1', '--wait-timeout', '2s'],
      9,
      'The service has not processed the event yet.',
    ],
    [
      'activity get',
      ['activity', 'get', 'txn_own'],
      5,
      'No event with transaction id `txn_own` was found.',
    ],
    [
      'activity explain',
      ['activity', 'explain', 'u1', '--transaction', 'txn_own', '--jq', '.cause'],
      5,
      'no_event',
    ],
    [
      'doctor --probe',
      ['doctor', '--probe', '--workflow', 'welcome', '--to', 'u1', '--yes'],
      9,
      'no job after 30 s',
    ],
    [
      'events cancel',
      ['events', 'cancel', 'txn_own', '--yes', '--wait-timeout', '1s'],
      6,
      'not found in the activity',
    ],
  ])('is not the outcome of %s', async (_name, line, code, expected) => {
    const rig = await openRig();
    showForeignEvent(rig);
    const ran = await rig.svc(line);
    expect(ran.code).toBe(code);
    expect(ran.stdout + ran.stderr).toContain(expected);
    expect(ran.stdout + ran.stderr).not.toContain('txn_other');
  });

  it('is not the outcome of a canary', async () => {
    const { rig, send } = await openForeignService();
    showForeignEvent(rig);
    const { code, stdout } = await send('--canary', '1', '--canary-timeout', '1s');
    expect({ code, ...parsed(stdout) }).toMatchObject({
      ...{ code: 9, rows: 1, canary: { sent: 1, delivered: 0, waiting: 1 } },
    });
  });

  it('is not the outcome of a run', async () => {
    const { rig, send } = await openForeignService();
    expect((await send()).code).toBe(0);
    showForeignEvent(rig);
    const watched = await rig.svc(['runs', 'watch', 'last', '--json']);
    expect({ code: watched.code, ...parsed(watched.stdout) }).toMatchObject({
      ...{ code: 9, recipients: 2, finished: 0 },
    });
    const stats = await rig.svc(['activity', 'stats', '--run', 'last', '--json']);
    expect(parsed(stats.stdout)).toMatchObject({ total: { events: 0, delivered: 0 } });
    const resent = await rig.svc(['events', 'resend', '--run', 'last', '--yes', '--json']);
    expect(parsed(resent.stdout)).toMatchObject({ rows: 0, unfinished: 2 });
    const cancelled = await rig.svc([
      ...['events', 'cancel', '--run', 'last', '--yes', '--json', '--wait-timeout', '1s'],
    ]);
    expect({ code: cancelled.code, ...parsed(cancelled.stdout) }).toMatchObject({
      ...{ code: 6, cancelled: 0, notPending: 0, unknown: 2 },
    });
  });

  it('does not end a wait for messages of a sandbox', async () => {
    const rig = await openSandboxRig();
    const { code } = await rig.svc(['events', 'trigger', 'welcome', '--to', 'u1']);
    expect(code).toBe(0);
    const shown = await rig.svc(['api', 'GET', '/__sandbox/messages?limit=100&delivered=true']);
    const activity = await rig.svc(['api', 'GET', '/__sandbox/activity?limit=100']);
    rig.answerBy(({ url }) => {
      const text = url.pathname === '/__sandbox/messages' ? shown : activity;
      return ['/__sandbox/messages', '/__sandbox/activity'].includes(url.pathname)
        ? { status: 200, text: text.stdout }
        : undefined;
    });
    const waiting = ['sandbox', 'messages', 'wait', '--timeout', '1s', '--transaction'];
    expect((await rig.svc([...waiting, 'txn_own'])).code).toBe(9);
  });
});

describe('a response that names another transaction', () => {
  const foreign = (count: number) => ({
    status: 201,
    body: {
      data: Array.from({ length: count }, (_unused, index) => ({
        ...{ acknowledged: true, status: 'processed', transactionId: `txn_other_${index}` },
      })),
    },
  });

  function confirmForeignEvents({ answerBy }: Rig) {
    answerBy(({ url, body }) => {
      const { events = [] } = (body ?? {}) as { events?: unknown[] };
      if (url.pathname === '/v1/events/trigger/bulk') return foreign(events.length);
      return url.pathname === '/v1/events/trigger/broadcast'
        ? { status: 201, body: { data: foreign(1).body.data[0] } }
        : undefined;
    });
  }

  it('is a failure of each row of a run', async () => {
    const { rig, send } = await openForeignService();
    confirmForeignEvents(rig);
    const { code, stdout, stderr } = await send();
    expect({ code, ...parsed(stdout) }).toMatchObject({ code: 6, triggered: 0, unknown: 2 });
    expect(stderr).toContain('the response is about transaction txn_other_0, not about txn_');
  });

  it.each([
    [['events', 'trigger', 'welcome', '--to', 'u1', '--wait']],
    [['events', 'broadcast', 'welcome', '--yes']],
    [['doctor', '--probe', '--workflow', 'welcome', '--to', 'u1', '--yes']],
  ])('is a failure of svc %j', async (line) => {
    const rig = await openRig();
    confirmForeignEvents(rig);
    const { code, stdout, stderr } = await rig.svc(line);
    expect(code).toBe(6);
    expect(stdout + stderr).toContain('the response is about transaction txn_other_0');
    expect(stdout).not.toContain('delivered');
  });

  it.each([
    [{ status: 201, body: { data: [] } }],
    [{ status: 201, body: {} }],
    [{ status: 204, text: '' }],
  ])('%j leaves open whether the event was triggered', async (response) => {
    for (const line of [
      ['events', 'trigger', 'welcome', '--to', 'u1'],
      ['events', 'broadcast', 'welcome', '--yes'],
    ]) {
      const rig = await openRig();
      rig.answerWrites(response);
      const { code, stdout, stderr } = await rig.svc(line);
      expect({ code, stdout }).toEqual({ code: 6, stdout: '' });
      expect(stderr).toMatch(/not known whether .+: the response has no result/);
      expect(stderr).toMatch(/run the command again with --transaction-id txn_\w+/);
    }
  });
});

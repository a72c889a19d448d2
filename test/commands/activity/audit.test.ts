import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { baseUrl, frozenNow } from '../../support/fixed.ts';
import { openRig, parsed, type Rig } from '../../support/rig.ts';
import { openSandboxRig } from '../sandbox/sandbox-rig.ts';

const audit = ['activity', 'audit', '--since', '10d'];

const ago = (minutes: number) => new Date(frozenNow - minutes * 60_000).toISOString();

/** An event as the service lists it. */
const item = (number: number, jobs: object[], more: object = {}) => ({
  _id: `item-${number}`,
  transactionId: `txn-${number}`,
  _subscriberId: 'internal',
  subscriber: { _id: 'internal', subscriberId: 'zoë 👩' },
  template: { name: 'Welcome', triggers: [{ identifier: 'welcome' }] },
  channels: ['email'],
  createdAt: ago(60),
  jobs,
  ...more,
});
const job = (type: string, status: string, details: object[] = [], more: object = {}) => ({
  ...{ _id: `job-${type}`, type, status, executionDetails: details, providerId: 'fcm' },
  step: { _id: `step-${type}` },
  ...more,
});
const waits = (text: string, minutesAgo: number, delay?: number) => ({
  ...{ detail: text, status: 'Pending', createdAt: ago(minutesAgo) },
  ...(delay === undefined ? {} : { raw: JSON.stringify({ delay: delay * 60_000 }) }),
});

/** The service lists these events. */
function answerItems({ answerBy }: Rig, items: readonly object[]) {
  answerBy(({ method, url }) =>
    method === 'GET' && url.pathname === '/v1/notifications'
      ? {
          status: 200,
          body: {
            data: Number(url.searchParams.get('page') ?? 0) > 0 ? [] : items,
            page: 0,
            pageSize: 50,
            hasMore: false,
          },
        }
      : undefined,
  );
}

async function kindsOf(items: readonly object[], more: string[] = []) {
  const rig = await openRig();
  answerItems(rig, items);
  const { code, stdout, stderr } = await rig.svc([...audit, '-o', 'ndjson', ...more]);
  const kinds = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).kind);
  return { code, kinds, stderr };
}

describe('svc activity audit', () => {
  it('counts a wait as late only after its end and the grace', async () => {
    const delayed = (delay: number) =>
      item(1, [
        job('delay', 'delayed', [waits('Step delayed', 60, delay)]),
        job('email', 'pending'),
      ]);
    expect(await kindsOf([delayed(70)])).toMatchObject({ code: 0, kinds: [] });
    expect(await kindsOf([delayed(55)])).toMatchObject({ code: 0, kinds: [] });
    expect(await kindsOf([delayed(45)])).toMatchObject({ code: 9, kinds: ['overdue'] });
    expect(await kindsOf([delayed(45)], ['--grace', '20m'])).toMatchObject({ code: 0, kinds: [] });
  });

  it('computes a wait from its step if the service records none, or says that it cannot', async () => {
    const digest = (controlVariables: object) =>
      item(1, [
        job('digest', 'delayed', [waits('Step digested', 60)], {
          step: { _id: 'd', controlVariables },
        }),
        job('email', 'pending'),
      ]);
    expect(await kindsOf([digest({ amount: 2, unit: 'hours' })])).toMatchObject({ code: 0 });
    expect(await kindsOf([digest({ amount: 30, unit: 'minutes' })])).toMatchObject({
      code: 9,
      kinds: ['overdue'],
    });
    const unknown = await kindsOf([digest({ amount: '{{payload.n}}', unit: 'hours' })]);
    expect(unknown).toMatchObject({ code: 0, kinds: [] });
    expect(unknown.stderr).toContain('1 event not decided: the service does not say how long');
  });

  it('waits for the schedule with a digest that took the place of a canceled one', async () => {
    const hours = [{ start: '09:00 AM', end: '05:00 PM' }];
    const schedule = { isEnabled: true, weeklySchedule: { friday: { isEnabled: true, hours } } };
    const digest = { amount: 1, unit: 'hours', extendToSchedule: true };
    const rig = await openSandboxRig(
      {},
      {
        seed: {
          version: 1,
          environments: [
            {
              name: 'Development',
              workflows: [
                {
                  workflowId: 'w',
                  steps: [{ stepId: 'd', type: 'digest', controlValues: digest }],
                },
              ],
              subscribers: [{ subscriberId: 'ada', preferences: { global: { schedule } } }],
            },
          ],
        },
      },
    );
    const run = async (line: string) => (await rig.svc(line.split(' '))).code;
    // On Thursday at noon, and in the evening.
    await run('events trigger w --to ada --transaction-id first --yes');
    await run('sandbox clock advance 7h');
    await run('events trigger w --to ada --transaction-id second --yes');
    await run('events cancel first --yes');
    await run('sandbox clock advance 7h');
    expect(await run('activity audit')).toBe(0);
    rig.answerBy(({ url }) =>
      url.pathname.endsWith('/ada/preferences')
        ? {
            status: 404,
            body: { statusCode: 404, timestamp: ago(0), path: url.pathname, message: 'Not found' },
          }
        : undefined,
    );
    const { code, stdout, stderr } = await rig.svc(['activity', 'audit', '-o', 'ndjson']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain('1 event not decided: the schedules of');
    rig.answerBy(({ url }) =>
      url.pathname.endsWith('/ada/preferences') ? { status: 403, body: {} } : undefined,
    );
    expect(await run('activity audit')).toBe(4);
  });

  it('finds digests that are merged into themselves, and names those it cannot read', async () => {
    const merged = (digestId: string) =>
      item(1, [job('digest', 'merged'), job('email', 'merged')], {
        _digestedNotificationId: digestId,
      });
    expect(await kindsOf([merged('item-1')])).toMatchObject({ code: 9, kinds: ['lost-in-digest'] });
    const unreadable = await kindsOf([merged('gone')]);
    expect(unreadable).toMatchObject({ code: 0, kinds: [] });
    expect(unreadable.stderr).toContain('the event with the digest cannot be read');
  });

  it('finds a step that was sent twice, in one event or in two', async () => {
    const sent = [{ detail: 'Message sent', status: 'Success', createdAt: ago(60) }];
    const email = job('email', 'completed', sent);
    const other = job('email', 'completed', sent, { step: { _id: 'another step' } });
    expect(await kindsOf([item(1, [email, other])])).toMatchObject({ code: 0, kinds: [] });
    expect(await kindsOf([item(1, [email, email])])).toMatchObject({ code: 9, kinds: ['twice'] });
    const two = [item(1, [email]), { ...item(1, [email]), _id: 'item-2' }];
    expect(await kindsOf(two)).toMatchObject({ code: 9, kinds: ['twice'] });
    const people = [item(1, [email]), item(1, [email], { subscriber: { subscriberId: 'u2' } })];
    expect(await kindsOf(people)).toMatchObject({ code: 0, kinds: [] });
    const canceled = job('email', 'canceled');
    expect(await kindsOf([item(1, [canceled, canceled])])).toMatchObject({ code: 0, kinds: [] });
  });

  it('finds silent events, unless the cause was chosen', async () => {
    const skipped = (detail: string) =>
      item(1, [job('email', 'canceled', [{ detail, status: 'Failed', createdAt: ago(60) }])]);
    expect(await kindsOf([skipped('Subscriber missing email address')])).toMatchObject({
      code: 9,
      kinds: ['silent'],
    });
    const choices = [
      'Step filtered by subscriber workflow preferences',
      "The step was skipped as it fell outside the subscriber's schedule",
      'Step was skipped based on steps conditions',
    ];
    for (const choice of choices)
      expect(await kindsOf([skipped(choice)])).toMatchObject({ code: 0, kinds: [] });
  });

  it('does not find an event silent that reached the person on another channel', async () => {
    const at = { createdAt: ago(60) };
    const noAddress = { ...at, detail: 'Subscriber missing email address', status: 'Failed' };
    const email = job('email', 'canceled', [noAddress]);
    const inApp = job('in_app', 'completed', [
      { ...at, detail: 'Message sent', status: 'Success' },
    ]);
    expect(await kindsOf([item(1, [email, inApp])])).toMatchObject({ code: 0, kinds: [] });
  });

  it('prints groups with examples, and the next commands, on a terminal', async () => {
    const rig = await openRig();
    answerItems(
      rig,
      [1, 2, 3, 4].map((number) => item(number, [])),
    );
    const { code, stdout } = await rig.svc(audit, { tty: 'stdout', columns: 120 });
    expect({ code, stdout }).toMatchInlineSnapshot(`
      {
        "code": 9,
        "stdout": "SINCE     5 Jan 12:00
      EVENTS    4
      FINDINGS  4

      Findings by kind, workflow and cause
      KIND          COUNT  WORKFLOW  SINCE     EXAMPLES             MESSAGE
      without-jobs      4  welcome   11:00:00  txn-1, txn-2, txn-3  The service accepted the event and created no jobs.

      Next
        svc activity audit --since 10d --only without-jobs -o ids > without-jobs.txt
        svc events resend --transactions without-jobs.txt
      ",
      }
    `);
    const more = ['--grace', '5m', '--base-url', baseUrl];
    const { stdout: json } = await rig.svc([...audit, ...more, '--json']);
    expect(json).toContain('audit --since 10d --grace 5m --only without-jobs -o ids --base-url');
    expect(json).toContain(`resend --transactions without-jobs.txt --base-url ${baseUrl}`);
    expect(parsed(json)).toMatchObject({
      ...{ events: 4, findings: 4, unread: [] },
      groups: [
        {
          ...{ kind: 'without-jobs', workflow: 'welcome', count: 4, since: ago(60) },
          ...{ channel: null, providerId: null },
          examples: [{ transactionId: 'txn-1' }, { transactionId: 'txn-2' }, {}],
        },
      ],
    });
    const { stdout: ids } = await rig.svc([...audit, '-o', 'ids', '--only', 'without-jobs']);
    expect(ids).toBe('txn-1\ntxn-2\ntxn-3\ntxn-4\n');
    expect(await rig.svc([...audit, '--only', 'twice', '-o', 'ids'])).toMatchObject({ code: 0 });
  });

  it('prints a group for each channel, which it names', async () => {
    const rig = await openRig();
    const late = (type: string) => item(1, [job(type, 'queued', [waits('Step queued', 60)])]);
    answerItems(rig, ['email', 'sms'].map(late));
    const { stdout } = await rig.svc([...audit, '--json']);
    const { groups } = parsed(stdout) as { groups: { channel: string }[] };
    expect(groups.map(({ channel }) => channel)).toEqual(['email', 'sms']);
    const table = await rig.svc(audit, { tty: 'stdout', columns: 160 });
    expect(table.stdout).toMatch(/CHANNEL .*\n.* email .*\n.* sms /);
  });

  it('continues an interrupted audit of a file, with the same result', async () => {
    // Among the last events are the digests of the first ones, a wait that is late and one that depends on a schedule.
    const sent = [{ detail: 'Message sent', status: 'Success', createdAt: ago(60) }];
    const email = job('email', 'completed', sent);
    const merged = [job('digest', 'merged'), job('email', 'merged')];
    const late = job('digest', 'delayed', [waits('Step digested', 600, 30)]);
    const at = (number: number) => ({ createdAt: ago(60 + number / 60) });
    const items = Array.from({ length: 12_000 }, (_unused, number) => {
      if (number < 3)
        return item(number, merged, { ...at(number), _digestedNotificationId: 'item-11990' });
      if (number === 11_990) return item(number, [late, job('email', 'pending')], at(number));
      if (number % 2_000 === 7) return item(number, [], at(number));
      const twice = number === 11_500 ? { transactionId: 'txn-10' } : {};
      return item(number, [email], { ...at(number), ...twice });
    });
    const rig = await openRig();
    let failAfter = Number.POSITIVE_INFINITY;
    rig.answerBy(({ url: { pathname, searchParams } }) => {
      if (pathname !== '/v1/notifications') return undefined;
      failAfter -= 1;
      if (failAfter < 0) return { status: 400, body: { message: 'no' } };
      const before = searchParams.get('before') ?? '9';
      const listed = items.filter(({ createdAt }) => createdAt < before);
      const [page, limit] = ['page', 'limit'].map((name) => Number(searchParams.get(name)));
      const start = (page ?? 0) * (limit ?? 0);
      const data = listed.slice(start, start + (limit ?? 0));
      const hasMore = start + data.length < listed.length;
      return { status: 200, body: { data, page, pageSize: limit, hasMore } };
    });
    const line = [...audit, '--metrics', 'svc.prom', '--grace', '20m'];
    const read = (file: string) => readFileSync(path.join(rig.folder, file), 'utf8');
    const whole = await rig.svc([...line, 'whole.ndjson', '--json']);
    const metrics = read('svc.prom');
    for (const format of ['ndjson', 'csv']) {
      failAfter = 150;
      const stopped = await rig.svc([...line, `a.${format}`]);
      expect(stopped.code).toBe(6);
      expect(stopped.stderr).toContain(
        `svc activity audit a.${format} --since 10d --grace 20m --resume\n`,
      );
      failAfter = Number.POSITIVE_INFINITY;
      expect((await rig.svc([...line, `a.${format}`])).code).toBe(2);
      // Without its options, a resumed audit has those that it started with, also in the commands that it proposes.
      const again = `activity audit a.${format} --metrics svc.prom --resume --json`;
      const resumed = await rig.svc(again.split(' '));
      expect(resumed.requests.length).toBeLessThan(whole.requests.length - 50);
      expect({ code: resumed.code, value: parsed(resumed.stdout) }).toEqual({
        code: 9,
        value: parsed(whole.stdout),
      });
      expect(read('svc.prom')).toBe(metrics);
    }
    expect(read('a.ndjson')).toBe(read('whole.ndjson'));
    expect(read('a.csv').split('\n')).toHaveLength(read('a.ndjson').split('\n').length + 1);
    expect(whole.stdout).toContain('svc activity audit --since 10d --grace 20m --only overdue');
    const kinds = parsed(whole.stdout) as { groups: { kind: string; count: number }[] };
    expect(kinds.groups.map(({ kind, count }) => `${kind} ${count}`).join(', ')).toBe(
      'overdue 1, without-jobs 6, lost-in-digest 3, twice 1',
    );
  }, 120_000);

  it('needs a file to resume, and deletes nothing with one', async () => {
    const { svc } = await openRig();
    for (const more of [['--resume'], ['a.csv', '--fix', 'dead-addresses', '--yes']]) {
      const { code, requests } = await svc([...audit, ...more]);
      expect({ more, code, requests }).toEqual({ more, code: 2, requests: [] });
    }
  });

  it('runs with a read-only profile, but fixes nothing', async () => {
    const { svc } = await openRig();
    expect((await svc([...audit, '--read-only', '--only', 'overdue'])).code).toBe(0);
    const fix = await svc([...audit, '--read-only', '--fix', 'dead-addresses', '--yes']);
    expect({ code: fix.code, requests: fix.requests }).toMatchObject({ code: 2, requests: [] });
  });
});

describe('svc activity audit --metrics', () => {
  it('replaces only its own file, at once, with labels in quotes', async () => {
    const rig = await openRig();
    const template = { name: 'W', triggers: [{ identifier: 'we"l\\come' }] };
    const email = job('email', 'completed', [], {});
    answerItems(rig, [item(1, [email], { template }), item(2, [], { template })]);
    const line = [...audit, '--metrics', 'svc.prom', '-q'];
    expect((await rig.svc(line)).code).toBe(9);
    expect((await rig.svc(line)).code).toBe(9);
    const text = readFileSync(path.join(rig.folder, 'svc.prom'), 'utf8');
    expect(text).toContain('# TYPE svc_audit_delivered gauge\n');
    expect(text).toContain('svc_audit_events{workflow="we\\"l\\\\come"} 2\n');
    expect(text).toContain('svc_audit_delivered{workflow="we\\"l\\\\come",channel="email"} 1\n');
    expect(text).toContain('svc_audit_findings{kind="without-jobs"} 1\n');
    // Only an overdue wait counts as overdue.
    expect(text).not.toContain('channel="none"');
    expect(text).toContain(`svc_audit_time_seconds ${Math.floor(frozenNow / 1_000)}\n`);
    expect(readdirSync(rig.folder).filter((name) => name.startsWith('svc.prom'))).toEqual([
      'svc.prom',
    ]);
    writeFileSync(path.join(rig.folder, 'mine.txt'), 'mine');
    const other = await rig.svc([...audit, '--metrics', 'mine.txt']);
    expect(other).toMatchObject({ code: 2, requests: [] });
  });
});

describe('svc activity audit --fix dead-addresses', () => {
  const error = 'registration-token-not-registered';

  /** Two people with tokens, one of which the provider no longer knows. */
  async function openWithDeadToken() {
    const rig = await openSandboxRig();
    const svc = async (line: string) => {
      const ran = await rig.svc(line.split(' '));
      expect(ran, `svc ${line}`).toMatchObject({ code: 0 });
      return ran;
    };
    for (const person of ['n1', 'n2']) {
      await svc(`subscribers create ${person}`);
      await svc(`subscribers credentials set ${person} --provider fcm --device-token t-${person}`);
    }
    await svc('sandbox clock advance 20d');
    const faults = 'sandbox faults set --provider fcm --fail-next 1 --error';
    await svc(`${faults} ${error}`);
    await svc('events trigger order-update --to n1 --transaction-id t1 --yes');
    await svc('events trigger order-update --to n2 --transaction-id t2 --yes');
    return { ...rig, line: svc };
  }

  it('asks, deletes the credentials of the provider, and keeps those that work', async () => {
    const { svc } = await openWithDeadToken();
    const line = ['activity', 'audit', '--since', '1d', '--fix', 'dead-addresses'];
    const dry = await svc([...line, '--dry-run']);
    expect(dry.requests.filter(({ line: sent }) => sent.startsWith('DELETE'))).toEqual([]);
    expect((await svc(line)).code).toBe(2);
    const { code, requests } = await svc([...line, '--yes']);
    const deleted = requests.filter(({ line: sent }) => sent.startsWith('DELETE'));
    expect({ code, deleted: deleted.map(({ line: sent }) => sent) }).toEqual({
      code: 0,
      deleted: ['DELETE /v1/subscribers/n1/credentials/fcm'],
    });
  });

  it('does not count an address that has worked since', async () => {
    const { svc, line } = await openWithDeadToken();
    await line('sandbox faults clear');
    await line('sandbox clock advance 1m');
    await line('events trigger order-update --to n1 --transaction-id t3 --yes');
    await line('sandbox clock advance 1m');
    const audited = ['activity', 'audit', '--since', '1d', '--only', 'dead-addresses'];
    expect(await svc([...audited, '-o', 'ids'])).toMatchObject({ code: 0, stdout: '' });
  });
});

import { describe, expect, it } from 'vitest';
import { openRig, parsed, type Rig, writeInput } from '../../support/rig.ts';
import { words } from '../../support/words.ts';

const people = (count: number) =>
  Array.from({ length: count }, (_unused, index) => `r${index + 1}`);

const toCsv = (ids: readonly string[], email = (id: string) => `${id}@example.com`) =>
  `subscriberId,email\n${ids.map((id) => `${id},${email(id)}\n`).join('')}`;

async function send(rig: Rig, csv: string, workflow = 'welcome', ...more: string[]) {
  const file = writeInput(rig, 'users.csv', csv);
  const { stdout, code } = await rig.svc(words`
    events trigger ${workflow} --recipients ${file} --update-subscribers --yes --json ${more}
  `);
  expect(code).toBe(0);
  return String(parsed(stdout).runId);
}

async function failChannels(rig: Rig, channels = ['email']) {
  const { stdout } = await rig.svc([
    ...['integrations', 'list', '--jq'],
    `.[] | select(.channel | IN(${channels.map((channel) => JSON.stringify(channel))})) | ._id`,
  ]);
  for (const id of stdout.trim().split('\n'))
    await rig.svc(['integrations', 'disable', id, '--yes']);
}

const deliveries = ['runs', 'show', 'last', '--deliveries'];

describe('runs show --deliveries', () => {
  it('counts the recipients and messages of a run, at most 20 events a request', async () => {
    const rig = await openRig();
    const runId = await send(rig, toCsv(people(120)));
    const { stdout, requests, code } = await rig.svc([...deliveries, '--json']);
    expect(code).toBe(0);
    expect(parsed(stdout)).toEqual({
      runId,
      finished: 120,
      recipients: 120,
      channels: [
        { channel: 'in_app', delivered: 120, failed: 0, skipped: 0, waiting: 0 },
        { channel: 'email', delivered: 120, failed: 0, skipped: 0, waiting: 0 },
      ],
      reasons: [],
    });
    const read = requests.filter(({ line }) => line.startsWith('GET /v1/notifications'));
    expect(read.map(({ line }) => line.split('transactionId=').length - 1)).toEqual([
      ...[20, 20],
      // The listing of the time of the run takes fewer requests.
      ...[0, 0, 0, 0],
    ]);
  });

  it('says first how many requests it takes, and shows channels and reasons', async () => {
    const rig = await openRig();
    await send(
      rig,
      toCsv(people(80), (id) => (id === 'r7' ? '' : `${id}@example.com`)),
    );
    const { stdout, stderr } = await rig.svc(deliveries, { tty: true, columns: 100 });
    expect(stderr).toBe('Reading the deliveries of 80 events: about 2 requests.\n');
    expect(stdout).toMatch(/RECIPIENTS\s+80\nFINISHED\s+80\nDELIVERED\s+80\nFAILED\s+0\n/);
    expect(stdout).toMatch(/email +79 +0 +1 +0 +100\.0%/);
    expect(stdout).toMatch(/1 +email skipped: The subscriber had no e-mail address\./);
    expect(stdout).toContain('█ delivered');
    const narrow = await rig.svc(deliveries, { tty: true, columns: 60 });
    expect(narrow.stdout).toMatch(
      /By channel\nCHANNEL +DELIVERED +FAILED +SKIPPED +WAITING +RATE\n/,
    );
  });

  it('reads the time window when that takes fewer requests', async () => {
    const rig = await openRig();
    const lines = people(250).map((id) => JSON.stringify({ name: 'welcome', to: id }));
    const file = writeInput(rig, 'events.ndjson', lines.join('\n'));
    await rig.svc(['events', 'trigger', '--file', file, '--yes', '--json']);
    const { stdout, stderr, requests } = await rig.svc([...deliveries, '--json'], {
      tty: 'stderr',
    });
    expect(parsed(stdout)).toMatchObject({ recipients: 250, finished: 250 });
    const byWindow = requests.filter(({ line }) => line.includes('after='));
    expect(byWindow.length).toBeGreaterThan(4);
    expect(requests.length).toBeLessThan(12);
    expect(stderr).toMatch(/Reading the activity of the time of the run: about \d+ requests\./);
    const stats = await rig.svc(['activity', 'stats', '--run', 'last', '--json']);
    expect(parsed(stats.stdout).total).toMatchObject({ events: 250, recipients: 250 });
  });

  it('counts a step in a digest with the outcome of the digest that carries it', async () => {
    const rig = await openRig();
    const lines = Array.from({ length: 3 }, (_unused, index) =>
      JSON.stringify({
        name: 'comment-digest',
        to: 'u1',
        payload: { author: `a${index}`, post: { id: '1', title: 'T' } },
      }),
    );
    const file = writeInput(rig, 'events.ndjson', lines.join('\n'));
    await rig.svc(['events', 'trigger', '--file', file, '--yes', '--json']);
    const { stdout } = await rig.svc([...deliveries, '--json']);
    expect(parsed(stdout)).toMatchObject({
      finished: 0,
      recipients: 3,
      channels: [{ waiting: 3 }, { waiting: 3 }],
      reasons: [{ cause: 'digest_waiting', count: 6 }],
    });
  });

  it('refuses a run without events, and a run of another environment', async () => {
    const rig = await openRig();
    const csv = writeInput(rig, 'import.csv', toCsv(people(2)));
    const { stdout } = await rig.svc(['subscribers', 'bulk-import', csv, '--json']);
    const importRun = String(parsed(stdout).runId);
    const refused = await rig.svc(['runs', 'show', importRun, '--deliveries']);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(
      `Run ${importRun} is a run of \`svc subscribers bulk-import\`. Only runs of \`svc events trigger\` or \`svc events resend\` can be read.`,
    );
    expect((await rig.svc(deliveries)).code).toBe(5);
    const runId = await send(rig, toCsv(people(2)));
    const other = await rig.svc(['runs', 'show', runId, '--deliveries'], {
      env: { SVC_API_KEY: 'f'.repeat(32) },
    });
    expect(other.code).toBe(2);
    expect(other.stderr).toContain(`Run ${runId} cannot be read here`);
  });
});

describe('runs show', () => {
  it('shows its counts as text', async () => {
    const rig = await openRig();
    await send(rig, toCsv(people(3)));
    const { stdout } = await rig.svc(['runs', 'show', 'last'], { tty: true, columns: 200 });
    expect(stdout).toMatch(/\nCOUNTS +3 triggered\n/);
  });
});

describe('activity stats --run', () => {
  it('has the deliveries of the run and the groups', async () => {
    const rig = await openRig();
    await send(rig, toCsv(['x1']));
    const runId = await send(rig, toCsv(people(3)));
    const { stdout } = await rig.svc([
      ...['activity', 'stats', '--run', 'last', '--by', 'channel', '--json'],
    ]);
    expect(parsed(stdout)).toMatchObject({
      runId,
      finished: 3,
      recipients: 3,
      channels: [{ channel: 'in_app' }, { channel: 'email' }],
      total: { events: 3, recipients: 3, delivered: 6 },
      groups: [
        { key: 'email', delivered: 3 },
        { key: 'in_app', delivered: 3 },
      ],
      reasons: [],
    });
  });
});

describe('runs watch', () => {
  it('exits with 0 when every recipient is finished and none failed', async () => {
    const rig = await openRig();
    const runId = await send(rig, toCsv(people(3)));
    const { code, stdout } = await rig.svc(['runs', 'watch', runId, '--json']);
    expect(code).toBe(0);
    expect(parsed(stdout)).toMatchObject({ runId, finished: 3, recipients: 3 });
  });

  it.each([
    { channels: ['email'], option: ' --only failed' },
    { channels: ['email', 'in_app'], option: '' },
  ])('exits with 9 when $channels failed, and proposes to resend', async ({ channels, option }) => {
    const rig = await openRig();
    await failChannels(rig, channels);
    const runId = await send(rig, toCsv(people(3)));
    const { code, stdout, stderr } = await rig.svc(['runs', 'watch', 'last', '--json']);
    expect(code).toBe(9);
    expect(parsed(stdout)).toMatchObject({
      finished: 3,
      reasons: [{ cause: 'no_active_integration', count: 3 * channels.length }],
    });
    expect(parsed(stderr)).toMatchObject({
      error: { code: 9, next: [`svc events resend --run ${runId}${option}`] },
    });
  });

  /** A run with 20 recipients: one is finished at the first reading, 19 at the next one. */
  async function openUnfinished() {
    const rig = await openRig();
    await send(rig, toCsv(people(20)));
    let reads = 0;
    rig.answerBy(({ method, url }) => {
      if (method !== 'GET' || url.pathname !== '/v1/notifications') return undefined;
      reads += 1;
      const ids = url.searchParams.getAll('transactionId');
      const data = ids.map((transactionId, index) => {
        const isDone = index === 0 || (reads > 1 && index < 18);
        return {
          ...{ _id: transactionId, transactionId, _subscriberId: transactionId },
          jobs: [{ _id: 'j', type: 'email', status: isDone ? 'completed' : 'queued' }].map(
            (job) => ({ ...job, executionDetails: [] }),
          ),
        };
      });
      return { status: 200, body: { page: 0, pageSize: 50, hasMore: false, data } };
    });
    return rig;
  }

  it('polls the unfinished recipients until enough are finished', async () => {
    const rig = await openUnfinished();
    const { code, stdout, requests } = await rig.svc([
      ...['runs', 'watch', 'last', '--until', '90%', '-o', 'ndjson'],
    ]);
    expect(code).toBe(0);
    const snapshots = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { finished: number });
    expect(snapshots.map(({ finished }) => finished)).toEqual([1, 19]);
    const asked = requests.map(({ line }) => line.split('transactionId=').length - 1);
    expect(asked).toEqual([20, 19]);
  });

  it('prints a line for each change with --no-unicode, instead of a frame that changes', async () => {
    const rig = await openUnfinished();
    const line = ['runs', 'watch', 'last', '--until', '90%', '--no-unicode'];
    const { stderr } = await rig.svc(line, { tty: true });
    expect(stderr.match(/\d+ of 20 recipients finished.*/g)).toEqual([
      '1 of 20 recipients finished: 1 delivered',
      '19 of 20 recipients finished: 19 delivered',
    ]);
  });

  it('exits with 9 when events do not appear in the activity', async () => {
    const rig = await openRig();
    await rig.svc(['topics', 'create', 'empty']);
    const event = { name: 'welcome', to: [{ type: 'Topic', topicKey: 'empty' }], payload: {} };
    const file = writeInput(rig, 'events.ndjson', JSON.stringify(event));
    await rig.svc(['events', 'trigger', '--file', file, '--yes', '--json']);
    const { code, stderr, slept } = await rig.svc(['runs', 'watch', 'last']);
    expect(code).toBe(9);
    expect(stderr).toContain('1 event did not appear in the activity');
    expect(slept).toBeLessThan(120_000);
  });

  it('--until must be a percentage', async () => {
    const rig = await openRig();
    await send(rig, toCsv(['r1']));
    for (const until of ['0%', '101%', '5'])
      expect((await rig.svc(['runs', 'watch', 'last', '--until', until])).code).toBe(2);
  });
});

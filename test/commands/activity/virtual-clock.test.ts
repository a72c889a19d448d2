// Durations in --since and --until count from the clock of a sandbox, which may differ from that of this machine.
import { describe, expect, it } from 'vitest';
import { openRig, type Rig } from '../../support/rig.ts';
import { openSandboxRig } from '../sandbox/sandbox-rig.ts';

/** Moves the clock 30 days ahead and triggers an event. Returns its transaction id. */
async function triggerLater({ svc }: Rig): Promise<string> {
  await svc(['sandbox', 'clock', 'advance', '30d']);
  const trigger = ['events', 'trigger', 'welcome', '--to', 'u1', '--yes', '--json'];
  const [{ transactionId }] = JSON.parse((await svc(trigger)).stdout);
  return transactionId;
}

const clockRequest = 'GET /__sandbox/clock';

describe('the sandbox of the selected profile', () => {
  it('lists the events of the last hour of its clock', async () => {
    const rig = await openSandboxRig();
    const id = await triggerLater(rig);
    const line = ['activity', 'list', '--since', '1h', '-o', 'ids'];
    const { stdout, requests } = await rig.svc(line);
    expect(stdout).toBe(`${id}\n`);
    expect(requests.map((request) => request.line.split('?')[0])).toEqual([
      clockRequest,
      'GET /v1/notifications',
    ]);
    const { stdout: earlier } = await rig.svc(['activity', 'list', '--until', '1h', '-o', 'ids']);
    expect(earlier).not.toContain(id);
    expect(earlier.trim().split('\n')).toHaveLength(15);
  });

  it('counts and exports the same events', async () => {
    const rig = await openSandboxRig();
    const id = await triggerLater(rig);
    const stats = await rig.svc(['activity', 'stats', '--since', '1h', '--json']);
    expect(JSON.parse(stats.stdout)).toMatchObject({
      since: '2026-02-14T11:00:00.000Z',
      until: '2026-02-14T12:00:00.000Z',
      total: { events: 1 },
    });
    expect(stats.requests.filter(({ line }) => line === clockRequest)).toHaveLength(1);
    const week = await rig.svc(['activity', 'stats', '--json']);
    expect(JSON.parse(week.stdout)).toMatchObject({ until: '2026-02-14T12:00:00.000Z' });
    const exported = await rig.svc(['activity', 'export', '-', '--since', '1h', '-o', 'ids']);
    expect(exported.stdout).toBe(`${id}\n`);
  });

  it('explains the newest event of that time', async () => {
    const rig = await openSandboxRig();
    const id = await triggerLater(rig);
    const line = ['activity', 'explain', 'u1', '--since', '1h', '--jq', '.transactionId'];
    expect((await rig.svc(line)).stdout).toBe(`${id}\n`);
  });
});

it('an absolute time needs no request', async () => {
  const { svc } = await openSandboxRig();
  const { requests } = await svc(['activity', 'list', '--since', '2026-01-15']);
  expect(requests).toHaveLength(1);
});

it('a server without a profile has the time of this machine', async () => {
  const { svc, pass } = await openRig();
  pass(1);
  const { requests } = await svc(['activity', 'list', '--since', '2h']);
  expect(requests).toHaveLength(1);
  expect(requests[0]?.line).toContain('after=2026-01-15T10%3A00%3A00.000Z');
});

it('a profile of another service needs no request', async () => {
  const { svc, answer } = await openSandboxRig({
    current: 'live',
    live: { baseUrl: 'https://api.example.com', key: 'k'.repeat(32), keySource: 'file' },
  });
  answer({ status: 200, body: { data: [], page: 0, pageSize: 50, hasMore: false } });
  const { requests } = await svc(['activity', 'list', '--since', '2h']);
  expect(requests).toHaveLength(1);
  expect(requests[0]?.line).toContain('after=2026-01-15T10%3A00%3A00.000Z');
});

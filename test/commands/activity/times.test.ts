// Which times are today depends on the time of the service, which may differ from that of this machine.
import { describe, expect, it } from 'vitest';
import { openRig } from '../../support/rig.ts';
import { unauthorized } from '../../support/runs.ts';
import { openSandboxRig } from '../sandbox/sandbox-rig.ts';

const item = (id: string, createdAt: string) => ({
  _id: id,
  transactionId: id,
  createdAt,
  subscriber: { subscriberId: 'u1' },
  jobs: [],
});

const listing = (date: string | undefined, ...data: object[]) => ({
  status: 200,
  body: { data, page: 0, pageSize: 50, hasMore: false },
  headers: date === undefined ? {} : { date: new Date(date).toUTCString() },
});

const firstColumn = (line = '') => line.slice(0, line.indexOf('  ')).trim();

describe('times in tables', () => {
  it('have no date on the day of the Date header of the response', async () => {
    const { svc, answer } = await openRig();
    answer(listing('2030-05-01T08:03:00Z', item('t1', '2030-05-01T08:00:00Z')));
    const { stdout } = await svc(['activity', 'list'], { tty: true });
    expect(firstColumn(stdout.split('\n')[1])).toBe('08:00:00');
  });

  it('have no date on the day of this machine when the response has no Date header', async () => {
    const { svc, answer } = await openRig();
    answer(listing(undefined, item('t1', '2026-01-15T11:00:00Z')));
    const { stdout } = await svc(['activity', 'list'], { tty: true });
    expect(firstColumn(stdout.split('\n')[1])).toBe('11:00:00');
  });

  it('depend on the newest response with --follow', async () => {
    const { svc, answer } = await openRig();
    answer(
      listing('2030-05-01T08:00:10Z', item('t1', '2030-05-01T08:00:00Z')),
      listing('2030-05-02T09:00:10Z', item('t2', '2030-05-01T08:58:10Z')),
      unauthorized,
    );
    const { stdout, code } = await svc(['activity', 'list', '--follow'], { tty: true });
    expect(code).toBe(4);
    expect(stdout.split('\n').slice(1, 3).map(firstColumn)).toEqual(['08:00:00', '1 May 08:58']);
  });

  it('depend on the clock of the sandbox after it was moved', async () => {
    const { svc } = await openSandboxRig();
    await svc(['sandbox', 'clock', 'advance', '30d']);
    await svc(['events', 'trigger', 'welcome', '--to', 'u1', '--yes']);
    const { stdout } = await svc(['activity', 'list', '--limit', '2'], { tty: true, columns: 120 });
    expect(stdout.split('\n').slice(1, 3).map(firstColumn)).toEqual(['12:00:00', '15 Jan 10:30']);
  });
});

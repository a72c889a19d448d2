// svc subscribers erase, with the whole program.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { listWrites } from '../../support/requests.ts';
import { openRig, parsed, type Rig, writeInput } from '../../support/rig.ts';
import { runFolder } from '../../support/runs.ts';
import { words } from '../../support/words.ts';

const erase = (...more: string[]) => ['subscribers', 'erase', ...more];
const value = (stdout: string) => JSON.parse(stdout) as Record<string, unknown>[];

/** The pending transactions of a subscriber. */
const trigger = ({ svc }: Rig, workflow: string, id: string, ...more: string[]) =>
  svc(['events', 'trigger', workflow, '--to', id, ...more]);

const exists = async ({ svc }: Rig, id: string) =>
  (await svc(['subscribers', 'get', id])).code === 0;

describe('svc subscribers erase', () => {
  it('deletes every part, reads it again and prints the proof', async () => {
    const rig = await openRig();
    const before = await rig.svc(['subscribers', 'topics', 'u1', '--all', '-o', 'ids']);
    const topics = before.stdout.trim().split('\n');
    const { code, stdout, requests } = await rig.svc(
      erase('u1', '--yes', '--pending', 'keep', '--json'),
    );
    expect(code).toBe(0);
    expect(value(stdout)).toEqual([
      {
        subscriberId: 'u1',
        removed: ['messages', 'subscriptions', 'credentials', 'preferences', 'subscriber'],
        left: ['activity'],
        unknown: [],
        localFiles: expect.any(Array),
      },
    ]);
    const sent = listWrites(requests);
    expect(sent.filter((line) => line.startsWith('DELETE /v1/messages/')).length).toBeGreaterThan(
      0,
    );
    expect(sent.at(-1)).toBe('DELETE /v2/subscribers/u1');
    for (const topic of topics) {
      const rest = await rig.svc(['topics', 'subscribers', topic, '--all', '-o', 'ids']);
      expect(rest.stdout.split('\n')).not.toContain('u1');
    }
    expect(await exists(rig, 'u1')).toBe(false);
    expect((await rig.svc(erase('u1', '--yes'))).code).toBe(5);
  });

  it('says what it deletes, asks, and prints the proof for people', async () => {
    const rig = await openRig();
    await trigger(rig, 'welcome', 'u8');
    const asked = await rig.svc(erase('u8'));
    expect(asked.code).toBe(2);
    expect(asked.stderr).toContain('u8: 2 messages, ');
    expect(asked.stderr).toContain('erase subscriber u8 with all messages');
    expect(listWrites(asked.requests)).toEqual([]);
    const { code, stdout } = await rig.svc(erase('u8', 'ghost', '--yes'), { tty: true });
    expect(code).toBe(3);
    expect(stdout).toContain('Erased subscriber u8');
    expect(stdout).toContain('  messages: deleted; the list is empty\n');
    expect(stdout).toContain('  subscriber: not found\n');
    expect(stdout).toContain('  activity: the service keeps past events');
    expect(stdout).toContain('Subscriber ghost does not exist.');
    expect(stdout).not.toContain('UNKNOWN');
  });

  it('refuses while events are pending, and lists them', async () => {
    const rig = await openRig();
    await trigger(rig, 'trial-ending', 'u8', '--transaction-id', 'txn_later');
    for (const args of [['u8'], ['u8', 'u9']]) {
      const { code, stderr, requests } = await rig.svc(erase(...args, '--yes'));
      expect(code).toBe(2);
      expect(stderr).toContain('Error: 1 transaction pending. Nothing was erased.');
      expect(stderr).toContain('txn_later: pending for u8');
      expect(listWrites(requests)).toEqual([]);
    }
    for (const n of [1, 2, 3, 4, 5, 6])
      await trigger(rig, 'trial-ending', 'u7', '--transaction-id', `t${n}`);
    const list = writeInput(rig, 'former.txt', 'u8\nu7\nu9\nghost\n');
    const run = await rig.svc(erase('--file', list, '--yes', '--json'));
    expect({ code: run.code, summary: parsed(run.stdout) }).toMatchObject({
      code: 3,
      summary: { rows: 4, erased: 1, absent: 1, failed: 2 },
    });
    const rejects = readFileSync(String(parsed(run.stdout).rejects), 'utf8');
    expect(rejects).toContain('1 transaction pending: txn_later');
    expect(rejects).toContain('7 transactions pending: t6, t5, t4, t3, t2 and 2 more');
    expect(await exists(rig, 'u8')).toBe(true);
    const listed = await rig.svc(['activity', 'list', '--transaction', 'txn_later', '--json']);
    const kept = await rig.svc(erase('u8', '--yes', '--pending', 'keep', '--json'));
    expect({ code: kept.code, left: value(kept.stdout)[0]?.left }).toEqual({
      code: 0,
      left: ['activity'],
    });
    const event = await rig.svc(
      words`api GET /v1/notifications/${String(value(listed.stdout)[0]?._id)}`,
    );
    expect(event).toMatchObject({ code: 0, stdout: expect.stringContaining('txn_later') });
  });

  it('lists the local files that have the id, not those with a longer one', async () => {
    const rig = await openRig();
    const rejects = path.join(rig.folder, 'elsewhere.csv');
    const users = writeInput(rig, 'users.csv', 'subscriberId,email\nu8,wrong\nu80,a@b.cd\n');
    const imported = await rig.svc(['subscribers', 'bulk-import', users, '--rejects', rejects]);
    expect(imported.code).toBe(3);
    await rig.svc(['subscribers', 'bulk-import', '-', '--spool', '--format', 'csv'], {
      stdin: 'subscriberId\nu8\n',
    });
    await rig.svc(['subscribers', 'bulk-import', '-', '--spool', '--format', 'csv'], {
      stdin: 'subscriberId\nu80\n',
    });
    const runs = (await rig.svc(['runs', 'list', '-o', 'ids'])).stdout.trim().split('\n');
    const { stdout } = await rig.svc(erase('u8', '--yes', '--json'));
    const files = value(stdout)[0]?.localFiles as string[];
    expect(files).toContain(rejects);
    expect(files).toContain(path.join(runFolder(rig, runs[1] ?? ''), 'input'));
    expect(files.filter((file) => file.includes(runs[0] ?? ''))).toEqual([]);
  });

  it('deletes the messages of every page', async () => {
    const rig = await openRig();
    const event = '{"name":"welcome","to":"u8"}\n';
    const events = ['events', 'trigger', '--file', '-', '--yes'];
    await rig.svc(events, { stdin: event.repeat(120) });
    const list = ['messages', 'list', '--subscriber', 'u8', '--all', '-o', 'ids'];
    const messages = (await rig.svc(list)).stdout.trim().split('\n');
    expect(messages.length).toBeGreaterThan(100);
    const { stdout } = await rig.svc(erase('u8', '--dry-run', '--json'));
    const planned = value(stdout).map(({ url }) => String(url).split('/').at(-1));
    expect(planned).toEqual(expect.arrayContaining(messages));
  });

  it('does not list the cache of compiled code, which has short ids by chance, nor the data of a sandbox', async () => {
    const rig = await openRig();
    for (const [folder, name] of [
      ['cache/compiled', 'chunk'],
      ['state/sandbox', 'data'],
      ['cache/values', 'subscribers'],
    ] as const) {
      mkdirSync(path.join(rig.folder, folder), { recursive: true });
      writeFileSync(path.join(rig.folder, folder, name), 'u8\n');
    }
    const { stdout } = await rig.svc(erase('u8', '--yes'), { tty: true, columns: 400 });
    const files = stdout.slice(stdout.indexOf('  on this machine:'));
    expect(files).toBe(
      `  on this machine:\n    ${path.join(rig.folder, 'cache', 'values', 'subscribers')} (values for completion; you can delete the file)\n`,
    );
  });

  it('names a file once that it cannot search', async () => {
    const rig = await openRig();
    const damaged = path.join(rig.folder, 'cache', 'values', 'subscribers');
    mkdirSync(path.dirname(damaged), { recursive: true });
    writeFileSync(damaged, gzipSync('u8').subarray(0, 12));
    const { code, stderr } = await rig.svc(erase('u8', 'u6', 'u5', '--yes'));
    expect(code).toBe(0);
    expect(stderr.split('\n').filter((line) => line.includes(damaged))).toEqual([
      expect.stringContaining(`Warning: ${damaged} may have the ids, but cannot be searched: `),
    ]);
  });

  it('clears the progress bar before it lists what is left', async () => {
    const rig = await openRig();
    const list = writeInput(rig, 'former.txt', 'u8\n');
    const { stderr } = await rig.svc(erase('--file', list, '--yes'), { tty: true, columns: 80 });
    expect(stderr.slice(0, stderr.indexOf('The service keeps'))).toContain('\r\x1b[K');
  });

  it.each([
    [3, 0],
    [4, 3],
  ])('deletes messages that arrive meanwhile, %d times: exit code %d', async (last, exitCode) => {
    const rig = await openRig();
    const { _id: subscriber } = parsed((await rig.svc(words`subscribers get u9 --json`)).stdout);
    let listings = 0;
    rig.answerBy(({ method, url: { pathname } }) => {
      if (method === 'DELETE' && pathname.startsWith('/v1/messages/'))
        return { status: 200, body: { acknowledged: true, status: 'deleted' } };
      if (pathname !== '/v1/messages') return undefined;
      listings += 1;
      const message = { _id: `m${listings}`, _subscriberId: subscriber };
      const data = listings <= last || last > 3 ? [message] : [];
      return { status: 200, body: { data, hasMore: false, page: 0, pageSize: 100 } };
    });
    const { code, requests } = await rig.svc(erase('u9', '--yes'));
    expect(code).toBe(exitCode);
    const deleted = listWrites(requests).filter((line) => line.includes('/v1/messages/'));
    expect(deleted).toEqual(['m1', 'm2', 'm3'].map((id) => `DELETE /v1/messages/${id}`));
    expect(await exists(rig, 'u9')).toBe(exitCode !== 0);
  });

  it('reports what a service does not delete', async () => {
    const rig = await openRig();
    await trigger(rig, 'welcome', 'u8');
    rig.answerBy(({ method, url }) =>
      method === 'DELETE' && url.pathname.startsWith('/v1/messages/')
        ? { status: 200, body: { acknowledged: true, status: 'deleted' } }
        : undefined,
    );
    const { code, stdout } = await rig.svc(erase('u8', '--yes', '--json'));
    expect({ code, left: value(stdout)[0]?.left }).toEqual({
      code: 3,
      left: ['messages', 'preferences', 'subscriber', 'activity'],
    });
  });

  it('shows every deletion with --dry-run, and the first one for a list', async () => {
    const rig = await openRig();
    await trigger(rig, 'welcome', 'u8');
    const few = await rig.svc(erase('u8', '--dry-run', '--json'));
    expect(few.code).toBe(0);
    expect(few.stdout).toContain('/v1/messages/');
    expect(few.stdout).toContain('/v2/subscribers/u8');
    const list = writeInput(rig, 'former.txt', 'u8\n');
    const many = await rig.svc(erase('--file', list, '--dry-run'));
    expect(many.code).toBe(0);
    expect(listWrites([...few.requests, ...many.requests])).toEqual([]);
    expect(await exists(rig, 'u8')).toBe(true);
  });

  it('needs the name of a protected profile', async () => {
    const rig = await openRig();
    await rig.svc(['environments', 'list', '--save-profiles']);
    const file = path.join(rig.folder, 'config', 'config.json');
    const configuration = JSON.parse(readFileSync(file, 'utf8')) as { current?: string };
    writeFileSync(file, JSON.stringify({ ...configuration, current: 'production' }));
    const env = { SVC_BASE_URL: '', SVC_API_KEY: '' };
    const { code, stderr, requests } = await rig.svc(erase('u8', '--yes'), { env });
    expect({ code, writes: listWrites(requests) }).toEqual({ code: 2, writes: [] });
    expect(stderr).toContain('--confirm production');
  });
});

// svc subscribers erase against services and gateways that fail or lie.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { printedError } from '../../support/printed-error.ts';
import { listWrites } from '../../support/requests.ts';
import { openRig, parsed, type Rig, writeInput } from '../../support/rig.ts';

const erase = (...more: string[]) => ['subscribers', 'erase', ...more];
const value = (stdout: string) => JSON.parse(stdout) as Record<string, unknown>[];
const one = (...more: string[]) => erase('u8', '--yes', '--json', ...more);

const exists = async ({ svc }: Rig, id: string) =>
  (await svc(['subscribers', 'get', id])).code === 0;

/** Two messages for u8. */
async function openWithMessages() {
  const rig = await openRig();
  await rig.svc(['events', 'trigger', 'welcome', '--to', 'u8']);
  return rig;
}

/** Erases one person by id and in a list. */
async function bothWays(rig: Rig) {
  const list = writeInput(rig, 'former.txt', 'u8\n');
  const single = await rig.svc(one());
  const many = await rig.svc(erase('--file', list, '--yes', '--json'));
  return { single, many };
}

const foreign = { _id: 'm-foreign', _subscriberId: '64d3f3a1b2c3d4e5f6a7b8ff', channel: 'email' };

describe('a listing that a service does not filter', () => {
  it('stops the erasure before anything is deleted', async () => {
    const rig = await openWithMessages();
    rig.answerBy(({ method, url }) =>
      method === 'GET' && url.pathname === '/v1/messages'
        ? { status: 200, body: { data: [foreign], hasMore: false, page: 0, pageSize: 100 } }
        : undefined,
    );
    const { single, many } = await bothWays(rig);
    expect({ single: single.code, many: many.code }).toEqual({ single: 6, many: 6 });
    expect(printedError(single.stderr).message).toBe(
      'The service listed the message m-foreign, which does not belong to the subscriber.',
    );
    expect(listWrites([...single.requests, ...many.requests])).toEqual([]);
  });

  it.each([
    ['/v1/messages', 'message'],
    ['/v1/subscribers/u8/notifications/feed', 'notification'],
    ['/v1/notifications', 'event'],
  ])('stops the report: %s', async (route, noun) => {
    const rig = await openWithMessages();
    rig.answerBy(({ url }) =>
      url.pathname === route
        ? { status: 200, body: { data: [foreign], hasMore: false, page: 0, pageSize: 100 } }
        : undefined,
    );
    const { code, stdout, stderr } = await rig.svc(['subscribers', 'report', 'u8', '--json']);
    expect({ code, stdout }).toEqual({ code: 6, stdout: '' });
    expect(printedError(stderr).message).toContain(`listed the ${noun} m-foreign`);
  });
});

describe('a request that the service rejects', () => {
  it('does not hide who is erased already', async () => {
    const rig = await openWithMessages();
    rig.answerBy(({ method, url }) =>
      method === 'DELETE' && url.pathname.startsWith('/v1/messages/')
        ? { status: 422, body: { statusCode: 422, message: 'by the test' } }
        : undefined,
    );
    const line = erase('u7', 'u8', '--yes', '--pending', 'keep');
    const { code, stdout } = await rig.svc(line, { tty: true });
    expect(code).toBe(3);
    expect(stdout).toMatch(/^Erased 1 of 2 subscribers at /);
    expect(stdout).toContain('u7:\n  ');
    expect(stdout).toContain('u8: not erased: by the test');
    expect(await exists(rig, 'u7')).toBe(false);
    expect(await exists(rig, 'u8')).toBe(true);
  });
});

describe('the subscriber', () => {
  it.each([
    ['messages', 'DELETE', /^\/v1\/messages\//],
    ['subscriptions', 'DELETE', /\/subscriptions$/],
    ['credentials', 'DELETE', /\/credentials\//],
  ])('is kept while there are %s, so that a retry finds the person', async (kind, sent, route) => {
    const rig = await openRig();
    const svc = (line: string) => rig.svc(line.split(' '));
    await svc('events trigger welcome --to u1');
    await svc('subscribers credentials set u1 --provider fcm --device-token t1');
    rig.answerBy(({ method, url }) =>
      method === sent && route.test(url.pathname)
        ? { status: 200, body: { data: [], meta: {}, acknowledged: true } }
        : undefined,
    );
    const line = erase('u1', '--yes', '--pending', 'keep', '--json');
    const { code, stdout, requests } = await rig.svc(line);
    expect({ code, left: value(stdout)[0]?.left }).toEqual({
      code: 3,
      left: [kind, 'preferences', 'subscriber', 'activity'],
    });
    expect(listWrites(requests)).not.toContain('DELETE /v2/subscribers/u1');
    const list = writeInput(rig, 'former.txt', 'u1\n');
    const many = await rig.svc(erase('--file', list, '--yes', '--pending', 'keep', '--json'));
    expect({ code: many.code, summary: parsed(many.stdout) }).toMatchObject({
      code: 6,
      summary: { erased: 0, failed: 1 },
    });
    expect(many.stderr).toContain(`the service still has: ${kind}, preferences, subscriber`);
    rig.answerBy(() => undefined);
    expect((await rig.svc(line)).code).toBe(0);
    expect(await exists(rig, 'u1')).toBe(false);
  });
});

describe('subscriptions', () => {
  it('are left if one topic of several still has the person, whatever the list of topics says', async () => {
    const rig = await openRig();
    const { stdout } = await rig.svc(['subscribers', 'topics', 'u1', '-o', 'ids']);
    const topics = stdout.trim().split('\n');
    expect(topics.length).toBeGreaterThan(1);
    const subscription = { _id: '7'.repeat(24), topic: {}, subscriber: {} };
    rig.answerBy(({ method, url }) =>
      method === 'GET' && url.pathname === `/v2/topics/${topics[0]}/subscriptions`
        ? { status: 200, body: { data: [subscription], next: null, previous: null } }
        : undefined,
    );
    const ran = await rig.svc(erase('u1', '--yes', '--pending', 'keep', '--json'));
    expect({ code: ran.code, left: value(ran.stdout)[0]?.left }).toEqual({
      code: 3,
      left: ['subscriptions', 'preferences', 'subscriber', 'activity'],
    });
  });
});

describe('the 404 of a gateway', () => {
  it.each([
    ['404 page not found'],
    [JSON.stringify({ message: 'no Route matched with those values' })],
    [JSON.stringify({ statusCode: 404, message: 'Not Found' })],
    [JSON.stringify({ message: 'Route DELETE:/v2/subscribers/u8 not found', statusCode: 404 })],
  ])('is a failure of every deletion of a list: %s', async (text) => {
    const rig = await openRig();
    const list = writeInput(rig, 'former.txt', 'u8\nu9\n');
    rig.answerBy(({ method }) => (method === 'DELETE' ? { status: 404, text } : undefined));
    for (const line of [
      erase('u8', '--yes', '--pending', 'keep'),
      erase('--file', list, '--yes', '--pending', 'keep'),
      ['subscribers', 'delete', '--file', list, '--yes'],
    ]) {
      const { code, stderr } = await rig.svc([...line, '--json']);
      expect({ line, code }).toEqual({ line, code: 7 });
      expect(printedError(stderr).message).toContain('is not in the format of the service');
    }
    expect(await exists(rig, 'u8')).toBe(true);
  });

  it('does not make a person absent', async () => {
    const rig = await openRig();
    const list = writeInput(rig, 'former.txt', 'u8\n');
    rig.answerBy(() => ({ status: 404, text: 'default backend - 404' }));
    for (const line of [['u8'], ['--file', list]]) {
      const { code, stderr } = await rig.svc(erase(...line, '--yes', '--json'));
      expect(code).toBe(7);
      expect(printedError(stderr).message).toContain('is not in the format of the service');
    }
  });
});

describe('ids that do not exist', () => {
  it('are named and counted apart', async () => {
    const rig = await openRig();
    const list = writeInput(rig, 'former.txt', 'ghost\nu8\nfantasma\n');
    const { code, stdout } = await rig.svc(erase('--file', list, '--yes', '--json'));
    expect({ code, summary: parsed(stdout) }).toMatchObject({
      code: 0,
      summary: { erased: 1, absent: 2, absentIds: ['ghost', 'fantasma'] },
    });
    const shown = await rig.svc(erase('--file', list, '--yes'), { tty: true, columns: 200 });
    expect(shown.stdout).toContain('Erased 0 of 3 rows');
    expect(shown.stderr).toContain('Subscribers ghost, u8 and fantasma do not exist.');
  });

  it('are an error if the list has no other ids', async () => {
    const rig = await openRig();
    const list = writeInput(rig, 'former.txt', 'ghost\n');
    const { code, stderr } = await rig.svc(erase('--file', list, '--yes', '--json'));
    expect(code).toBe(5);
    expect(printedError(stderr).message).toBe('None of the ids exists.');
  });
});

describe('a deletion that is not confirmed', () => {
  it('leaves the preferences unknown if the service failed before', async () => {
    const rig = await openRig();
    // The server deletes the subscriber, fails, and answers the retry with 404.
    let failures = 0;
    rig.answerBy(({ method, url }) => {
      if (url.pathname !== '/v2/subscribers/u8') return undefined;
      if (method === 'DELETE' && failures++ === 0)
        return { status: 500, body: { statusCode: 500, message: 'Internal server error' } };
      return failures > 0 ? { status: 404, body: ownNotFound } : undefined;
    });
    const { code, stdout } = await rig.svc(one('--pending', 'keep'));
    expect({ code, erased: value(stdout)[0] }).toMatchObject({
      code: 3,
      erased: { removed: expect.not.arrayContaining(['preferences']), left: ['preferences'] },
    });
    rig.answerBy(() => undefined);
    const other = await openRig();
    let deletions = 0;
    other.answerBy(({ method, url }) => {
      const isPerson = url.pathname.startsWith('/v2/subscribers/u8');
      if (method === 'DELETE' && isPerson && deletions++ === 0)
        return { status: 500, body: { statusCode: 500, message: 'Internal server error' } };
      return isPerson && deletions > 0 ? { status: 404, body: ownNotFound } : undefined;
    });
    const list = writeInput(other, 'former.txt', 'u8\n');
    const single = await other.svc(one('--pending', 'keep'));
    expect({ code: single.code, erased: value(single.stdout)[0] }).toMatchObject({
      code: 3,
      erased: { left: expect.not.arrayContaining(['preferences']), unknown: ['preferences'] },
    });
    deletions = 0;
    const many = await other.svc(erase('--file', list, '--yes', '--json', '--pending', 'keep'));
    expect(parsed(many.stdout)).toMatchObject({ erased: 0, unknown: 1 });
    expect(many.code).toBe(6);
  });

  it('prints what is unknown for people', async () => {
    const rig = await openRig();
    let deletions = 0;
    rig.answerBy(({ method, url }) => {
      const isPerson = url.pathname.startsWith('/v2/subscribers/u8');
      if (method === 'DELETE' && isPerson && deletions++ === 0) return { status: 503 };
      return isPerson && deletions > 0 ? { status: 404, body: ownNotFound } : undefined;
    });
    const { code, stdout } = await rig.svc(erase('u8', '--yes', '--pending', 'keep'), {
      tty: true,
    });
    expect(code).toBe(3);
    expect(stdout).toContain('UNKNOWN: the service did not confirm that it deleted: preferences');
  });

  it('is a failure with `acknowledged: false`', async () => {
    const rig = await openRig();
    rig.answerBy(({ method }) =>
      method === 'DELETE'
        ? { status: 200, body: { data: { acknowledged: false, status: 'failed' } } }
        : undefined,
    );
    const list = writeInput(rig, 'former.txt', 'u8\n');
    for (const line of [
      'subscribers delete u8',
      `subscribers delete --file ${list}`,
      'subscribers erase u8 --pending keep',
      'topics delete announcements',
      'contexts delete tenant:org-acme',
      'workflows delete welcome',
      'messages delete 67748580259aa8ef98259b2b',
      'subscribers credentials delete u8 fcm',
    ]) {
      const { code, stderr, requests } = await rig.svc([...line.split(' '), '--yes', '--json']);
      expect({ line, code }).toEqual({ line, code: 6 });
      expect(`${stderr}`).toContain(line.includes('--file') ? 'rejected' : 'did not acknowledge');
      expect(listWrites(requests)).toHaveLength(1);
    }
  });
});

/** Fails reads of u8 once svc has retried the request. The run then sends the requests of the row again. */
describe('a read that fails in an erasure of a list', () => {
  const isPerson = (url: URL) => url.pathname === '/v2/subscribers/u8';
  const eraseList = (rig: Rig) =>
    rig.svc([
      ...erase('--file', writeInput(rig, 'former.txt', 'u8\n'), '--yes', '--json'),
      ...['--pending', 'keep', '--retries', '0'],
    ]);

  it('deletes nothing, so a subscriber who does not exist is absent', async () => {
    const rig = await openRig();
    let reads = 0;
    rig.answerBy(({ method, url }) => {
      if (method !== 'GET' || !isPerson(url)) return undefined;
      reads += 1;
      return reads === 1 ? { status: 503 } : { status: 404, body: ownNotFound };
    });
    expect(parsed((await eraseList(rig)).stdout)).toMatchObject({ absent: 1, unknown: 0 });
  });

  it.each(['confirmed', 'lost'])(
    'leaves the preferences unknown after a deletion that is %s',
    async (kind) => {
      const rig = await openRig();
      let isDeleted = false;
      let failures = 0;
      rig.answerBy(({ method, url }) => {
        if (!isPerson(url)) return undefined;
        if (method === 'DELETE') {
          isDeleted = true;
          return kind === 'lost' ? { status: 503 } : { status: 200, body: { acknowledged: true } };
        }
        if (!isDeleted) return undefined;
        failures += 1;
        return failures === 1 ? { status: 503 } : { status: 404, body: ownNotFound };
      });
      const { stdout } = await eraseList(rig);
      expect(parsed(stdout)).toMatchObject({ absent: 0, erased: 0, unknown: 1 });
    },
  );
});

const ownNotFound = {
  ...{ error: 'Not Found', statusCode: 404, timestamp: '2026-01-15T12:00:00.000Z' },
  ...{ path: '/v2/subscribers/u8', message: 'Subscriber: u8 was not found' },
};

describe('an endless listing of events', () => {
  it('ends the erasure', async () => {
    const rig = await openRig();
    rig.answerBy(({ url }) =>
      url.pathname === '/v1/notifications'
        ? { status: 200, body: { data: [{ _id: 'n1', jobs: [] }], hasMore: true, page: 0 } }
        : undefined,
    );
    const { code, stderr, requests } = await rig.svc(one());
    expect(code).toBe(7);
    expect(stderr).toContain('does not end');
    expect(requests.length).toBeLessThan(30);
  });
});

describe('local files', () => {
  const text = 'subscriberId,firstName\nzoë-1,Zoë\n';
  it.each<[string, Buffer]>([
    ['gzip', gzipSync(text)],
    ['UTF-16', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])],
    ['UTF-16 without a byte order mark', Buffer.from(text, 'utf16le')],
    ['Windows-1252', Buffer.from(text, 'latin1')],
    ['gzip of Windows-1252', gzipSync(Buffer.from(text, 'latin1'))],
    ['UTF-8', Buffer.from(text)],
  ])('are found in %s', async (_name, bytes) => {
    const rig = await openRig();
    await rig.svc(['subscribers', 'create', 'zoë-1']);
    const folder = path.join(rig.folder, 'state', 'runs', 'r1');
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'input'), bytes);
    const { stdout } = await rig.svc(erase('zoë-1', '--yes', '--json'));
    expect(value(stdout)[0]?.localFiles).toContain(path.join(folder, 'input'));
  });

  it.each([
    ['CSV', 'subscriberId\n"say ""hi"""\n'],
    ['JSON', '{"subscriberId":"say \\"hi\\""}\n'],
  ])('are found by an id with quotation marks in %s', async (_name, content) => {
    const rig = await openRig();
    const id = 'say "hi"';
    await rig.svc(['subscribers', 'create', id]);
    const folder = path.join(rig.folder, 'state', 'runs', 'r1');
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'input'), content);
    const { stdout } = await rig.svc(erase(id, '--yes', '--json'));
    expect(value(stdout)[0]?.localFiles).toContain(path.join(folder, 'input'));
  });
});

describe('--dry-run', () => {
  it('counts every request of every person', async () => {
    const rig = await openWithMessages();
    const few = await rig.svc(erase('u8', '--dry-run'));
    expect(few.stderr).toContain('Dry run: nothing was sent.');
    expect(few.stdout).toContain('DELETE');
    const list = writeInput(rig, 'former.txt', 'u8\nu9\nghost\n');
    const both = await rig.svc(erase('u8', 'u9', '--dry-run', '-o', 'json'));
    const total = value(both.stdout).length;
    const many = await rig.svc(erase('--file', list, '--dry-run'));
    expect(many.stderr).toContain(`2 items would be sent in ${total} requests`);
  });
});

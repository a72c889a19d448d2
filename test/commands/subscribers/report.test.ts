// svc subscribers report, with the whole program.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openChannels319 } from '../../support/channels-319.ts';
import { fileMode } from '../../support/file-mode.ts';
import { printedError } from '../../support/printed-error.ts';
import { openRig, parsed, type Rig } from '../../support/rig.ts';
import { words } from '../../support/words.ts';

const line = (...more: string[]) => ['subscribers', 'report', ...more];
const names = [
  'subscriber',
  'preferences',
  'topics',
  'credentials',
  'connections',
  'endpoints',
  'messages',
  'inbox',
  'activity',
];

describe('svc subscribers report', () => {
  it('prints everything about a person as one object, with masked secrets', async () => {
    const { svc } = await openRig();
    const { code, stdout, stderr } = await svc(line('u1', '--json'));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const report = parsed(stdout);
    expect(Object.keys(report)).toEqual([...names, 'unreadable']);
    expect(report.unreadable).toEqual([]);
    const count = async (...args: string[]) =>
      (JSON.parse((await svc([...args, '--all', '--json'])).stdout) as unknown[]).length;
    expect(report.topics).toHaveLength(await count('subscribers', 'topics', 'u1'));
    expect(report.messages).toHaveLength(await count('messages', 'list', '--subscriber', 'u1'));
    expect(report.inbox).toHaveLength(await count('inbox', 'list', 'u1'));
    expect(report.activity).toHaveLength(await count('activity', 'list', '--subscriber', 'u1'));
    const credentials = report.credentials as object[];
    expect(credentials[0]).toEqual({
      providerId: 'fcm',
      _integrationId: expect.stringMatching(/^[0-9a-f]{24}$/),
      credentials: { deviceTokens: ['********', '********'] },
    });
    expect((await svc(line('u1', '--json', '--reveal'))).stdout).not.toContain('"********"');
  });

  it('writes a file that only the user can read, and asks before it replaces one', async () => {
    const rig = await openRig();
    const { code, stdout } = await rig.svc(line('u1', '--file', 'u1.json'), { tty: true });
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Wrote the report about u1 to u1\.json: subscriber, preferences, topics \(\d/,
    );
    const file = path.join(rig.folder, 'u1.json');
    expect(fileMode(file)).toBe('600');
    const printed = parsed((await rig.svc(line('u1', '--json'))).stdout);
    expect(parsed(readFileSync(file, 'utf8'))).toEqual(printed);
    const again = await rig.svc(line('u1', '--file', 'u1.json'));
    expect({ code: again.code, requests: again.requests }).toEqual({ code: 2, requests: [] });
  });

  it('names the parts that cannot be read', async () => {
    const rig = await openRig();
    rig.answerBy(({ url: { pathname } }) => {
      if (pathname === '/v1/messages')
        return { status: 404, body: { statusCode: 404, message: 'Cannot GET /v1/messages' } };
      if (pathname === '/v1/notifications')
        return { status: 402, body: { statusCode: 402, message: 'Upgrade your plan' } };
      return undefined;
    });
    const { code, stdout, stderr } = await rig.svc(line('u1', '--json'));
    expect(code).toBe(0);
    expect(parsed(stdout)).toMatchObject({
      messages: null,
      activity: null,
      unreadable: [
        { part: 'messages', reason: 'this server does not offer it' },
        { part: 'activity', reason: expect.stringContaining('Upgrade your plan') },
      ],
    });
    expect(stderr).toContain('Warning: messages cannot be read');
    const table = (await rig.svc(line('u1'), { tty: true })).stdout;
    expect(table).toMatch(/^MESSAGES {5}cannot be read$/m);
    expect(table).toMatch(/^ACTIVITY {5}cannot be read$/m);
  });

  it('has an empty list for a subscriber without channels', async () => {
    const rig = await openRig();
    const { stdout: subscriber } = await rig.svc(['subscribers', 'get', 'u9', '--json']);
    const { channels: _channels, ...rest } = parsed(subscriber);
    rig.answerBy(({ url: { pathname } }) =>
      pathname === '/v2/subscribers/u9' ? { status: 200, body: { data: rest } } : undefined,
    );
    const { stdout } = await rig.svc(line('u9', '--json'));
    expect(parsed(stdout).credentials).toEqual([]);
    const table = (await rig.svc(line('u9'), { tty: true })).stdout;
    expect(table).toMatch(/^PREFERENCES {2}readable$/m);
    expect(table).toMatch(/^CREDENTIALS {2}none$/m);
  });

  it('says which parts a file has', async () => {
    const rig = await openRig();
    await rig.svc(words`events trigger welcome --to u9`);
    await rig.svc(words`topics subscribe announcements u9`);
    const read = () =>
      rig.svc(line('u9', '--file', 'u9.json', '--yes'), { tty: true, columns: 300 });
    const all = await read();
    const [count] = /activity \(\d+\)/.exec(all.stdout) ?? [];
    expect(all.stdout).toMatch(
      /^Wrote the report about u9 to u9\.json: subscriber, preferences, topics \(1\), credentials \(0\), connections \(0\), endpoints \(0\), messages \(\d+\), inbox \(\d+\), activity \(\d+\)\.\n$/,
    );
    rig.answerBy(({ url: { pathname } }) =>
      pathname === '/v1/messages' || pathname.endsWith('/preferences')
        ? { status: 402, body: { statusCode: 402, message: 'Upgrade your plan' } }
        : undefined,
    );
    const { stdout } = await read();
    expect(stdout).toContain(': subscriber, topics (1), credentials (0), connections (0), ');
    expect(stdout).toContain(`, endpoints (0), inbox (`);
    expect(stdout).toContain(String(count));
  });

  it('replaces a file that it wrote before, and another one with --force', async () => {
    const rig = await openRig();
    const write = (content: string) => writeFileSync(path.join(rig.folder, 'u1.json'), content);
    const save = async (...more: string[]) =>
      (await rig.svc(line('u1', '--file', 'u1.json', ...more))).code;
    for (const own of ['', '{"subscriber":', '{\n  "subscriber": {}'])
      for (const [code, ...more] of [[0, '--yes'], [2]] as const) {
        write(own);
        expect({ own, code: await save(...more) }).toEqual({ own, code });
      }
    for (const other of ['x{"subscriber":', 'subscriber', '{"other":1,"subscriber":2}']) {
      write(other);
      expect({ other, code: await save('--yes') }).toEqual({ other, code: 2 });
      expect(readFileSync(path.join(rig.folder, 'u1.json'), 'utf8')).toBe(other);
      expect(await save('--force')).toBe(0);
    }
    const { stderr } = await rig.svc(line('u1', '--file', 'u1.json'));
    expect(stderr).toContain('replace u1.json on this machine');
  });

  it('has no credentials without the subscriber, and says so', async () => {
    const rig = await openRig();
    rig.answerBy(({ url: { pathname } }) =>
      pathname === '/v2/subscribers/u1'
        ? { status: 402, body: { statusCode: 402, message: 'Upgrade your plan' } }
        : undefined,
    );
    const { stdout } = await rig.svc(line('u1', '--json'));
    expect(parsed(stdout)).toMatchObject({
      subscriber: null,
      credentials: null,
      unreadable: [
        { part: 'subscriber', reason: expect.stringContaining('Upgrade your plan') },
        { part: 'credentials', reason: 'they are in the subscriber' },
      ],
    });
  });

  it('fails and writes no file if the key may read none of them', async () => {
    const rig = await openRig();
    const forbidden = { statusCode: 403, message: 'Forbidden resource' };
    rig.answerBy(() => ({ status: 403, body: forbidden }));
    const { code, stdout, stderr } = await rig.svc(line('u1', '--file', 'u1.json'));
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toContain('Error: Forbidden resource');
    expect(existsSync(path.join(rig.folder, 'u1.json'))).toBe(false);
  });

  it('names every part that the key may not read, in the order of the report', async () => {
    const rig = await openRig();
    const forbidden = { statusCode: 403, message: 'Forbidden resource' };
    rig.answerBy(({ url: { pathname } }) =>
      /\/(preferences|channel-connections|channel-endpoints)$/.test(pathname)
        ? { status: 403, body: forbidden }
        : undefined,
    );
    const { code, stdout } = await rig.svc(line('u1', '--json'));
    const { unreadable } = parsed(stdout) as { unreadable: { part: string }[] };
    expect({ code, parts: unreadable.map(({ part }) => part) }).toEqual({
      code: 0,
      parts: ['preferences', 'connections', 'endpoints'],
    });
  });

  it('is not found for an unknown subscriber, with the command that lists them', async () => {
    const rig = await openRig();
    const missing = await rig.svc(line('ghost', '--json'));
    expect(printedError(missing.stderr)).toMatchObject({ code: 5, next: ['svc subscribers list'] });
    const refused = { statusCode: 422, message: 'Validation error' };
    rig.answerBy(() => ({ status: 422, body: refused }));
    const { code, stderr } = await rig.svc(line('u1', '--json'));
    expect(code).toBe(6);
    expect(printedError(stderr).next).toEqual([]);
  });

  it('has every record, of several pages, and the preferences of all workflows', async () => {
    const rig = await openRig();
    const messages = await listOf(rig, 'messages', 'list');
    const all = Array.from({ length: 120 }, (_unused, index) => ({
      ...messages[0],
      _id: `m${index}`,
    }));
    rig.answerBy(({ url: { pathname, searchParams } }) => {
      if (pathname !== '/v1/messages') return undefined;
      const [page, size] = ['page', 'limit'].map((name) => Number(searchParams.get(name))) as [
        number,
        number,
      ];
      const data = all.slice(page * size, (page + 1) * size);
      return { status: 200, body: { data, page, pageSize: size, hasMore: data.length === size } };
    });
    const { stdout, stderr, requests } = await rig.svc(line('u1', '--json'));
    expect(stderr).toBe('');
    expect(parsed(stdout).messages).toHaveLength(120);
    expect(requests.map((request) => request.line)).toContain(
      'GET /v2/subscribers/u1/preferences?criticality=all',
    );
  });

  it('prints the id, or the file that it wrote', async () => {
    const { svc } = await openRig();
    expect((await svc(line('u1', '-o', 'ids'))).stdout).toBe('u1\n');
    expect((await svc(line('u1', '--file', 'a.json', '-o', 'ids'))).stdout).toBe('a.json\n');
    const { stdout } = await svc(line('u1', '--file', 'b.json', '--json'));
    expect(parsed(stdout)).toEqual({ subscriberId: 'u1', file: 'b.json', unreadable: [] });
  });
});

/** The messages of u1. */
const listOf = async ({ svc }: Rig, ...list: string[]) =>
  JSON.parse((await svc([...list, '--subscriber', 'u1', '--all', '--json'])).stdout) as object[];

describe('the table of a report', () => {
  const table = async ({ svc }: Rig, id: string) =>
    (await svc(line(id), { tty: true, columns: 120 })).stdout;

  it('has a line for each part', async () => {
    const rig = await openRig();
    openChannels319(rig);
    expect(await table(rig, 'u1')).toBe(
      [
        'SUBSCRIBER   u1, Ada, Okafor, ada@example.com, +15550101',
        'PREFERENCES  readable',
        'TOPICS       2 topics',
        'CREDENTIALS  2 providers',
        'CONNECTIONS  1 connection',
        'ENDPOINTS    1 endpoint',
        'MESSAGES     6 messages',
        'INBOX        3 notifications',
        'ACTIVITY     4 events',
        '',
      ].join('\n'),
    );
  });

  it('shows only what a subscriber has', async () => {
    const rig = await openRig();
    await rig.svc(['subscribers', 'create', 'nameless']);
    expect(await table(rig, 'nameless')).toBe(
      [
        'SUBSCRIBER   nameless',
        'PREFERENCES  readable',
        ...['TOPICS       none', 'CREDENTIALS  none', 'CONNECTIONS  none', 'ENDPOINTS    none'],
        ...['MESSAGES     none', 'INBOX        none', 'ACTIVITY     none'],
        '',
      ].join('\n'),
    );
  });

  it('counts a topic with several subscriptions once', async () => {
    const rig = await openRig();
    const [first, second] = ['a', 'b'].map((identifier) => ({
      ...{ _id: identifier, identifier, createdAt: '2026-01-15T12:00:00.000Z' },
      topic: { _id: 't', key: 'announcements', name: 'Announcements' },
    }));
    const body = { data: [first, second], ...{ next: null, previous: null } };
    rig.answerBy(({ url: { pathname } }) =>
      pathname === '/v2/subscribers/u1/subscriptions'
        ? { status: 200, body: { ...body, totalCount: 2, totalCountCapped: false } }
        : undefined,
    );
    expect(await table(rig, 'u1')).toMatch(/^TOPICS {7}1 topic$/m);
  });

  it('says that the subscriber and the preferences cannot be read', async () => {
    const rig = await openRig();
    rig.answerBy(({ url: { pathname } }) =>
      pathname.startsWith('/v2/subscribers/u1')
        ? { status: 402, body: { statusCode: 402, message: 'Upgrade your plan' } }
        : undefined,
    );
    const printed = await table(rig, 'u1');
    for (const part of ['SUBSCRIBER  ', 'PREFERENCES ', 'CREDENTIALS ', 'TOPICS      '])
      expect(printed).toContain(`${part} cannot be read\n`);
  });
});

// The inbox on servers since 3.15, which have routes for notifications with archive and snooze.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { baseUrl, testKey } from '../../support/fixed.ts';
import { ids319, inbox319 } from '../../support/inbox-319.ts';
import { openRig, parsed, type Rig } from '../../support/rig.ts';
import { refused } from '../../support/server-319.ts';

const ids = ids319;

/** `lacks`: the server is older, so only the feed of the sandbox works. */
function openServer(rig: Rig, { lacks = false } = {}): void {
  const newer = inbox319();
  rig.answerBy((request) => {
    const answer = newer(request);
    const message = `Cannot ${request.method} ${request.url.pathname}`;
    return answer && lacks ? refused(404, 'Not Found', message) : answer;
  });
}

/** A profile, which can remember what its server lacks. */
async function openProfile(options: { lacks?: boolean } = {}) {
  const rig = await openRig({ bare: true });
  const login = ['login', '--profile', 'work', '--api-key-file', '-', '--base-url', baseUrl];
  expect((await rig.svc(login, { stdin: `${testKey}\n` })).code).toBe(0);
  openServer(rig, options);
  const svc = (line: string) => rig.svc(line.split(' '));
  return { rig, svc };
}

const paths = (requests: readonly { line: string }[]) =>
  requests.map(({ line }) => line.split(' ')[1]?.split('?')[0]);

it('a list has the members of the feed, and those that only the newer routes have', async () => {
  const { svc } = await openProfile();
  const { code, stdout, requests } = await svc('inbox list u1 --json');
  expect(code).toBe(0);
  expect(paths(requests)).toEqual(['/v2/subscribers/u1/notifications']);
  expect(parsed(stdout)).toMatchObject([
    {
      ...{ _id: ids[0], transactionId: 'tx-5a', subject: 'Hi A', content: 'Welcome N1' },
      ...{ read: false, seen: false, templateIdentifier: 'welcome', channel: 'in_app' },
      ...{ isArchived: false, severity: 'none', to: { subscriberId: 'u1' } },
    },
    { _id: ids[1] },
    { _id: ids[2] },
  ]);
});

it.each([
  ['--archived', 'archived', 'true'],
  ['--unread', 'read', 'false'],
])('the filters are sent, also to the newer routes: %s', async (option, name, value) => {
  const { svc } = await openProfile();
  const line =
    'inbox list u1 --severity high --severity low --tag a --since 2026-05-01T00:00:00Z --limit 2 --page 1 -o ids';
  const { code, stdout, requests } = await svc(`${line} ${option}`);
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  const query = new URL(requests[0]?.line.split(' ')[1] ?? '', 'http://base').searchParams;
  expect([...query].sort()).toEqual(
    [
      ...[
        [name, value],
        ['createdGte', '1777593600000'],
        ['limit', '2'],
        ['offset', '2'],
      ],
      ...[
        ['severity', 'high'],
        ['severity', 'low'],
        ['tags', 'a'],
      ],
    ].sort(),
  );
});

it('all pages are read', async () => {
  const { svc } = await openProfile();
  const { stdout } = await svc('inbox list u1 --all --page-size 2 -o ids');
  expect(stdout).toBe(`${ids.join('\n')}\n`);
});

it('an older server is asked once, and the profile remembers it until its version changes', async () => {
  const { rig, svc } = await openProfile({ lacks: true });
  const first = await svc('inbox list u1 --json');
  expect({ code: first.code, paths: paths(first.requests) }).toEqual({
    code: 0,
    paths: ['/v2/subscribers/u1/notifications', '/v1/subscribers/u1/notifications/feed'],
  });
  const second = await svc('inbox list u1 --json');
  expect(paths(second.requests)).toEqual(['/v1/subscribers/u1/notifications/feed']);
  expect(second.stdout).toBe(first.stdout);
  const file = path.join(rig.folder, 'config', 'config.json');
  expect(readFileSync(file, 'utf8')).toContain('lacksNotifications');
});

it.each([
  ['inbox list u1 --archived'],
  ['inbox count u1 --tag news'],
  [`inbox archive u1 ${ids[0]}`],
])('svc %s on an older server says what it needs', async (line) => {
  const { svc } = await openProfile({ lacks: true });
  const { code, stderr } = await svc(line);
  expect(code).toBe(2);
  expect(stderr).toContain('it needs version 3.15');
});

it('a count with the newer filters counts what matches', async () => {
  const { svc } = await openProfile();
  const { stdout, requests } = await svc('inbox count u1 --seen --archived');
  expect(stdout).toBe('0\n');
  const query = new URL(requests[0]?.line.split(' ')[1] ?? '', 'http://base').searchParams;
  expect(query.get('filters')).toBe('[{"seen":true,"archived":true}]');
});

it.each([
  ['archive u1', `PATCH /v2/subscribers/u1/notifications/${ids[0]}/archive`],
  ['unarchive u1', `PATCH /v2/subscribers/u1/notifications/${ids[0]}/unarchive`],
  ['unsnooze u1', `PATCH /v2/subscribers/u1/notifications/${ids[0]}/unsnooze`],
  [
    'action u1 primary',
    `PATCH /v2/subscribers/u1/notifications/${ids[0]}/actions/primary/complete`,
  ],
  [
    'action --revert u1 primary',
    `PATCH /v2/subscribers/u1/notifications/${ids[0]}/actions/primary/revert`,
  ],
  ['delete --yes u1', `DELETE /v2/subscribers/u1/notifications/${ids[0]}`],
])(
  'svc inbox %s changes each notification, and names those that do not exist',
  async (words, line) => {
    const { svc } = await openProfile();
    await svc(`inbox snooze u1 ${ids[0]} --until 2h`);
    const changed = await svc(`inbox ${words} ${ids[0]} --json`);
    expect({ code: changed.code, lines: changed.requests.map((one) => one.line) }).toEqual({
      code: 0,
      lines: [line],
    });
    if (words.startsWith('delete')) return;
    await svc(`inbox snooze u1 ${ids[0]} --until 2h`);
    const { code, stdout, stderr } = await svc(`inbox ${words} ${ids[0]} 000000000000000000000000`);
    expect(code).toBe(3);
    expect(stdout + stderr).toContain(
      'Notification with id: 000000000000000000000000 is not found.',
    );
  },
);

it('svc inbox delete says which notification is deleted and which is not', async () => {
  const { svc } = await openProfile();
  const { code, stdout } = await svc(`inbox delete u1 ${ids[0]} ${'0'.repeat(24)} --yes --json`);
  expect(code).toBe(3);
  expect(parsed(stdout)).toEqual([
    { _id: ids[0], deleted: true },
    {
      ...{ _id: '0'.repeat(24), deleted: false },
      error: `Notification with id: ${'0'.repeat(24)} is not found.`,
    },
  ]);
});

it('svc inbox archive reads the ids from standard input with -', async () => {
  const { rig } = await openProfile();
  const stdin = `${ids[0]}\n\n${ids[0]}\n`;
  const { code, requests } = await rig.svc(['inbox', 'archive', 'u1', '-'], { stdin });
  expect({ code, lines: requests.map(({ line }) => line) }).toEqual({
    code: 0,
    lines: [`PATCH /v2/subscribers/u1/notifications/${ids[0]}/archive`],
  });
});

it('an unknown subscriber is reported as not found', async () => {
  const { svc } = await openProfile();
  for (const words of ['list ghost', 'count ghost', `archive ghost ${ids[0]}`])
    expect((await svc(`inbox ${words}`)).code, words).toBe(5);
});

it('svc inbox snooze sends the time', async () => {
  const { svc } = await openProfile();
  const { stdout, requests } = await svc(`inbox snooze u1 ${ids[0]} --until 2h --json`);
  expect(requests[0]?.body).toEqual({ snoozeUntil: expect.stringMatching(/^\d{4}-.*Z$/) });
  expect(parsed(stdout)).toMatchObject([{ _id: ids[0], isSnoozed: true }]);
  expect((await svc(`inbox snooze u1 ${ids[0]}`)).code).toBe(2);
});

it('mark --all finds by the newer filters', async () => {
  const { svc } = await openProfile();
  const line = 'inbox mark u1 read --all --tag onboarding --yes --dry-run';
  const { stdout } = await svc(line);
  for (const id of ids) expect(stdout).toContain(id);
});

it('count and mark find by time', async () => {
  const { svc } = await openProfile();
  const counted = await svc('inbox count u1 --since 2020-01-01 --json');
  expect(parsed(counted.stdout)).toEqual({ count: 3 });
  expect(counted.requests[0]?.line).toContain('createdGte=1577836800000');
  const marked = await svc('inbox mark u1 read --all --since 2020-01-01 --yes --dry-run');
  for (const id of ids) expect(marked.stdout).toContain(id);
});

it.each([
  ['3.19', ['/v2/subscribers/u1/notifications']],
  ['3.11', ['/v2/subscribers/u1/notifications', '/v1/subscribers/u1/notifications/feed']],
] as const)(
  'a profile of a sandbox of %s asks for %j, and remembers nothing',
  async (service, asked) => {
    const rig = await openRig({ bare: true, service });
    const login = ['login', '--profile', 'local', '--api-key-file', '-', '--base-url', baseUrl];
    expect((await rig.svc(login, { stdin: `${testKey}\n` })).code).toBe(0);
    const file = path.join(rig.folder, 'config', 'config.json');
    const config = JSON.parse(readFileSync(file, 'utf8'));
    config.profiles.local.sandbox = true;
    writeFileSync(file, JSON.stringify(config));
    const list = () => rig.svc(['inbox', 'list', 'u1', '--json']);
    const { code, requests, stdout } = await list();
    expect({ code, asked: paths(requests) }).toEqual({ code: 0, asked: [...asked] });
    expect(parsed(stdout)[0]).toMatchObject({
      templateIdentifier: expect.any(String),
      read: false,
    });
    expect(paths((await list()).requests)).toEqual([...asked]);
    expect(readFileSync(file, 'utf8')).not.toContain('lacksNotifications');
  },
);

// The texts of svc subscribers erase: before it asks, of each person, and at the end of a list.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { printedError } from '../../support/printed-error.ts';
import { listWrites } from '../../support/requests.ts';
import { openRig, parsed, type Rig, writeInput } from '../../support/rig.ts';

const erase = (...more: string[]) => ['subscribers', 'erase', ...more];

/** An event for u8 that has finished. */
async function openWithEvent() {
  const rig = await openRig();
  await rig.svc(['events', 'trigger', 'welcome', '--to', 'u8']);
  return rig;
}

/** Writes a cached value with the id. */
function writeCached(rig: Rig, id: string): void {
  const folder = path.join(rig.folder, 'cache', 'values');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'subscribers'), `${id}\n`);
}

/** Without control characters, and `~` for the folder of the rig. The ids that svc has cached itself are left out. */
const shown = (text: string, { folder }: Rig) =>
  stripVTControlCharacters(text)
    .replaceAll('\r', '')
    .replaceAll(folder, '~')
    .replace(/^ *~\/cache\/values\/http.*\n/gm, '');
const cached = '~/cache/values/subscribers (values for completion; you can delete the file)';

describe('before anything is erased', () => {
  it('ids that do not exist are an error with the command that lists the others', async () => {
    const rig = await openRig();
    for (const [ids, message] of [
      [['ghost'], 'Subscriber ghost does not exist. Nothing was erased.'],
      [['ghost', 'fantasma'], 'Subscribers ghost and fantasma do not exist. Nothing was erased.'],
    ] as const) {
      const { stderr } = await rig.svc(erase(...ids, '--yes', '--json'));
      const next = ['svc subscribers list'];
      expect(printedError(stderr)).toMatchObject({ code: 5, message, next });
    }
    const { stderr } = await rig.svc(erase());
    expect(stderr).toBe(
      'Error: No subscriber is given.\n  svc subscribers erase <subscriber-id>\n  svc subscribers list\n',
    );
  });

  it('a person is asked with what there is, and that it cannot be undone', async () => {
    const rig = await openRig();
    await rig.svc(['subscribers', 'create', 'u80']);
    const stdin = new PassThrough();
    let drawn = '';
    const { code, stderr, requests } = await rig.svc(erase('u80'), {
      ...{ tty: true, columns: 200, stdin, readKeys: async () => () => undefined },
      onPrompt(text) {
        if (drawn === '') setImmediate(() => stdin.write('n\n'));
        drawn += stripVTControlCharacters(text).replaceAll('\n', '');
      },
    });
    expect(code).toBe(2);
    expect(drawn).toContain(
      'Erase subscriber u80 with all messages, subscriptions, preferences and credentials at http://sandbox.localhost? This cannot be undone.',
    );
    expect(stderr).toMatch(/^u80: 0 messages, 0 subscriptions, credentials of 0 providers\.\n/);
    expect(listWrites(requests)).toEqual([]);
  });

  it('a pending event without a workflow is named by its transaction', async () => {
    const rig = await openRig();
    const event = (transactionId: string, template?: object) => ({
      ...{ _id: `id-${transactionId}`, transactionId, template, jobs: [{ status: 'delayed' }] },
    });
    const data = [event('txn_1'), event('txn_2', { name: 'Welcome' })];
    rig.answerBy(({ url }) =>
      url.pathname === '/v1/notifications'
        ? { status: 200, body: { data, hasMore: false, page: 0, pageSize: 50 } }
        : undefined,
    );
    const { code, stderr } = await rig.svc(erase('u9', '--yes', '--json'));
    const { message, details, hint } = printedError(stderr);
    expect({ code, message, details }).toEqual({
      ...{ code: 2, message: '2 transactions pending. Nothing was erased.' },
      details: [
        { field: 'txn_1', message: 'pending for u9' },
        { field: 'txn_2', message: 'pending for u9 (Welcome)' },
      ],
    });
    expect(hint).toMatch(/^Wait until .*, or add --pending keep\.$/);
  });

  it('each person is read once', async () => {
    const rig = await openRig();
    const { requests } = await rig.svc(erase('u9', '--yes'));
    const lines = requests.map(({ line }) => line.split('?')[0]);
    expect(lines.filter((line) => line === 'GET /v1/notifications')).toHaveLength(1);
    expect(lines.filter((line) => line === 'GET /v2/subscribers/u9')).toHaveLength(3);
  });
});

describe('the result', () => {
  it('of one person has a line for each part', async () => {
    const rig = await openWithEvent();
    writeCached(rig, 'u8');
    const { stdout } = await rig.svc(erase('u8', '--yes'), { tty: true, columns: 300 });
    expect(shown(stdout, rig)).toBe(
      [
        'Erased subscriber u8 at http://sandbox.localhost.',
        'u8:',
        '  messages: deleted; the list is empty',
        '  preferences: deleted with the subscriber, which the service confirmed',
        '  subscriber: not found',
        '  activity: the service keeps past events until its retention time is over',
        '  on this machine:',
        `    ${cached}`,
        '',
      ].join('\n'),
    );
  });

  it('of a person with subscriptions and credentials', async () => {
    const rig = await openRig();
    const line = erase('u1', '--yes', '--pending', 'keep');
    const { stdout } = await rig.svc(line, { tty: true, columns: 300 });
    expect(stdout).toContain(
      [
        '  subscriptions: removed; the topics do not list the subscriber',
        '  credentials: removed; the subscriber had none before it was deleted',
        '  preferences: deleted',
      ].join('\n'),
    );
  });

  it('of several people, as ids, and for people', async () => {
    const rig = await openRig();
    const ran = await rig.svc(erase('u9', 'ghost', 'u8', '--yes', '-o', 'ids'));
    expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 3, stdout: 'u9\nu8\n' });
    await rig.svc(['subscribers', 'create', 'a']);
    await rig.svc(['subscribers', 'create', 'b']);
    const both = await rig.svc(erase('a', 'b', '--yes'), { tty: true });
    expect(both.stdout).toMatch(/^Erased 2 subscribers at /);
  });

  it('counts the people who are not erased', async () => {
    const rig = await openWithEvent();
    // No id is cached, so that no file of this machine is listed.
    rmSync(path.join(rig.folder, 'cache'), { recursive: true, force: true });
    writeFileSync(path.join(rig.folder, 'cache'), '');
    rig.answerBy(({ method, url }) =>
      method === 'DELETE' && url.pathname.startsWith('/v1/messages/')
        ? { status: 200, body: { acknowledged: true, status: 'deleted' } }
        : undefined,
    );
    const one = await rig.svc(erase('u8', '--yes'), { tty: true, columns: 300 });
    expect(one.code).toBe(3);
    expect(shown(one.stdout, rig)).toBe(
      [
        'Erased 0 of 1 subscriber at http://sandbox.localhost.',
        'u8:',
        '  messages: NOT removed',
        '  preferences: NOT removed',
        '  subscriber: NOT removed',
        '  activity: the service keeps past events until its retention time is over',
        '',
      ].join('\n'),
    );
  });

  it('names the run of a file, and the command that deletes it', async () => {
    const rig = await openRig();
    const folder = path.join(rig.folder, 'state', 'runs', 'r1');
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'input'), 'u9\n');
    const { stdout } = await rig.svc(erase('u9', '--yes'), { tty: true, columns: 300 });
    expect(shown(stdout, rig)).toContain(
      '\n    ~/state/runs/r1/input (copy of the input; svc runs delete r1)\n',
    );
  });
});

describe('the result of a list', () => {
  it('names the ids that do not exist, the past events and the local files', async () => {
    const rig = await openWithEvent();
    const list = writeInput(rig, 'former.txt', 'ghost\nu8\nu9\n');
    await rig.svc(['subscribers', 'create', 'new']);
    const others = writeInput(rig, 'new.txt', 'new\n');
    const plain = await rig.svc(erase('--file', others, '--yes', '--json'));
    expect(parsed(plain.stdout)).toMatchObject({ erased: 1, localFiles: [] });
    expect(parsed(plain.stdout)).not.toHaveProperty('absentIds');
    expect(plain.stderr).toBe('');
    await rig.svc(['subscribers', 'create', 'new']);
    const shownToPeople = await rig.svc(erase('--file', others, '--yes'), { tty: true });
    expect(shown(shownToPeople.stderr, rig)).toBe('');
    writeCached(rig, 'u9');
    const { stderr } = await rig.svc(erase('--file', list, '--yes'), { tty: true, columns: 300 });
    expect(shown(stderr, rig)).toBe(
      [
        'Subscriber ghost does not exist.',
        'The service keeps the past events of 2 subscribers until its retention time is over.',
        'Files on this machine that have some of the ids:',
        `  ${cached}`,
        '',
      ].join('\n'),
    );
  });

  it('in JSON has the files, and names the column of the ids', async () => {
    const rig = await openRig();
    writeCached(rig, 'u9');
    const file = path.join(rig.folder, 'cache/values/subscribers');
    const list = writeInput(rig, 'former.csv', 'name,subscriberId\nu8,u9\n');
    const { stdout } = await rig.svc(erase('--file', list, '--yes', '--json'));
    expect(parsed(stdout)).toMatchObject({ erased: 1, localFiles: [file] });
    const wrong = writeInput(rig, 'wrong.csv', 'name\nu8\n');
    const { stderr } = await rig.svc(erase('--file', wrong, '--yes'));
    expect(stderr).toContain('wrong.csv has no column `subscriberId`.');
  });

  it('has the command for the rejected rows', async () => {
    const rig = await openRig();
    const list = writeInput(rig, 'former.ndjson', '{"subscriberId":"u9"}\n{"subscriberId":""}\n');
    const { stdout } = await rig.svc(erase('--file', list, '--yes'), { tty: true, columns: 300 });
    expect(stdout).toMatch(
      /\nErase the others: svc subscribers erase --file .* --pending refuse\n/,
    );
  });
});

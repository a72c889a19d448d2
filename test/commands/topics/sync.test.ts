// svc topics sync, with the whole program.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { filterWrites } from '../../support/requests.ts';
import { openRig, parsed, type Rig, writeInput } from '../../support/rig.ts';
import { words } from '../../support/words.ts';

const listSubscribers = async ({ svc }: Rig, topic = 'announcements') =>
  (await svc(['topics', 'subscribers', topic, '--all', '-o', 'ids'])).stdout
    .split('\n')
    .filter(Boolean)
    .sort();

const line = (file: string, ...more: string[]) => words`topics sync announcements ${file} ${more}`;

/** Makes the topic equal to these ids. */
async function subscribe(rig: Rig, ids: readonly string[]) {
  await rig.svc(['topics', 'delete', 'announcements', '--yes']);
  await rig.svc(['topics', 'subscribe', 'announcements', ...ids, '--create']);
}

const writes = (requests: readonly { line: string; body: unknown }[]) =>
  filterWrites(requests).map(({ line: sent, body }) => [sent.split(' ')[0], body]);

describe('svc topics sync', () => {
  it('adds first and removes then, after a plan and a question', async () => {
    const rig = await openRig();
    await subscribe(rig, ['u1', 'u2', 'u3']);
    const file = writeInput(rig, 'ids.txt', 'u2\nu4\n\nu5\nu2\n');
    const refused = await rig.svc(line(file, '--max-delete', '2'));
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('Topic announcements: 2 to add, 2 to remove, 1 unchanged.');
    expect(refused.stderr).toContain('To remove: u1 and u3.');
    expect(writes(refused.requests)).toEqual([]);
    const { code, stdout, requests } = await rig.svc(
      line(file, '--max-delete', '2', '--yes', '--json'),
    );
    expect({ code, summary: parsed(stdout) }).toMatchObject({
      code: 0,
      summary: { rows: 4, added: 2, removed: 2, unchanged: 1, failed: 0, rejects: null },
    });
    expect(writes(requests)).toEqual([
      ['POST', { subscriberIds: ['u4', 'u5'] }],
      ['DELETE', { subscriberIds: ['u1', 'u3'] }],
    ]);
    expect(await listSubscribers(rig)).toEqual(['u2', 'u4', 'u5']);
    const again = await rig.svc(line(file, '--json'));
    expect({ code: again.code, summary: parsed(again.stdout) }).toMatchObject({
      code: 0,
      summary: { runId: null, rows: 0, added: 0, removed: 0, unchanged: 3 },
    });
  });

  const numbered = (count: number) =>
    Array.from({ length: count }, (_unused, index) => `x${index}`);
  const lines = (count: number, text: (index: number) => string) =>
    Array.from({ length: count }, (_unused, index) => `  ${text(index)}\n`).join('');

  it.each([
    [
      'is empty',
      'ids.txt',
      '\n',
      '<home>/ids.txt has no ids. Nothing was sent.\nTo remove all subscribers, unsubscribe them.\n  svc topics unsubscribe --help\n',
    ],
    [
      'has an unknown id',
      'ids.txt',
      'u1\nghost\n',
      '1 subscriber of ids.txt does not exist. Nothing was sent.\n  ghost: does not exist\n  svc subscribers bulk-import <file>\n',
    ],
    [
      'has many unknown ids',
      'ids.txt',
      numbered(11).join('\n'),
      `11 subscribers of ids.txt do not exist. Nothing was sent.\n${lines(10, (index) => `x${index}: does not exist`)}  svc subscribers bulk-import <file>\n`,
    ],
    [
      'has an invalid row',
      'ids.ndjson',
      '{"subscriberId":"u1"}\n\n{"subscriberId":5}\n',
      '<home>/ids.ndjson has 1 invalid row. Nothing was sent.\n  line 3: subscriberId: is required\n',
    ],
    [
      'has a broken row',
      'ids.ndjson',
      '{"subscriberId":"u1"}\n{"subscriberId"\n',
      '<home>/ids.ndjson has 1 invalid row. Nothing was sent.\n  line 2: is not JSON: ',
    ],
    [
      'has many invalid rows',
      'ids.ndjson',
      '{}\n'.repeat(11),
      `<home>/ids.ndjson has 11 invalid rows. Nothing was sent.\n${lines(10, (index) => `line ${index + 1}: subscriberId: is required`)}`,
    ],
  ])('sends nothing if the file %s', async (_name, file, content, text) => {
    const rig = await openRig();
    const folder = path.dirname(writeInput(rig, file, content));
    const { code, stderr, requests } = await rig.svc(line(file, '--yes'));
    expect(code).toBe(2);
    const message = stderr.replaceAll(folder, '<home>');
    // The text of a syntax error belongs to the runtime.
    expect(text.endsWith(': ') ? message.slice(0, text.length + 7) : message).toBe(
      `Error: ${text}`,
    );
    expect(writes(requests)).toEqual([]);
  });

  it('reads ids from standard input, and names at most ten that it removes', async () => {
    const rig = await openRig();
    const rows = numbered(12);
    const people = writeInput(rig, 'people.csv', `subscriberId\n${rows.join('\n')}\n`);
    await rig.svc(['subscribers', 'bulk-import', people]);
    await subscribe(rig, [...rows, 'u1']);
    const refused = await rig.svc(line('-', '--max-delete', '11', '--yes'), { stdin: 'u1\n' });
    expect({ code: refused.code, stderr: refused.stderr }).toEqual({
      code: 2,
      stderr:
        'Error: This would remove 12 of 13 subscribers from topic announcements, more than --max-delete 11 allows.\nCheck the file. To remove them, add --max-delete 12.\n',
    });
    const { code, stderr } = await rig.svc(line('-', '--max-delete', '12', '--yes'), {
      stdin: 'u1\nu2\n',
    });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: `Topic announcements: 1 to add, 12 to remove, 1 unchanged.\nTo remove: ${[...rows].sort().slice(0, 10).join(', ')} and 2 more.\n`,
    });
    expect(await listSubscribers(rig)).toEqual(['u1', 'u2']);
  });

  it('asks with the numbers, and starts no run without changes', async () => {
    const rig = await openRig();
    await subscribe(rig, ['u1', 'u2']);
    const file = writeInput(rig, 'ids.csv', 'Subscriber ID,Name\nu1,A\n,\nu3,B\n');
    const asked = await rig.svc(line(file, '--max-delete', '1'));
    expect(asked.code).toBe(2);
    expect(asked.stderr).toContain(
      'Error: Confirmation is required to add 1 subscriber to topic announcements and remove 1 at',
    );
    const { code, stdout } = await rig.svc(line(file, '--max-delete', '1', '--yes'), { tty: true });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Synced 2 of 2 rows at \S+ in 0 s \(2\/s\): 1 unchanged, 1/);
    const again = await rig.svc(line(file), { tty: true });
    expect(again.stdout).toBe('Topic announcements equals the file: 2 subscribers.\n');
    expect(await rig.svc(line(file, '-o', 'ids'))).toMatchObject({ code: 0, stdout: '' });
    expect(parsed((await rig.svc(line(file, '--json'))).stdout)).toMatchObject({
      runId: null,
      rejects: null,
      resumed: false,
      stopped: null,
    });
  });

  it('reads the column that --map names, and names no one if it only adds', async () => {
    const rig = await openRig();
    await subscribe(rig, ['u1']);
    const file = writeInput(rig, 'ids.csv', 'Nr,Name\nu1,A\nu3,B\n');
    const { code, stderr } = await rig.svc(line(file, '--map', 'subscriberId=Nr', '--yes'));
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'Topic announcements: 1 to add, 0 to remove, 1 unchanged.\n',
    });
    expect(await listSubscribers(rig)).toEqual(['u1', 'u3']);
  });

  it('removes at most 10% without --max-delete', async () => {
    const rig = await openRig();
    await subscribe(rig, ['u1', 'u2', 'u3']);
    const file = writeInput(rig, 'ids.txt', 'u1\nu2\n');
    for (const more of [[], ['--max-delete', '33%'], ['--max-delete', '0']]) {
      const { code, stderr, requests } = await rig.svc(line(file, '--yes', ...more));
      expect(code).toBe(2);
      expect(stderr).toContain('This would remove 1 of 3 subscribers from topic announcements');
      expect(writes(requests)).toEqual([]);
    }
    expect((await rig.svc(line(file, '--yes', '--max-delete', '34%'))).code).toBe(0);
    const wrong = await rig.svc(line(file, '--max-delete', 'some'));
    expect(wrong).toMatchObject({
      code: 2,
      stderr:
        'Error: --max-delete: `some` must be a number of subscribers or a percentage such as 5%.\n',
    });
  });

  it('removes no subscriber if an addition stops the run; resume continues the plan', async () => {
    const rig = await openRig();
    await subscribe(rig, ['u1', 'u2']);
    const file = writeInput(rig, 'ids.txt', 'u2\nu3\n');
    let isDown = true;
    rig.answerBy(({ method }) =>
      isDown && method === 'POST' ? { status: 403, body: { message: 'Forbidden' } } : undefined,
    );
    const stopped = await rig.svc(line(file, '--max-delete', '1', '--yes', '--json'));
    expect(stopped.code).toBe(4);
    expect(writes(stopped.requests).map(([method]) => method)).toEqual(['POST']);
    isDown = false;
    writeInput(rig, 'ids.txt', 'other content\n');
    const { code, stdout } = await rig.svc(['runs', 'resume', 'last', '--json']);
    expect({ code, summary: parsed(stdout) }).toMatchObject({
      code: 0,
      summary: { rows: 2, added: 1, removed: 1, unchanged: 1, resumed: true },
    });
    expect(await listSubscribers(rig)).toEqual(['u2', 'u3']);
  });

  it('shows the plan and the first request with --dry-run', async () => {
    const rig = await openRig();
    const file = writeInput(rig, 'ids.txt', 'u1\nu2\nu3\nu4\nu5\nu6\n');
    const before = await listSubscribers(rig);
    const { code, stdout, stderr } = await rig.svc(line(file, '--dry-run', '--max-delete', '100%'));
    expect(code).toBe(0);
    expect(stderr).toContain('to add');
    expect(stdout).toContain('/v2/topics/announcements/subscriptions');
    expect(await listSubscribers(rig)).toEqual(before);
  });

  it('checks many new ids in the listing of subscribers', async () => {
    const rig = await openRig();
    const rows = Array.from({ length: 150 }, (_unused, index) => `n${index}`);
    await rig.svc([
      'subscribers',
      'bulk-import',
      writeInput(rig, 'n.csv', `subscriberId\n${rows.join('\n')}\n`),
    ]);
    const file = writeInput(rig, 'ids.txt', [...rows, ...(await listSubscribers(rig))].join('\n'));
    const { code, requests } = await rig.svc(line(file, '--yes', '--quiet'));
    expect(code).toBe(0);
    expect(requests.map(({ line: sent }) => sent.split('?')[0])).toEqual([
      'GET /v2/topics/announcements/subscriptions',
      'GET /v2/subscribers',
      'GET /v2/subscribers',
      'POST /v2/topics/announcements/subscriptions',
      'POST /v2/topics/announcements/subscriptions',
    ]);
    const again = await rig.svc(line(file, '--yes'), { tty: true });
    expect(again.stdout).toMatch(/^Topic announcements equals the file: 15\d subscribers\.$/m);
  });

  it('is not found for a missing topic, and rejects changes that the service refuses', async () => {
    const rig = await openRig();
    const file = writeInput(rig, 'ids.txt', 'u1\nu8\nu9\n');
    expect((await rig.svc(['topics', 'sync', 'announcement', file])).stderr).toContain(
      'Did you mean `announcements`?',
    );
    const args = line(file, '--yes', '--json', '--max-delete', '100%');
    rig.answerBy(({ method }) =>
      method === 'POST'
        ? {
            status: 200,
            body: {
              data: [{ subscriber: { subscriberId: 'u8' } }],
              meta: {},
              errors: [{ subscriberId: 'u9', message: 'gone' }],
            },
          }
        : undefined,
    );
    const { code, stdout, stderr } = await rig.svc(args);
    expect({ code, summary: parsed(stdout) }).toMatchObject({
      code: 3,
      summary: { added: 1, failed: 1 },
    });
    expect(readFileSync(String(parsed(stdout).rejects), 'utf8')).toContain('"_error":"gone"');
    expect(stderr).toContain(
      `Sync the topic again: svc topics sync announcements ${file} --max-delete 100%"`,
    );
  });
});

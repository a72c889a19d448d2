// The bulk commands and their journals, through the whole program.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRig, type Rig } from '../../support/rig.ts';

const file = ({ folder }: Rig, name: string, text: string) => {
  writeFileSync(path.join(folder, name), text);
  return path.join(folder, name);
};
const parsed = (stdout: string) => JSON.parse(stdout) as Record<string, unknown>;

describe('svc topics subscribe --file', () => {
  it('subscribes a plain list, and says which ids are none', async () => {
    const rig = await openRig();
    const list = file(rig, 'ids.txt', 'u1\n\n  u2  \nnobody\n');
    const { code, stdout, requests } = await rig.svc([
      'topics',
      'subscribe',
      'announcements',
      '--file',
      list,
      '--json',
    ]);
    expect(code).toBe(3);
    expect(parsed(stdout)).toMatchObject({ rows: 3, subscribed: 2, failed: 1 });
    expect(requests.at(-1)?.body).toEqual({ subscriberIds: ['u1', 'u2', 'nobody'] });
    expect(readFileSync(String(parsed(stdout).rejects), 'utf8')).toMatch(
      /^subscriberId,_line,_error\nnobody,4,/,
    );
  });

  it('counts each id as failed when a whole request is refused for its ids', async () => {
    const rig = await openRig();
    const list = file(rig, 'ids.csv', 'Subscriber ID,name\nghost-1,A\nghost-2,B\n');
    const { code, stdout } = await rig.svc([
      'topics',
      'subscribe',
      'announcements',
      '--file',
      list,
      '--json',
    ]);
    expect(code).toBe(6);
    expect(parsed(stdout)).toMatchObject({ rows: 2, subscribed: 0, failed: 2, stopped: null });
  });

  it('sends at most a hundred at a time', async () => {
    const rig = await openRig();
    const ids = Array.from({ length: 250 }, () => 'u1').join('\n');
    const { requests } = await rig.svc(
      ['topics', 'subscribe', 'announcements', '--file', '-', '--quiet'],
      { stdin: ids },
    );
    expect(
      requests
        .slice(1)
        .map(({ body }) => (body as { subscriberIds: string[] }).subscriberIds.length),
    ).toEqual([100, 100, 50]);
  });

  it('needs the topic unless --create is given', async () => {
    const rig = await openRig();
    const list = file(rig, 'ids.txt', 'u1\n');
    expect((await rig.svc(['topics', 'subscribe', 'launch', '--file', list])).code).toBe(5);
    expect(
      (await rig.svc(['topics', 'subscribe', 'launch', '--file', list, '--create'])).code,
    ).toBe(0);
  });
});

describe('svc events trigger --to-file', () => {
  it('makes one event of each row, with its own transaction, its payload and nothing else', async () => {
    const rig = await openRig();
    const csv = file(rig, 'users.csv', 'id,email,payload.n\nu1,ada@example.com,1\nu2,,2\n');
    const line = [
      'events',
      'trigger',
      'welcome',
      '--to-file',
      csv,
      '--map',
      'subscriberId=id',
      '-f',
      'product=X',
      '--infer',
      '--yes',
      '--json',
    ];
    const { code, stdout, requests } = await rig.svc(line);
    expect(code).toBe(0);
    expect(parsed(stdout)).toMatchObject({ rows: 2, triggered: 2 });
    const { events } = (requests[0]?.body ?? {}) as { events: Record<string, unknown>[] };
    expect(events).toEqual([
      {
        name: 'welcome',
        to: { subscriberId: 'u1' },
        payload: { product: 'X', n: 1 },
        transactionId: expect.stringMatching(/^txn_[0-9a-f]{24}$/),
      },
      {
        name: 'welcome',
        to: { subscriberId: 'u2' },
        payload: { product: 'X', n: 2 },
        transactionId: expect.stringMatching(/^txn_[0-9a-f]{24}$/),
      },
    ]);
    expect(new Set(events.map(({ transactionId }) => transactionId)).size).toBe(2);
  });

  it('sends the other columns with --update-subscribers', async () => {
    const rig = await openRig();
    const csv = file(rig, 'users.csv', 'subscriberId,First Name\nnew-1,Bo\n');
    const line = [
      'events',
      'trigger',
      'welcome',
      '--to-file',
      csv,
      '--update-subscribers',
      '--yes',
    ];
    const { requests } = await rig.svc(line);
    const { events } = (requests[0]?.body ?? {}) as { events: { to: unknown }[] };
    expect(events[0]?.to).toEqual({ subscriberId: 'new-1', firstName: 'Bo' });
  });

  it('asks with the count, and ends with 2 where nobody can be asked', async () => {
    const rig = await openRig();
    const csv = file(rig, 'users.csv', 'subscriberId\nu1\nu2\n');
    const { code, stderr, requests } = await rig.svc([
      'events',
      'trigger',
      'welcome',
      '--to-file',
      csv,
    ]);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain('Trigger welcome for 2 rows');
    expect(stderr).toContain('--yes');
  });

  it.each([[['--transaction-id', 't']], [['--to', 'u1']], [['--wait']]])(
    'refuses %j, which is for one event',
    async (more) => {
      const rig = await openRig();
      const csv = file(rig, 'users.csv', 'subscriberId\nu1\n');
      const { code, requests } = await rig.svc([
        'events',
        'trigger',
        'welcome',
        '--to-file',
        csv,
        '--yes',
        ...more,
      ]);
      expect({ code, requests }).toEqual({ code: 2, requests: [] });
    },
  );
});

describe('svc events trigger --file', () => {
  it('sends events as they stand, and counts each by its result', async () => {
    const rig = await openRig();
    const events = [
      '{"name":"welcome","to":"u1"}',
      '{"name":"nothing","to":"u1"}',
      '{"name":"welcome","to":"u1","transactionId":"mine"}',
      '{"name":"welcome","to":"u2","transactionId":"mine"}',
      '{"to":"u1"}',
      'no json',
    ];
    const { code, stdout } = await rig.svc(
      ['events', 'trigger', '--file', '-', '--yes', '--json'],
      {
        stdin: events.join('\n'),
      },
    );
    expect(code).toBe(3);
    const summary = parsed(stdout);
    expect(summary).toMatchObject({ rows: 6, triggered: 2, failed: 1, invalid: 3 });
    const rejects = readFileSync(String(summary.rejects), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(rejects.map(({ _line, _error }) => [_line, _error])).toEqual([
      [2, 'error: workflow_not_found'],
      [4, 'transactionId: `mine` stands in an earlier row'],
      [5, expect.stringContaining('name')],
      [6, expect.stringContaining('is not JSON')],
    ]);
  });

  it('is no place for a CSV file or a workflow', async () => {
    const rig = await openRig();
    const csv = file(rig, 'users.csv', 'subscriberId\nu1\n');
    expect((await rig.svc(['events', 'trigger', '--file', csv, '--yes'])).stderr).toContain(
      '--to-file',
    );
    expect((await rig.svc(['events', 'trigger', 'welcome', '--file', csv, '--yes'])).code).toBe(2);
  });
});

describe('svc events cancel', () => {
  it('--run undoes a mass send, transactions of the file too', async () => {
    const rig = await openRig();
    const events = ['a', 'b', undefined].map((transactionId, index) =>
      JSON.stringify({
        name: 'trial-ending',
        to: `u${index + 1}`,
        ...(transactionId ? { transactionId } : {}),
      }),
    );
    await rig.svc(['events', 'trigger', '--file', '-', '--yes'], { stdin: events.join('\n') });
    const { code, stdout } = await rig.svc([
      'events',
      'cancel',
      '--run',
      'last',
      '--yes',
      '--json',
    ]);
    expect(code).toBe(0);
    expect(parsed(stdout)).toMatchObject({ rows: 3, cancelled: 3, notWaiting: 0 });
    const again = await rig.svc(['events', 'cancel', '--run', 'last', '--yes', '--json']);
    expect(parsed(again.stdout)).toMatchObject({ cancelled: 0, notWaiting: 3 });
  });

  it('--run last is the newest run by the millisecond, whatever its id', async () => {
    const rig = await openRig();
    const trigger = ['events', 'trigger', '--file', '-', '--yes', '--json'];
    const run = async (count: number) => {
      const event = '{"name":"trial-ending","to":"u1"}';
      const stdin = Array.from({ length: count }, () => event).join('\n');
      return String(parsed((await rig.svc(trigger, { stdin })).stdout).runId);
    };
    const newest = await run(1);
    await run(2);
    const manifest = path.join(rig.folder, 'state', 'runs', newest, 'manifest.json');
    writeFileSync(
      manifest,
      readFileSync(manifest, 'utf8').replace('12:00:00.000Z', '12:00:00.001Z'),
    );
    const listed = await rig.svc(['runs', 'list', '--jq', '.[0].runId']);
    expect(listed.stdout).toBe(`${newest}\n`);
    const { stdout } = await rig.svc(['events', 'cancel', '--run', 'last', '--yes', '--json']);
    expect(parsed(stdout)).toMatchObject({ rows: 1, cancelled: 1 });
  });

  it('- takes a list', async () => {
    const rig = await openRig();
    await rig.svc(['events', 'trigger', 'trial-ending', '--to', 'u1', '--transaction-id', 'x']);
    const { stdout } = await rig.svc(['events', 'cancel', '-', '--yes', '--json'], {
      stdin: 'x\ny\n',
    });
    expect(parsed(stdout)).toMatchObject({ rows: 2, cancelled: 1, notWaiting: 1 });
  });

  it('of a run that triggered nothing is refused', async () => {
    const rig = await openRig();
    const csv = file(rig, 'users.csv', 'subscriberId\nu1\n');
    const { stdout } = await rig.svc(['subscribers', 'bulk-import', csv, '--json']);
    const { code, stderr } = await rig.svc([
      'events',
      'cancel',
      '--run',
      String(parsed(stdout).runId),
      '--yes',
    ]);
    expect(code).toBe(2);
    expect(stderr).toContain('has triggered nothing');
    expect((await rig.svc(['events', 'cancel', '--run', 'last', '--yes'])).code).toBe(5);
  });
});

describe('svc inbox mark -', () => {
  it('marks a list and says what is no notification of the subscriber', async () => {
    const rig = await openRig();
    const { code, stdout } = await rig.svc(['inbox', 'mark', 'u1', 'read', '-', '--json'], {
      stdin: '677485807724e409c8a3c9b8\nffffffffffffffffffffffff\n',
    });
    expect(code).toBe(3);
    expect(parsed(stdout)).toMatchObject({ rows: 2, marked: 1, failed: 1 });
  });
});

describe('svc subscribers bulk-import', () => {
  const rows = 'subscriberId,email,data.n\na,a@example.com,1\nb,nonsense,2\nc,,3\n';

  it('--validate-only checks everything and sends nothing', async () => {
    const rig = await openRig({ bare: true });
    const csv = file(rig, 'users.csv', rows);
    const { code, stdout, requests } = await rig.svc([
      'subscribers',
      'bulk-import',
      csv,
      '--validate-only',
      '--json',
    ]);
    expect({ code, requests }).toEqual({ code: 3, requests: [] });
    expect(parsed(stdout)).toMatchObject({ rows: 3, created: 0, invalid: 1, skipped: 2 });
  });

  it('--skip and --take cut a part out', async () => {
    const rig = await openRig();
    const csv = file(
      rig,
      'users.csv',
      `subscriberId\n${Array.from({ length: 10 }, (_unused, index) => `s${index}`).join('\n')}\n`,
    );
    const { requests } = await rig.svc([
      'subscribers',
      'bulk-import',
      csv,
      '--skip',
      '3',
      '--take',
      '2',
    ]);
    expect(requests.map(({ body }) => body)).toEqual([
      { subscribers: [{ subscriberId: 's3' }, { subscriberId: 's4' }] },
    ]);
  });

  it('--empty null clears, --infer types data and leaves ids alone', async () => {
    const rig = await openRig();
    const csv = file(
      rig,
      'users.csv',
      'subscriberId,firstName,data.a,data.b,data.c\n007,,1.5,1e21,true\n',
    );
    const { requests } = await rig.svc([
      'subscribers',
      'bulk-import',
      csv,
      '--empty',
      'null',
      '--infer',
    ]);
    expect(requests[0]?.body).toEqual({
      subscribers: [{ subscriberId: '007', firstName: null, data: { a: 1.5, b: '1e21', c: true } }],
    });
  });

  it('-o ndjson prints a line for each row as it settles, and the summary last', async () => {
    const rig = await openRig();
    const csv = file(rig, 'users.csv', rows);
    const { stdout } = await rig.svc(['subscribers', 'bulk-import', csv, '-o', 'ndjson']);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.slice(0, 3)).toEqual([
      { row: 2, line: 3, result: 'invalid', error: expect.stringContaining('email') },
      { row: 1, line: 2, id: 'a', result: 'created' },
      { row: 3, line: 4, id: 'c', result: 'created' },
    ]);
    expect(lines[3]).toMatchObject({ rows: 3, created: 2, invalid: 1 });
  });

  it('--max-errors ends it early with 3', async () => {
    const rig = await openRig();
    const bad = Array.from({ length: 3000 }, (_unused, index) => `s${index},nonsense`).join('\n');
    const csv = file(rig, 'users.csv', `subscriberId,email\n${bad}\n`);
    const { code, stdout } = await rig.svc([
      'subscribers',
      'bulk-import',
      csv,
      '--max-errors',
      '5%',
      '--json',
    ]);
    expect(code).toBe(3);
    expect(parsed(stdout)).toMatchObject({
      stopped: { reason: expect.stringContaining('--max-errors') },
    });
    expect(Number(parsed(stdout).rows)).toBeLessThan(3000);
    expect((await rig.svc(['subscribers', 'bulk-import', csv, '--max-errors', 'few'])).code).toBe(
      2,
    );
  });
});

describe('a run that ended early', () => {
  const people = `subscriberId\n${Array.from({ length: 1200 }, (_unused, index) => `p${index}`).join('\n')}\n`;

  async function stopped(rig: Rig, more: string[] = []) {
    const csv = file(rig, 'users.csv', people);
    // The first request goes through, the second is refused for the key.
    rig.pass(1);
    rig.answer({ status: 401, body: { statusCode: 401, message: 'API Key not found' } });
    const line = ['subscribers', 'bulk-import', csv, '--concurrency', '1', '--json', ...more];
    const { code, stdout } = await rig.svc(line);
    expect(code).toBe(4);
    return { csv, summary: parsed(stdout) };
  }

  it('goes on where it was and reports the whole run', async () => {
    const rig = await openRig();
    const { summary } = await stopped(rig);
    expect(summary).toMatchObject({
      rows: 500,
      created: 500,
      stopped: { reason: 'API Key not found' },
    });
    const { code, stdout, requests } = await rig.svc([
      'runs',
      'resume',
      String(summary.runId),
      '--json',
    ]);
    expect(code).toBe(0);
    expect(parsed(stdout)).toMatchObject({
      runId: summary.runId,
      rows: 1200,
      created: 1200,
      resumed: true,
      stopped: null,
    });
    expect(
      requests.map(({ body }) => (body as { subscribers: unknown[] }).subscribers.length),
    ).toEqual([500, 200]);
  });

  it('repeats the batch that was under way with the same key', async () => {
    const rig = await openRig();
    const csv = file(rig, 'users.csv', people);
    rig.answer({ status: 401, body: { statusCode: 401, message: 'API Key not found' } });
    const first = await rig.svc([
      'subscribers',
      'bulk-import',
      csv,
      '--concurrency',
      '1',
      '--json',
    ]);
    const { requests } = await rig.svc(['runs', 'resume', String(parsed(first.stdout).runId)]);
    const key = (ran: typeof first) => ran.requests[0]?.headers['idempotency-key'];
    expect(requests[0]?.headers['idempotency-key']).toBe(key(first));
  });

  it('prints its summary again once it has finished', async () => {
    const rig = await openRig();
    const { summary } = await stopped(rig);
    const done = await rig.svc(['runs', 'resume', String(summary.runId), '--json']);
    const again = await rig.svc(['runs', 'resume', String(summary.runId), '--json']);
    expect(again.requests).toEqual([]);
    expect(parsed(again.stdout)).toEqual(parsed(done.stdout));
  });

  it('does not go on with another file, other options or another service', async () => {
    const rig = await openRig();
    const { csv, summary } = await stopped(rig, ['--data-rest']);
    const resume = ['runs', 'resume', String(summary.runId)];
    const line = ['subscribers', 'bulk-import', csv, '--resume', String(summary.runId)];
    expect((await rig.svc(line)).stderr).toContain('--data-rest changed');
    const env = { SVC_BASE_URL: 'http://other.localhost' };
    expect((await rig.svc(resume, { env })).stderr).toContain('the service changed');
    writeFileSync(csv, `${people}more\n`);
    const { code, stderr, requests } = await rig.svc(resume);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain('the file changed');
  });

  it('is not resumable from a pipe, unless a copy was kept', async () => {
    const rig = await openRig();
    rig.answer({ status: 401, body: { statusCode: 401, message: 'API Key not found' } });
    const piped = await rig.svc(['subscribers', 'bulk-import', '-', '--json'], { stdin: people });
    const refused = await rig.svc(['runs', 'resume', String(parsed(piped.stdout).runId)]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('--spool');
    rig.answer({ status: 401, body: { statusCode: 401, message: 'API Key not found' } });
    const spooled = await rig.svc(['subscribers', 'bulk-import', '-', '--spool', '--json'], {
      stdin: people,
    });
    const { code, stdout } = await rig.svc([
      'runs',
      'resume',
      String(parsed(spooled.stdout).runId),
      '--json',
    ]);
    expect(code).toBe(0);
    expect(parsed(stdout)).toMatchObject({ rows: 1200, failed: 0, unknown: 0 });
  });

  it('cuts off a torn line and the rejects that belong to no settled batch', async () => {
    const rig = await openRig();
    const csv = file(
      rig,
      'users.csv',
      `subscriberId,email\nbad,nonsense\n${Array.from({ length: 900 }, (_unused, index) => `q${index},`).join('\n')}\n`,
    );
    rig.pass(1);
    rig.answer({ status: 401, body: { statusCode: 401, message: 'API Key not found' } });
    const first = await rig.svc([
      'subscribers',
      'bulk-import',
      csv,
      '--concurrency',
      '1',
      '--json',
    ]);
    const { runId, rejects } = parsed(first.stdout) as { runId: string; rejects: string };
    const ledger = path.join(rig.folder, 'state', 'runs', runId, 'ledger.ndjson');
    writeFileSync(ledger, `${readFileSync(ledger, 'utf8')}{"done":[502,9`);
    writeFileSync(rejects, `${readFileSync(rejects, 'utf8')}torn,row`);
    // What a kill leaves behind.
    writeFileSync(path.join(path.dirname(ledger), 'lock'), '99999');
    const { code, stdout } = await rig.svc(['runs', 'resume', runId, '--json']);
    expect(code).toBe(3);
    expect(parsed(stdout)).toMatchObject({ rows: 901, created: 900, invalid: 1 });
    expect(readFileSync(rejects, 'utf8').trim().split('\n')).toHaveLength(2);
  });

  it('leaves rejects alone that were mended meanwhile, and says where the others go', async () => {
    const rig = await openRig();
    const rows = Array.from({ length: 900 }, (_unused, index) => `q${index},`);
    const csv = file(
      rig,
      'users.csv',
      `subscriberId,email\nbad,nonsense\n${rows.join('\n')}\nworse,nonsense\n`,
    );
    rig.pass(1);
    rig.answer({ status: 401, body: { statusCode: 401, message: 'API Key not found' } });
    const line = ['subscribers', 'bulk-import', csv, '--concurrency', '1', '--json'];
    const { runId, rejects } = parsed((await rig.svc(line)).stdout) as Record<string, string>;
    const mended = `${readFileSync(rejects ?? '', 'utf8')}one more row of mine\n`;
    writeFileSync(rejects ?? '', mended);
    const { stdout, stderr } = await rig.svc(['runs', 'resume', runId ?? ''], { tty: true });
    const beside = (rejects ?? '').replace('rejects.csv', 'rejects-2.csv');
    expect(stderr).toContain(
      `${rejects} was changed since and stays as it is: what is rejected from here on goes to ${beside}.`,
    );
    expect(stdout).toContain(beside);
    expect(readFileSync(rejects ?? '', 'utf8')).toBe(mended);
    expect(readFileSync(beside, 'utf8')).toContain('worse,nonsense,903,');
    const shown = await rig.svc(['runs', 'show', runId ?? '', '--jq', '.rejects']);
    expect(shown.stdout).toBe(`${beside}\n`);
  });

  it('is refused while another process has it, and with a journal of another form', async () => {
    const rig = await openRig();
    const { summary } = await stopped(rig);
    const folder = path.join(rig.folder, 'state', 'runs', String(summary.runId));
    writeFileSync(path.join(folder, 'lock'), '4242');
    expect((await rig.svc(['runs', 'list', '--jq', '.[0].state'])).stdout).toBe('running\n');
    writeFileSync(path.join(folder, 'lock'), '99999');
    const manifest = path.join(folder, 'manifest.json');
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('"format": 1', '"format": 2'));
    const { code, stderr } = await rig.svc(['runs', 'resume', String(summary.runId)]);
    expect(code).toBe(8);
    expect(stderr).toContain('does not know');
  });
});

describe('svc runs', () => {
  it('lists, shows and forgets runs', async () => {
    const rig = await openRig();
    const empty = await rig.svc(['runs', 'list'], { tty: true });
    expect(empty.stderr).toContain('No runs yet');
    const csv = file(rig, 'users.csv', 'subscriberId\na\nb\n');
    const { stdout } = await rig.svc(['subscribers', 'bulk-import', csv, '--json']);
    const { runId } = parsed(stdout) as { runId: string };
    expect(JSON.parse((await rig.svc(['runs', 'list', '--json'])).stdout)).toEqual([
      {
        runId,
        command: 'subscribers bulk-import',
        state: 'finished',
        rows: 2,
        done: 2,
        failed: 0,
        startedAt: '2026-01-15T12:00:00.000Z',
      },
    ]);
    expect(parsed((await rig.svc(['runs', 'show', runId, '--json'])).stdout)).toMatchObject({
      runId,
      counts: { created: 2 },
      file: { path: csv },
      summary: { created: 2 },
    });
    const refused = await rig.svc(['runs', 'delete', runId]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('--yes');
    expect((await rig.svc(['runs', 'delete', runId, '--yes'])).code).toBe(0);
    expect(existsSync(path.join(rig.folder, 'state', 'runs', runId))).toBe(false);
    expect((await rig.svc(['runs', 'show', runId])).code).toBe(5);
    expect((await rig.svc(['runs', 'show', '../../config'])).code).toBe(2);
  });

  it('takes last for the newest, and keeps when it started at 80 columns', async () => {
    const rig = await openRig();
    const none = await rig.svc(['runs', 'show', 'last']);
    expect(none.code).toBe(5);
    expect(none.stderr).toContain('No run is remembered here.');
    rig.answer({ status: 401, body: { statusCode: 401, message: 'API Key not found' } });
    const csv = file(rig, 'users.csv', 'subscriberId\na\n');
    const { stdout } = await rig.svc(['subscribers', 'bulk-import', csv, '--json']);
    const { runId } = parsed(stdout) as { runId: string };
    expect((await rig.svc(['runs', 'list'], { tty: true })).stdout).toContain('STARTED');
    expect((await rig.svc(['runs', 'show', 'last', '--jq', '.runId'])).stdout).toBe(`${runId}\n`);
    const resumed = await rig.svc(['runs', 'resume', 'last', '--json']);
    expect(parsed(resumed.stdout)).toMatchObject({ runId, created: 1 });
    expect((await rig.svc(['runs', 'delete', 'last', '--yes'])).stdout).toContain(runId);
    expect((await rig.svc(['runs', 'list', '--json'])).stdout).toBe('[]\n');
  });

  it('keeps no secret in the folder of a run', async () => {
    const rig = await openRig();
    const csv = file(rig, 'users.csv', 'subscriberId\na\n');
    await rig.svc(['subscribers', 'bulk-import', csv]);
    const runs = path.join(rig.folder, 'state', 'runs');
    const [name = ''] = readdirSync(runs);
    for (const one of readdirSync(path.join(runs, name))) {
      expect(readFileSync(path.join(runs, name, one), 'utf8')).not.toContain('ApiKey');
    }
    expect(readdirSync(path.join(runs, name)).sort()).toEqual(['ledger.ndjson', 'manifest.json']);
  });
});

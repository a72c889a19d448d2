import { describe, expect, it } from 'vitest';
import { openRig } from '../../support/rig.ts';
import { words } from '../../support/words.ts';

const wrongKey = { env: { SVC_API_KEY: 'f'.repeat(32) } };

describe('svc activity list', () => {
  it('shows the outcome of each channel on 80 columns, newest first', async () => {
    const { svc } = await openRig();
    const { stdout, stderr, code } = await svc(['activity', 'list'], { tty: true, columns: 80 });
    expect({ stdout, stderr, code }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "WHEN          WORKFLOW        SUBSCRIBER  OUTCOME                TRANSACTION
      10:30:00      invoice-paid    u1          ✓ in_app  ✓ email      …6a1015806c
      14 Jan 10:02  comment-digest  u1          ✓ in_app  ✓ email      …comments-4
      14 Jan 10:00  comment-digest  u1          ✓ in_app  ✓ email      …b341688cd0
      13 Jan 12:00  trial-ending    u7          … email                seed-trial
      12 Jan 12:00  welcome         u1          ✓ in_app  ✓ email      …e036e9fda0
      11 Jan 12:00  trial-ending    u5          – email                …-cancelled
      10 Jan 13:00  welcome         u6          ✓ in_app  – email      …come-farid
      10 Jan 12:00  one-time-code   u9          ✗ email  ✓ sms         seed-code
      9 Jan 12:00   order-update    u6          ✓ chat  ✗ push  – sms  seed-order
      9 Jan 12:00   order-update    u3          ✗ chat  ✗ push  – sms  seed-order
      8 Jan 12:20   price-alert     u5          – push                 …ed-price-2
      8 Jan 12:00   price-alert     u5          ✓ push                 …ed-price-1
      7 Jan 12:05   comment-digest  u3          ✓ in_app  ✓ email      …comments-3
      7 Jan 12:02   comment-digest  u3          ✓ in_app  ✓ email      …comments-2
      7 Jan 12:00   comment-digest  u3          ✓ in_app  ✓ email      …comments-1
      6 Jan 12:00   welcome         u2          ✓ in_app  – email      …come-bruno
      ",
      }
    `);
  });

  it('colors the outcomes, and has ASCII signs without Unicode', async () => {
    const { svc } = await openRig();
    const line = ['activity', 'list', '--transaction', 'seed-order', '--subscriber', 'u6'];
    const colored = await svc([...line, '--color', 'always'], { tty: true });
    expect(colored.stdout).toContain(
      '\u001b[32m✓ chat\u001b[39m  \u001b[31m✗ push\u001b[39m  \u001b[2m– sms\u001b[22m',
    );
    const plain = await svc([...line, '--no-unicode'], { tty: true });
    expect(plain.stdout).toContain('+ chat  x push  - sms');
    const waiting = await svc(['activity', 'list', '--subscriber', 'u7', '--no-unicode'], {
      tty: true,
    });
    expect(waiting.stdout).toContain('. email');
  });

  it('has whole transaction ids on 140 columns, with --fields and with -o wide', async () => {
    const { svc } = await openRig();
    const whole = 'txn_67748580124bf76a1015806c';
    const list = ['activity', 'list'];
    expect((await svc(list, { tty: true, columns: 80 })).stdout).not.toContain(whole);
    expect((await svc(list, { tty: true, columns: 140 })).stdout).toContain(whole);
    const fields = [...list, '--fields', 'transactionId,outcome,template.triggers.identifier'];
    expect((await svc(fields, { tty: true, columns: 80 })).stdout).toMatch(
      `${whole}  ✓ in_app  ✓ email `,
    );
    const { stdout } = await svc([...list, '-o', 'wide'], { tty: true, columns: 40 });
    const [header, first] = stdout.split('\n');
    expect(header).toBe(
      'WHEN          WORKFLOW        SUBSCRIBER  OUTCOME                TRANSACTION                   SEVERITY  CONTEXTS           TOPICS         TAGS                JOBS                                          ID',
    );
    expect(first).toBe(
      '10:30:00      invoice-paid    u1          ✓ in_app  ✓ email      txn_67748580124bf76a1015806c  none      tenant:org-acme                   billing             completed: in_app, email                      67748580259aa8ef98259b56',
    );
  });

  it('prints cards of four lines on 60 columns', async () => {
    const { svc } = await openRig();
    const { stdout } = await svc(['activity', 'list', '--limit', '2'], { tty: true, columns: 60 });
    expect(stdout).toMatchInlineSnapshot(`
      "WHEN         10:30:00  WORKFLOW invoice-paid
      SUBSCRIBER   u1
      OUTCOME      ✓ in_app  ✓ email
      TRANSACTION  txn_67748580124bf76a1015806c

      WHEN         14 Jan 10:02  WORKFLOW comment-digest
      SUBSCRIBER   u1
      OUTCOME      ✓ in_app  ✓ email
      TRANSACTION  seed-comments-4
      "
    `);
  });

  it('has the outcome of an event as a word in a pipe, after the columns of the service', async () => {
    const { svc } = await openRig();
    const { stdout, requests } = await svc(['activity', 'list']);
    const words = stdout
      .trimEnd()
      .split('\n')
      .map((row) => row.split('\t').at(-1));
    expect(new Set(words)).toEqual(new Set(['delivered', 'undelivered', 'unfinished']));
    expect(requests.map(({ line }) => line)).toEqual(['GET /v1/notifications?page=0&limit=50']);
  });

  it('reads the digest of a merged event that is on another page, but not for JSON', async () => {
    const { svc } = await openRig();
    const line = ['activity', 'list', '--transaction', 'seed-comments-3'];
    const table = await svc(line, { tty: true, columns: 80 });
    expect(table.stdout).toContain('comment-digest  u3          ✓ in_app  ✓ email');
    expect(table.requests).toHaveLength(2);
    expect((await svc([...line, '--json'])).requests).toHaveLength(1);
  });

  it.each([80, 100, 120, 200])(
    'shows workflow identifiers, not names, on a terminal with %i columns',
    async (columns) => {
      const { svc } = await openRig();
      const { stdout } = await svc(['activity', 'list'], { tty: true, columns });
      const [header = '', ...rows] = stdout.trimEnd().split('\n');
      expect(header).toMatch(/^WHEN +WORKFLOW +SUBSCRIBER +OUTCOME +TRANSACTION/);
      expect(rows).toHaveLength(16);
      for (const row of rows) expect(row.length).toBeLessThanOrEqual(columns);
      expect(stdout).toContain('comment-digest');
      expect(stdout).not.toContain('Comment digest');
    },
  );

  it('shows workflow identifiers as data for spreadsheets', async () => {
    const { svc } = await openRig();
    const { stdout } = await svc(['activity', 'list', '--limit', '1', '-o', 'csv']);
    const [header = '', row = ''] = stdout.split('\n');
    expect(header).toContain(',template.triggers.identifier,');
    expect(row).toContain(',invoice-paid,');
  });

  it('sends every filter, with times instead of durations and internal ids instead of identifiers', async () => {
    const { svc } = await openRig();
    const { requests, code } = await svc(words`
      activity list --workflow welcome --channel email --channel push --email a@b.co
      --subscriber u1 --severity HIGH --topic news --transaction t1 --context tenant=acme
      --since 2d --until 2026-01-15 --limit 5
    `);
    expect(code).toBe(0);
    const sent = new URL(requests.at(-1)?.line.slice(4) ?? '', 'http://x').searchParams;
    expect([...sent]).toEqual([
      ['channels', 'email'],
      ['channels', 'push'],
      ['emails', 'a@b.co'],
      ['subscriberIds', 'u1'],
      ['severity', 'high'],
      ['topicKey', 'news'],
      ['contextKeys', 'tenant:acme'],
      ['after', '2026-01-13T12:00:00.000Z'],
      ['before', '2026-01-15T00:00:00.000Z'],
      ['templates', expect.stringMatching(/^[0-9a-f]{24}$/)],
      ['page', '0'],
      ['transactionId', 't1'],
      ['limit', '5'],
    ]);
  });

  it('accepts an internal id in upper case without reading the workflow', async () => {
    const { svc } = await openRig();
    const id = 'ABCDEF0123456789ABCDEF01';
    const { code, requests } = await svc(['activity', 'list', '--workflow', id]);
    expect(code).toBe(0);
    expect(requests.map(({ line }) => line)).toEqual([
      expect.stringContaining(`/v1/notifications?templates=${id}`),
    ]);
  });

  it('sends one request per transaction and merges the results, newest first', async () => {
    const { svc, answer } = await openRig();
    const item = (transactionId: string, createdAt: string) => ({
      _id: `${transactionId}-${createdAt}`,
      transactionId,
      createdAt,
    });
    const listing = (data: object[]) => ({
      status: 200,
      body: { data, page: 0, pageSize: 50, hasMore: false },
    });
    answer(
      listing([item('t1', '2026-01-04'), item('t1', '2026-01-01')]),
      listing([item('t2', '2026-01-03'), item('t2', '2026-01-02')]),
    );
    const filters = ['--transaction', 't1', '--transaction', 't2', '--transaction', 't1'];
    const { stdout, requests } = await svc(words`activity list ${filters} --limit 3 --json`);
    const shown = JSON.parse(stdout) as { createdAt: string }[];
    expect(shown.map(({ createdAt }) => createdAt)).toEqual([
      '2026-01-04',
      '2026-01-03',
      '2026-01-02',
    ]);
    expect(requests.map(({ line }) => line)).toEqual([
      'GET /v1/notifications?page=0&transactionId=t1&limit=3',
      'GET /v1/notifications?page=0&transactionId=t2&limit=3',
    ]);
  });

  it('prints items as data and each transaction id once', async () => {
    const { svc } = await openRig();
    expect(
      JSON.parse((await svc(['activity', 'list', '--json', '--limit', '1'])).stdout),
    ).toMatchObject([{ jobs: expect.any(Array) }]);
    const ids = (await svc(['activity', 'list', '-o', 'ids'])).stdout.trim().split('\n');
    expect(new Set(ids).size).toBe(ids.length);
    expect((await svc(['activity', 'list', '--limit', '1'])).stdout.split('\t')).toHaveLength(11);
  });

  it.each([
    [['--since', 'yesterday'], 'neither a duration'],
    [['--severity', 'huge'], 'Must be one of: high, medium'],
    [['--context', 'acme'], 'does not have the form type:id'],
  ])('rejects %j before it sends a request', async (options, message) => {
    const { svc } = await openRig();
    const { code, stderr, requests } = await svc(['activity', 'list', ...options]);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain(message);
  });

  it('uses the exit code of an error of the service', async () => {
    const { svc } = await openRig();
    expect((await svc(['activity', 'list'], wrongKey)).code).toBe(4);
    expect((await svc(['activity', 'list', '--workflow', 'nope'])).code).toBe(5);
  });
});

describe('svc activity get', () => {
  it('prints the timeline of a transaction', async () => {
    const { svc } = await openRig();
    const transaction = (
      await svc(['activity', 'list', '--limit', '1', '-o', 'ids'])
    ).stdout.trim();
    const { stdout, code } = await svc(['activity', 'get', transaction, '--all'], { tty: true });
    expect({ stdout, code }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stdout": "TRANSACTION  txn_67748580124bf76a1015806c
      WORKFLOW     invoice-paid
      WHEN         10:30:00
      SEVERITY     none
      PAYLOAD      {"invoiceId":"INV-1","amount":49.5,"currency":"EUR"}
      RECIPIENTS   1

      Timeline
      SUBSCRIBER  JOB     STATUS       DETAIL                           AFTER
      u1          in_app  ✓ delivered  novu                            +0.0 s
                          Pending      Step queued                     +0.0 s
                          Pending      Message created                 +0.0 s
                          Success      Message sent                    +0.0 s
                  email   ✓ delivered  sendgrid                        +0.0 s
                          Pending      Step queued                     +0.0 s
                          Pending      SendGrid provider was selected  +0.0 s
                          Pending      Message created                 +0.0 s
                          Success      Message sent                    +0.0 s
      ",
      }
    `);
    expect(
      JSON.parse((await svc(['activity', 'get', transaction, '--json'])).stdout),
    ).toMatchObject({ transactionId: transaction, items: [{}] });
    expect((await svc(['activity', 'get', transaction])).stdout).toContain(
      `transactionId\t${transaction}\n`,
    );
  });

  it.each([80, 60])('wraps DETAIL on a terminal with %i columns', async (columns) => {
    const { svc, answer } = await openRig();
    const url = `https://provider.example.com/${'x'.repeat(60)}`;
    const detail = `The provider rejected the message because the address is on a block list, see ${url}`;
    const failed = { _id: 'd1', status: 'Failed', detail, createdAt: '2026-01-15T11:00:00Z' };
    const job = { _id: 'j', type: 'in_app', status: 'failed', executionDetails: [failed] };
    const data = [
      { _id: 'i', transactionId: 't1', subscriber: { subscriberId: 'u1' }, jobs: [job] },
    ];
    answer({ status: 200, body: { data, page: 0, pageSize: 50, hasMore: false } });
    const { stdout } = await svc(words`activity get t1 --all`, { tty: true, columns });
    const lines = stdout.slice(stdout.indexOf('Timeline')).split('\n');
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
    const at = lines[1]?.indexOf('DETAIL') ?? -1;
    const end = lines[1]?.includes('AFTER') ? lines[1].indexOf('AFTER') - 2 : columns;
    const shown = lines.slice(3).map((line) => line.slice(at, end).trim());
    expect(shown.join('').replaceAll(' ', '')).toBe(detail.replaceAll(' ', ''));
    expect(shown[0]).toMatch(/^The provider rejected/);
  });

  it('has one line a step, with the reason as a sentence', async () => {
    const { svc } = await openRig();
    const { stdout } = await svc(words`activity get seed-order`, { tty: true, columns: 100 });
    expect(stdout.slice(stdout.indexOf('Timeline'))).toMatchInlineSnapshot(`
      "Timeline
      SUBSCRIBER  JOB   STATUS       DETAIL                                         AFTER
      u6          chat  ✓ delivered  slack                                         +0.0 s
                  push  ✗ failed     The subscriber had no device token for push.  +0.0 s
                  sms   – skipped    The subscriber had no phone number.           +0.0 s
      u3          chat  ✗ failed     The subscriber had no chat channel.           +0.0 s
                  push  ✗ failed     The subscriber had no device token for push.  +0.0 s
                  sms   – skipped    The subscriber had no phone number.           +0.0 s
      "
    `);
  });

  it.each([
    ['the end of an id', 'd-order'],
    ['the end as in a table', '…d-order'],
    ['the beginning of an id', 'seed-ord'],
  ])('accepts %s', async (_name, short) => {
    const { svc } = await openRig();
    const { stdout, code } = await svc(words`activity get ${short} --jq .transactionId`);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'seed-order\n' });
    const line = words`activity explain u6 --transaction ${short} --jq .transactionId`;
    expect((await svc(line)).stdout).toBe('seed-order\n');
  });

  it('lists the ids if a short one has several', async () => {
    const { svc } = await openRig();
    const { code, stderr } = await svc(words`activity get seed-comments`);
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('seed-comments-4'),
    });
  });

  it.each([
    [
      'Unexpected provider error',
      '{"channelData":{},"message":"535 bad login"}',
      ': 535 bad login',
    ],
    ['Unexpected provider error', '{"code":42}', ': {"code":42}'],
    ['Unexpected provider error', '[]', ''],
    ['Unexpected provider error', '{"torn', ': {"torn'],
    ['Bridge execution failed', '{"code":"X","data":{"message":"no such step"}}', ': no such step'],
    ['Invalid delay configuration', '{"error":"key not found"}', ': key not found'],
    ['Step was skipped based on steps conditions', '{"filters":[]}', ''],
    ['Bridge execution skipped', '{"skip":true}', ': the conditions of the step skipped it'],
    ['Subscriber does not have an active integration', 'It is not active', ': It is not active'],
    ['Subscriber missing email address', null, ''],
    ['No e-mail: none given', 'none given', ''],
    ['Unexpected provider error', ' \n ', ''],
    ['Unexpected provider error', `a\nb${'c'.repeat(300)}`, `: a b${'c'.repeat(197)}…`],
  ])('shows why a job failed: %s with raw %j', async (detail, raw, shown) => {
    const { svc, answer } = await openRig();
    const failed = { _id: 'd1', status: 'Failed', detail, raw, createdAt: '2026-01-01' };
    const queued = { _id: 'd0', status: 'Pending', detail: 'Step queued', raw: '{"message":"x"}' };
    const jobs = [
      { _id: 'j', type: 'email', status: 'failed', executionDetails: [queued, failed] },
    ];
    const data = [{ _id: 'i', transactionId: 't1', subscriber: { subscriberId: 'u1' }, jobs }];
    answer({ status: 200, body: { data, page: 0, pageSize: 50, hasMore: false } });
    const { stdout } = await svc(words`activity get t1 --all`, { tty: true, columns: 400 });
    expect(stdout).toMatch(/Pending +Step queued *\n/);
    const row = stdout.split('\n').find((line) => line.includes(detail)) ?? '';
    expect(
      row
        .replace(/\s+Failed +/, '')
        .replace(/ {2,}.*$/, '')
        .trim(),
    ).toBe(detail + shown);
  });

  it('exits with 2 without an id and with 5 for an unknown transaction', async () => {
    const { svc } = await openRig();
    expect(await svc(['activity', 'get'])).toMatchObject({ code: 2, requests: [] });
    expect((await svc(['activity', 'get', 'txn_nope'])).code).toBe(5);
  });
});

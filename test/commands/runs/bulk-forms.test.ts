// Runs that delete subscribers, remove them from a topic, and import preferences and credentials.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openRig, parsed, writeInput } from '../../support/rig.ts';

const unauthorized = { status: 401, body: { statusCode: 401, message: 'API Key not found' } };

describe('svc subscribers delete --file', () => {
  it('asks with the number of rows, and deletes one subscriber per request', async () => {
    const rig = await openRig();
    const file = writeInput(rig, 'ids.csv', 'subscriberId,name\nu1,Ada\nmissing,Bo\nu2,Efua\n');
    const asked = await rig.svc(['subscribers', 'delete', '--file', file]);
    expect(asked).toMatchObject({ code: 2, requests: [] });
    expect(asked.stderr).toContain('to delete 3 subscribers at http://sandbox.localhost.');
    const { code, stdout, requests } = await rig.svc(
      ['subscribers', 'delete', '--file', file, '--yes'],
      { tty: true, columns: 300 },
    );
    expect(code).toBe(0);
    expect(requests.map(({ line }) => line).sort()).toEqual([
      'DELETE /v2/subscribers/missing',
      'DELETE /v2/subscribers/u1',
      'DELETE /v2/subscribers/u2',
    ]);
    expect(stdout).toMatch(/^Deleted 3 of 3 rows .*: 2 deleted, 1 already absent\.\n/);
  });

  it('is resumed where it stopped, and refused with --read-only or with ids', async () => {
    const rig = await openRig();
    const file = writeInput(rig, 'ids.csv', 'subscriberId\nu1\nu2\nu3\n');
    rig.pass(1);
    rig.answer(unauthorized);
    const line = ['subscribers', 'delete', '--file', file, '--yes', '--concurrency', '1', '--json'];
    const first = await rig.svc(line);
    expect(first.code).toBe(4);
    expect(parsed(first.stdout)).toMatchObject({ rows: 1, deleted: 1 });
    const again = await rig.svc(['runs', 'resume', 'last', '--json']);
    expect(parsed(again.stdout)).toMatchObject({ rows: 3, deleted: 3, resumed: true });
    expect(await rig.svc([...line, '--read-only'])).toMatchObject({ code: 2, requests: [] });
    const both = await rig.svc([...line.slice(0, 2), 'u1', ...line.slice(2)]);
    expect(both).toMatchObject({ code: 2, requests: [] });
  });

  it('makes an id that cannot be in a path invalid', async () => {
    const rig = await openRig();
    const { code, stdout } = await rig.svc(['subscribers', 'delete', '-', '--yes', '--json'], {
      stdin: '..\nu1\n',
    });
    expect(code).toBe(3);
    expect(parsed(stdout)).toMatchObject({ deleted: 1, invalid: 1 });
  });

  it('stops if the server does not offer the operation', async () => {
    const rig = await openRig();
    const body = { statusCode: 404, message: 'Cannot DELETE /v2/subscribers/u1' };
    rig.answer({ status: 404, body });
    const { code, stderr } = await rig.svc(['subscribers', 'delete', '-', '--yes'], {
      stdin: 'u1\nu2\n',
    });
    expect(code).toBe(5);
    expect(stderr).toContain('does not offer');
  });
});

describe('svc topics unsubscribe --file', () => {
  it('counts subscribers who were not subscribed as absent, and unknown ones as failed', async () => {
    const rig = await openRig();
    const { code, stdout, requests } = await rig.svc(
      ['topics', 'unsubscribe', 'beta-testers', '-', '--yes', '--json'],
      { stdin: 'u1\nu3\nmissing\n' },
    );
    expect(code).toBe(3);
    expect(parsed(stdout)).toMatchObject({ rows: 3, unsubscribed: 1, absent: 1, failed: 1 });
    expect(requests.at(-1)).toMatchObject({
      line: 'DELETE /v2/topics/beta-testers/subscriptions',
      body: { subscriberIds: ['u1', 'u3', 'missing'] },
    });
    const { rejects } = parsed(stdout) as { rejects: string };
    expect(readFileSync(rejects, 'utf8')).toContain('missing');
  });

  it('reads the outcomes from an error if none of the ids is subscribed', async () => {
    const rig = await openRig();
    const { code, stdout } = await rig.svc(
      ['topics', 'unsubscribe', 'beta-testers', '-', '--yes', '--json'],
      { stdin: 'u3\nu4\n' },
    );
    expect(code).toBe(0);
    expect(parsed(stdout)).toMatchObject({ unsubscribed: 0, absent: 2 });
  });
});

describe('svc subscribers preferences import', () => {
  const csv = [
    'subscriberId,workflow,email,sms,in_app,chat,push',
    'u1,welcome,off,,on,,',
    'u1,comment-digest,,,off,,',
    'u1,,,off,,,',
    'u2,welcome,off,,,,',
    'u2,missing,off,,,,',
    'u2,welcome,maybe,,,,',
    'u2,welcome,,,,,',
    'missing,welcome,on,,,,',
  ].join('\n');

  it('groups the rows of a subscriber, and sends global preferences alone', async () => {
    const rig = await openRig();
    const file = writeInput(rig, 'preferences.csv', `${csv}\n`);
    const { code, stdout, requests } = await rig.svc([
      ...['subscribers', 'preferences', 'import', file, '--json', '--concurrency', '1'],
    ]);
    expect(code).toBe(3);
    expect(parsed(stdout)).toMatchObject({ rows: 8, updated: 4, invalid: 3, failed: 1 });
    expect(requests.filter(({ line }) => line.startsWith('PATCH'))).toMatchObject([
      {
        line: 'PATCH /v2/subscribers/u1/preferences/bulk',
        body: {
          preferences: [
            { workflowId: 'welcome', channels: { email: false, in_app: true } },
            { workflowId: 'comment-digest', channels: { in_app: false } },
          ],
        },
      },
      { line: 'PATCH /v2/subscribers/u1/preferences', body: { channels: { sms: false } } },
      { line: 'PATCH /v2/subscribers/u2/preferences/bulk' },
      { line: 'PATCH /v2/subscribers/missing/preferences/bulk' },
    ]);
    const { rejects } = parsed(stdout) as { rejects: string };
    const text = readFileSync(rejects, 'utf8');
    for (const reason of [
      'workflow: missing does not exist',
      'email: must be on or off',
      'no channel',
    ])
      expect(text).toContain(reason);
    const shown = await rig.svc(['subscribers', 'preferences', 'get', 'u1', '--json']);
    expect(parsed(shown.stdout).global).toMatchObject({ channels: { sms: false } });
  });

  it('warns once about each critical workflow, whose preferences the service does not change', async () => {
    const rig = await openRig();
    const rows = ['u1', 'u2'].map((id) => `${id},one-time-code,off\n${id},welcome,off`);
    const file = writeInput(rig, 'p.csv', `subscriberId,workflow,email\n${rows.join('\n')}\n`);
    const line = ['subscribers', 'preferences', 'import', file];
    for (const format of ['table', 'json']) {
      const { code, stdout, stderr } = await rig.svc([...line, '-o', format]);
      expect(code).toBe(0);
      expect(stderr.match(/Warning: .*/g)).toEqual([
        'Warning: The service ignores the changes for critical workflows. Unchanged: one-time-code.',
      ]);
      if (format === 'table')
        expect(stdout).toMatch(/^Updated 2 of 4 rows .*: 2 updated, 2 unchanged\.$/m);
      else
        expect(parsed(stdout)).toMatchObject({
          ...{ rows: 4, updated: 2, unchanged: 2, failed: 0, rejects: null },
          unchangedWorkflows: ['one-time-code'],
        });
    }
    const { stdout } = await rig.svc([...line, '-o', 'ndjson', '--concurrency', '1']);
    const results = stdout
      .trimEnd()
      .split('\n')
      .slice(0, -1)
      .map((text) => parsed(text));
    expect(results.map(({ row, result }) => [row, result])).toEqual([
      [1, 'unchanged'],
      [2, 'updated'],
      [3, 'unchanged'],
      [4, 'updated'],
    ]);
  });

  it('compares the response with the rows, and leaves out channels that a later row sets', async () => {
    const rig = await openRig();
    const rows = [
      'u1,welcome,off',
      'u1,comment-digest,off',
      'u1,comment-digest,on',
      'u1,trial-ending,on',
    ];
    const file = writeInput(rig, 'p.csv', `subscriberId,workflow,email\n${rows.join('\n')}\n`);
    const entry = (identifier: string, email: boolean) => ({
      ...{ level: 'template', enabled: true, channels: { email } },
      workflow: { id: 'a'.repeat(24), identifier, name: identifier, critical: false },
    });
    rig.answerBy(({ method }) =>
      method === 'PATCH'
        ? { status: 200, body: [entry('welcome', true), entry('comment-digest', true)] }
        : undefined,
    );
    const { stdout, stderr } = await rig.svc([
      ...['subscribers', 'preferences', 'import', file, '--json'],
    ]);
    expect(parsed(stdout)).toMatchObject({ updated: 2, unchanged: 1, unknown: 1 });
    expect(stderr).toContain(
      'Warning: The service accepted changes but did not make them. Unchanged: welcome.\n',
    );
  });

  it('names an unknown column and all known columns', async () => {
    const rig = await openRig();
    const { code, stderr, requests } = await rig.svc(
      ['subscribers', 'preferences', 'import', '-', '--format', 'csv'],
      { stdin: 'subscriberId,workflow,e-mails\nu1,,on\n' },
    );
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain('unknown column `e-mails`');
    expect(stderr).toContain('subscriberId, workflow, in_app');
  });
});

describe('svc subscribers credentials import', () => {
  it('adds tokens from a JSON list or separated by blanks, and rejects invalid rows', async () => {
    const rig = await openRig();
    const csv = [
      'subscriberId,provider,integration,deviceTokens,webhookUrl,channel',
      'u1,fcm,,"[""t1"",""t2""]",,',
      'u2,fcm,,t3 t4,,',
      'u3,slack,,,https://hooks.example.com/x,',
      'u4,,,t5,,',
      'u5,fcm,,,,',
      'missing,fcm,,t6,,',
    ].join('\n');
    const file = writeInput(rig, 'tokens.csv', `${csv}\n`);
    const { code, stdout, requests } = await rig.svc([
      ...['subscribers', 'credentials', 'import', file, '--json', '--concurrency', '1'],
    ]);
    expect(code).toBe(3);
    expect(parsed(stdout)).toMatchObject({ rows: 6, updated: 3, invalid: 2, failed: 1 });
    expect(requests.slice(0, 3)).toMatchObject([
      {
        line: 'PATCH /v1/subscribers/u1/credentials',
        body: { providerId: 'fcm', credentials: { deviceTokens: ['t1', 't2'] } },
      },
      { body: { credentials: { deviceTokens: ['t3', 't4'] } } },
      { body: { providerId: 'slack', credentials: { webhookUrl: 'https://hooks.example.com/x' } } },
    ]);
  });
});

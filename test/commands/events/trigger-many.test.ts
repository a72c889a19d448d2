// svc events trigger --recipients and --file, with the whole program.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sentEvents } from '../../support/requests.ts';
import { openRig, parsed, writeInput } from '../../support/rig.ts';
import { unauthorized } from '../../support/runs.ts';
import { words } from '../../support/words.ts';

const triggerFor = (recipients: string, ...more: string[]) =>
  words`events trigger welcome --recipients ${recipients} ${more}`;

/** The events of a request. */
describe('svc events trigger --recipients', () => {
  it('triggers one event per row, with its own transaction id and payload only', async () => {
    const rig = await openRig();
    const csv = writeInput(rig, 'users.csv', 'id,email,payload.n\nu1,ada@example.com,1\nu2,,2\n');
    const line = triggerFor(
      csv,
      '--map',
      'subscriberId=id',
      '-f',
      'product=X',
      '--infer',
      '--yes',
      '--json',
    );
    const { code, stdout, requests } = await rig.svc(line);
    expect(code).toBe(0);
    expect(parsed(stdout)).toMatchObject({ rows: 2, triggered: 2 });
    const events = sentEvents(requests);
    expect(events).toEqual([
      {
        name: 'welcome',
        to: [{ subscriberId: 'u1' }],
        payload: { product: 'X', n: 1 },
        transactionId: expect.stringMatching(/^txn_[0-9a-f]{24}$/),
      },
      {
        name: 'welcome',
        to: [{ subscriberId: 'u2' }],
        payload: { product: 'X', n: 2 },
        transactionId: expect.stringMatching(/^txn_[0-9a-f]{24}$/),
      },
    ]);
    expect(new Set(events.map(({ transactionId }) => transactionId)).size).toBe(2);
  });

  it('sends the other columns with --update-subscribers', async () => {
    const rig = await openRig();
    const csv = writeInput(rig, 'users.csv', 'subscriberId,First Name\nnew-1,Bo\n');
    const line = triggerFor(csv, '--update-subscribers', '--yes');
    const { requests } = await rig.svc(line);
    const events = sentEvents(requests);
    expect(events[0]?.to).toEqual([{ subscriberId: 'new-1', firstName: 'Bo' }]);
  });

  it('still accepts its former name --to-file, which is hidden in the help', async () => {
    const rig = await openRig();
    const csv = writeInput(rig, 'users.csv', 'subscriberId\nu1\n');
    const line = ['events', 'trigger', 'welcome', '--to-file', csv, '--yes', '--json'];
    const { code, stdout } = await rig.svc(line);
    expect({ code, ...parsed(stdout) }).toMatchObject({ code: 0, triggered: 1 });
    const help = (await rig.svc(['events', 'trigger', '--help', '--all'])).stdout;
    expect(help).toContain('--recipients');
    expect(help).not.toContain('--to-file');
  });

  it('can be resumed after a start with --to-file', async () => {
    const rig = await openRig();
    const csv = writeInput(rig, 'users.csv', 'subscriberId\nu1\n');
    const line = ['events', 'trigger', 'welcome', '--to-file', csv, '--yes'];
    rig.answerWrites(unauthorized);
    expect((await rig.svc(line)).code).toBe(4);
    const { code, stdout } = await rig.svc(['runs', 'resume', 'last', '--json']);
    expect({ code, ...parsed(stdout) }).toMatchObject({ code: 0, triggered: 1 });
  });

  it('asks for confirmation with the number of rows, and exits with 2 without a terminal', async () => {
    const rig = await openRig();
    const csv = writeInput(rig, 'users.csv', 'subscriberId\nu1\nu2\n');
    const { code, stderr, requests } = await rig.svc(triggerFor(csv));
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain('to trigger welcome for 2 rows');
    expect(stderr).toContain('--yes');
  });

  it('names the column of a row without an id', async () => {
    const rig = await openRig();
    const csv = writeInput(rig, 'users.csv', 'subscriberId,payload.a\n,1\n');
    const { stderr } = await rig.svc(triggerFor(csv, '--validate-only'));
    expect(stderr).toContain('  1 × subscriberId: is required\n');
  });

  it.each([[['--transaction-id', 't']], [['--to', 'u1']], [['--wait']]])(
    'rejects %j, which applies to a single event',
    async (more) => {
      const rig = await openRig();
      const csv = writeInput(rig, 'users.csv', 'subscriberId\nu1\n');
      const { code, requests } = await rig.svc(triggerFor(csv, '--yes', ...more));
      expect({ code, requests }).toEqual({ code: 2, requests: [] });
    },
  );
});

describe('svc events trigger --file', () => {
  it('sends events unchanged, and counts each by its result', async () => {
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
      { stdin: events.join('\n') },
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
      [4, expect.stringContaining('transactionId: `mine` is already used by an earlier row')],
      [5, expect.stringContaining('name')],
      [6, expect.stringContaining('is not JSON')],
    ]);
  });

  it('sends the recipients of every event as a list of objects', async () => {
    const rig = await openRig();
    const topic = { type: 'Topic', topicKey: 'announcements' };
    const given = ['u1', { subscriberId: 'u2', firstName: 'Bo' }, topic, ['u1', topic]];
    const { code, requests } = await rig.svc(['events', 'trigger', '--file', '-', '--yes'], {
      stdin: given.map((to) => JSON.stringify({ name: 'welcome', to })).join('\n'),
    });
    expect(code).toBe(0);
    const events = sentEvents(requests);
    expect(events.map(({ to }) => to)).toEqual([
      [{ subscriberId: 'u1' }],
      [{ subscriberId: 'u2', firstName: 'Bo' }],
      [topic],
      [{ subscriberId: 'u1' }, topic],
    ]);
  });

  it('rejects a row whose recipient is neither a string nor an object', async () => {
    const rig = await openRig();
    const { stderr, requests } = await rig.svc(
      ['events', 'trigger', '--file', '-', '--yes', '--json'],
      { stdin: '{"name":"welcome","to":5}' },
    );
    expect(requests).toEqual([]);
    expect(stderr).toContain('to: not a subscriber id, a subscriber object or a topic');
  });

  it('refuses a CSV file or a workflow', async () => {
    const rig = await openRig();
    const csv = writeInput(rig, 'users.csv', 'subscriberId\nu1\n');
    expect((await rig.svc(['events', 'trigger', '--file', csv, '--yes'])).stderr).toContain(
      '--recipients',
    );
    expect((await rig.svc(['events', 'trigger', 'welcome', '--file', csv, '--yes'])).code).toBe(2);
  });
});

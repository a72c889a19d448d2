// `svc events trigger … --wait` and `svc activity get --follow`: the exit code is the outcome.
import { describe, expect, it } from 'vitest';
import { openRig } from '../../support/rig.ts';

const trigger = (...more: string[]) => ['events', 'trigger', ...more];

describe('svc events trigger --wait', () => {
  it('ends with 0 when it was delivered, and tells what happened on the way', async () => {
    const { svc } = await openRig();
    const { code, stdout, stderr } = await svc(trigger('welcome', '--to', 'u1', '--wait'), {
      tty: true,
    });
    expect({ code, stdout, stderr }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "Triggered welcome for u1 at http://sandbox.localhost: transaction txn_000000000000400080000000.
        u1  in_app  Message sent
        u1  email  Message sent
      ",
        "stdout": "u1: delivered
      ",
      }
    `);
  });

  it('says what else was lost of a delivery', async () => {
    const { svc } = await openRig();
    const { code, stdout } = await svc(trigger('welcome', '--to', 'u2', '--wait'));
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: 'u2\tdelivered\temail: Subscriber missing email address\n',
    });
  });

  it('ends with 9 and the reason when nothing arrived', async () => {
    const { svc } = await openRig();
    await svc(['subscribers', 'preferences', 'update', 'u1', '--email', 'off', '--in-app', 'off']);
    const { code, stdout } = await svc(trigger('welcome', '--to', 'u1', '--wait', '--json'));
    expect(code).toBe(9);
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: 'undelivered',
      recipients: [
        {
          subscriberId: 'u1',
          reasons: [expect.stringContaining('preferences'), expect.any(String)],
        },
      ],
      items: [{ jobs: expect.any(Array) }],
    });
  });

  it('says after a while that nobody has shown up, and why that may be', async () => {
    const { svc } = await openRig();
    const line = trigger(
      'welcome',
      '--to-topic',
      'empty-topic',
      '--yes',
      '--wait',
      '--wait-timeout',
      '20s',
    );
    const { code, stdout, stderr } = await svc(line, { tty: true });
    expect(code).toBe(9);
    for (const text of [stdout, stderr])
      expect(text.split('No recipient has shown up: a topic that does not exist')).toHaveLength(2);
  });

  it('ends with 9 when the time is over, with the command that looks again', async () => {
    const { svc } = await openRig();
    const line = trigger(
      'comment-digest',
      '--to',
      'u1',
      '-F',
      'post:={"id":1}',
      '--wait-timeout',
      '5s',
    );
    const { code, stdout, requests } = await svc([...line, '--wait'], { tty: true });
    expect(code).toBe(9);
    expect(stdout).toMatch(
      /^u1: unfinished: digest is delayed; .*\nLook again: svc activity get txn_/,
    );
    expect(requests.length).toBeGreaterThan(3);
  });

  it('looks twice at the recipients of a topic', async () => {
    const { svc } = await openRig();
    const line = trigger('welcome', '--to-topic', 'announcements', '--yes', '--wait');
    const { code, stdout } = await svc(line);
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n').length).toBeGreaterThan(2);
  });

  it('--wait=delivered does not wait for what comes later', async () => {
    const { svc, answer } = await openRig();
    const job = (type: string, status: string) => ({
      _id: type,
      type,
      status,
      executionDetails: [],
    });
    answer(
      { status: 201, body: [{ acknowledged: true, status: 'processed', transactionId: 't' }] },
      {
        status: 200,
        body: {
          data: [
            {
              _id: 'a',
              transactionId: 't',
              subscriber: { subscriberId: 'u1' },
              jobs: [job('in_app', 'completed'), job('delay', 'delayed'), job('email', 'pending')],
            },
          ],
          hasMore: false,
          page: 0,
          pageSize: 50,
        },
      },
    );
    const { code, stdout } = await svc(trigger('x', '--to', 'u1', '--wait=delivered'));
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'u1\tdelivered\t\n' });
  });

  it('does not wait for what was not triggered', async () => {
    const { svc } = await openRig();
    const { code, requests } = await svc(trigger('nothing', '--to', 'u1', '--wait'));
    expect(code).toBe(6);
    expect(requests).toHaveLength(1);
  });

  it('refuses another goal', async () => {
    const { svc } = await openRig();
    expect((await svc(trigger('welcome', '--to', 'u1', '--wait=read'))).code).toBe(2);
  });
});

describe('svc activity get --follow', () => {
  it('ends with the outcome once every job has settled', async () => {
    const { svc } = await openRig();
    const ids = (await svc(trigger('welcome', '--to', 'u1', '-o', 'ids'))).stdout.trim();
    const { code, stdout } = await svc(['activity', 'get', ids, '--follow']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'u1\tdelivered\t\n' });
  });
});

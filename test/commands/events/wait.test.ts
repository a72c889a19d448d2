// `svc events trigger … --wait` and `svc activity get --follow`: the exit code reports the outcome.
import { describe, expect, it } from 'vitest';
import { lateJobs } from '../../support/late-jobs.ts';
import { openRig } from '../../support/rig.ts';
import { words } from '../../support/words.ts';
import { openSandboxRig } from '../sandbox/sandbox-rig.ts';

const trigger = (...more: string[]) => ['events', 'trigger', ...more];

/** The response to an event with transaction `t`. */
const accepted = {
  status: 201,
  body: [{ acknowledged: true, status: 'processed', transactionId: 't' }],
};

const job = (type: string, status: string) => ({ _id: type, type, status, executionDetails: [] });

/** The activity of transaction `t` with one recipient. */
const activityWith = (...jobs: object[]) => ({
  status: 200,
  body: {
    data: [{ _id: 'a', transactionId: 't', subscriber: { subscriberId: 'u1' }, jobs }],
    hasMore: false,
    page: 0,
    pageSize: 50,
  },
});

describe('svc events trigger --wait', () => {
  it('exits with 0 when the event was delivered, with one line per recipient and channel', async () => {
    const { svc } = await openRig();
    const { code, stdout, stderr } = await svc(trigger('welcome', '--to', 'u1', '--wait'), {
      tty: true,
      columns: 300,
    });
    expect({ code, stdout, stderr }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "Triggered welcome for u1 at http://sandbox.localhost: transaction txn_000000000000400080000000.
      ",
        "stdout": "u1  ✓ in_app
      u1  ✓ email
      delivered
      ",
      }
    `);
  });

  describe('of an event that is merged into a digest', () => {
    const comment = (...more: string[]) =>
      trigger('comment-digest', '--to', 'u1', '--payload', '{"author":"Bo"}', '--yes', ...more);

    it('exits with 0 and says how long the digest waits, without calling it delivered', async () => {
      const { svc } = await openRig();
      await svc(comment('--transaction-id', 'first'));
      const { code, stdout } = await svc(comment('--wait'), { tty: true });
      expect({ code, stdout }).toMatchInlineSnapshot(`
        {
          "code": 0,
          "stdout": "u1  … in_app  In the digest of 12:00:00, waiting until 12:10:00.
        u1  … email   In the digest of 12:00:00, waiting until 12:10:00.
        merged: waits in a digest until 12:10:00
        ",
        }
      `);
      const piped = await svc(comment('--wait', '--transaction-id', 'second'));
      expect(piped.stdout).toMatchInlineSnapshot(`
        "u1	merged	waits in a digest until 2026-01-15T12:10:00.000Z
        "
      `);
      const { stdout: json } = await svc(comment('--wait', '--json', '--transaction-id', 'third'));
      expect(JSON.parse(json)).toMatchObject({
        outcome: 'merged',
        recipients: [{ outcome: 'merged', reasons: [expect.stringMatching(/^waits in a digest/)] }],
      });
    });

    it('exits with 9 if a channel is required', async () => {
      const { svc } = await openRig();
      await svc(comment('--transaction-id', 'first'));
      const { code, stdout } = await svc(comment('--require', 'email'), { tty: true });
      expect(code).toBe(9);
      expect(stdout).toContain('\nundelivered: email did not reach u1\n');
    });

    it('is delivered once its digest is', async () => {
      const { svc } = await openSandboxRig();
      await svc(comment('--transaction-id', 'first'));
      await svc(comment('--transaction-id', 'second'));
      expect(await svc(words`activity get second --follow`)).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('waits in a digest until'),
      });
      await svc(words`sandbox clock advance 1d`);
      const { code, stdout } = await svc(words`activity get second --follow`, { tty: true });
      expect(code).toBe(0);
      expect(stdout).toMatch(/✓ email.*\ndelivered\n$/);
    });
  });

  it('ends with the required channel that did not reach a recipient, in red', async () => {
    const { svc } = await openRig();
    const line = trigger('welcome', '--to', 'u1', '--to', 'u2', '--yes', '--require', 'email');
    const { code, stdout } = await svc(line, { tty: true });
    expect({ code, stdout }).toMatchInlineSnapshot(`
      {
        "code": 9,
        "stdout": "u1  ✓ in_app
      u1  ✓ email
      u2  ✓ in_app
      u2  – email   The subscriber had no e-mail address.
      undelivered: email did not reach u2
      ",
      }
    `);
    const colored = await svc([...line, '--color', 'always'], { tty: true });
    expect(colored.stdout).toContain('\u001b[2m– email');
    expect(colored.stdout).toMatch(
      /\n\u001b\[31mundelivered: email did not reach u2\u001b\[39m\n$/,
    );
    const lineWithSms = [...line, '--require', 'sms', '--no-unicode'];
    const { stdout: at60 } = await svc(lineWithSms, { tty: true, columns: 60 });
    expect(at60).toContain('has no sms\n  step\n');
    const sms = await svc(lineWithSms, { tty: true, columns: 48 });
    expect(sms.stdout).toMatchInlineSnapshot(`
      "u1  + in_app
      u1  + email
      u2  + in_app
      u2  - email   The subscriber had no e-mail
                    address.
      undelivered: email did not reach u2; the
        workflow has no sms step
      "
    `);
  });

  it('says in the error of JSON output which channel did not reach whom', async () => {
    const { svc } = await openRig();
    const line = trigger('welcome', '--to', 'u2', '--require', 'email', '--json');
    const { stderr } = await svc(line);
    expect(JSON.parse(stderr)).toMatchObject({
      error: {
        message: 'undelivered: email did not reach u2.',
        details: [{ field: 'u2', message: 'undelivered; email: Subscriber missing email address' }],
        next: ['svc activity get txn_000000000000400080000000'],
      },
    });
  });

  it('reports a channel that failed although another one delivered', async () => {
    const { svc } = await openRig();
    const { code, stdout } = await svc(trigger('welcome', '--to', 'u2', '--wait'));
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: 'u2\tdelivered\temail: Subscriber missing email address\n',
    });
  });

  it('exits with 9 and the reason when no channel delivered', async () => {
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

  it('reports once that the service has not processed the event, and names no topic for a subscriber', async () => {
    const { svc, answerBy } = await openRig();
    answerBy(lateJobs({}));
    const { code, stdout, stderr } = await svc(
      trigger('welcome', '--to', 'u1', '--wait', '--wait-timeout', '20s'),
      { tty: true },
    );
    expect(code).toBe(9);
    for (const text of [stdout, stderr]) {
      expect(text.split('The service has not processed the event yet.\n')).toHaveLength(2);
      expect(text).not.toContain('topic');
    }
  });

  it('names the topics that may have no subscribers when the event was not processed', async () => {
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
    const { code, stdout, stderr } = await svc(line, { tty: true, columns: 300 });
    expect(code).toBe(9);
    for (const text of [stdout, stderr])
      expect(text).toContain(
        'The service has not processed the event yet. An event for a topic without subscribers is never processed (`empty-topic`).',
      );
  });

  it('exits with 9 after the timeout and prints the command that checks again', async () => {
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
      /^u1 {2}… in_app {2}The event waits in a digest until .*\nu1 {2}… email {3}The event waits .*\nunfinished\nCheck again: svc activity get txn_/,
    );
    expect(requests.length).toBeGreaterThan(3);
  });

  it('prints the command that moves the clock of a sandbox to the next step', async () => {
    const { svc } = await openSandboxRig();
    const line = trigger('comment-digest', '--to', 'u1', '-F', 'post:={"id":1}', '--wait-timeout');
    const { stderr } = await svc([...line, '1s'], { tty: true, columns: 300 });
    expect(stderr.match(/A step is delayed.*/g)).toEqual([
      "A step is delayed. To move the sandbox's clock: svc sandbox clock set 2026-01-15T12:10:00.000Z",
    ]);
  });

  it('polls once more for further recipients of a topic', async () => {
    const { svc } = await openRig();
    const line = trigger('welcome', '--to-topic', 'announcements', '--yes', '--wait');
    const { code, stdout } = await svc(line);
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n').length).toBeGreaterThan(2);
  });

  it('--wait=delivered does not wait for jobs after the first delivery', async () => {
    const { svc, answer, pass } = await openRig();
    pass(1);
    answer(
      accepted,
      activityWith(job('in_app', 'completed'), job('delay', 'delayed'), job('email', 'pending')),
    );
    const { code, stdout } = await svc(
      trigger('x', '--to', 'u1', '--transaction-id', 't', '--wait=delivered'),
    );
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'u1\tdelivered\t\n' });
  });

  it.each([[['--wait-timeout', '30s']], [['--require', 'email']]])(
    'is implied by %j',
    async (more) => {
      const { svc } = await openRig();
      const { code, stdout } = await svc(trigger('welcome', '--to', 'u1', ...more));
      expect({ code, stdout }).toEqual({ code: 0, stdout: 'u1\tdelivered\t\n' });
    },
  );

  it('prints the reason of a failed job, from the raw text if the detail has none', async () => {
    const { svc, answer, pass } = await openRig();
    pass(1);
    const failed = (detail: string, raw: string | null) => ({
      _id: detail,
      status: 'Failed',
      detail,
      raw,
    });
    const chat = {
      _id: 'j',
      type: 'chat',
      status: 'failed',
      executionDetails: [
        failed('Unexpected provider error', '{"message":"channel_not_found"}'),
        failed('All chat channels failed to send the message', null),
      ],
    };
    answer(accepted, activityWith(chat));
    const line = trigger('x', '--to', 'u1', '--transaction-id', 't', '--wait');
    const terminal = await svc(line, { tty: true });
    expect(terminal).toMatchObject({
      code: 9,
      stdout: 'u1  ✗ chat  The provider returned an error: channel_not_found.\nundelivered\n',
    });
    const detail = 'u1  chat  Unexpected provider error: channel_not_found\n';
    expect(terminal.stderr).not.toContain(detail);
    pass(1);
    answer(accepted, activityWith(chat));
    expect((await svc(line)).stderr).toContain(detail);
  });

  it('does not wait for the steps after a failed delay, which the service leaves pending', async () => {
    const { svc, answer, pass } = await openRig();
    pass(1);
    const detail = { _id: 'd', status: 'Failed', detail: 'Invalid delay', raw: null };
    const delay = { ...job('delay', 'failed'), executionDetails: [detail] };
    answer(accepted, activityWith(delay, job('email', 'pending')));
    const { code, stdout, requests } = await svc(
      trigger('x', '--to', 'u1', '--transaction-id', 't', '--wait'),
    );
    expect({ code, stdout, requests: requests.length }).toEqual({
      code: 9,
      stdout: 'u1\tundelivered\tdelay: Invalid delay\n',
      requests: 3,
    });
  });

  it('does not wait if the event was not triggered', async () => {
    const { svc } = await openRig();
    const { code, requests } = await svc(trigger('nothing', '--to', 'u1', '--wait'));
    expect(code).toBe(6);
    expect(requests.map(({ line }) => line.split(' ')[0])).toEqual(['GET', 'POST']);
  });

  it('rejects an unknown value', async () => {
    const { svc } = await openRig();
    expect((await svc(trigger('welcome', '--to', 'u1', '--wait=read'))).code).toBe(2);
  });
});

describe('svc events trigger --require', () => {
  it('exits with 9 and the reason when the channel did not reach every recipient', async () => {
    const { svc } = await openRig();
    const to = ['--to', 'u1', '--to', 'u2', '--yes'];
    const { code, stdout } = await svc(trigger('welcome', ...to, '--require', 'email'));
    expect(code).toBe(9);
    expect(stdout.split('\n').sort().slice(1)).toEqual([
      'u1\tdelivered\t',
      'u2\tundelivered\temail: Subscriber missing email address',
    ]);
    expect((await svc(trigger('welcome', ...to, '--require', 'in_app'))).code).toBe(0);
  });

  it('accepts several channels and reports those without a step in the workflow', async () => {
    const { svc } = await openRig();
    const line = trigger('welcome', '--to', 'u1', '--require', 'email', '--require', 'sms');
    const { code, stdout } = await svc(line);
    expect({ code, stdout }).toEqual({
      code: 9,
      stdout: 'u1\tundelivered\tsms: the workflow has no such step\n',
    });
  });

  it('exits with 9 when preferences turned the channel off', async () => {
    const { svc } = await openRig();
    await svc(['subscribers', 'preferences', 'update', 'u1', '--email', 'off']);
    const { code, stdout } = await svc(trigger('welcome', '--to', 'u1', '--require', 'email'));
    expect(code).toBe(9);
    expect(stdout).toMatch(/^u1\tundelivered\temail: Step filtered by subscriber/);
  });

  it('with --wait=delivered, waits until the required channel has delivered', async () => {
    const { svc, answer, pass } = await openRig();
    pass(1);
    const page = (email: string) =>
      activityWith(job('in_app', 'completed'), job('email', email), job('sms', 'pending'));
    answer(accepted, page('queued'), page('completed'));
    const line = trigger(
      'x',
      '--to',
      'u1',
      '--transaction-id',
      't',
      '--wait=delivered',
      '--require',
      'email',
    );
    const { code, requests } = await svc(line);
    expect({ code, requests: requests.length }).toEqual({ code: 0, requests: 4 });
  });

  it.each([
    [['--require', 'digest'], 'email'],
    [['--recipients', '-', '--require', 'email'], '--require cannot be combined with --recipients'],
  ])('rejects %j before it sends a request', async (more, message) => {
    const { svc } = await openRig();
    const target = more.includes('--recipients') ? [] : ['--to', 'u1'];
    const { code, stderr, requests } = await svc(trigger('welcome', ...target, '--yes', ...more));
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain(message);
  });
});

describe('svc activity get --follow', () => {
  it('exits with the outcome once every job has finished', async () => {
    const { svc } = await openRig();
    const ids = (await svc(trigger('welcome', '--to', 'u1', '-o', 'ids'))).stdout.trim();
    const { code, stdout } = await svc(['activity', 'get', ids, '--follow']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'u1\tdelivered\t\n' });
  });
});

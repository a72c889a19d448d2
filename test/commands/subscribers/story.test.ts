// `svc subscribers story`: a person's events, messages, skips and waits in the order of time.
import { describe, expect, it } from 'vitest';
import { openRig } from '../../support/rig.ts';
import { words } from '../../support/words.ts';

const terminal = { tty: true, columns: 80 } as const;

describe('svc subscribers story', () => {
  it('shows the person, and each step with its subject or reason', async () => {
    const { svc } = await openRig();
    const { code, stdout, stderr } = await svc(words`subscribers story u6`, terminal);
    expect({ code, stderr, stdout }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "SUBSCRIBER   u6, Farid Haddad
      EMAIL        farid@example.com
      DEVICES      slack
      PREFERENCES  email off for all workflows, email on for one-time-code

      Since 30d
      WHEN          WORKFLOW      STEP      WHAT
      9 Jan 12:00   order-update  ✓ chat    The chat message was sent.
                                  ✗ push    The subscriber had no device token for
                                            push.
                                  – sms     The subscriber had no phone number.
      10 Jan 13:00  welcome       ✓ in_app  Welcome, Farid!
                                  – email   The subscriber turned off e-mail for all
                                            workflows.
      ",
      }
    `);
  });

  it('shows waits and the digest that carries a step', async () => {
    const { svc } = await openRig();
    const comment = words`events trigger comment-digest --to u1 -f author=Bo --yes`;
    await svc([...comment, '--transaction-id', 'first']);
    await svc([...comment, '--transaction-id', 'second']);
    const { stdout } = await svc(words`subscribers story u1 --since 1h`, terminal);
    expect(stdout.slice(stdout.indexOf('Since'))).toMatchInlineSnapshot(`
      "Since 1h
      WHEN      WORKFLOW        STEP      WHAT                             TRANSACTION
      12:00:00  comment-digest  … in_app  The event waits in a digest      first
                                          until 12:10:00.
                                … email   The event waits in a digest
                                          until 12:10:00.
      12:00:00  comment-digest  … in_app  In the digest of 12:00:00,       second
                                          waiting until 12:10:00.
                                … email   In the digest of 12:00:00,
                                          waiting until 12:10:00.
      "
    `);
  });

  it.each([
    ['the preferences cannot be read', '/v2/subscribers/u6/preferences', { status: 503 }, 7],
    ['the messages cannot be read', '/v1/messages', { status: 503 }, 7],
    [
      'a gateway says that there is no such path',
      '/v2/subscribers/u6',
      { status: 404, body: { message: 'no Route matched' } },
      7,
    ],
    [
      'the service lists events of another subscriber',
      '/v1/notifications',
      {
        status: 200,
        body: {
          data: [{ _id: 'e', transactionId: 't', subscriber: { subscriberId: 'u1' }, jobs: [] }],
          ...{ page: 0, pageSize: 50, hasMore: false },
        },
      },
      6,
    ],
  ])('fails if %s', async (_why, path, answer, expected) => {
    const { svc, answerBy } = await openRig();
    answerBy(({ url }) => (url.pathname === path ? answer : undefined));
    const { code, stdout } = await svc(words`subscribers story u6`);
    expect({ code, stdout }).toEqual({ code: expected, stdout: '' });
  });

  it('says that there are more events than --limit', async () => {
    const { svc } = await openRig();
    const events = async (limit: number) => {
      const { stdout, stderr } = await svc(
        words`subscribers story u1 --limit ${String(limit)} --json`,
      );
      return { count: JSON.parse(stdout).events.length, stderr };
    };
    const { count } = await events(100);
    expect(await events(count)).toEqual({ count, stderr: '' });
    expect(await events(count - 1)).toEqual({
      count: count - 1,
      stderr: `Warning: Only the newest ${count - 1} events are read; see --limit.\n`,
    });
  });

  it('has a line per step in a pipe, and one object as JSON and NDJSON', async () => {
    const { svc } = await openRig();
    const { stdout } = await svc(words`subscribers story u9`);
    expect(stdout).toMatchInlineSnapshot(`
      "2026-01-10T12:00:00.000Z	seed-code	one-time-code	undelivered	email	failed	provider_error	The provider returned an error: Host not found: mail.invalid.	Your code is 123456
      2026-01-10T12:00:00.000Z	seed-code	one-time-code	undelivered	sms	delivered		The SMS was sent.	
      "
    `);
    const json = await svc(words`subscribers story u9 --json`);
    expect(JSON.parse(json.stdout)).toMatchObject({
      subscriberId: 'u9',
      subscriber: { subscriberId: 'u9' },
      preferences: { global: expect.any(Object) },
      events: [{ outcome: 'undelivered', steps: [{ cause: 'provider_error' }, { cause: null }] }],
    });
    const ndjson = await svc(words`subscribers story u9 -o ndjson`);
    expect(ndjson.stdout.match(/\n/g)).toHaveLength(1);
    expect(JSON.parse(ndjson.stdout)).toEqual(JSON.parse(json.stdout));
  });

  it('shows the events of a person who was deleted, and exits with 5 for an unknown one', async () => {
    const { svc, answerBy } = await openRig();
    answerBy(({ method, url }) =>
      method === 'GET' && url.pathname === '/v2/subscribers/u6'
        ? { status: 404, body: { statusCode: 404, message: 'Subscriber u6 not found' } }
        : undefined,
    );
    const { code, stdout } = await svc(words`subscribers story u6`, terminal);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^EMAIL +the subscriber does not exist now$/m);
    expect(stdout).toContain('order-update');
    expect(await svc(words`subscribers story unknown`)).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('svc subscribers list'),
    });
  });

  it('says if a time has no events', async () => {
    const { svc } = await openRig();
    const { code, stdout } = await svc(words`subscribers story u6 --since 1h`, terminal);
    expect(code).toBe(0);
    expect(stdout).toContain('No events. Choose an earlier time with --since.');
  });
});

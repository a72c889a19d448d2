// The output of `svc activity explain`.
import { describe, expect, it } from 'vitest';
import { openRig, parsed } from '../../support/rig.ts';
import type { Explained } from './explain-rig.ts';

describe('svc activity explain', () => {
  it('shows one screen on a terminal: the answer, and why for each channel', async () => {
    const { svc } = await openRig();
    const line = ['activity', 'explain', 'u3', '--workflow', 'comment-digest'];
    const { stdout, stderr, code } = await svc(line, { tty: true, columns: 80 });
    expect({ code, stderr, stdout }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "ANSWER       ✓ Every message of comment-digest for u3 was delivered.
      WORKFLOW     comment-digest
      TRANSACTION  seed-comments-3
      WHEN         7 Jan 12:05

      Channels
      CHANNEL  VERDICT      WHY
      in_app   ✓ delivered  In the digest of 7 Jan 12:00, delivered.
                            7 Jan 12:10 Message sent
      email    ✓ delivered  In the digest of 7 Jan 12:00, delivered.
                            7 Jan 12:10 Message sent
      ",
      }
    `);
    for (const row of stdout.split('\n')) expect(row.length).toBeLessThanOrEqual(80);
  });

  it('shows the cause and the next command without an event', async () => {
    const { svc } = await openRig();
    const line = ['activity', 'explain', 'u1', '--workflow', 'welcom'];
    const { stdout, code } = await svc(line, { tty: true, columns: 80 });
    expect({ code, stdout }).toMatchInlineSnapshot(`
      {
        "code": 9,
        "stdout": "ANSWER       – Workflow \`welcom\` does not exist, so the service rejects its
                   events. Did you mean \`welcome\`?
      WORKFLOW     welcom
      NEXT         svc workflows list
      ",
      }
    `);
  });

  it('explains every event of the seed', async () => {
    const { svc } = await openRig();
    const { stdout } = await svc(['activity', 'list', '--json']);
    const items = JSON.parse(stdout) as {
      transactionId: string;
      subscriber: { subscriberId: string };
    }[];
    expect(items).toHaveLength(16);
    for (const { transactionId, subscriber } of items) {
      const line = [subscriber.subscriberId, '--transaction', transactionId];
      const { stdout: text, code } = await svc(['activity', 'explain', ...line, '--json']);
      const { channels } = parsed(text) as unknown as Explained;
      expect(channels.length).toBeGreaterThan(0);
      const isDelivered = channels.every(({ verdict }) => verdict === 'delivered');
      expect(code).toBe(isDelivered ? 0 : 9);
      for (const { verdict, cause } of channels)
        expect(cause === null).toBe(verdict === 'delivered');
    }
  });

  it('reports the verdict as an error in a pipe, with the commands to run next', async () => {
    const { svc } = await openRig();
    const { stdout, stderr, code } = await svc(['activity', 'explain', 'u7', '-o', 'ids']);
    expect({ code, stdout }).toEqual({ code: 9, stdout: 'seed-trial\n' });
    expect(stderr).toContain('The e-mail of trial-ending for u7 is waiting.');
    expect(stderr).toContain('svc activity get seed-trial --follow');
  });

  it('fails like other commands if the service does', async () => {
    const { svc, answer } = await openRig();
    answer({ status: 403, body: { statusCode: 403, message: 'Forbidden' } });
    expect((await svc(['activity', 'explain', 'u1'])).code).toBe(4);
    const bad = await svc(['activity', 'explain', 'u1', '--since', 'yesterday']);
    expect(bad).toMatchObject({ code: 2, requests: [] });
  });
});

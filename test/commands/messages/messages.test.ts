import { describe, expect, it } from 'vitest';
import { openRig, type Rig } from '../../support/rig.ts';

const ids = async ({ svc }: Rig, ...options: string[]) =>
  (await svc(['messages', 'list', '--all', '-o', 'ids', ...options])).stdout
    .split('\n')
    .filter(Boolean);

describe('svc messages list', () => {
  it('prints a table and filters by channel, subscriber and transaction', async () => {
    const rig = await openRig();
    const line = ['messages', 'list', '--subscriber', 'u2'];
    const { stdout } = await rig.svc(line, { tty: true, columns: 140 });
    expect(stdout).toMatchInlineSnapshot(`
      "WHEN         OUTCOME   SUBSCRIBER  WORKFLOW  PROVIDER  STATUS   SUBJECT             CONTENT            ERROR              TRANSACTION
      6 Jan 12:00  – email   u2          welcome   sendgrid  warning  Welcome to Example  Hello Bruno, goo…  Subscriber does …  seed-welcome-bruno
      6 Jan 12:00  ✓ in_app  u2          welcome   novu      sent     Welcome, Bruno!     Good to have you…                     seed-welcome-bruno
      "
    `);
    const narrow = await rig.svc(['messages', 'list', '--channel', 'sms'], {
      tty: true,
      columns: 60,
    });
    expect(narrow.stdout).toContain('Order A-100 is shipped.');
    const at80 = await rig.svc(['messages', 'list', '--channel', 'email'], { tty: true });
    expect(at80.stdout).toMatchInlineSnapshot(`
      "WHEN          OUTCOME  SUBSCRIBER  WORKFLOW        SUBJECT
      10:30:00      ✓ email  u1          invoice-paid    Receipt for INV-1
      14 Jan 10:10  ✓ email  u1          comment-digest  New comments on Hello
      12 Jan 12:00  ✓ email  u1          welcome         Welcome to Example
      10 Jan 12:00  ✗ email  u9          one-time-code   Your code is 123456
      7 Jan 12:10   ✓ email  u3          comment-digest  New comments on Roadmap
      6 Jan 12:00   – email  u2          welcome         Welcome to Example
      "
    `);
    const all = await ids(rig);
    const emails = await ids(rig, '--channel', 'email');
    expect(emails.length).toBeGreaterThan(0);
    expect(emails.length).toBeLessThan(all.length);
    const two = ['--transaction', 'seed-welcome-bruno', '--transaction', 'seed-price-1'];
    const first = await ids(rig, ...two.slice(0, 2));
    expect((await ids(rig, ...two)).length).toBeGreaterThan(first.length);
    expect(await ids(rig, '--context', 'tenant=org-globex')).toEqual(first);
    expect(await rig.svc(['messages', 'list', '--channel', 'fax'])).toMatchObject({ code: 2 });
  });

  it('reads further pages', async () => {
    const rig = await openRig();
    const { requests } = await rig.svc(['messages', 'list', '--all', '--page-size', '5']);
    expect(requests.length).toBeGreaterThan(1);
    expect(requests[1]?.line).toContain('page=1');
    expect(await ids(rig, '--page-size', '5')).toEqual(await ids(rig));
  });
});

describe('svc messages delete', () => {
  it('asks first, then deletes the messages with these ids', async () => {
    const rig = await openRig();
    const [first = '', second = '', ...others] = await ids(rig);
    const asked = await rig.svc(['messages', 'delete', first]);
    expect(asked).toMatchObject({ code: 2, requests: [] });
    expect(asked.stderr).toContain(`to delete message ${first} at http://sandbox.localhost.`);
    const line = ['messages', 'delete', '-', '--yes', '--json'];
    const { stdout } = await rig.svc(line, { stdin: `${first}\n${second}\n` });
    expect(JSON.parse(stdout)).toEqual([
      { messageId: first, deleted: true },
      { messageId: second, deleted: true },
    ]);
    expect(await ids(rig)).toEqual(others);
    expect((await rig.svc(['messages', 'delete', first, '--yes'])).code).toBe(5);
  });

  it('deletes the messages of a transaction, and asks with their number', async () => {
    const rig = await openRig();
    const line = ['messages', 'delete', '--transaction', 'seed-welcome-bruno'];
    const before = (await ids(rig, '--transaction', 'seed-welcome-bruno')).length;
    const asked = await rig.svc(line);
    expect(asked.code).toBe(2);
    expect(asked.stderr).toContain(
      `to delete ${before} messages of transaction seed-welcome-bruno at http://sandbox.localhost.`,
    );
    const one = await rig.svc([...line, '--channel', 'in_app', '--yes', '--json']);
    expect(JSON.parse(one.stdout)).toEqual({
      deleted: true,
      transactionId: 'seed-welcome-bruno',
      messages: 1,
    });
    expect((await rig.svc([...line, '--channel', 'in_app', '--yes'])).code).toBe(5);
    await rig.svc([...line, '--yes']);
    expect(await ids(rig, '--transaction', 'seed-welcome-bruno')).toEqual([]);
  });

  it.each([[['--transaction', 'x', 'y']], [['--channel', 'email', 'y']], [[]]])(
    'is a usage error for %j',
    async (words) => {
      const { svc } = await openRig();
      const { code, requests } = await svc(['messages', 'delete', ...words, '--yes']);
      expect({ code, requests }).toEqual({ code: 2, requests: [] });
    },
  );
});

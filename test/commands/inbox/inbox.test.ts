import { describe, expect, it } from 'vitest';
import { sentMethods } from '../../support/requests.ts';
import { openRig } from '../../support/rig.ts';
import { words } from '../../support/words.ts';

describe('svc inbox list', () => {
  it('prints a table', async () => {
    const { svc } = await openRig();
    const { stdout, stderr, code } = await svc(['inbox', 'list', 'u1'], {
      tty: true,
      columns: 120,
    });
    expect({ stdout, stderr, code }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "ID                        WHEN          READ  SEEN  WORKFLOW        SUBJECT           CONTENT                     STATUS
      67748580259aa8ef98259b5a  10:30:00      no    no    invoice-paid    Payment received  49.5 EUR for INV-1. Thank…  sent
      67748580259aa8ef98259b4b  14 Jan 10:10  no    yes   comment-digest  2 new comments    On Hello: Bruno, Chiyo      sent
      67748580259aa8ef98259b2b  12 Jan 12:00  yes   yes   welcome         Welcome, Ada!     Good to have you at…        sent
      ",
      }
    `);
  });

  it('filters, and encodes the payload filter as base64', async () => {
    const { svc } = await openRig();
    const { stdout, requests } = await svc(
      words`inbox list u1 --unread --payload {"invoiceId":"INV-1"} --json`,
    );
    expect(JSON.parse(stdout)).toMatchObject([{ read: false, payload: { invoiceId: 'INV-1' } }]);
    expect(requests[0]?.line).toBe(
      'GET /v1/subscribers/u1/notifications/feed?read=false&payload=eyJpbnZvaWNlSWQiOiJJTlYtMSJ9&page=0&limit=50',
    );
    expect((await svc(['inbox', 'list', 'u1', '--read'])).stdout.trim().split('\n')).toHaveLength(
      1,
    );
  });

  it('exits with 2 for --read with --unread and with 5 for an unknown subscriber', async () => {
    const { svc } = await openRig();
    expect(await svc(['inbox', 'list', 'u1', '--read', '--unread'])).toMatchObject({
      code: 2,
      requests: [],
    });
    expect((await svc(['inbox', 'list', 'unknown'])).code).toBe(5);
  });
});

describe('svc inbox mark', () => {
  const unread = async ({ svc }: Awaited<ReturnType<typeof openRig>>) =>
    (await svc(['inbox', 'list', 'u1', '--unread', '-o', 'ids'])).stdout
      .trim()
      .split('\n')
      .filter(Boolean);

  it('marks the given notifications and prints their number', async () => {
    const rig = await openRig();
    const [id = ''] = await unread(rig);
    expect((await rig.svc(['inbox', 'mark', 'u1', 'read', id], { tty: true })).stdout).toBe(
      'Marked 1 notification of u1 read at http://sandbox.localhost.\n',
    );
    expect(await unread(rig)).not.toContain(id);
  });

  it('prints the notifications as data and as lines', async () => {
    const rig = await openRig();
    const [id = ''] = await unread(rig);
    const { stdout, requests } = await rig.svc(['inbox', 'mark', 'u1', 'seen', id, '--json']);
    expect(JSON.parse(stdout)).toMatchObject([{ _id: id, seen: true, read: false }]);
    expect(requests[0]?.body).toEqual({ messageId: [id], markAs: 'seen' });
    const rows = await rig.svc(['inbox', 'mark', 'u1', 'seen', id, '-o', 'tsv', '--no-header']);
    expect(rows.stdout.split('\t')[0]).toBe(id);
  });

  it('collects all matching notifications and asks for confirmation with their number', async () => {
    const rig = await openRig();
    const before = await unread(rig);
    const unconfirmed = await rig.svc(['inbox', 'mark', 'u1', 'read', '--all', '--unread']);
    expect(unconfirmed.code).toBe(2);
    expect(unconfirmed.stderr).toContain(
      `to mark ${before.length} notifications of u1 read at http://sandbox.localhost.`,
    );
    expect(sentMethods(unconfirmed.requests)).toEqual(['GET']);
    expect(
      (await rig.svc(['inbox', 'mark', 'u1', 'read', '--all', '--unread', '--yes'])).code,
    ).toBe(0);
    expect(await unread(rig)).toEqual([]);
  });

  it.each([
    [['u1', 'rad', 'x'], 'Did you mean'],
    [['u1', 'read'], 'No notification is given'],
    [['u1', 'read', 'x', '--read-only'], 'does not allow'],
  ])('rejects %j before it sends a request', async (words, message) => {
    const { svc } = await openRig();
    const { code, stderr, requests } = await svc(['inbox', 'mark', ...words]);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain(message);
  });

  it('exits with 6 for ids of another subscriber and with 5 for an unknown subscriber', async () => {
    const { svc } = await openRig();
    expect((await svc(['inbox', 'mark', 'u1', 'read', '0'.repeat(24)])).code).toBe(6);
    expect((await svc(['inbox', 'mark', 'unknown', 'read', '0'.repeat(24)])).code).toBe(5);
  });
});

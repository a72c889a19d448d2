import { describe, expect, it } from 'vitest';
import { sentMethods } from '../../support/requests.ts';
import { openRig } from '../../support/rig.ts';
import { words } from '../../support/words.ts';

describe('svc events trigger', () => {
  it('prints what was triggered and its transaction id', async () => {
    const { svc } = await openRig();
    const { stdout, code } = await svc(['events', 'trigger', 'welcome', '--to', 'u1'], {
      tty: true,
      columns: 300,
    });
    expect({ stdout, code }).toEqual({
      code: 0,
      stdout:
        'Triggered welcome for u1 at http://sandbox.localhost: transaction txn_000000000000400080000000.\n',
    });
  });

  it('sends one event with all given options', async () => {
    const { svc } = await openRig();
    const { stdout, requests } = await svc(words`
      events trigger comment-digest --to u1 -f author=Bo -f post.title=Hi -F post.id:=1
      --payload {"kind":"comment"} --context tenant=org-acme --actor u2 --transaction-id t-1
      --overrides {"fcm":{"data":{}}} --json
    `);
    expect(JSON.parse(stdout)).toEqual([
      { acknowledged: true, status: 'processed', transactionId: 't-1' },
    ]);
    expect(requests.at(-1)?.body).toEqual({
      events: [
        {
          name: 'comment-digest',
          to: [{ subscriberId: 'u1' }],
          payload: { kind: 'comment', author: 'Bo', post: { title: 'Hi', id: 1 } },
          context: { tenant: 'org-acme' },
          actor: 'u2',
          transactionId: 't-1',
          overrides: { fcm: { data: {} } },
        },
      ],
    });
    expect((await svc(['events', 'trigger', 'welcome', '--to', 'u1', '-o', 'ids'])).stdout).toMatch(
      /^txn_[0-9a-f]{24}\n$/,
    );
    expect((await svc(['events', 'trigger', 'welcome', '--to', 'u1'])).stdout).toMatch(
      /^Triggered welcome for u1 at .*: transaction txn_/,
    );
  });

  it.each([
    [['welcome'], 'No recipient is given'],
    [['welcome', '--to', 'u1', '--to', 'u2'], 'Confirm with --yes'],
    [['welcome', '--to-topic', 'announcements'], 'Confirm with --yes'],
    [['welcome', '--to', 'u1', '-F', 'a:=x'], 'is not JSON'],
    [['welcome', '--to', 'u1', '--payload', 'a=x y'], "For a field: -f 'a=x y'"],
    [['welcome', '--to', 'u1', '--payload', 'a.b:=1'], 'For a field: -F a.b:=1'],
    [['welcome', '--to', 'u1', '--context', 'x'], 'does not have the form type=id'],
  ])('rejects %j before it sends a request', async (words, message) => {
    const { svc } = await openRig();
    const { code, stderr, requests } = await svc(['events', 'trigger', ...words]);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain(message);
  });

  it.each([
    [
      'nope',
      'Not triggered: workflow nope does not exist (list them with `svc workflows list`).\n',
    ],
    [
      'legacy-newsletter',
      'Not triggered: workflow legacy-newsletter is not active (trigger_not_active).\n',
    ],
  ])(
    'exits with 6 and the reason when the service does not process an event of %s',
    async (workflow, stdout) => {
      const { svc } = await openRig();
      const line = ['events', 'trigger', workflow, '--to', 'u1'];
      expect(await svc(line, { tty: true, columns: 300 })).toMatchObject({ code: 6, stdout });
    },
  );

  it.each([
    ['no_workflow_steps_defined', [], 'workflow w has no steps (no_workflow_steps_defined)'],
    ['error', ['a', 'b'], 'a; b'],
    ['constructor', [], 'constructor'],
  ])(
    'explains the status %s of an event that was not triggered',
    async (status, error, message) => {
      const { svc, answer, pass } = await openRig();
      pass(1);
      answer({ status: 201, body: [{ acknowledged: true, status, error }] });
      const line = ['events', 'trigger', 'w', '--to', 'u1'];
      expect((await svc(line, { tty: true })).stdout).toBe(`Not triggered: ${message}.\n`);
    },
  );

  it('prints transaction and error in columns of their own', async () => {
    const { svc, answer, pass } = await openRig();
    const line = words`events trigger w --to u1 --transaction-id t -o tsv --no-header`;
    // The subscriber is read first.
    pass(1);
    answer({
      status: 201,
      body: [{ acknowledged: true, status: 'processed', transactionId: 't' }],
    });
    expect((await svc(line)).stdout).toBe('true\tprocessed\tt\t\n');
    pass(1);
    answer({ status: 201, body: [{ acknowledged: true, status: 'error', error: ['a'] }] });
    expect((await svc(line)).stdout).toBe('true\terror\t\ta\n');
  });
});

describe('svc events cancel', () => {
  it('prints for each transaction whether it was cancelled', async () => {
    const { svc } = await openRig();
    const id = (
      await svc(['events', 'trigger', 'comment-digest', '--to', 'u1', '-o', 'ids'])
    ).stdout.trim();
    expect((await svc(['events', 'cancel', id, '--yes'], { tty: true })).stdout).toBe(
      `Cancelled 1 of 1 transaction at http://sandbox.localhost.\n${id}: cancelled.\n`,
    );
    expect(
      JSON.parse((await svc(['events', 'cancel', id, 'other', '--yes', '--json'])).stdout),
    ).toEqual([
      { transactionId: id, cancelled: false, state: 'notPending' },
      { transactionId: 'other', cancelled: null, state: 'unknown' },
    ]);
    expect(await svc(words`events cancel ${id} --yes -o tsv --no-header`)).toMatchObject({
      code: 0,
      stdout: `${id}\tfalse\tnotPending\n`,
    });
    expect((await svc(['events', 'cancel', id, '--yes'], { tty: true })).stdout).toBe(
      `Cancelled 0 of 1 transaction at http://sandbox.localhost.\n${id}: nothing left to cancel.\n`,
    );
  });

  it('exits with 2 without confirmation and with 4 for a wrong key', async () => {
    const { svc } = await openRig();
    expect(await svc(['events', 'cancel', 'x'])).toMatchObject({ code: 2, requests: [] });
    expect(
      (await svc(['events', 'cancel', 'x', '--yes'], { env: { SVC_API_KEY: 'f'.repeat(32) } }))
        .code,
    ).toBe(4);
  });

  it('reports unknown instead of false when the first response was lost', async () => {
    const { svc, answer } = await openRig();
    answer(new Error('reset'));
    expect(JSON.parse((await svc(['events', 'cancel', 'x', '--yes', '--json'])).stdout)).toEqual([
      { transactionId: 'x', cancelled: null, state: 'unknown' },
    ]);
  });
});

describe('svc events trigger --existing-only', () => {
  it('rejects a topic that does not exist, which the service would accept', async () => {
    const { svc } = await openRig();
    const line = ['events', 'trigger', 'welcome', '--to-topic', 'announcments', '--yes'];
    const { code, stderr, requests } = await svc(line);
    expect(code).toBe(5);
    expect(stderr).toContain('Topic `announcments` does not exist. Did you mean `announcements`?');
    expect(sentMethods(requests)).toEqual(['GET']);
  });

  it('triggers nothing when a subscriber does not exist', async () => {
    const { svc } = await openRig();
    const line = ['events', 'trigger', 'welcome', '--to', 'u1', '--to', 'unknown', '--yes'];
    const { code, stderr, requests } = await svc([...line, '--existing-only']);
    expect({ code, stderr }).toMatchInlineSnapshot(`
      {
        "code": 5,
        "stderr": "Error: Subscriber \`unknown\` does not exist. Existing subscribers include: \`u1\`, \`u7\`, \`u2\`.
      Nothing was triggered. Without --existing-only, the service creates missing subscribers.
      ",
      }
    `);
    expect(sentMethods(requests)).toEqual(['GET']);
  });

  it('triggers the event when all subscribers exist', async () => {
    const { svc } = await openRig();
    const { code } = await svc(['events', 'trigger', 'welcome', '--to', 'u1', '--existing-only']);
    expect(code).toBe(0);
  });
});

describe('svc events trigger --payload -', () => {
  it('reads the payload from standard input', async () => {
    const { svc } = await openRig();
    const { code, requests } = await svc(
      ['events', 'trigger', 'welcome', '--to', 'u1', '--payload', '-'],
      { stdin: '{"name":"Bo"}' },
    );
    expect(code).toBe(0);
    expect(requests.at(-1)?.body).toMatchObject({ events: [{ payload: { name: 'Bo' } }] });
  });
});

it('names the options that add the missing fields of the payload', async () => {
  const { svc } = await openRig();
  const line = ['events', 'trigger', 'invoice-paid', '--to', 'u1', '-f', 'number=A-1'];
  const { code, stdout } = await svc(line, { tty: true, columns: 300 });
  expect({ code, stdout }).toMatchInlineSnapshot(`
    {
      "code": 6,
      "stdout": "Not triggered: Payload validation failed: root.invoiceId: must have required property 'invoiceId'; root.amount: must have required property 'amount'; root.currency: must have required property 'currency'; root: must NOT have additional properties.
    Add the missing fields of the payload: -F invoiceId:=JSON -F amount:=JSON -F currency:=JSON. For text, use -f, as in -f invoiceId=TEXT.
    ",
    }
  `);
  const { stderr } = await svc([...line, '--json']);
  expect(JSON.parse(stderr)).toMatchObject({ error: { hint: expect.stringContaining('-F ') } });
});

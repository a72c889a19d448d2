import { describe, expect, it } from 'vitest';
import { openRig } from '../../support/rig.ts';
import { words } from '../../support/words.ts';
import { openSandboxRig } from './sandbox-rig.ts';

/** Opens a rig after a welcome event to u1 and u2. u2 has no e-mail address. */
async function openWelcomedRig() {
  const rig = await openSandboxRig();
  await rig.svc(['sandbox', 'clock', 'advance', '1h']);
  const line = ['events', 'trigger', 'welcome', '--to', 'u1', '--to', 'u2', '--yes'];
  expect(await rig.svc([...line, '--payload', '{"product":"Svc"}'])).toMatchObject({ code: 0 });
  return rig;
}

describe('svc sandbox messages list', () => {
  it('shows captured messages, newest first', async () => {
    const { svc } = await openWelcomedRig();
    const { stdout } = await svc(words`
      sandbox messages list --limit 4 --fields
      channel,subscriberId,recipient,status,subject,body
    `);
    expect(stdout).toMatchInlineSnapshot(`
      "email	u2		warning	Welcome to Svc	<p>Hello Bruno,</p><p>good to have you here.</p>
      in_app	u2	u2	sent	Welcome, Bruno!	Good to have you at Svc.
      email	u1	ada@example.com	sent	Welcome to Svc	<p>Hello Ada,</p><p>good to have you here.</p>
      in_app	u1	u1	sent	Welcome, Ada!	Good to have you at Svc.
      "
    `);
  });

  it('filters, pages, and prints the command for more', async () => {
    const { svc } = await openWelcomedRig();
    const { requests } = await svc(
      words`sandbox messages list --subscriber u1 --channel email --transaction x`,
    );
    expect(requests.map(({ line }) => line)).toEqual([
      'GET /__sandbox/messages?page=0&limit=50&subscriberId=u1&channel=email&transactionId=x',
    ]);
    const limited = await svc(['sandbox', 'messages', 'list', '--limit', '1'], { tty: true });
    expect(limited.stderr).toBe('More items: svc sandbox messages list --all\n');
    const all = await svc(words`sandbox messages list --all --page-size 2 -o ids`);
    expect(all.requests.length).toBeGreaterThan(1);
    const ids = all.stdout.trim().split('\n');
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('shows time, outcome, recipient and subject or text at 80 columns', async () => {
    const { svc } = await openWelcomedRig();
    const list = ['sandbox', 'messages', 'list', '--limit', '3'];
    expect((await svc(list, { tty: true, columns: 80 })).stdout).toMatchInlineSnapshot(`
      "WHEN      OUTCOME   SUBSCRIBER  RECIPIENT        PROVIDER  SUBJECT
      13:00:00  – email   u2          u2: no address   sendgrid  Welcome to Svc
      13:00:00  ✓ in_app  u2          u2               svc       Welcome, Bruno!
      13:00:00  ✓ email   u1          ada@example.com  sendgrid  Welcome to Svc
      "
    `);
    const sms = await svc([...list, '--channel', 'sms'], { tty: true, columns: 80 });
    expect(sms.stdout).toMatchInlineSnapshot(`
      "WHEN          OUTCOME  SUBSCRIBER  RECIPIENT       SUBJECT
      10 Jan 12:00  ✓ sms    u9          +15550109       123456 is your code.
      9 Jan 12:00   – sms    u6          u6: no address  Order A-100 is shipped.
      9 Jan 12:00   – sms    u3          u3: no address  Order A-100 is shipped.
      "
    `);
    const wide = await svc(list, { tty: true, columns: 120 });
    expect(wide.stdout.replaceAll(/\b[0-9a-f]{24}\b/g, 'f'.repeat(24))).toMatchInlineSnapshot(`
      "WHEN      OUTCOME   SUBSCRIBER  RECIPIENT        PROVIDER  SUBJECT          WORKFLOW  TRANSACTION
      13:00:00  – email   u2          u2: no address   sendgrid  Welcome to Svc   welcome   txn_000000000000400080000000
      13:00:00  ✓ in_app  u2          u2               svc       Welcome, Bruno!  welcome   txn_000000000000400080000000
      13:00:00  ✓ email   u1          ada@example.com  sendgrid  Welcome to Svc   welcome   txn_000000000000400080000000
      "
    `);
  });

  it('shows the outcome also beside long texts', async () => {
    const { svc } = await openSandboxRig();
    const email = `${'a'.repeat(50)}@example.com`;
    expect(await svc(['subscribers', 'create', 'long', '--email', email])).toMatchObject({
      code: 0,
    });
    const trigger = ['events', 'trigger', 'welcome', '--to', 'long', '--yes'];
    await svc([...trigger, '-f', `product=${'b'.repeat(70)}`]);
    const list = ['sandbox', 'messages', 'list', '--subscriber', 'long', '--channel', 'email'];
    for (const columns of [70, 80])
      expect((await svc(list, { tty: true, columns })).stdout).toMatch(
        /^WHEN +OUTCOME +(SUBSCRIBER +)?RECIPIENT +(PROVIDER +)?SUBJECT\n\S+ +✓ email +(long +)?aaa\S+ +(sendgrid +)?Welcome to b+…\n$/,
      );
  });

  it('shows a text with a less-than sign whole', async () => {
    const { svc } = await openSandboxRig();
    await svc(['events', 'trigger', 'order-update', '--to', 'u9', '--yes', '-f', 'order=A < B']);
    const list = ['sandbox', 'messages', 'list', '--channel', 'sms', '--limit', '1'];
    expect((await svc(list, { tty: true })).stdout).toContain('Order A < B is');
  });

  it('prints a note if no messages match', async () => {
    const { svc } = await openSandboxRig();
    const list = ['sandbox', 'messages', 'list'];
    const none = await svc([...list, '--transaction', 'none'], { tty: true });
    expect(none.stderr).toBe('No messages match.\n');
  });
});

describe('svc sandbox messages get', () => {
  it('shows one message', async () => {
    const { svc } = await openWelcomedRig();
    const list = ['sandbox', 'messages', 'list', '--subscriber', 'u1', '--channel', 'email'];
    const [id = ''] = (await svc([...list, '--limit', '1', '-o', 'ids'])).stdout.split('\n');
    const { stdout, code } = await svc(['sandbox', 'messages', 'get', id, '--jq', '.body']);
    expect({ stdout, code }).toEqual({
      stdout: '<p>Hello Ada,</p><p>good to have you here.</p>\n',
      code: 0,
    });
  });

  it('shows the sender, the copies and the attachments of an e-mail', async () => {
    const { svc } = await openSandboxRig();
    const event = {
      ...{ name: 'welcome', to: 'u1' },
      payload: { product: 'Svc', attachments: [{ name: 'a.pdf', file: 'YWJj' }] },
      overrides: { email: { cc: ['c@example.com', 'd@example.com'], replyTo: 'r@example.com' } },
    };
    await svc(['api', 'POST', '/v1/events/trigger', '--body', JSON.stringify(event)]);
    const list = ['sandbox', 'messages', 'list', '--channel', 'email', '--limit', '1', '-o', 'ids'];
    const [id = ''] = (await svc(list)).stdout.split('\n');
    const { stdout } = await svc(['sandbox', 'messages', 'get', id], { tty: true, columns: 100 });
    expect(stdout).toMatch(/FROM +hello@example\.com\nSENDER +Example\n/);
    expect(stdout).toMatch(/CC +c@example\.com, d@example\.com\n/);
    expect(stdout).toMatch(/REPLY TO +r@example\.com\n/);
    expect(stdout).toMatch(/ATTACHMENTS +a\.pdf\n/);
    expect(stdout).not.toContain('BCC');
  });

  it('exits with 5 for an unknown id', async () => {
    const { svc } = await openSandboxRig();
    const { code, stderr } = await svc(['sandbox', 'messages', 'get', 'nope']);
    expect(code).toBe(5);
    expect(stderr).toContain('Message with id nope not found');
  });
});

describe('svc sandbox messages get --links', () => {
  it('lists the links of an e-mail, and numbers them in its text', async () => {
    const seed = {
      version: 1 as const,
      environments: [
        {
          name: 'Development',
          integrations: [
            {
              ...{ identifier: 'email', name: 'E-mail', providerId: 'sendgrid' },
              ...{ channel: 'email' as const, primary: true },
            },
          ],
          workflows: [
            {
              workflowId: 'sign-up',
              steps: [
                {
                  ...{ stepId: 'email', type: 'email' as const },
                  controlValues: {
                    subject: 'Confirm',
                    body: '<p><a href="https://example.com/c?t=1&amp;u=2">Confirm</a> https://example.com/help.</p>',
                  },
                },
              ],
            },
          ],
          subscribers: [{ subscriberId: 'u1', email: 'ada@example.com' }],
        },
      ],
    };
    const { svc } = await openRig({ seed });
    await svc(['events', 'trigger', 'sign-up', '--to', 'u1', '--yes']);
    const list = await svc(['sandbox', 'messages', 'list', '-o', 'ids']);
    const get = ['sandbox', 'messages', 'get', list.stdout.trim(), '--links'];
    expect((await svc(get)).stdout).toBe(
      'https://example.com/c?t=1&u=2\tConfirm\nhttps://example.com/help\t\n',
    );
    expect((await svc([...get, '-o', 'ids'])).stdout).toBe(
      'https://example.com/c?t=1&u=2\nhttps://example.com/help\n',
    );
    expect(JSON.parse((await svc([...get, '--json'])).stdout)).toEqual([
      { url: 'https://example.com/c?t=1&u=2', text: 'Confirm' },
      { url: 'https://example.com/help', text: '' },
    ]);
    const id = list.stdout.trim();
    const shown = await svc(['sandbox', 'messages', 'get', id], { tty: true, columns: 60 });
    expect(shown.stdout.slice(shown.stdout.indexOf('\nBody'))).toMatchInlineSnapshot(`
      "
      Body
      Confirm [1] https://example.com/help.

      [1] https://example.com/c?t=1&u=2
      "
    `);
    const html = await svc(['sandbox', 'messages', 'get', id, '--html'], { tty: true });
    expect(html.stdout).toContain('\nBody\n<p><a href="https://example.com/c?t=1&amp;u=2">');
    expect((await svc(['sandbox', 'messages', 'get', id])).stdout).toContain('\nbody\t<p><a ');
  });

  it('warns that a message would not be delivered', async () => {
    const { svc } = await openWelcomedRig();
    const list = ['sandbox', 'messages', 'list', '--subscriber', 'u2', '--channel', 'email'];
    const [id = ''] = (await svc([...list, '--limit', '1', '-o', 'ids'])).stdout.split('\n');
    expect(await svc(['sandbox', 'messages', 'get', id, '--links', '--json'])).toMatchObject({
      code: 0,
      stdout: '[]\n',
      stderr:
        'Warning: A service would not deliver this message: Subscriber does not have an email address.\n',
    });
  });

  it('says how many addresses a message would not be delivered to', async () => {
    const { svc } = await openSandboxRig({}, { service: '3.19' });
    const post = (path: string, body: object) =>
      svc(['api', 'POST', path, '--body', JSON.stringify(body)]);
    const hooks = { providerId: 'discord', channel: 'chat', identifier: 'hooks', active: true };
    await post('/v1/integrations', { ...hooks, credentials: {} });
    for (const host of ['x.invalid', 'a.example.com'])
      await post('/v1/channel-endpoints', {
        ...{ subscriberId: 'zoë', createSubscriberIfMissing: true, type: 'webhook' },
        ...{ integrationIdentifier: 'hooks', endpoint: { url: `https://${host}/hook` } },
      });
    const payload = '{"order":"A","state":"new"}';
    await svc(['events', 'trigger', 'order-update', '--to', 'zoë', '--payload', payload]);
    await svc(['sandbox', 'clock', 'advance', '1h']);
    const list = ['sandbox', 'messages', 'list', '--subscriber', 'zoë', '--channel', 'chat'];
    const id = (await svc([...list, '-o', 'ids'])).stdout.trim();
    expect((await svc(['sandbox', 'messages', 'get', id, '--links'])).stderr).toContain(
      'Warning: A service would not deliver this message to 1 of 2 addresses: Host not found: x.invalid.\n',
    );
  });

  it('prints a note if there are none', async () => {
    const { svc } = await openWelcomedRig();
    const list = ['sandbox', 'messages', 'list', '--subscriber', 'u1', '--channel', 'email'];
    const [id = ''] = (await svc([...list, '-o', 'ids'])).stdout.split('\n');
    const { code, stdout, stderr } = await svc(['sandbox', 'messages', 'get', id, '--links'], {
      tty: true,
    });
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: '',
      stderr: 'The message has no links.\n',
    });
  });
});

describe('svc sandbox messages wait', () => {
  const wait = ['sandbox', 'messages', 'wait', '--subscriber', 'u2', '--workflow', 'welcome'];

  it('exits with 0 at once if enough messages were captured, and lists them', async () => {
    const { svc } = await openWelcomedRig();
    const { code, stdout, slept } = await svc(
      words`${wait} --channel in_app --fields subscriberId,channel,subject`,
    );
    expect({ code, slept }).toEqual({ code: 0, slept: 0 });
    expect(stdout.split('\n')[0]).toBe('u2\tin_app\tWelcome, Bruno!');
  });

  it('exits with 9 after the timeout, and says what is pending', async () => {
    const { svc } = await openWelcomedRig();
    const line = [...wait, '--count', '50', '--timeout', '2s'];
    const { code, stdout, stderr, slept } = await svc(line);
    expect({ code, stdout, slept }).toEqual({ code: 9, stdout: '', slept: 2000 });
    expect(stderr).toBe(
      [
        'Error: The sandbox of profile sandbox captured only 2 of 50 messages with --subscriber u2 --workflow welcome within 2s.',
        '  welcome to u2, email (2 times): The subscriber had no e-mail address. (Subscriber missing email address)',
        '  welcome to u2, in_app (2 times): The in-app notification was sent.',
        '1 job is pending, such as delays and digests. The next one is due at 2026-01-16T12:00:00.000Z by the clock of the sandbox.',
        '  svc sandbox messages list --subscriber u2 --workflow welcome',
        '  svc sandbox clock set 2026-01-16T12:00:00.000Z',
        '',
      ].join('\n'),
    );
  });

  it('says why a step was not delivered, and ends early when a transaction has finished', async () => {
    const rig = await openSandboxRig();
    for (const integration of JSON.parse(
      (await rig.svc(['integrations', 'list', '--json'])).stdout,
    ) as { _id: string; channel: string }[])
      if (integration.channel === 'email')
        await rig.svc(['integrations', 'disable', integration._id, '--yes']);
    const line = ['events', 'trigger', 'welcome', '--to', 'u1', '--transaction-id', 'txn_1'];
    expect(await rig.svc([...line, '--payload', '{"product":"Svc"}'])).toMatchObject({ code: 0 });
    const waited = await rig.svc(
      words`sandbox messages wait --channel email --transaction txn_1 --timeout 1h`,
    );
    expect(waited).toMatchObject({ code: 9, slept: 0 });
    expect(waited.stderr.split('\n').slice(0, 2)).toEqual([
      'Error: The sandbox of profile sandbox did not capture 1 message with --channel email --transaction txn_1; all steps of the transaction have finished.',
      '  welcome to u1, email: No active integration could deliver e-mail. (Subscriber does not have an active integration)',
    ]);
  });

  it('does not count a message to a subscriber without an address', async () => {
    const { svc } = await openSandboxRig();
    const line = ['events', 'trigger', 'welcome', '--to', 'u2', '--transaction-id', 'txn_1'];
    expect(await svc([...line, '--payload', '{"product":"Svc"}'])).toMatchObject({ code: 0 });
    const email = ['--transaction', 'txn_1', '--channel', 'email'];
    const listed = await svc(['sandbox', 'messages', 'list', ...email, '--fields', 'status']);
    expect(listed.stdout).toBe('warning\n');
    const waited = await svc(['sandbox', 'messages', 'wait', ...email]);
    expect(waited).toMatchObject({ code: 9, stdout: '', slept: 0 });
    expect(waited.stderr.split('\n').slice(0, 2)).toEqual([
      'Error: The sandbox of profile sandbox did not capture 1 message with --channel email --transaction txn_1; all steps of the transaction have finished.',
      '  welcome to u2, email: The subscriber had no e-mail address. (Subscriber missing email address)',
    ]);
    const all = await svc(['sandbox', 'messages', 'wait', '--transaction', 'txn_1']);
    expect(all.stdout.match(/\n/g)).toHaveLength(1);
  });

  it('names an unknown workflow', async () => {
    const { svc } = await openSandboxRig();
    const { code, stderr } = await svc([
      ...['sandbox', 'messages', 'wait', '--workflow', 'welcom', '--timeout', '1s'],
    ]);
    expect(code).toBe(9);
    expect(stderr).toContain('within 1s. Unknown workflow `welcom`. Did you mean `welcome`?\n');
  });

  it('waits 10 seconds by default, for one message', async () => {
    const { svc } = await openWelcomedRig();
    const line = ['sandbox', 'messages', 'wait', '--transaction', 'none'];
    const { code, stderr, slept } = await svc(line);
    expect({ code, slept }).toEqual({ code: 9, slept: 10_000 });
    expect(stderr).toContain('did not capture 1 message with --transaction none within 10s.');
  });
});

describe('svc sandbox messages list --workflow', () => {
  it('lists only messages of that workflow', async () => {
    const { svc } = await openWelcomedRig();
    const list = ['sandbox', 'messages', 'list', '--all', '--fields', 'workflow'];
    const of = async (...more: string[]) => [
      ...new Set((await svc([...list, ...more])).stdout.trim().split('\n')),
    ];
    expect((await of()).length).toBeGreaterThan(1);
    expect(await of('--workflow', 'welcome')).toEqual(['welcome']);
  });

  it('exits with 5 for an unknown workflow', async () => {
    const { svc } = await openWelcomedRig();
    const { code, stdout, stderr } = await svc([
      ...['sandbox', 'messages', 'list', '--workflow', 'welcom'],
    ]);
    expect({ code, stdout }).toEqual({ code: 5, stdout: '' });
    expect(stderr).toBe(
      'Error: Workflow `welcom` does not exist. Did you mean `welcome`?\n  svc workflows list\n',
    );
  });
});

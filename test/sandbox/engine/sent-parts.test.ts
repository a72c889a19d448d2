// The parts of a message besides its content: sender, copies and attachments, and the overrides of an event that change them.
import { describe, expect, it } from 'vitest';
import type { SandboxVersion } from '../../../src/service/versions.ts';
import { openEngine, type TestStep } from './engine-fixture.ts';

const email: TestStep = {
  ...{ name: 'Email', type: 'email' },
  controls: {
    subject: 'Subject',
    body: '<h1>Hello</h1><p>See <a href="https://example.com/x">this</a></p>',
    editorType: 'html',
  },
};
const sms: TestStep = { name: 'Sms', type: 'sms', controls: { body: 'Text' } };
const to = { subscriberId: 'u1', email: 'ada@example.com', phone: '+15550001' };

async function sent(step: TestStep, event: object, service?: SandboxVersion) {
  const engine = await openEngine({ service });
  engine.defineWorkflow({ steps: [step] });
  await engine.trigger({ name: 'test', to, ...event });
  const { data } = (await engine.ask('GET /__sandbox/messages?text=true&limit=1')).body;
  return { ...engine, message: data[0] };
}

describe('an e-mail', () => {
  it('has the sender of its integration, and its text', async () => {
    const { message } = await sent(email, {});
    expect(message).toMatchObject({
      from: 'hello@example.com',
      senderName: 'Example',
      text: 'Hello\n\nSee this',
    });
    for (const name of ['cc', 'bcc', 'replyTo', 'attachments'])
      expect(message).not.toHaveProperty(name);
  });

  it('has what the overrides of the event say', async () => {
    const overrides = {
      email: {
        from: 'me@example.com',
        senderName: 'Me',
        cc: ['c@example.com'],
        bcc: ['b1@example.com', 'b2@example.com'],
        replyTo: 'reply@example.com',
        subject: 'Other',
      },
    };
    const { message } = await sent(email, { overrides });
    expect(message).toMatchObject(overrides.email);
  });

  it('has overrides of its provider before those of the channel', async () => {
    const { message } = await sent(email, {
      overrides: {
        email: { from: 'channel@example.com', cc: ['c@example.com'] },
        sendgrid: { from: 'provider@example.com' },
        providers: { sendgrid: { senderName: 'Passed on' } },
      },
    });
    expect(message).toMatchObject({
      from: 'provider@example.com',
      senderName: 'Passed on',
      cc: ['c@example.com'],
    });
  });

  it('has the sender, the address for replies and the preheader of its step', async () => {
    const own = {
      from: { email: 'step@example.com', name: 'Step' },
      replyTo: '{{payload.reply}}',
      preheader: 'See <{{payload.what}}>',
    };
    const step = { ...email, controls: { ...email.controls, ...own } };
    const payload = { reply: ' r@example.com', what: 'this' };
    const { message } = await sent(step, { payload }, '3.19');
    expect(message).toMatchObject({
      from: 'step@example.com',
      senderName: 'Step',
      replyTo: 'r@example.com',
    });
    expect(message.body).toContain('overflow: hidden;">See &lt;this&gt;');
    const overrides = {
      email: { from: 'me@example.com', senderName: 'Me', replyTo: 'x@example.com' },
    };
    const overridden = await sent(step, { payload, overrides }, '3.19');
    expect(overridden.message).toMatchObject(overrides.email);
    expect((await sent(step, { payload })).message).toMatchObject({ from: 'hello@example.com' });
  });

  it('can go to other addresses instead of that of its subscriber', async () => {
    const send = async (others: object, to = 'bare') => {
      const overrides = { email: { replaceToRecipient: true, ...others } };
      return (await sent(email, { to, overrides }, '3.19')).message;
    };
    expect((await send({ to: ['x@example.com'] })).recipient).toBe('x@example.com');
    // Copies alone go to the sender, too.
    expect((await send({ cc: ['c@example.com'] })).recipient).toBe('hello@example.com');
    const none = await send({}, 'u1');
    expect(none).toMatchObject({
      status: 'warning',
      errorText: 'replaceToRecipient requires at least one of to / cc / bcc',
    });
  });

  it('is sent with the HTML or the text of the event instead of its own', async () => {
    const { message, ask } = await sent(email, { overrides: { email: { html: '<b>Other</b>' } } });
    expect(message).toMatchObject({ body: '<b>Other</b>', text: 'Other', links: [] });
    const { data } = (await ask('GET /v1/messages?limit=1')).body;
    expect(data[0].content).toContain('<h1>Hello</h1>');
    const withText = await sent(email, { overrides: { email: { text: 'Only\ntext' } } });
    expect(withText.message).toMatchObject({ body: 'Only\ntext', text: 'Only\ntext' });
  });

  it('has the attachments of the payload without their content', async () => {
    const file = Buffer.from('a,b\n1,2\n').toString('base64');
    const { message, ask } = await sent(email, {
      payload: {
        attachments: [
          { file, name: 'report.csv', mime: 'text/csv' },
          { file: { type: 'Buffer', data: [1, 2, 3] }, name: 'three.bin' },
        ],
      },
    });
    expect(message.attachments).toEqual([
      { name: 'report.csv', type: 'text/csv', size: 8 },
      { name: 'three.bin', type: null, size: 3 },
    ]);
    expect(message.payload).toEqual({});
    const { data } = (await ask('GET /v1/messages?limit=1')).body;
    expect(data[0]).not.toHaveProperty('attachments');
    expect(data[0]).not.toHaveProperty('sent');
  });

  it('has its text when it is read on its own, and not in a list that does not ask for it', async () => {
    const { message, ask } = await sent(email, {});
    expect((await ask(`GET /__sandbox/messages/${message._id}`)).body.text).toBe(
      'Hello\n\nSee this',
    );
    expect((await ask('GET /__sandbox/messages')).body.data[0]).not.toHaveProperty('text');
  });
});

describe('a message of another channel', () => {
  it('has its body as text; an SMS has the number of its sender', async () => {
    const { message } = await sent(sms, {});
    expect(message).toMatchObject({ from: '+15550100', text: 'Text' });
    expect(message).not.toHaveProperty('senderName');
    const overridden = await sent(sms, { overrides: { sms: { from: '+15550555' } } });
    expect(overridden.message.from).toBe('+15550555');
  });

  it('has no attachments', async () => {
    const { message } = await sent(sms, { payload: { attachments: [{ file: '', name: 'x' }] } });
    expect(message).not.toHaveProperty('attachments');
  });
});

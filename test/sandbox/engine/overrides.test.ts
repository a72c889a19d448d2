// The overrides of an event: addresses, content, integration, severity and delay.
import { describe, expect, test } from 'vitest';
import { seedId } from '../../../src/sandbox/store/ids.ts';
import {
  delayThenInbox,
  email,
  inbox,
  openEngine,
  push,
  sms,
  triggerTestWorkflow,
} from './engine-fixture.ts';

const listBySeverity = async ({ ask }: Awaited<ReturnType<typeof openEngine>>, severity: string) =>
  (await ask(`GET /v1/notifications?transactionId=a&severity=${severity}`)).body.data;

describe('the overrides of an event', () => {
  const run = async (step: typeof email | typeof sms | typeof push, overrides: object) => {
    const engine = await openEngine();
    engine.defineWorkflow({ steps: [step] });
    await triggerTestWorkflow(engine, 'u1', { payload: {}, overrides });
    const messages = await engine.messages('transactionId=a');
    return { engine, messages, activity: await engine.getActivity('a') };
  };

  test.each([
    [{ to: 'x@example.com' }, { recipient: 'ada@example.com, x@example.com' }],
    [
      { to: ['x@example.com', 'y@example.com', 'ada@example.com'] },
      { recipient: 'ada@example.com, x@example.com, y@example.com' },
    ],
    [{ to: [] }, { recipient: 'ada@example.com' }],
    [{ toRecipient: 'z@example.com' }, { recipient: 'z@example.com' }],
    [
      { toRecipient: 'z@example.com', to: ['x@example.com'] },
      { recipient: 'z@example.com, x@example.com' },
    ],
    [{ subject: 'Other' }, { subject: 'Other', recipient: 'ada@example.com' }],
    [{ from: 'me@example.com' }, { overrides: { from: 'me@example.com' } }],
  ])('change an e-mail: %j', async (overrides, expected) => {
    const { messages } = await run(email, { email: overrides });
    expect(messages).toMatchObject([{ ...expected, status: 'sent' }]);
  });

  test('of a provider win over those of the channel', async () => {
    const overrides = { email: { subject: 'Channel' }, sendgrid: { subject: 'Provider' } };
    const { messages } = await run(email, overrides);
    expect(messages).toMatchObject([{ subject: 'Provider' }]);
  });

  test('under providers and steps reach the provider and are not shown with the message', async () => {
    const { messages } = await run(email, {
      email: { from: 'me@example.com' },
      providers: { sendgrid: { subject: 'All steps' } },
      steps: { email: { providers: { sendgrid: { subject: 'This step' } } } },
    });
    expect(messages).toMatchObject([{ subject: 'This step' }]);
    expect(messages[0].overrides).toEqual({ from: 'me@example.com' });
  });

  test('do not send an e-mail to a subscriber without an address', async () => {
    const engine = await openEngine();
    engine.defineWorkflow({ steps: [email, sms] });
    await engine.ask('POST /v1/subscribers/bulk', { subscribers: [{ subscriberId: 'bare' }] });
    const overrides = { email: { to: 'x@example.com' }, sms: { to: '+15550009' } };
    await triggerTestWorkflow(engine, 'bare', { payload: {}, overrides });
    expect((await engine.getActivity('a')).statuses).toEqual(['canceled', 'canceled']);
    const { body } = await engine.ask('GET /v1/messages?transactionId=a');
    const errors = body.data.map(({ channel, status, errorId, errorText }: typeof body) => [
      channel,
      status,
      errorId,
      errorText,
    ]);
    expect(errors.toSorted()).toEqual([
      ['email', 'warning', 'mail_unexpected_error', 'Subscriber does not have an email address'],
      ['sms', 'warning', 'no_subscriber_phone', 'Subscriber does not have active phone'],
    ]);
  });

  test('select an active integration by its identifier', async () => {
    const engine = await openEngine();
    engine.defineWorkflow({ steps: [email, sms] });
    engine.store.sql.run(
      "UPDATE integrations SET active = 1 WHERE identifier = 'nodemailer-email'",
    );
    const overrides = {
      email: { integrationIdentifier: 'nodemailer-email' },
      sms: { integrationIdentifier: 'nope' },
    };
    await triggerTestWorkflow(engine, 'u1', { payload: {}, overrides });
    const { details, item } = await engine.getActivity('a');
    expect(details[0]?.[0]).toBe('Pending: Custom SMTP provider was selected');
    expect(details[1]).toEqual(['Failed: Subscriber does not have an active integration']);
    expect(JSON.parse(item.jobs[1].executionDetails.at(-1).raw)).toEqual({
      integrationIdentifier: 'nope',
    });
  });

  test('replace the number of an SMS; its content only if the step has none', async () => {
    const overrides = { sms: { to: '+15550009', content: 'Other' } };
    const { messages } = await run(sms, overrides);
    expect(messages).toMatchObject([{ recipient: '+15550009', body: 'Hello' }]);
    const empty = { ...sms, controls: { body: '{{payload.none}}' } } as unknown as typeof sms;
    expect((await run(empty, overrides)).messages).toMatchObject([{ body: 'Other' }]);
  });

  test('replace the device tokens of a push message', async () => {
    const { messages } = await run(push, { fcm: { deviceTokens: ['x', 'y'] } });
    expect(messages.map(({ recipient }) => recipient).toSorted()).toEqual(['x', 'y']);
  });

  test.each([
    ['tokens', { tokens: ['x', 'y'] }, ['x', 'y']],
    ['a topic', { topic: 'news' }, ['news']],
  ])('with %s of Firebase reach a subscriber without credentials', async (_name, fcm, expected) => {
    const engine = await openEngine();
    engine.defineWorkflow({ steps: [push] });
    await engine.ask('POST /v1/subscribers/bulk', { subscribers: [{ subscriberId: 'bare' }] });
    const overrides = { providers: { fcm } };
    await triggerTestWorkflow(engine, 'bare', { payload: {}, overrides });
    const messages = await engine.messages('transactionId=a');
    expect(messages.map(({ recipient }) => recipient).toSorted()).toEqual(expected);
    expect(messages[0].status).toBe('sent');
    expect((await engine.getActivity('a')).statuses).toEqual(['completed']);
  });

  test('with tokens of Firebase need an active integration', async () => {
    const engine = await openEngine();
    engine.defineWorkflow({ steps: [push] });
    const integration = `/v1/integrations/${seedId('integration:fcm-push')}`;
    expect((await engine.ask(`PUT ${integration}`, { active: false })).status).toBe(200);
    await engine.ask('POST /v1/subscribers/bulk', { subscribers: [{ subscriberId: 'bare' }] });
    const overrides = { providers: { fcm: { tokens: ['x'] } } };
    await triggerTestWorkflow(engine, 'bare', { payload: {}, overrides });
    expect((await engine.getActivity('a')).details).toEqual([
      ['Failed: Subscriber does not have a configured channel'],
    ]);
  });

  test.each([
    ['high', 'high'],
    [null, 'low'],
  ])('with severity %s give the message and the activity severity %s', async (given, severity) => {
    const engine = await openEngine();
    engine.defineWorkflow({ steps: [inbox], severity: 'low' });
    await triggerTestWorkflow(engine, 'u1', { payload: {}, overrides: { severity: given } });
    const { body } = await engine.ask('GET /v1/messages?transactionId=a');
    expect(body.data[0].severity).toBe(severity);
    expect(await listBySeverity(engine, severity)).toHaveLength(1);
  });

  test('with an unknown severity run nothing', async () => {
    const engine = await openEngine();
    engine.defineWorkflow({ steps: [inbox] });
    await triggerTestWorkflow(engine, 'u1', { payload: {}, overrides: { severity: 'colour' } });
    expect((await engine.ask('GET /v1/notifications?transactionId=a')).body.data).toEqual([]);
  });

  test('replace the duration of a delay', async () => {
    const engine = await openEngine();
    engine.defineWorkflow(delayThenInbox({ amount: 5, unit: 'days' }));
    const overrides = { delay: { amount: 10, unit: 'minutes' } };
    await triggerTestWorkflow(engine, 'u1', { payload: {}, overrides });
    await engine.advance(9);
    expect((await engine.getActivity('a')).statuses).toEqual(['delayed', 'pending']);
    await engine.advance(1);
    expect((await engine.getActivity('a')).statuses).toEqual(['completed', 'completed']);
  });
});

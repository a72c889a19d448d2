// Rules of events and integrations: unusual members, excluded subscribers, tenants, and the selected integration.
import { describe, expect, test } from 'vitest';
import { productionId } from '../../src/sandbox/store/ids.ts';
import { email, inbox, openEngine, sms, triggerTestWorkflow } from './engine/engine-fixture.ts';
import { createIntegration } from './engine/integrations.ts';
import { recipientIds } from './trigger-events.ts';

type Result = { status: string; error?: string[]; transactionId?: string };

describe('an event', () => {
  test.each<[object, Result]>([
    [{ transactionId: '' }, { status: 'processed' }],
    [{ transactionId: null, actor: null, tenant: null, context: null }, { status: 'processed' }],
    [{ overrides: 'x' }, { status: 'processed' }],
    [{ overrides: null }, { status: 'processed' }],
    [{ payload: 'x' }, { status: 'processed' }],
    [{ name: '' }, { status: 'error', error: ['workflow_not_found'] }],
    [
      { name: 'nope', payload: 'x' },
      { status: 'error', error: ['workflow_not_found'] },
    ],
    [{ name: null }, { status: 'error', error: ['Validation failed'] }],
    [{ payload: null }, { status: 'error', error: ['Validation failed'] }],
    [{ to: null }, { status: 'error', error: ['Validation failed'] }],
    [{ transactionId: 5 }, { status: 'error', error: ['Validation failed'] }],
  ])('with %j is %j', async (members, expected) => {
    const engine = await openEngine();
    engine.defineWorkflow({ steps: [inbox] });
    const event = { name: 'test', to: 'u1', payload: {}, ...members };
    const results = await engine.trigger(event);
    expect(results).toMatchObject([expected]);
    if (expected.status === 'processed')
      expect(results[0].transactionId).toMatch(/^txn_[0-9a-z]{20}$/);
  });

  test('of a workflow that validates payloads rejects one that is not an object', async () => {
    const { trigger } = await openEngine();
    const results = await trigger({ name: 'invoice-paid', to: 'u1', payload: 'x' });
    expect(results).toMatchObject([
      { status: 'error', error: ['Payload validation failed: root: must be object'] },
    ]);
  });

  test('is rejected in limited time if a pattern of the payload schema takes too long', async () => {
    const engine = await openEngine();
    const payloadSchema = { properties: { code: { type: 'string', pattern: '^([a-z]+)*$' } } };
    engine.defineWorkflow({ steps: [inbox], validatePayload: true, payloadSchema });
    const payload = { code: `${'a'.repeat(50)}!` };
    const results = await engine.trigger({ name: 'test', to: 'u1', payload });
    const text = 'code: must match pattern "^([a-z]+)*$", which takes too long for some texts';
    const error = [`Payload validation failed: ${text}`];
    expect(results).toMatchObject([{ status: 'error', error }]);
    const { status, body } = await engine.ask('POST /v1/events/trigger', {
      ...{ name: 'test', to: 'u1', payload },
    });
    expect([status, body.message]).toEqual([400, `Payload validation failed: ${text}`]);
    expect(await triggerTestWorkflow(engine, 'u1', { payload: { code: 'abc' } })).toMatchObject([
      { status: 'processed' },
    ]);
  });

  test('gets the defaults of the payload schema', async () => {
    const engine = await openEngine();
    const payloadSchema = { type: 'object', properties: { color: { default: 'red' } } };
    engine.defineWorkflow({
      steps: [{ ...inbox, controls: { body: '{{payload.color}}' } }],
      validatePayload: true,
      payloadSchema,
    });
    await triggerTestWorkflow(engine, 'u1', { payload: {} });
    expect((await engine.feed('u1'))[0].content).toBe('red');
    expect((await engine.getActivity('a')).item.payload).toEqual({ color: 'red' });
  });

  test('excludes the excluded subscribers of one topic from all topics', async () => {
    const engine = await openEngine();
    engine.defineWorkflow({ steps: [inbox] });
    const subscribe = (key: string) =>
      engine.ask(`POST /v2/topics/${key}/subscriptions`, { subscriberIds: ['u1', 'u2'] });
    await subscribe('one');
    await subscribe('two');
    const to = [
      { type: 'Topic', topicKey: 'one', exclude: ['u2'] },
      { type: 'Topic', topicKey: 'two' },
    ];
    await triggerTestWorkflow(engine, to, { payload: {} });
    expect(await recipientIds(engine.ask, 'a')).toEqual(['u1']);
  });

  test('of a known tenant runs; one of an unknown tenant does not', async () => {
    const engine = await openEngine();
    engine.defineWorkflow({ steps: [inbox] });
    const trigger = async (tenant: unknown, transactionId: string) => {
      const body = await triggerTestWorkflow(engine, 'u1', { payload: {}, tenant, transactionId });
      return body[0].status;
    };
    expect(await trigger('org-acme', 'a')).toBe('processed');
    expect(await trigger({ identifier: 'org-acme' }, 'b')).toBe('processed');
    expect(await trigger('nope', 'c')).toBe('no_tenant_found');
    expect(await engine.listActivity('c')).toEqual([]);
  });

  test('is delivered through the integration whose conditions match its tenant', async () => {
    const engine = await openEngine();
    engine.defineWorkflow({ steps: [sms] });
    const child = { on: 'tenant', field: 'identifier', operator: 'EQUAL', value: 'org-acme' };
    const condition = { isNegated: false, type: 'GROUP', value: 'AND', children: [child] };
    const credentials = { accountSid: 'a', token: 't', from: '+1' };
    const more = { name: 'Acme', identifier: 'acme', credentials, conditions: [condition] };
    await createIntegration(engine.ask, 'twilio', 'sms', more);
    await triggerTestWorkflow(engine, 'u1', { payload: {}, tenant: 'org-acme' });
    await triggerTestWorkflow(engine, 'u1', { payload: {}, transactionId: 'b' });
    const selected = async (id: string) => {
      const [job] = (await engine.getActivity(id)).item.jobs;
      return JSON.parse(job.executionDetails[1].raw).identifier;
    };
    expect([await selected('a'), await selected('b')]).toEqual(['acme', 'twilio-sms']);
  });
});

describe('an integration', () => {
  const open = async () => {
    const engine = await openEngine();
    const { body } = await engine.ask('GET /v1/integrations');
    const findId = (wanted: string) =>
      body.find(({ identifier }: { identifier: string }) => identifier === wanted)._id;
    const put = (identifier: string, changes: object) =>
      engine.ask(`PUT /v1/integrations/${findId(identifier)}`, changes);
    return { ...engine, put };
  };

  test('with conditions is no longer primary, and the channel has no integration', async () => {
    const engine = await open();
    const child = { on: 'payload', field: 'a', operator: 'EQUAL', value: 'b' };
    const condition = { isNegated: false, type: 'GROUP', value: 'AND', children: [child] };
    const { status, body } = await engine.put('sendgrid-email', { conditions: [condition] });
    expect({ status, primary: body.primary }).toEqual({ status: 200, primary: false });
    engine.defineWorkflow({ steps: [email] });
    await triggerTestWorkflow(engine, 'u1', { payload: {} });
    expect((await engine.getActivity('a')).details).toEqual([
      ['Failed: Subscriber does not have an active integration'],
    ]);
  });

  test('stays primary if its conditions are removed', async () => {
    const { put } = await open();
    expect((await put('sendgrid-email', { conditions: [] })).body.primary).toBe(true);
  });

  test('cannot be given the identifier of an integration of another environment', async () => {
    const { put, ask } = await open();
    const other = { identifier: 'elsewhere', _environmentId: productionId };
    await createIntegration(ask, 'slack', 'chat', other);
    expect(await put('slack-chat', { identifier: 'elsewhere' })).toMatchObject({
      status: 409,
      body: { message: 'Integration with identifier already exists' },
    });
  });

  test('reports a used identifier before missing credentials', async () => {
    const { put } = await open();
    const changes = { identifier: 'twilio-sms', check: true, credentials: {} };
    expect((await put('sendgrid-email', changes)).status).toBe(409);
  });

  test.each([
    [{ credentials: { apiKey: 5 } }, ['credentials.apiKey must be a string']],
    [{ credentials: 'x' }, ['nested property credentials must be either object or array']],
    [
      { active: 'yes', check: 1 },
      ['active must be a boolean value', 'check must be a boolean value'],
    ],
  ])('rejects %j', async (changes, messages) => {
    const { put } = await open();
    const { status, body } = await put('sendgrid-email', changes);
    expect({ status, messages: body.errors.general.messages }).toEqual({ status: 422, messages });
  });
});

// Rendering of message content, and validation of payloads.
import { describe, expect, test } from 'vitest';
import { email, inbox, openEngine, triggerTestWorkflow } from './engine-fixture.ts';

describe('message content', () => {
  test('is rendered with payload, subscriber, context and steps', async () => {
    const engine = await openEngine();
    const controls = {
      subject: 'Hi {{ subscriber.firstName }}',
      body: "{{ payload.items | join: '+' }} for {{ context.tenant.data.name }}, {{ steps.enrich.score }} {{ payload.o }}",
      avatar: 'https://example.com/{{ subscriber.subscriberId }}.png',
      redirect: { url: '/top', target: '_parent' },
      primaryAction: {
        label: 'Go {{ payload.items[0] }}',
        redirect: { url: '/go', target: '_self' },
      },
      data: { who: '{{ subscriber.data.plan }}' },
    };
    engine.defineWorkflow({
      steps: [
        { name: 'Enrich', type: 'custom', controls: { custom: { score: 7 } } },
        { ...inbox, controls },
      ],
    });
    await triggerTestWorkflow(engine, 'u1', {
      payload: { items: ['a', 'b'], o: { x: 1 } },
      context: { tenant: 'org-acme' },
    });
    expect((await engine.feed('u1'))[0]).toMatchObject({
      subject: 'Hi Ada',
      content: "a+b for Acme, 7 {'x':1}",
      avatar: 'https://example.com/u1.png',
      cta: {
        type: 'redirect',
        data: { url: '/top', target: '_parent' },
        action: { buttons: [{ type: 'primary', content: 'Go a', url: '/go', target: '_self' }] },
      },
      data: { who: 'team' },
      providerId: 'novu',
      status: 'sent',
    });
  });

  test.each(['{{ payload.a', '{% if %}', "{% include '/etc/passwd' %}", '{{ "quoted" }}'])(
    'fails only its own step if it cannot be rendered: %s',
    async (body) => {
      const engine = await openEngine();
      engine.defineWorkflow({ steps: [{ ...inbox, controls: { body } }, email] });
      await triggerTestWorkflow(engine);
      const { statuses, details, item } = await engine.getActivity('a');
      expect(statuses).toEqual(['failed', 'completed']);
      expect(details[0]).toEqual(['Failed: Bridge execution failed']);
      expect(JSON.parse(item.jobs[0].executionDetails.at(-1).raw)).toMatchObject({
        statusCode: 400,
        code: 'StepControlCompilationFailedError',
      });
    },
  );

  test('uses the time of the sandbox, in UTC', async () => {
    const engine = await openEngine();
    const body =
      "{{ 'now' | date: '%Y-%m-%d %H:%M' }} {{ '2026-01-01T10:00:00Z' | date: '%H:%M' }}";
    engine.defineWorkflow({ steps: [{ ...inbox, controls: { body } }] });
    await engine.control.setClock('2031-05-06T07:08:00Z');
    await triggerTestWorkflow(engine);
    expect((await engine.feed('u1'))[0].content).toBe('2031-05-06 07:08 10:00');
  });

  test('ignores unknown filters', async () => {
    const engine = await openEngine();
    engine.defineWorkflow({
      steps: [{ ...inbox, controls: { body: '[{{ payload.a | nope }}]' } }],
    });
    await triggerTestWorkflow(engine, 'u1', { payload: { a: 1 } });
    expect((await engine.feed('u1'))[0].content).toBe('[1]');
  });

  test('cannot read inherited properties', async () => {
    const engine = await openEngine();
    engine.defineWorkflow({
      steps: [{ ...inbox, controls: { body: '[{{ payload.constructor.name }}]' } }],
    });
    await triggerTestWorkflow(engine);
    expect((await engine.feed('u1'))[0].content).toBe('[]');
  });
});

describe('an event payload', () => {
  const valid = { invoiceId: 'INV-9', amount: 5, currency: 'EUR' };

  test.each([
    [valid, []],
    [{ ...valid, amount: 0 }, ['Payload validation failed: amount: must be > 0']],
    [
      { ...valid, currency: 'GBP' },
      ['Payload validation failed: currency: must be equal to one of the allowed values'],
    ],
    [
      { invoiceId: 'INV-9', amount: '1' },
      [
        "Payload validation failed: root.currency: must have required property 'currency'; amount: must be number",
      ],
    ],
    [{ ...valid, x: 1 }, ['Payload validation failed: root: must NOT have additional properties']],
    [undefined, expect.any(Array)],
  ])('%j is validated against the schema of its workflow: %j', async (payload, error) => {
    const { trigger } = await openEngine();
    const [result] = await trigger({ name: 'invoice-paid', to: 'u1', payload });
    const isValid = Array.isArray(error) && error.length === 0;
    expect(result).toMatchObject(
      isValid ? { status: 'processed' } : { acknowledged: true, status: 'error', error },
    );
  });

  test('is not validated if its workflow has validatePayload off', async () => {
    const engine = await openEngine();
    const payloadSchema = { type: 'object', required: ['a'] };
    engine.defineWorkflow({ steps: [inbox], payloadSchema });
    expect((await triggerTestWorkflow(engine))[0].status).toBe('processed');
  });
});

// What is put into a message, and which payloads are refused.
import { describe, expect, test } from 'vitest';
import { email, inbox, openScene, send } from './engine-fixture.ts';

describe('content', () => {
  test('is rendered over payload, subscriber, context and steps', async () => {
    const scene = await openScene();
    const controls = {
      subject: 'Hi {{ subscriber.firstName }}',
      body: '{{ payload.items | join: "+" }} for {{ context.tenant.data.name }}, {{ steps.enrich.score }} {{ payload.o }}',
      avatar: '/a/{{ subscriber.subscriberId }}.png',
      primaryAction: { label: 'Go {{ payload.items[0] }}', redirect: { url: '/go' } },
      data: { who: '{{ subscriber.data.plan }}' },
    };
    scene.define({
      steps: [
        { name: 'Enrich', type: 'custom', controls: { custom: { score: 7 } } },
        { ...inbox, controls },
      ],
    });
    await send(scene, 'u1', {
      payload: { items: ['a', 'b'], o: { x: 1 } },
      context: { tenant: 'org-acme' },
    });
    expect((await scene.feed('u1'))[0]).toMatchObject({
      subject: 'Hi Ada',
      content: 'a+b for Acme, 7 {"x":1}',
      actor: { type: 'system_custom', data: '/a/u1.png' },
      cta: {
        type: 'redirect',
        data: { url: '/go' },
        action: { buttons: [{ type: 'primary', content: 'Go a' }] },
      },
      data: { who: 'team' },
      providerId: 'svc',
      status: 'sent',
    });
  });

  test.each(['{{ payload.a', '{% if %}', '{{ payload.a | nope }}', '{% include "/etc/passwd" %}'])(
    'that cannot be rendered fails its step alone: %s',
    async (body) => {
      const scene = await openScene();
      scene.define({ steps: [{ ...inbox, controls: { body } }, email] });
      await send(scene);
      const { statuses, details, item } = await scene.one('a');
      expect(statuses).toEqual(['failed', 'completed']);
      expect(details[0]).toEqual(['Failed: Message content could not be generated']);
      expect(JSON.parse(item.jobs[0].executionDetails.at(-1).raw)).toHaveProperty('error');
    },
  );

  test('knows the time of the sandbox, in UTC', async () => {
    const scene = await openScene();
    const body =
      '{{ "now" | date: "%Y-%m-%d %H:%M" }} {{ "2026-01-01T10:00:00Z" | date: "%H:%M" }}';
    scene.define({ steps: [{ ...inbox, controls: { body } }] });
    await scene.ask('POST /__sandbox/clock', { set: '2031-05-06T07:08:00Z' });
    await send(scene);
    expect((await scene.feed('u1'))[0].content).toBe('2031-05-06 07:08 10:00');
  });

  test('reaches no inherited members', async () => {
    const scene = await openScene();
    scene.define({ steps: [{ ...inbox, controls: { body: '[{{ payload.constructor.name }}]' } }] });
    await send(scene);
    expect((await scene.feed('u1'))[0].content).toBe('[]');
  });
});

describe('a payload', () => {
  const valid = { invoiceId: 'INV-9', amount: 5, currency: 'EUR' };

  test.each([
    [valid, []],
    [{ ...valid, amount: 0 }, ['payload.amount must be > 0']],
    [
      { ...valid, currency: 'GBP' },
      ['payload.currency must be equal to one of the allowed values'],
    ],
    [{ invoiceId: 'INV-9', amount: 1 }, ["payload must have required property 'currency'"]],
    [{ ...valid, x: 1 }, ['payload must NOT have additional properties: x']],
    [undefined, expect.any(Array)],
  ])('%j is checked by the schema of its workflow: %j', async (payload, error) => {
    const { trigger } = await openScene();
    const [result] = await trigger({ name: 'invoice-paid', to: 'u1', payload });
    const ok = Array.isArray(error) && error.length === 0;
    expect(result).toMatchObject(
      ok ? { status: 'processed' } : { acknowledged: true, status: 'error', error },
    );
  });

  test('is not checked by a workflow that does not ask for it', async () => {
    const scene = await openScene();
    const payloadSchema = { type: 'object', required: ['a'] };
    scene.define({ steps: [inbox], payloadSchema }, { validatePayload: false });
    expect((await send(scene))[0].status).toBe('processed');
  });
});

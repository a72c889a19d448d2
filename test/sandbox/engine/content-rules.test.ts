// Variables, filters and sanitizing of message content.
import { describe, expect, test } from 'vitest';
import { email, inbox, openEngine, type TestStep, triggerTestWorkflow } from './engine-fixture.ts';

const people = ['Ann', 'Bob', 'Cy', 'Di'].map((name) => ({ name }));

describe('content', () => {
  const render = async (
    controls: Record<string, unknown>,
    payload: object = {},
    earlier: TestStep[] = [],
  ) => {
    const engine = await openEngine();
    engine.defineWorkflow({
      steps: [...earlier, { ...inbox, controls }],
      description: 'All about it',
      tags: ['t'],
    });
    await triggerTestWorkflow(engine, 'u1', { payload });
    return (await engine.feed('u1'))[0];
  };

  test.each([
    ["{{ payload.people | toSentence: 'name' }}", 'Ann, Bob, and 2 others'],
    ["{{ payload.people | toSentence: 'name', 3, 'friend' }}", 'Ann, Bob, Cy, and 1 friend'],
    ["{{ payload.people | digest: 2, 'name' }}", 'Ann, Bob and 2 others'],
    ["{{ payload.people | pluralize: 'comment' }}", '4 comments'],
    ["{{ payload.one | pluralize: 'child', 'children' }}", '1 child'],
    ['{{ payload.one | json }}', "[{'a':1}]"],
    ['{{ payload.one | unknown }}', "[{'a':1}]"],
  ])('has the filters of the service: %s', async (body, expected) => {
    expect((await render({ body }, { people, one: [{ a: 1 }] })).content).toBe(expected);
  });

  test('can use the workflow and all of the subscriber', async () => {
    const body =
      '{{ workflow.workflowId }} {{ workflow.name }} {{ workflow.description }} {{ workflow.tags[0] }} {{ subscriber.subscriberId }} {{ subscriber.email }} {{ subscriber.data.plan }}';
    const { content } = await render({ body });
    expect(content).toBe('test Test All about it t u1 ada@example.com team');
  });

  test('can use an in-app step that was canceled', async () => {
    const never = { '==': [1, 2] };
    const first = { ...inbox, name: 'First', controls: { body: 'x', skip: never } };
    const body = '{{ steps.first.seen }} {{ steps.first.read }}';
    expect((await render({ body }, {}, [first])).content).toBe('false false');
  });

  const unsafe = { text: '<b>x</b><script>alert(1)</script>' };

  test('of an in-app step is sanitized, also in its subject', async () => {
    const { content, subject } = await render(
      { subject: '{{payload.text}}', body: '{{payload.text}}' },
      unsafe,
    );
    expect([content, subject]).toEqual(['<b>x</b>', '<b>x</b>']);
  });

  test('of an in-app step stays as it is if the step disables sanitizing', async () => {
    const controls = { body: '{{payload.text}}', disableOutputSanitization: true };
    expect((await render(controls, unsafe)).content).toBe(unsafe.text);
  });

  test('of an e-mail is sanitized unless the step disables it', async () => {
    const engine = await openEngine();
    const body = '<p>{{payload.text}}</p>';
    const controls = { subject: 's', body, editorType: 'html' };
    const raw = {
      ...email,
      name: 'Raw',
      controls: { ...controls, disableOutputSanitization: true },
    };
    engine.defineWorkflow({ steps: [{ ...email, controls }, raw] });
    await triggerTestWorkflow(engine, 'u1', { payload: unsafe });
    const bodies = (await engine.messages('transactionId=a')).map((message) =>
      message.body.includes('<script>'),
    );
    expect(bodies.toSorted()).toEqual([false, true]);
  });
});

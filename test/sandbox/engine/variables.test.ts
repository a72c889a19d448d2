// Variables of templates that are missing, or that are printed as an object: each message lists them.
import { describe, expect, test } from 'vitest';
import { insertLayout } from '../../../src/sandbox/store/layouts.ts';
import { eventLine, openSandbox } from '../../support/sandbox-311.ts';
import { openPage, toText } from '../page/open-page.ts';
import { openEngine, triggerTestWorkflow } from './engine-fixture.ts';

type Controls = Record<string, unknown>;

async function findProblems(
  controls: Controls,
  payload: object = {},
  type: 'email' | 'in_app' | 'sms' = 'email',
) {
  const engine = await openEngine();
  engine.defineWorkflow({ steps: [{ name: 'Step', type, controls }] });
  await triggerTestWorkflow(engine, 'u1', { payload });
  const [message] = await engine.messages('transactionId=a');
  return {
    missing: message.missingVariables?.map(describeVariable),
    objects: message.objectVariables?.map(describeVariable),
  };
}

const describeVariable = ({ template, variable }: { template: string; variable: string }) =>
  `${template}: ${variable}`;

describe('a message lists the variables that are missing', () => {
  test.each<[string, object, string[] | undefined]>([
    ['{{payload.name}}', {}, ['body: payload.name']],
    ['{{- payload.a.b -}} {{payload.a.b}}', { a: null }, ['body: payload.a.b']],
    ['{{payload.name | upcase}}', {}, ['body: payload.name']],
    ['{{nope}} {{payload.list[3].x}}', { list: [] }, ['body: nope', 'body: payload.list[3].x']],
    [
      '{% for item in payload.items %}{{item.a}}{% endfor %}',
      { items: [{ a: 1 }, {}, {}] },
      ['body: item.a'],
    ],
    ['{% if payload.on %}{{payload.x}}{% else %}{{payload.y}}{% endif %}', {}, ['body: payload.y']],
    ["{{payload.name | default: 'you'}}", {}, undefined],
    ['{{payload.a}}{{payload.b}}{{payload.c}}', { a: false, b: '', c: 0 }, undefined],
    ["{% if payload.x %}x{% endif %}{{'text'}}{{true}}{{nil}}{{ 3 }}", {}, undefined],
    ['{% assign total = payload.total %}{{total}}', {}, ['body: total']],
  ])('%s with %j', async (body, payload, expected) => {
    expect((await findProblems({ body }, payload, 'sms')).missing).toEqual(expected);
  });

  test('by the control value that contains them', async () => {
    const controls = {
      subject: 'x{{payload.a}}',
      body: '{{payload.b}} and {{payload.a}}',
      avatar: 'https://example.com/{{payload.c}}',
      primaryAction: {
        label: 'x{{payload.d}}',
        redirect: { url: '/{{payload.e}}', target: '_self' },
      },
    };
    const { missing } = await findProblems(controls, { b: 'x' }, 'in_app');
    expect(missing).toEqual([
      'subject: payload.a',
      'body: payload.a',
      'avatar: payload.c',
      'primaryAction: payload.d',
      'primaryAction: payload.e',
    ]);
  });

  test('in a block document without a fallback, but not in its conditions', async () => {
    const variable = (id: string, attrs: object = {}) => ({
      type: 'variable',
      attrs: { id, ...attrs },
    });
    const document = {
      type: 'doc',
      content: [
        {
          type: 'paragraph',
          content: [variable('payload.a'), variable('payload.b', { fallback: 'x' })],
        },
        {
          type: 'section',
          attrs: { showIfKey: 'payload.c' },
          content: [{ type: 'paragraph', content: [variable('payload.d')] }],
        },
      ],
    };
    const { missing } = await findProblems({ subject: 'x', body: JSON.stringify(document) });
    expect(missing).toEqual(['body: payload.a']);
  });
});

describe('a message lists the variables that are printed as an object', () => {
  test.each<[string, object, string[] | undefined]>([
    ['Order {{payload.order}}', { order: { number: 17 } }, ['body: payload.order']],
    ['{{payload.items}}', { items: ['a'] }, ['body: payload.items']],
    ['{{payload.items | first}}', { items: [{ a: 1 }] }, ['body: payload.items']],
    ['{{payload.order | json}}', { order: {} }, undefined],
    ["{{payload.items | join: ', '}} {{payload.items | size}}", { items: ['a'] }, undefined],
    ['{{payload.order.number}}', { order: { number: 17 } }, undefined],
  ])('%s with %j', async (body, payload, expected) => {
    const { missing, objects } = await findProblems({ body }, payload, 'sms');
    expect({ missing, objects }).toEqual({ missing: undefined, objects: expected });
  });
});

test('the variables of a layout are those of `layout`', async () => {
  const engine = await openEngine();
  const scope = engine.store.scope(engine.store.environmentId);
  insertLayout(scope, {
    ...{ id: scope.ids.objectId(), layoutId: 'frame', name: 'Frame', isDefault: false },
    ...{ createdAt: scope.now, updatedAt: scope.now, editorType: 'html' },
    body: '<html><body>{{content}}{{payload.footer}}</body></html>',
  });
  const controls = { subject: 'Hi', body: 'Hi', layoutId: 'frame' };
  engine.defineWorkflow({ steps: [{ name: 'Step', type: 'email', controls }] });
  await triggerTestWorkflow(engine);
  expect((await engine.messages('transactionId=a'))[0].missingVariables).toEqual([
    { template: 'layout', variable: 'payload.footer' },
  ]);
});

const order = { order: { number: 17 } };
const controls = { body: 'Order {{payload.order}} for {{payload.name}}' };

test('the page shows them with the message, and only the responses of the sandbox have them', async () => {
  const page = await openPage();
  const step = { name: 'Text', type: 'sms', controlValues: controls };
  await page.ask('POST /v2/workflows', { workflowId: 'order', name: 'Order', steps: [step] });
  await page.trigger('order', 'u1', order, 'a');
  const text = toText((await page.get(await page.newest('sms'))).text);
  expect(text).toContain(
    'Check the variables. missing: payload.name (body); printed as an object: payload.order (body)',
  );
  const { body } = await page.ask('GET /v1/messages?transactionId=a');
  expect(body.data).toHaveLength(1);
  expect(JSON.stringify(body)).not.toMatch(/problems|Variables/);
});

test('the log shows them at the end of the line', async () => {
  const lines: string[] = [];
  const clock = { now: () => Date.parse('2026-01-15T12:00:00.000Z') };
  const { store, handle } = await openSandbox({
    clock,
    onEvent: (event) => lines.push(eventLine(event, clock.now())),
  });
  const ask = (path: string, body: object) =>
    handle(
      new Request(`http://localhost${path}`, {
        method: 'POST',
        headers: { authorization: `ApiKey ${store.key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    );
  const step = { name: 'Text', type: 'sms', controlValues: controls };
  await ask('/v2/workflows', { workflowId: 'order', name: 'Order', steps: [step] });
  lines.length = 0;
  await ask('/v1/events/trigger', { name: 'order', to: 'u1', payload: order });
  store.close();
  expect(lines[1]).toMatch(
    / {2}missing: payload\.name \(body\) {2}printed as an object: payload\.order \(body\)$/,
  );
});

// The issues of templates that the service reports when a workflow is written.
import { expect, test } from 'vitest';
import type { SandboxVersion } from '../../src/service/versions.ts';
import { openSandbox } from './open.ts';

async function findIssues(body: string, service?: SandboxVersion): Promise<string[]> {
  const { ask } = await openSandbox({ service });
  const steps = [{ name: 'Inbox', type: 'in_app', controlValues: { subject: 'S', body } }];
  const workflow = { name: 'w', workflowId: 'w', steps };
  const response = await ask('POST /v2/workflows', workflow);
  const issues: { message: string }[] = response.body.steps[0].issues?.controls?.body ?? [];
  return issues.map(({ message }) => message);
}

const namespace = 'invalid or missing namespace';

test.each<[string, string[]]>([
  ['{{payload.name}} {{subscriber.firstName}} {{workflow.name}} {{context.tenant.id}}', []],
  ["{{ 'a,b' | split: ',' | last }}", [`Variable "" ${namespace}`]],
  ['{{ a b }}', ['Variable "{{ a b }}" contains whitespaces']],
  ['{{name}}', [`Variable "name" ${namespace}`]],
  [
    '{{payload.list[0].name}} {{payload.list.size}}',
    ['Variable "payload.list.size" is not supported'],
  ],
  ['{{payload.arr[-1]}} {{payload.arr[9]}}', ['Variable "payload.arr[9]" is not supported']],
  ['{{context.tenant.name}}', ['Variable "context.tenant.name" is not supported']],
  ['{{subscriber.data.plan}} {{subscriber.nope}}', ['Variable "subscriber.nope" is not supported']],
  ['{{t.title}} {{steps.nope.x}}', ['Variable "steps.nope.x" is not supported']],
  [
    '{% for i in payload.items %}{{i.name}}{{forloop.index}}{% endfor %}{{i.name}}',
    ['Variable "i.name" is not supported'],
  ],
  ['{% assign total = payload.n %}{{total}}{% capture c %}x{% endcapture %}{{c}}', []],
  [
    '{% if payload.n > 1 and foo.bar %}x{% elsif baz == 1 %}y{% endif %}',
    ['Variable "foo.bar" is not supported', `Variable "baz" ${namespace}`],
  ],
  [
    '{% case payload.role %}{% when other.role %}x{% endcase %}',
    ['Variable "other.role" is not supported'],
  ],
  [
    "{{payload.list | toSentence: 'name', 1, 'more'}}",
    ['Variable "payload.list.name" is not supported'],
  ],
  ['{{payload.list | toSentence}}', ['Filter "Expected at least 1 argument" in "payload.list"']],
  [
    "{{payload.list | toSentence: '', 'x'}}",
    [
      'Filter ""toSentence" expects a string that Expected number, received string for argument "limit"" in "payload.list"',
    ],
  ],
])('%s', async (body, messages) => {
  expect(await findIssues(body)).toEqual(messages);
});

test.each([
  ['{{payload.arr[-1]}} {{payload.arr[9]}}', []],
  ["{{payload.arr | toSentence: '', 2, 'other'}}", []],
  ["{{payload.list | toSentence: 'name', 1}}", ['Variable "payload.list.name" is not supported']],
])('since 3.19 %s', async (body, messages) => {
  expect(await findIssues(body, '3.19')).toEqual(messages);
});

test('an unreadable cron expression is rejected; one with long gaps is an issue', async () => {
  const { ask } = await openSandbox();
  const create = (cron: string) => {
    const steps = [{ name: 'Wait', type: 'delay', controlValues: { type: 'timed', cron } }];
    return ask('POST /v2/workflows', { name: 'w', workflowId: 'w', steps });
  };
  expect((await create('every day')).body.message).toBe('Invalid cron expression: every day');
  const { body } = await create('0 0 1 1 *');
  expect(body.steps[0].issues.controls.cron[0].issueType).toBe('TIER_LIMIT_EXCEEDED');
  expect((await create('0 0 1 * *')).body.steps[0].issues).toBeUndefined();
});

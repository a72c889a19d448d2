// Requests that once were internal errors: templates that name other templates, and malformed escapes in paths.
import { describe, expect, test } from 'vitest';
import { openEngine, triggerTestWorkflow } from './engine/engine-fixture.ts';
import { openSandbox } from './open.ts';

const tags = ["{% include 'x' %}", "{% render 'x', a: y %}", "{% layout 'x' %}", '{% include x %}'];

describe.each(tags)('a workflow with %s', (tag) => {
  const workflow = (body: string) => ({
    ...{ workflowId: 'tags', name: 'Tags' },
    steps: [{ name: 'Text', type: 'sms', controlValues: { body } }],
  });

  test('is created without an issue of the tag', async () => {
    const { ask } = await openSandbox();
    const { status, body } = await ask('POST /v2/workflows', workflow(`Hi ${tag}`));
    expect(status).toBe(201);
    expect(body.steps[0].issues?.controls).toBeUndefined();
    const other = await ask('POST /v2/workflows', workflow(`{{nope}} ${tag}`));
    expect(other.body.steps[0].issues.controls.body).toMatchObject([{ variableName: 'nope' }]);
  });

  test('fails its step, because no other template exists', async () => {
    const engine = await openEngine();
    const controls = { body: tag };
    engine.defineWorkflow({ steps: [{ name: 'Text', type: 'sms', controls }] });
    await triggerTestWorkflow(engine);
    const { statuses, details } = await engine.getActivity('a');
    expect(statuses).toEqual(['failed']);
    expect(details[0]).toEqual(['Failed: Bridge execution failed']);
  });
});

test.each(tags)('a layout with %s is stored', async (tag) => {
  const { ask } = await openSandbox();
  const { status } = await ask('POST /v2/layouts', { layoutId: 'tags', name: 'Tags' });
  expect(status).toBe(201);
  const content = `<html><body>${tag}{{content}}</body></html>`;
  const controlValues = { email: { body: content, editorType: 'html' } };
  const line = 'PUT /v2/layouts/tags';
  expect((await ask(line, { name: 'Tags', controlValues })).status).toBe(200);
});

test('a tag without a name is an issue', async () => {
  const { ask } = await openSandbox();
  const steps = [{ name: 'Text', type: 'sms', controlValues: { body: '{% include %}' } }];
  const { status, body } = await ask('POST /v2/workflows', { workflowId: 't', name: 'T', steps });
  expect(status).toBe(201);
  expect(body.steps[0].issues.controls.body).toHaveLength(1);
});

describe('a malformed escape in a path', () => {
  test.each([
    ['GET /v1/subscribers/%zz/notifications/feed', '%zz'],
    ['GET /V1/SUBSCRIBERS/%zz/NOTIFICATIONS/FEED', '%zz'],
    ['GET /V2/SUBSCRIBERS/%E0%A4%A', '%E0%A4%A'],
    ['GET /v2/topics/100%', '100%'],
    ['PUT /v2/topics/%ff', '%ff'],
    ['DELETE /v1/events/trigger/a%', 'a%'],
  ])('%s is a bad request', async (line, text) => {
    const { ask } = await openSandbox();
    const path = line.split(' ')[1];
    const error = { error: 'Bad Request', statusCode: 400 };
    const { status, body } = await ask(line, undefined, { authorization: 'none' });
    expect({ status, body }).toEqual({
      status: 400,
      body: {
        ...error,
        timestamp: expect.any(String),
        path,
        message: `Failed to decode param '${text}'`,
        ctx: error,
      },
    });
  });

  test.each(['GET /%zz', 'GET /V9/SUBSCRIBERS/%zz', 'GET /__sandbox/%zz'])(
    '%s is not found, because no operation has the path',
    async (line) => {
      const { ask } = await openSandbox();
      expect((await ask(line)).status).toBe(404);
    },
  );

  test('GET /v2/topics/%20 has none', async () => {
    const { ask } = await openSandbox();
    expect((await ask('GET /V2/topics/%20')).status).toBe(404);
    expect((await ask('GET /v2/topics/%61nnouncements')).body.key).toBe('announcements');
  });
});

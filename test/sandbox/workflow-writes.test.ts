// Creating, replacing, changing and deleting workflows.
import { describe, expect, test } from 'vitest';
import { openSandbox } from './open.ts';

const open = async () => (await openSandbox()).ask;

const sms = (stepId: string, body = stepId) => ({
  ...{ name: `Text ${stepId}`, stepId, type: 'sms' },
  controlValues: { body },
});
const workflow = (workflowId: string, ...steps: unknown[]) => ({
  workflowId,
  name: workflowId,
  steps,
});

interface Step {
  _id: string;
  stepId: string;
  name: string;
  type: string;
  controlValues: object;
}

/** Returns the body of a PUT that changes nothing. */
const normalForm = ({
  preferences,
  steps,
  ...rest
}: {
  preferences: { user: object | null; default: object };
  steps: Step[];
}) => ({
  ...rest,
  preferences: { user: preferences.user, workflow: preferences.default },
  steps: steps.map(({ _id, stepId, name, type, controlValues }) => ({
    ...{ _id, stepId, name, type, controlValues },
  })),
});

describe('workflows', () => {
  test('a created workflow can be read by identifier, internal id and slug', async () => {
    const ask = await open();
    const { status, body } = await ask('POST /v2/workflows', workflow('hello', sms('a')));
    expect(status).toBe(201);
    expect(body).toMatchObject({ workflowId: 'hello', active: true, severity: 'none', tags: [] });
    for (const id of ['hello', body._id, body.slug])
      expect((await ask(`GET /v2/workflows/${id}`)).body).toEqual(body);
  });

  test('a new workflow with a taken identifier gets a suffix', async () => {
    const ask = await open();
    const { status, body } = await ask('POST /v2/workflows', workflow('welcome'));
    expect({ status, id: body.workflowId }).toEqual({
      status: 201,
      id: expect.stringMatching(/^welcome-[0-9a-z]{4}$/),
    });
  });

  test('sending the normal form of a response back changes nothing but the time', async () => {
    const ask = await open();
    const { body: list } = await ask('GET /v2/workflows');
    // The seeded issues of this one are not those of its values.
    const ids = list.workflows.map((workflow: { workflowId: string }) => workflow.workflowId);
    for (const workflowId of ids.filter((id: string) => id !== 'broken-invoice')) {
      const { body: before } = await ask(`GET /v2/workflows/${workflowId}`);
      const { updatedAt: _, ...kept } = before;
      const { status, body } = await ask(`PUT /v2/workflows/${workflowId}`, normalForm(before));
      const { updatedAt: __, ...after } = body;
      expect({ workflowId, status, after }).toEqual({ workflowId, status: 200, after: kept });
    }
  });

  test('a PUT resets what it leaves out: active, preferences and control values', async () => {
    const ask = await open();
    const off = { all: { enabled: true, readOnly: true }, channels: channels(false) };
    const { body: created } = await ask('POST /v2/workflows', {
      ...workflow('hello', sms('a')),
      ...{ active: false, tags: ['x'], severity: 'high', description: 'd' },
      preferences: { user: off, workflow: off },
    });
    const [{ _id, name, type }] = created.steps;
    const { body } = await ask('PUT /v2/workflows/hello', {
      ...{ name: 'hello', origin: 'novu-cloud', steps: [{ _id, name, type }] },
    });
    expect(body).toMatchObject({
      ...{ active: true, tags: ['x'], severity: 'high', description: 'd' },
      preferences: {
        user: null,
        default: { all: { enabled: true, readOnly: false }, channels: channels(true) },
      },
      steps: [{ _id, stepId: 'a', controlValues: {} }],
    });
  });

  test('a step with an `_id` that the workflow does not have loses its content', async () => {
    const ask = await open();
    await ask('POST /v2/workflows', workflow('hello', sms('a')));
    const foreign = { ...sms('a'), _id: '000000000000000000000001' };
    const put = { name: 'hello', origin: 'novu-cloud', steps: [foreign, sms('b')] };
    const { body } = await ask('PUT /v2/workflows/hello', put);
    expect(body.steps).toMatchObject([
      { stepId: 'a', controlValues: {} },
      { stepId: 'b', controlValues: { body: 'b' } },
    ]);
  });

  test('a step keeps its type and its step id', async () => {
    const ask = await open();
    const { body: created } = await ask('POST /v2/workflows', workflow('hello', sms('a')));
    const [{ _id }] = created.steps;
    const chat = { _id, stepId: 'other', name: 'Chat', type: 'chat', controlValues: { body: 'c' } };
    const put = { name: 'hello', origin: 'novu-cloud', steps: [chat] };
    const { body } = await ask('PUT /v2/workflows/hello', put);
    expect(body.steps).toMatchObject([
      { _id, stepId: 'a', name: 'Chat', type: 'sms', controlValues: { body: 'c' } },
    ]);
  });

  test('mistakes in a step are issues, and never reject the workflow', async () => {
    const ask = await open();
    const email = {
      name: 'Mail',
      stepId: 'mail',
      type: 'email',
      controlValues: { subject: '{{x.y}}' },
    };
    const { status, body } = await ask(
      'POST /v2/workflows',
      workflow('hello', { ...sms('a'), controlValues: {} }, email),
    );
    expect({ status, workflow: body.status }).toEqual({ status: 201, workflow: 'ERROR' });
    expect(
      body.steps.map(({ issues }: { issues: { controls: object } }) => issues.controls),
    ).toEqual([
      { body: [{ message: 'Body is required', issueType: 'MISSING_VALUE', variableName: 'body' }] },
      {
        subject: [
          {
            message: 'Variable "x.y" is not supported',
            issueType: 'ILLEGAL_VARIABLE_IN_CONTROL_VALUE',
            variableName: 'x.y',
          },
        ],
      },
    ]);
  });

  test('an e-mail with an unknown layout fails, but the workflow is there', async () => {
    const ask = await open();
    const controlValues = { subject: 's', body: 'b', editorType: 'html', layoutId: 'none' };
    const step = { name: 'Mail', stepId: 'mail', type: 'email', controlValues };
    const { status, body } = await ask('POST /v2/workflows', workflow('hello', step));
    expect(status).toBe(404);
    expect(body.message).toMatch(/^Layout not found for id none in the environment /);
    expect((await ask('GET /v2/workflows/hello')).body.steps).toMatchObject([
      { stepId: 'mail', controlValues: {} },
    ]);
  });

  test('a PATCH changes single fields and keeps the steps', async () => {
    const ask = await open();
    const { body: before } = await ask('GET /v2/workflows/welcome');
    const { body } = await ask('PATCH /v2/workflows/welcome', { active: false, tags: ['a', 'a'] });
    expect(body).toMatchObject({ active: false, status: 'INACTIVE', tags: ['a', 'a'] });
    expect(body.steps).toEqual(before.steps);
  });

  test('a deleted workflow is gone, and its identifier is free', async () => {
    const ask = await open();
    expect((await ask('DELETE /v2/workflows/welcome')).status).toBe(204);
    for (const line of ['GET', 'PUT', 'DELETE'].map((method) => `${method} /v2/workflows/welcome`))
      expect((await ask(line, line.startsWith('PUT') ? putBody : undefined)).status).toBe(404);
    expect((await ask('GET /v1/notifications')).status).toBe(200);
    expect((await ask('POST /v2/workflows', workflow('welcome'))).body.workflowId).toBe('welcome');
  });

  test('an environment has at most 100 workflows', async () => {
    const ask = await open();
    const { totalCount } = (await ask('GET /v2/workflows')).body;
    for (let count = totalCount; count < 100; count += 1)
      await ask('POST /v2/workflows', workflow(`w-${count}`));
    const { status, body } = await ask('POST /v2/workflows', workflow('one-more'));
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { currentCount: 100, limit: 100 },
    });
  });

  test('a workflow that was created runs when it is triggered', async () => {
    const ask = await open();
    const inApp = {
      name: 'In-App',
      stepId: 'in',
      type: 'in_app',
      controlValues: { body: 'Hi {{payload.n}}' },
    };
    await ask('POST /v2/workflows', workflow('hello', inApp));
    const events = [{ name: 'hello', to: 'u9', payload: { n: 'Ada' } }];
    expect((await ask('POST /v1/events/trigger/bulk', { events })).status).toBe(201);
    const { body } = await ask('GET /v1/subscribers/u9/notifications/feed');
    expect(body.data).toMatchObject([{ content: 'Hi Ada' }]);
  });

  test('routes for the web interface reject an API key', async () => {
    const ask = await open();
    const { status, body } = await ask('POST /v2/workflows/welcome/step/welcome-email/preview', {});
    expect({ status, message: body.message }).toEqual({
      status: 401,
      message: 'API endpoint not accessible',
    });
  });
});

const channels = (enabled: boolean) =>
  Object.fromEntries(['email', 'sms', 'in_app', 'chat', 'push'].map((name) => [name, { enabled }]));
const putBody = { name: 'x', origin: 'novu-cloud', steps: [] };

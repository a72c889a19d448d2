import { describe, expect, test } from 'vitest';
import { seedId } from '../../src/sandbox/store/ids.ts';
import { createSlug, idInSlug } from '../../src/sandbox/store/slugs.ts';
import { openSandbox } from './open.ts';

const listWorkflows = async (query: string) => {
  const { ask } = await openSandbox();
  const { body } = await ask(`GET /v2/workflows${query}`);
  return {
    names: body.workflows.map(({ workflowId }: { workflowId: string }) => workflowId),
    totalCount: body.totalCount,
  };
};

describe('listing workflows', () => {
  test('returns all workflows, newest first', async () => {
    expect(await listWorkflows('')).toEqual({
      totalCount: 12,
      names: [
        'draft',
        'broken-invoice',
        'invoice-paid',
        'legacy-newsletter',
        'order-update',
        'price-alert',
        'one-time-code',
        'partner-sync',
        'weekly-report',
        'trial-ending',
        'comment-digest',
        'welcome',
      ],
    });
  });

  test.each([
    ['?status[]=INACTIVE', ['legacy-newsletter']],
    ['?status=ERROR&status=INACTIVE', ['broken-invoice', 'legacy-newsletter']],
    ['?tags[]=digest', ['weekly-report', 'comment-digest']],
    ['?tags=social&tags=security', ['one-time-code', 'comment-digest']],
    ['?query=INVOICE', ['broken-invoice', 'invoice-paid']],
    ['?query=paid&status[]=ACTIVE', ['invoice-paid']],
    ['?query=%25', []],
    ['?orderBy=name&orderDirection=ASC&limit=2', ['broken-invoice', 'comment-digest']],
    ['?orderBy=lastTriggeredAt&limit=3', ['invoice-paid', 'comment-digest', 'trial-ending']],
    ['?limit=2&offset=10', ['comment-digest', 'welcome']],
    ['?offset=99', []],
  ])('with %s returns %j', async (query, names) => {
    expect((await listWorkflows(query)).names).toEqual(names);
  });

  test('counts all matches, not only those on the page', async () => {
    expect((await listWorkflows('?tags[]=billing&limit=1')).totalCount).toBe(3);
  });

  test('summarizes steps and issues', async () => {
    const { ask } = await openSandbox();
    const { body } = await ask('GET /v2/workflows?query=broken-invoice');
    expect(body.workflows[0]).toMatchObject({
      status: 'ERROR',
      stepTypeOverviews: ['email', 'chat'],
      steps: [
        { type: 'email', issues: { controls: { subject: [{ issueType: 'MISSING_VALUE' }] } } },
        { type: 'chat', issues: {} },
      ],
    });
  });
});

const id = seedId('workflow:welcome');
const step = seedId('step:welcome:welcome-inbox');

describe('a workflow', () => {
  test.each([
    ['identifier', 'welcome'],
    ['internal id', id],
    ['slug', createSlug('Welcome', 'wf', id)],
    ['slug of an earlier name', createSlug('Old name', 'wf', id)],
  ])('is found by its %s', async (_, name) => {
    const { ask } = await openSandbox();
    const { status, body } = await ask(`GET /v2/workflows/${name}`);
    expect(status).toBe(200);
    expect(body._id).toBe(id);
  });

  test('includes its steps, controls and preferences', async () => {
    const { ask } = await openSandbox();
    const { body } = await ask('GET /v2/workflows/one-time-code');
    expect(body).toMatchObject({
      name: 'One-time code',
      workflowId: 'one-time-code',
      severity: 'high',
      active: true,
      status: 'ACTIVE',
      origin: 'novu-cloud',
      validatePayload: false,
      payloadSchema: null,
      preferences: { user: null, default: { all: { enabled: true, readOnly: true } } },
      steps: [
        {
          stepId: 'code-email',
          type: 'email',
          controlValues: { subject: 'Your code is {{payload.code}}' },
          controls: {
            values: { subject: 'Your code is {{payload.code}}' },
            uiSchema: { group: 'EMAIL' },
            dataSchema: { required: ['subject'] },
          },
        },
        { stepId: 'code-sms', type: 'sms' },
      ],
    });
    expect((await ask('GET /v2/workflows/invoice-paid')).body).toMatchObject({
      validatePayload: true,
      payloadSchema: { required: ['invoiceId', 'amount', 'currency'] },
    });
    expect((await ask('GET /v2/workflows/legacy-newsletter')).body).toMatchObject({
      active: false,
      status: 'INACTIVE',
    });
    expect((await ask('GET /v2/workflows/partner-sync')).body.origin).toBe('external');
  });

  test.each(['nope', 'nope_wf_zzz', `x_wf_${'z'.repeat(40)}`])(
    'with the unknown id %s returns 404',
    async (name) => {
      const { ask } = await openSandbox();
      const { status, body } = await ask(`GET /v2/workflows/${name}`);
      expect({ status, message: body.message, workflowId: body.workflowId }).toEqual({
        status: 404,
        message: 'Workflow cannot be found',
        workflowId: name,
      });
    },
  );
});

describe('a workflow step', () => {
  test.each([
    ['identifier', 'welcome-inbox'],
    ['internal id', step],
    ['slug', createSlug('Welcome inbox', 'st', step)],
  ])('is found by its %s', async (_, name) => {
    const { ask } = await openSandbox();
    const { body } = await ask(`GET /v2/workflows/welcome/steps/${name}`);
    expect(body).toMatchObject({ _id: step, stepId: 'welcome-inbox', workflowDatabaseId: id });
    expect(body.controls.values).toEqual(body.controlValues);
  });

  test('has variables for the results of earlier steps', async () => {
    const { ask } = await openSandbox();
    const { body } = await ask('GET /v2/workflows/comment-digest/steps/comments-email');
    expect(Object.keys(body.variables.properties.steps.properties)).toEqual([
      'collect-comments',
      'comments-inbox',
    ]);
  });

  test('that does not exist returns 400 with both ids', async () => {
    const { ask } = await openSandbox();
    const { status, body } = await ask('GET /v2/workflows/welcome/steps/nope');
    expect(status).toBe(400);
    expect(body).toMatchObject({ message: 'No step found', stepId: 'nope', workflowId: 'welcome' });
    expect((await ask('GET /v2/workflows/nope/steps/x')).status).toBe(404);
  });
});

describe('a slug', () => {
  test.each(['000000000000000000000001', 'ffffffffffffffffffffffff', id])(
    'contains the id %s',
    (value) => {
      expect(idInSlug(createSlug('Ümläut & more!', 'wf', value), 'wf')).toBe(value);
      expect(createSlug('Ümläut & more!', 'wf', value)).toMatch(
        /^uemlaeut-and-more_wf_[0-9A-Za-z]+$/,
      );
    },
  );
});

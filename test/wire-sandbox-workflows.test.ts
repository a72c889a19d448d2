// The responses of the sandbox to requests about workflows: literals from the API specification.
import { describe, expect, it } from 'vitest';
import { startSeeded } from './support/wire.ts';
import {
  expectFields,
  expectItems,
  expectList,
  expectOptional,
  type Rule,
  valueAt,
} from './support/wire-fields.ts';
import { origins, severities, stepTypes, workflowStatuses } from './support/wire-values.ts';

describe('sandbox API for workflows', () => {
  const issues: Record<string, Rule> = { controls: 'object?', integration: 'object?' };

  const step: Record<string, Rule> = {
    controls: 'object',
    controlValues: 'object?',
    variables: 'object',
    stepId: 'string',
    _id: 'string',
    name: 'string',
    slug: 'string',
    type: stepTypes,
    origin: origins,
    workflowId: 'string',
    workflowDatabaseId: 'string',
    issues: 'object?',
  };

  it('lists workflows in the member workflows, with the total count', async () => {
    const { ask } = await startSeeded();
    const { status, body } = await ask(
      'GET',
      '/v2/workflows?limit=50&offset=0&orderDirection=ASC&orderBy=name',
    );
    expect(status).toBe(200);
    expectFields(body, { workflows: 'array', totalCount: 'number' });
    const workflows = expectItems(valueAt(body, 'workflows'));
    for (const workflow of workflows) {
      expectFields(workflow, {
        name: 'string',
        tags: 'array?',
        updatedAt: 'string',
        createdAt: 'string',
        updatedBy: 'object?',
        lastPublishedAt: 'string|null?',
        lastPublishedBy: 'object|null?',
        _id: 'string',
        workflowId: 'string',
        slug: 'string',
        status: workflowStatuses,
        origin: origins,
        lastTriggeredAt: 'string|null?',
        stepTypeOverviews: 'array',
        isTranslationEnabled: 'boolean?',
        steps: 'array',
      });
    }
    const types = workflows.flatMap((workflow) =>
      expectList(valueAt(workflow, 'stepTypeOverviews')),
    );
    expect(stepTypes).toEqual(expect.arrayContaining(expectItems(types)));
    const steps = workflows.flatMap((workflow) => expectList(valueAt(workflow, 'steps')));
    expectOptional(steps, { slug: 'string', type: stepTypes, issues: 'object?' });
    expectOptional(
      steps.map((step) => valueAt(step, 'issues')),
      issues,
    );
    expectOptional(
      workflows.flatMap((workflow) => [
        valueAt(workflow, 'updatedBy'),
        valueAt(workflow, 'lastPublishedBy') ?? undefined,
      ]),
      {
        _id: 'string',
        firstName: 'string|null?',
        lastName: 'string|null?',
        externalId: 'string|null?',
      },
    );
    const identifiers = workflows.map((workflow) => valueAt(workflow, 'workflowId'));
    expect(identifiers).toEqual(expect.arrayContaining(['welcome', 'comment-digest']));
  });

  it('supports offset, total count and filters for workflows', async () => {
    const { ask } = await startSeeded();
    const all = await ask('GET', '/v2/workflows?limit=50&offset=0&orderDirection=ASC&orderBy=name');
    const second = await ask(
      'GET',
      '/v2/workflows?limit=1&offset=1&orderDirection=ASC&orderBy=name',
    );
    expect(valueAt(second.body, 'workflows')).toEqual([valueAt(all.body, 'workflows', 1)]);
    expect(valueAt(second.body, 'totalCount')).toBe(valueAt(all.body, 'totalCount'));

    const listed = await ask('GET', '/v2/workflows?query=welcome');
    expect(valueAt(listed.body, 'workflows')).toContainEqual(
      expect.objectContaining({ workflowId: 'welcome' }),
    );
    const active = await ask('GET', '/v2/workflows?status[]=ACTIVE');
    for (const one of expectItems(valueAt(active.body, 'workflows'))) {
      expect(valueAt(one, 'status')).toBe('ACTIVE');
    }
    const either = await ask('GET', '/v2/workflows?limit=50&status=ACTIVE&status=INACTIVE');
    for (const one of expectItems(valueAt(either.body, 'workflows'))) {
      expect(['ACTIVE', 'INACTIVE']).toContain(valueAt(one, 'status'));
    }
    const untagged = await ask('GET', '/v2/workflows?tags=no-such-tag&tags=nor-this');
    expect(untagged.body).toEqual({ workflows: [], totalCount: 0 });
  });

  it('returns one workflow with the details of its steps', async () => {
    const { ask, ids } = await startSeeded();
    const { status, body } = await ask(
      'GET',
      `/v2/workflows/welcome?environmentId=${ids.environment}`,
    );
    expect(status).toBe(200);
    expectFields(body, {
      name: 'string',
      description: 'string?',
      tags: 'array?',
      active: 'boolean?',
      validatePayload: 'boolean?',
      payloadSchema: 'object|null?',
      isTranslationEnabled: 'boolean?',
      _id: 'string',
      workflowId: 'string',
      slug: 'string',
      updatedAt: 'string',
      createdAt: 'string',
      updatedBy: 'object?',
      lastPublishedAt: 'string|null?',
      lastPublishedBy: 'object|null?',
      steps: 'array',
      origin: origins,
      preferences: 'object',
      status: workflowStatuses,
      issues: 'object?',
      lastTriggeredAt: 'string|null?',
      payloadExample: 'object|null?',
      severity: severities,
    });
    expect(valueAt(body, 'workflowId')).toBe('welcome');
    for (const one of expectItems(valueAt(body, 'steps'))) {
      expectFields(one, step);
      expectFields(valueAt(one, 'controls'), {
        dataSchema: 'object?',
        uiSchema: 'object?',
        values: 'object',
      });
      expect(valueAt(one, 'workflowId')).toBe('welcome');
      expect(valueAt(one, 'workflowDatabaseId')).toBe(valueAt(body, '_id'));
    }
    const broken = await ask('GET', '/v2/workflows/broken-invoice');
    for (const one of expectItems(valueAt(broken.body, 'steps'))) {
      expectFields(one, step);
      expectFields(valueAt(one, 'issues'), issues);
    }
  });

  it('returns one step of a workflow', async () => {
    const { ask } = await startSeeded();
    const workflow = await ask('GET', '/v2/workflows/welcome');
    const stepId = String(valueAt(workflow.body, 'steps', 0, 'stepId'));
    const { status, body } = await ask(
      'GET',
      `/v2/workflows/welcome/steps/${encodeURIComponent(stepId)}`,
    );
    expect(status).toBe(200);
    expectFields(body, step);
    expectFields(valueAt(body, 'controls'), { dataSchema: 'object?', uiSchema: 'object?' });
    expect(valueAt(body, 'stepId')).toBe(stepId);
    expect(valueAt(body, 'workflowId')).toBe('welcome');
    expect(valueAt(body, 'workflowDatabaseId')).toBe(valueAt(workflow.body, '_id'));
  });
});

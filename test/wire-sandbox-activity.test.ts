// The responses of the sandbox to requests about activity: literals from the API specification.
import { describe, expect, it } from 'vitest';
import { startSeeded } from './support/wire.ts';
import { eventFor } from './support/wire-bodies.ts';
import {
  expectFields,
  expectItems,
  expectList,
  expectOptional,
  fieldValues,
  pageItems,
  type Rule,
  valueAt,
} from './support/wire-fields.ts';
import { origins, providers, severities, stepTypes, timeUnits } from './support/wire-values.ts';

const activityItem: Record<string, Rule> = {
  _id: 'string?',
  _environmentId: 'string',
  _organizationId: 'string',
  _subscriberId: 'string',
  transactionId: 'string',
  _templateId: 'string?',
  _digestedNotificationId: 'string?',
  createdAt: 'string?',
  updatedAt: 'string?',
  channels: 'array?',
  subscriber: 'object?',
  template: 'object?',
  jobs: 'array?',
  payload: 'object?',
  tags: 'array?',
  controls: 'object?',
  to: 'object?',
  topics: 'array?',
  severity: [...severities, undefined],
  critical: 'boolean?',
  contextKeys: 'array?',
};

const recipient: Record<string, Rule> = {
  subscriberId: ['u1'],
  _id: 'string',
  firstName: 'string?',
  lastName: 'string?',
  email: 'string?',
  phone: 'string?',
};

const template: Record<string, Rule> = {
  _id: 'string?',
  name: 'string',
  origin: [...origins, undefined],
  triggers: 'array',
};

const eventTrigger: Record<string, Rule> = {
  type: ['event'],
  identifier: 'string',
  variables: 'array',
  subscriberVariables: 'array?',
};

const job: Record<string, Rule> = {
  _id: 'string',
  type: stepTypes,
  digest: 'object?',
  executionDetails: 'array',
  step: 'object',
  overrides: 'object?',
  payload: 'object?',
  providerId: providers,
  status: 'string',
  updatedAt: 'string?',
  scheduleExtensionsCount: 'number?',
};

const digest: Record<string, Rule> = {
  digestKey: 'string?',
  amount: 'number?',
  unit: [...timeUnits, undefined],
  type: ['regular', 'backoff', 'timed'],
  events: 'array?',
  backoff: 'boolean?',
  backoffAmount: 'number?',
  backoffUnit: [...timeUnits, undefined],
  updateMode: 'boolean?',
  timed: 'object?',
};

const step: Record<string, Rule> = {
  _id: 'string',
  active: 'boolean',
  replyCallback: 'object?',
  controlVariables: 'object?',
  metadata: 'object?',
  issues: 'object?',
  filters: 'array',
  template: 'object?',
  variants: 'array?',
  _templateId: 'string',
  name: 'string?',
  _parentId: 'string|null?',
};

const executionDetail: Record<string, Rule> = {
  _id: 'string',
  createdAt: 'string?',
  status: ['Success', 'Warning', 'Failed', 'Pending', 'Queued', 'ReadConfirmation'],
  detail: 'string',
  isRetry: 'boolean',
  isTest: 'boolean',
  providerId: 'string?',
  raw: 'string|null?',
  source: ['Credentials', 'Internal', 'Payload', 'Webhook'],
};

describe('sandbox API for activity', () => {
  it('lists triggered events with their jobs and execution details', async () => {
    const { activity, trigger } = await startSeeded();
    await trigger(
      { ...eventFor('u1', 'comment-digest', 'wire-txn-1'), payload: { postId: '7' } },
      eventFor('u1', 'welcome', 'wire-txn-2'),
    );
    const { status, body } = await activity('subscriberIds=u1&page=0&limit=50');
    expect(status).toBe(200);
    expectFields(body, { hasMore: 'boolean', data: 'array', pageSize: 'number', page: 'number' });
    expect(valueAt(body, 'page')).toBe(0);
    expect(valueAt(body, 'data')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ transactionId: 'wire-txn-1', payload: { postId: '7' } }),
        expect.objectContaining({ transactionId: 'wire-txn-2' }),
      ]),
    );
    const items = expectItems(valueAt(body, 'data'));
    for (const item of items) {
      expectFields(item, activityItem);
      for (const type of expectItems(valueAt(item, 'channels'))) {
        expect(stepTypes).toContain(type);
      }
      expectFields(valueAt(item, 'subscriber'), recipient);
      expectFields(valueAt(item, 'template'), template);
      for (const one of expectItems(valueAt(item, 'template', 'triggers'))) {
        expectFields(one, eventTrigger);
      }
    }
    expectOptional(
      items.flatMap((item) => expectList(valueAt(item, 'topics') ?? [])),
      { _topicId: 'string', topicKey: 'string' },
    );
    const jobs = items.flatMap((item) => expectItems(valueAt(item, 'jobs')));
    for (const one of jobs) {
      expectFields(one, job);
      expectFields(valueAt(one, 'step'), step);
    }
    expectOptional(
      jobs.flatMap((job) => expectList(valueAt(job, 'executionDetails'))),
      executionDetail,
    );
    expectOptional(
      jobs.map((job) => valueAt(job, 'digest')),
      digest,
    );
  });

  it('filters triggered events by transaction, recipient and time', async () => {
    const { activity, createSubscribers, trigger } = await startSeeded();
    await createSubscribers({ subscriberId: 'wire-ada' });
    await trigger(
      eventFor('u1', 'welcome', 'wire-txn-1'),
      eventFor('wire-ada', 'welcome', 'wire-txn-2'),
    );
    const one = await activity('transactionId=wire-txn-1');
    expect(pageItems(one)).toMatchObject([
      { transactionId: 'wire-txn-1', subscriber: { subscriberId: 'u1' } },
    ]);
    const theirs = await activity('subscriberIds=wire-ada');
    expect(pageItems(theirs)).toMatchObject([{ transactionId: 'wire-txn-2' }]);
    const both = await activity('subscriberIds=u1&subscriberIds=wire-ada&limit=50');
    expect(fieldValues(both, 'transactionId')).toEqual(
      expect.arrayContaining(['wire-txn-1', 'wire-txn-2']),
    );
    const old = await activity('after=2000-01-01T00:00:00.000Z&before=2000-01-02T00:00:00.000Z');
    expect(old.status).toBe(200);
    expect(old.body).toMatchObject({ hasMore: false, data: [], page: 0 });
  });

  it('filters triggered events by context, topic, workflow, channel and severity', async () => {
    const { activity, ask, trigger } = await startSeeded();
    const workflow = await ask('GET', '/v2/workflows/welcome');
    const id = String(valueAt(workflow.body, '_id'));
    await trigger(
      { ...eventFor('u1', 'welcome', 'wire-txn-1'), context: { tenant: 'org-acme', app: 'jira' } },
      eventFor('u1', 'comment-digest', 'wire-txn-2'),
    );
    const inContext = await activity('limit=50&contextKeys=app:jira&contextKeys=tenant:org-acme');
    const transactions = fieldValues(inContext, 'transactionId');
    expect(transactions).toContain('wire-txn-1');
    expect(transactions).not.toContain('wire-txn-2');

    const ofWorkflow = await activity(`limit=50&templates=${id}`);
    expect(new Set(fieldValues(ofWorkflow, '_templateId'))).toEqual(new Set([id]));
    const ofTopic = await activity('topicKey=no-such-topic');
    expect(pageItems(ofTopic)).toEqual([]);
    const ofUnknownEmail = await activity('emails=unknown@example.test');
    expect(pageItems(ofUnknownEmail)).toEqual([]);
    const ofChannels = await activity('channels=in_app&channels=email&severity=high&severity=none');
    expect(ofChannels.status).toBe(200);
  });
});

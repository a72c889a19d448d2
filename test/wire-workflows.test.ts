// Requests and results of the client for workflows, as literals from the API specification.
import { describe, it } from 'vitest';
import { expectExchange } from './support/wire.ts';
import { stepRecord, workflowRecord } from './support/wire-bodies.ts';

const editor = {
  _id: '65d000000000000000000001',
  firstName: 'Ada',
  lastName: 'Lovelace',
  externalId: 'ext-1',
};

/** A step of the workflow `every-thing`. */
const step = (...names: Parameters<typeof stepRecord>) => ({
  ...stepRecord(...names),
  controls: { values: {} },
  variables: { type: 'object' },
  origin: 'novu-cloud',
  workflowId: 'every-thing',
  workflowDatabaseId: '660000000000000000000004',
});

describe('workflows', () => {
  it('lists workflows and repeats the query key for each tag and status', async () => {
    await expectExchange({
      operation: 'listWorkflows',
      input: {
        query: {
          limit: 50,
          offset: 0,
          orderDirection: 'DESC',
          orderBy: 'lastTriggeredAt',
          query: 'welcome & more',
          tags: ['onboarding', 'a,b'],
          status: ['ACTIVE', 'INACTIVE'],
        },
      },
      sends: 'GET /v2/workflows',
      query: [
        ['limit', '50'],
        ['offset', '0'],
        ['orderDirection', 'DESC'],
        ['orderBy', 'lastTriggeredAt'],
        ['query', 'welcome & more'],
        ['tags', 'onboarding'],
        ['tags', 'a,b'],
        ['status', 'ACTIVE'],
        ['status', 'INACTIVE'],
      ],
      status: 200,
      returns: {
        workflows: [
          {
            ...workflowRecord(1, 'Welcome', 'welcome'),
            tags: ['onboarding'],
            updatedBy: editor,
            lastPublishedAt: '2026-01-09T00:00:00.000Z',
            lastPublishedBy: {
              _id: '65d000000000000000000002',
              firstName: null,
              lastName: null,
              externalId: null,
            },
            status: 'ACTIVE',
            origin: 'novu-cloud',
            lastTriggeredAt: '2026-01-14T00:00:00.000Z',
            stepTypeOverviews: ['in_app', 'email', 'sms', 'chat', 'push'],
            isTranslationEnabled: true,
            steps: [
              {
                slug: 'inbox_st_1',
                type: 'in_app',
                issues: {
                  controls: {
                    body: [
                      {
                        issueType: 'ILLEGAL_VARIABLE_IN_CONTROL_VALUE',
                        variableName: 'payload.nmae',
                        message: 'Unknown variable',
                      },
                      { issueType: 'MISSING_VALUE', message: 'Body is missing' },
                    ],
                  },
                  integration: {
                    in_app: [
                      {
                        issueType: 'INBOX_NOT_CONNECTED',
                        variableName: 'inbox',
                        message: 'The inbox is not connected',
                      },
                      { issueType: 'MISSING_INTEGRATION', message: 'No integration' },
                    ],
                  },
                },
              },
              { slug: 'email_st_2', type: 'email' },
            ],
          },
          {
            ...workflowRecord(2, 'Legacy digest', 'legacy-digest'),
            lastPublishedAt: null,
            status: 'INACTIVE',
            origin: 'novu-cloud-v1',
            lastTriggeredAt: null,
            stepTypeOverviews: ['digest', 'trigger', 'delay', 'throttle', 'custom'],
            steps: [],
          },
          {
            ...workflowRecord(3, 'From code', 'from-code'),
            status: 'ERROR',
            origin: 'external',
            stepTypeOverviews: [],
            steps: [],
          },
        ],
        totalCount: 3,
      },
    });
  });

  it('gets a workflow of one environment with steps of all nine types', async () => {
    await expectExchange({
      operation: 'getWorkflow',
      input: {
        path: { workflowId: 'every thing#1' },
        query: { environmentId: '65a000000000000000000001' },
      },
      sends: 'GET /v2/workflows/every%20thing%231',
      query: [['environmentId', '65a000000000000000000001']],
      status: 200,
      returns: {
        ...workflowRecord(4, 'Everything', 'every-thing'),
        description: 'One step of each shape',
        tags: ['demo'],
        active: true,
        validatePayload: true,
        payloadSchema: { type: 'object', properties: { orderId: { type: 'string' } } },
        isTranslationEnabled: false,
        updatedBy: editor,
        lastPublishedAt: '2026-01-09T00:00:00.000Z',
        lastPublishedBy: { _id: '65d000000000000000000001' },
        steps: [
          {
            ...step(1, 'in_app', { stepId: 'inbox' }),
            controls: {
              dataSchema: { type: 'object' },
              uiSchema: {
                group: 'IN_APP',
                properties: { body: { placeholder: '', component: 'IN_APP_BODY' } },
              },
              values: { body: 'Hello', subject: 'Hi' },
            },
            controlValues: {
              skip: { '==': [{ var: 'payload.quiet' }, true] },
              body: 'Hello',
              subject: 'Hi',
              avatar: '/avatar.png',
              primaryAction: { label: 'Open', redirect: { url: '/open', target: '_self' } },
              secondaryAction: { label: 'Later', redirect: { url: '/later', target: '_blank' } },
              redirect: { url: '/all', target: '_unfencedTop' },
              disableOutputSanitization: false,
              data: { colour: 'red' },
            },
            variables: { type: 'object', properties: {} },
          },
          {
            ...step(2, 'email'),
            controls: { values: { subject: 'Hi', body: '<p>Hello</p>' } },
            controlValues: {
              skip: {},
              subject: 'Hi',
              body: '<p>Hello</p>',
              editorType: 'html',
              disableOutputSanitization: true,
              layoutId: null,
            },
          },
          step(3, 'sms'),
          step(4, 'push'),
          step(5, 'chat'),
          step(6, 'delay'),
          step(7, 'digest'),
          { ...step(8, 'custom'), origin: 'external' },
          step(9, 'throttle'),
        ],
        origin: 'novu-cloud',
        preferences: { user: null, default: { all: { enabled: true } } },
        status: 'ACTIVE',
        issues: { payloadSchema: { issueType: 'MISSING_VALUE', message: 'not used' } },
        lastTriggeredAt: null,
        payloadExample: { orderId: '42' },
        severity: 'high',
      },
    });
  });

  it('gets one step of a workflow', async () => {
    await expectExchange({
      operation: 'getWorkflowStep',
      input: { path: { workflowId: 'welcome', stepId: 'send-email?' } },
      sends: 'GET /v2/workflows/welcome/steps/send-email%3F',
      status: 200,
      returns: {
        controls: {
          dataSchema: { type: 'object', properties: { subject: { type: 'string' } } },
          uiSchema: {
            group: 'EMAIL',
            properties: {
              subject: { placeholder: 'Subject', component: 'TEXT_INLINE_LABEL' },
              amount: { placeholder: 5, component: 'DIGEST_AMOUNT' },
              sanitize: { placeholder: false, component: 'DISABLE_SANITIZATION_SWITCH' },
              redirect: {
                component: 'URL_TEXT_BOX',
                properties: {
                  url: { placeholder: { url: '', target: '_self' }, component: 'URL_TEXT_BOX' },
                },
              },
              data: { placeholder: [{ key: 'a' }, 'b', 1, true], component: 'DATA' },
            },
          },
        },
        controlValues: { subject: 'Hi', body: '{"type":"doc"}', editorType: 'block' },
        variables: { type: 'object', properties: { subscriber: { type: 'object' } } },
        ...stepRecord(2, 'email', { stepId: 'send-email', name: 'Send email' }),
        origin: 'external',
        workflowId: 'welcome',
        workflowDatabaseId: '660000000000000000000001',
        issues: {
          controls: {
            subject: [
              {
                issueType: 'INVALID_FILTER_ARG_IN_VARIABLE',
                variableName: 'x',
                message: 'Bad filter',
              },
              { issueType: 'TIER_LIMIT_EXCEEDED', message: 'Too long' },
            ],
          },
          integration: { email: [{ issueType: 'MISSING_INTEGRATION', message: 'No integration' }] },
        },
      },
    });
  });
});

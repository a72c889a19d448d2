// Where the modes and versions of the sandbox differ: one entry for each member of a dialect.
import { describe, expect, test } from 'vitest';
import type { Dialect } from '../../src/sandbox/store/dialect.ts';
import { developmentId, seedId } from '../../src/sandbox/store/ids.ts';
import { modes } from '../../src/service/mode.ts';
import { email, inbox, triggerTestWorkflow } from './engine/engine-fixture.ts';
import { noon, openSandbox, type TestResponse } from './open.ts';
import { openPage, toText } from './page/open-page.ts';
import { recipientIds } from './trigger-events.ts';
import { type At, open, type Row, versionRows } from './version-rows.ts';

const integration = (identifier: string) =>
  `/v1/integrations/${seedId(`integration:${identifier}`)}`;
const environment = { name: 'Staging', color: '#12ab34' };

const findPreference = ({ body }: TestResponse, identifier: string) =>
  body.workflows.find(
    ({ workflow }: { workflow: { identifier: string } }) => workflow.identifier === identifier,
  );

async function setCredentials(at: At, subscriberId: string, body: object) {
  const { ask } = await open(at);
  const line = `PATCH /v1/subscribers/${subscriberId}/credentials`;
  return (await ask(line, body)).body.channels[0].credentials;
}

/** Triggers an event with these members; returns the status of its result. */
async function triggerStatus(at: At, event: object) {
  const { ask } = await open(at);
  const { body } = await ask('POST /v1/events/trigger/bulk', {
    events: [{ name: 'welcome', ...event }],
  });
  return body[0]?.status ?? 'refused';
}

const rows: { [Member in keyof Dialect]: Row } = {
  ...versionRows,

  mode: {
    async observe(at) {
      const { headers, body } = await (await open(at)).ask('GET /__sandbox/status');
      return [headers.get('svc-sandbox'), body.compat];
    },
    novu: ['novu', 'novu'],
    specification: ['specification', 'specification'],
  },

  service: {
    async observe(at) {
      const { ask } = await openSandbox(at);
      const { headers, body } = await ask('GET /__sandbox/status');
      const health = (await ask('GET /v1/health-check')).body.data.info.apiVersion.version;
      return [headers.get('svc-sandbox-service'), body.service, health];
    },
    novu: ['3.11', '3.11', '3.11.0'],
    specification: ['3.11', '3.11', '3.11.0'],
    newest: ['3.19', '3.19', '3.19.0'],
  },

  shownName: {
    async observe(at) {
      const { get } = await openPage(at);
      return / :4400 · (Development.*?) Home/.exec(toText((await get('/')).text))?.[1];
    },
    novu: 'Development · 3.11',
    newest: 'Development · 3.19',
    specification: 'Development · specification',
  },

  isEnveloped: {
    async observe(at) {
      const { ask } = await openSandbox(at);
      const shape = async (line: string) => {
        const { body } = await ask(line);
        if (typeof body !== 'object') return typeof body;
        return Array.isArray(body) ? 'list' : Object.keys(body).slice(0, 2).join();
      };
      return {
        object: await shape('GET /v2/topics/announcements'),
        list: await shape('GET /v1/environments'),
        boolean: await shape('DELETE /v1/events/trigger/unknown'),
        listWithData: await shape('GET /v2/topics'),
        error: await shape('GET /v2/topics/nope'),
        status: (await ask('GET /__sandbox/status')).body.envelope,
      };
    },
    novu: {
      ...{ object: 'data', list: 'data', boolean: 'data', status: true },
      ...{ listWithData: 'data,next', error: 'error,statusCode' },
    },
    specification: {
      ...{ object: '_id,key', list: 'list', boolean: 'boolean', status: false },
      ...{ listWithData: 'data,next', error: 'error,statusCode' },
    },
  },

  hasNovuProviders: {
    async observe(at) {
      const { feed, listActivity } = await open(at);
      const [message] = await feed('u1');
      const [activity] = await listActivity(message.transactionId);
      const { jobs } = activity?.item ?? {};
      const job = jobs.find(({ type }: { type: string }) => type === 'in_app');
      return [message.providerId, job.providerId, job.executionDetails[1].providerId];
    },
    novu: ['novu', 'novu', 'novu'],
    specification: ['svc', 'svc', 'svc'],
  },

  isPageSizeLimit: {
    async observe(at) {
      const { ask } = await open(at);
      const { body } = await ask('GET /v1/subscribers/u1/notifications/feed?limit=50');
      return [body.data.length, body.pageSize];
    },
    novu: [3, 50],
    specification: [3, 3],
  },

  requiresCredentials: {
    async observe(at) {
      const { ask } = await open(at);
      const changes = { active: true, credentials: { host: 'smtp.example.com' } };
      const { status, body } = await ask(`PUT ${integration('nodemailer-email')}`, changes);
      return [status, body.active ?? body.message];
    },
    novu: [200, true],
    newest: [400, 'SMTP port must be an integer between 1 and 65535.'],
    specification: [400, 'Provider nodemailer needs these credentials: port, from, senderName'],
  },

  keepsParent: {
    async observe(at) {
      const { ask } = await open(at);
      const create = (name: string, parentId: string) =>
        ask('POST /v1/environments', { ...environment, name, parentId });
      const { body } = await create('Child', developmentId);
      return [body._parentId, (await create('Orphan', seedId('unknown'))).status];
    },
    novu: [undefined, 201],
    specification: [developmentId, 404],
  },

  encryptsNewKey: {
    async observe(at) {
      const { ask } = await open(at);
      const { body } = await ask('POST /v1/environments', environment);
      const { body: list } = await ask('GET /v1/environments');
      const listed = list.find(({ name }: { name: string }) => name === environment.name);
      const keys = [body, listed].map(({ apiKeys = [] }) => apiKeys[0]?.key);
      const statuses = keys.map(async (key) => {
        const headers = { authorization: `ApiKey ${key}` };
        return (await ask('GET /v2/topics', undefined, headers)).status;
      });
      return [/^nvsk\./.test(keys[0]), ...(await Promise.all(statuses))];
    },
    novu: [true, 401, 200],
    // No key is shown.
    newest: [false, 401, 401],
    specification: [false, 200, 200],
  },

  keepsGrafanaFields: {
    observe: (at) =>
      setCredentials(at, 'u6', {
        providerId: 'slack',
        credentials: {
          ...{ webhookUrl: 'https://x.example.com', deviceTokens: [] },
          ...{ alertUid: 'a', title: 't', imageUrl: 'i', state: 's', externalUrl: 'e' },
        },
      }),
    novu: { webhookUrl: 'https://x.example.com', deviceTokens: [] },
    specification: {
      ...{ webhookUrl: 'https://x.example.com', deviceTokens: [] },
      ...{ alertUid: 'a', title: 't', imageUrl: 'i', state: 's', externalUrl: 'e' },
    },
  },

  keepsDeviceTokens: {
    observe: (at) => setCredentials(at, 'u5', { providerId: 'fcm', credentials: {} }),
    novu: { deviceTokens: [] },
    specification: { deviceTokens: ['efua-phone'] },
  },

  showsAllChannels: {
    async observe(at) {
      const { ask } = await open(at);
      return findPreference(await ask('GET /v2/subscribers/u2/preferences'), 'welcome').channels;
    },
    novu: { email: true, in_app: true },
    specification: { email: true, sms: true, in_app: true, chat: true, push: true },
  },

  showsInactiveWorkflows: {
    async observe(at) {
      const { ask } = await open(at);
      const preferences = await ask('GET /v2/subscribers/u2/preferences');
      return findPreference(preferences, 'legacy-newsletter')?.enabled;
    },
    novu: undefined,
    specification: true,
  },

  isSkipToRun: {
    async observe(at) {
      const engine = await open(at);
      const skip = { '==': [{ var: 'payload.quiet' }, true] };
      engine.defineWorkflow({ steps: [{ ...inbox, controls: { body: 'x', skip } }] });
      await triggerTestWorkflow(engine, 'u1', { payload: { quiet: true } });
      await triggerTestWorkflow(engine, 'u1', { payload: {}, transactionId: 'b' });
      const [met, unmet] = [await engine.getActivity('a'), await engine.getActivity('b')];
      return { met: met.statuses, unmet: unmet.statuses };
    },
    novu: { met: ['completed'], unmet: ['canceled'] },
    specification: { met: ['canceled'], unmet: ['completed'] },
  },

  // A used transaction id has an effect from the moment when the first event has jobs.
  queueDelayMs: {
    async observe(at) {
      let machineTime = noon;
      const timers: { at: number; call: () => void }[] = [];
      const { ask, trigger } = await open(at, {
        queueDelayMs: 'mode',
        now: () => machineTime,
        startTimer(delay, call) {
          timers.push({ at: machineTime + delay, call });
          return () => undefined;
        },
      });
      for (const to of ['u1', 'u2']) await trigger({ name: 'welcome', to, transactionId: 'a' });
      const atOnce = await recipientIds(ask, 'a');
      machineTime += 50;
      for (const { call } of timers.filter(({ at }) => at <= machineTime)) call();
      return { atOnce, later: await recipientIds(ask, 'a') };
    },
    novu: { atOnce: [], later: ['u1', 'u2'] },
    specification: { atOnce: ['u1'], later: ['u1'] },
  },

  usesDefaultLayout: {
    async observe(at) {
      const engine = await open(at);
      await engine.ask('POST /v2/layouts', { layoutId: 'main', name: 'Main' });
      const body = '<html><body>Main: {{content}}</body></html>';
      const controlValues = { email: { body, editorType: 'html' } };
      await engine.ask('PUT /v2/layouts/main', { name: 'Main', controlValues });
      const deliver = async (workflowId: string, more: object) => {
        const controls = { subject: 'S', body: 'Hello', ...more };
        engine.defineWorkflow({ workflowId, steps: [{ ...email, controls }] });
        await engine.trigger({ name: workflowId, to: 'u1', transactionId: workflowId });
        return (await engine.messages(`transactionId=${workflowId}`))[0].body;
      };
      return [await deliver('absent', {}), await deliver('none', { layoutId: null })];
    },
    novu: ['Hello', 'Hello'],
    specification: ['<html><body>Main: Hello</body></html>', 'Hello'],
  },

  checksRecipients: {
    observe: (at) =>
      Promise.all(
        [7, [], ['u1', 7], '', { email: 'a@example.com' }, undefined, 'u1'].map((to) =>
          triggerStatus(at, { to, payload: {} }),
        ),
      ),
    novu: [...Array(5).fill('processed'), 'error', 'processed'],
    newest: [...Array(6).fill('refused'), 'processed'],
    specification: [...Array(3).fill('error'), ...Array(3).fill('invalid_recipients'), 'processed'],
  },

  requiresPayload: {
    observe: (at) => triggerStatus(at, { to: 'u1' }),
    novu: 'error',
    specification: 'processed',
  },

  hasRequiredMembers: {
    async observe(at) {
      const { ask, trigger, getActivity } = await open(at);
      await trigger({ name: 'comment-digest', to: 'u1', transactionId: 'a' });
      const [digest] = (await getActivity('a')).item.jobs;
      await ask(`PUT ${integration('slack-chat')}`, { credentials: {} });
      const { body: remaining } = await ask(`DELETE ${integration('fcm-push')}`);
      const isSlack = ({ identifier }: { identifier: string }) => identifier === 'slack-chat';
      return [digest.providerId, remaining.find(isSlack).credentials];
    },
    novu: [undefined, undefined],
    specification: ['svc', {}],
  },
};

describe.each(Object.entries(rows))('%s', (_member, row) => {
  test('in version 3.19', async () => {
    expect(await row.observe({ mode: 'novu', service: '3.19' })).toEqual(
      'newest' in row ? row.newest : row.novu,
    );
  });

  test.each(modes)('in the mode %s', async (mode) => {
    expect(await row.observe({ mode })).toEqual(row[mode]);
  });
});

test.each(modes)(
  'the condition in the example data skips team members in the mode %s',
  async (mode) => {
    const { trigger, advance, getActivity } = await open({ mode });
    await trigger({ name: 'trial-ending', to: 'u1', transactionId: 'team' });
    await trigger({ name: 'trial-ending', to: 'u7', transactionId: 'other' });
    await advance(3 * 24 * 60);
    const statuses = [await getActivity('team'), await getActivity('other')].map(
      (event) => event.statuses,
    );
    expect(statuses).toEqual([
      ['completed', 'canceled'],
      ['completed', 'completed'],
    ]);
  },
);

describe('provider ids of Novu', () => {
  test('in payloads and data of users are not changed', async () => {
    const { ask, trigger, advance, getActivity } = await open({ mode: 'novu' });
    const own = { providerId: 'svc' };
    await ask('POST /v1/subscribers/bulk', { subscribers: [{ subscriberId: 'own', data: own }] });
    await trigger({ name: 'comment-digest', to: ['own'], transactionId: 'own', payload: own });
    await advance(10);
    const { item } = await getActivity('own');
    expect(item.payload).toEqual(own);
    expect(item.jobs[0].digest.events).toEqual([own]);
    expect((await ask('GET /v2/subscribers/own')).body.data).toEqual(own);
  });

  test('are accepted in requests', async () => {
    const { ask } = await open({ mode: 'novu' });
    const line = 'PATCH /v1/subscribers/u1/credentials';
    const patch = (providerId: string) => ask(line, { providerId, credentials: {} });
    // Valid, but without an active integration.
    expect((await patch('novu-slack')).status).toBe(400);
    expect((await patch('novu-nope')).status).toBe(422);
    const path = '/v1/subscribers/u1/credentials/novu-slack';
    expect((await ask(`DELETE ${path}`)).status).toBe(204);
  });
});

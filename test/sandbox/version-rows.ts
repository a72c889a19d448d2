// Where version 3.19 of the service differs from 3.11: one entry for each of these members of a dialect.
import type { Dialect } from '../../src/sandbox/store/dialect.ts';
import { productionId, seedId } from '../../src/sandbox/store/ids.ts';
import type { Mode } from '../../src/service/mode.ts';
import type { SandboxVersion } from '../../src/service/versions.ts';
import { email, inbox, openEngine } from './engine/engine-fixture.ts';
import type { OpenOptions } from './open.ts';

export interface At {
  mode: Mode;
  service?: SandboxVersion;
}

export interface Row {
  observe(at: At): Promise<unknown>;
  novu: unknown;
  specification: unknown;
  /** In version 3.19; absent if it is as in 3.11. */
  newest?: unknown;
}

/** Without the envelope. */
export const open = (at: At, options: OpenOptions = {}) =>
  openEngine({ ...at, envelope: false, ...options });

/** The specification is that of version 3.11. */
const since319 = (earlier: unknown, newest: unknown, observe: Row['observe']): Row => ({
  observe,
  novu: earlier,
  specification: earlier,
  newest,
});

const welcome = (steps: readonly object[], more: object = {}) => ({
  name: 'Test',
  workflowId: 'test',
  active: true,
  steps,
  ...more,
});
const step = (controlValues: object, more: object = {}) => ({
  name: 'In-App',
  type: 'in_app',
  controlValues,
  ...more,
});
const subscriptions = '/v2/topics/announcements/subscriptions';
const integration = (identifier: string) =>
  `/v1/integrations/${seedId(`integration:${identifier}`)}`;

/** Runs a workflow of these steps; returns its activity. */
async function run(at: At, steps: readonly object[], event: object = {}) {
  const opened = await open(at);
  opened.defineWorkflow({ steps: steps as never });
  await opened.trigger({ name: 'test', to: 'u1', transactionId: 'a', ...event });
  await opened.advance(60);
  return { ...opened, activity: (await opened.listActivity('a'))[0] };
}

export const versionRows = {
  hasLaterSteps: since319([422, 'undefined'], [201, 'object'], async (at) => {
    const { ask } = await open(at);
    const steps = [step({ body: 'x' }, { type: 'tool' })];
    const { status } = await ask('POST /v2/workflows', welcome(steps));
    const { body: workflow } = await ask('GET /v2/workflows/welcome');
    return [status, typeof workflow.steps[0].variables.properties.env];
  }),

  hasExactIssues: since319('MISSING_VALUE', 'INVALID_URL', async (at) => {
    const { ask } = await open(at);
    const controls = { body: 'x', avatar: 'nope' };
    const { body } = await ask('POST /v2/workflows', welcome([step(controls)]));
    return body.steps[0].issues.controls.avatar[0].issueType;
  }),

  checksPresentSchemas: since319(1, 0, async (at) => {
    const { ask } = await open(at);
    const schema = (name: string) => ({
      payloadSchema: { type: 'object', properties: { [name]: { type: 'string' } } },
    });
    const steps = [step({ body: '{{payload.b}}' })];
    const { body } = await ask('POST /v2/workflows', welcome(steps, schema('a')));
    const changed = welcome([{ ...steps[0], _id: body.steps[0]._id }], schema('b'));
    const put = await ask('PUT /v2/workflows/test', { ...changed, origin: 'novu-cloud' });
    return Object.keys(put.body.steps[0].issues.controls ?? {}).length;
  }),

  hasLongSuffixes: since319(
    ['mail', 'mail-xxxx', ''],
    ['mail', 'mail-xxxxxxxx', 'xxxxxxxx'],
    async (at) => {
      const { ask } = await open(at);
      const steps = ['Mail', 'Mail', '通知'].map((name) => step({ body: 'x' }, { name }));
      const { body } = await ask('POST /v2/workflows', welcome(steps));
      const hidden = (id: string) =>
        id.replace(/(?<=^|-)(?!mail)[a-z\d]+$/, (all) => 'x'.repeat(all.length));
      return body.steps.map(({ stepId }: { stepId: string }) => hidden(stepId));
    },
  ),

  ignoresOrigin: since319(['subject', 'undefined'], [], async (at) => {
    const { ask } = await open(at);
    await ask('POST /v2/workflows', welcome([step({ body: 'x' })]));
    const steps = [step({ body: 'x', subject: '' })];
    const put = await ask('PUT /v2/workflows/test', { ...welcome(steps), origin: 'external' });
    return Object.keys(put.body.steps[0].issues.controls ?? {});
  }),

  recomputesStatus: since319('ACTIVE', 'ERROR', async (at) => {
    const { ask } = await open(at);
    await ask('POST /v2/workflows', welcome([step({ body: '{{nope.x}}' })]));
    return (await ask('PATCH /v2/workflows/test', { active: true })).body.status;
  }),

  namesCommands: since319('Validation failed', 'Validation failed for', async (at) => {
    const { ask } = await open(at);
    const { body } = await ask('PUT /v1/environments/zzz', { name: 'Staging' });
    return body.message.split(/ \w+Command/)[0];
  }),

  isKeyLimited: since319([200, 1], [403, 0], async (at) => {
    const { ask } = await open(at);
    const { status } = await ask('POST /v1/integrations', {
      ...{ providerId: 'sendgrid', channel: 'email', credentials: {}, active: false },
      _environmentId: productionId,
    });
    const { body } = await ask('GET /v1/environments');
    const other = body.find(({ _id }: { _id: string }) => _id === productionId);
    return [status === 201 ? 200 : status, other.apiKeys.length];
  }),

  hasKinds: since319(undefined, 'delivery', async (at) => {
    const { ask } = await open(at);
    return (await ask('GET /v1/integrations')).body[0].kind;
  }),

  checksAddresses: since319(200, 400, async (at) => {
    const { ask } = await open(at);
    const credentials = { host: '169.254.169.254', port: '25', from: 'a@example.com' };
    return (await ask(`PUT ${integration('nodemailer-email')}`, { credentials })).status;
  }),

  requiresInboxHash: since319(201, 400, async (at) => {
    const { ask } = await open(at);
    const { body } = await ask('POST /v1/environments', { name: 'Staging', color: '#12ab34' });
    const session = { applicationIdentifier: body.identifier, subscriberId: 'u1' };
    return (await ask('POST /v1/inbox/session', session)).status;
  }),

  hasNamedSubscriptions: since319(undefined, 'own', async (at) => {
    const { ask } = await open(at);
    const named = [{ identifier: 'own', subscriberId: 'u1' }];
    const { body } = await ask(`POST ${subscriptions}`, {
      subscriptions: named,
      subscriberIds: ['u1'],
    });
    return body.data?.[0].identifier === 'own' ? 'own' : undefined;
  }),

  hasLaterLimits: since319([200, 'processed'], [400, 'error'], async (at) => {
    const { ask, trigger } = await open(at);
    const { status } = await ask('PATCH /v1/subscribers/u1/credentials', {
      providerId: 'fcm',
      credentials: { deviceTokens: Array.from({ length: 101 }, (_, index) => `t${index}`) },
    });
    const payload = { attachments: [{ name: 'a.txt' }] };
    const [result] = await trigger({ name: 'welcome', to: 'u1', payload });
    return [status, result.status];
  }),

  sortsContexts: since319(['b:1', 'a:1'], ['a:1', 'b:1'], async (at) => {
    const { activity } = await run(at, [inbox], { context: { b: '1', a: '1' } });
    return activity?.item.contextKeys;
  }),

  hasLiteralFilters: since319(true, false, async (at) => {
    const { ask } = await open(at);
    return (await ask('GET /v2/topics?key=.')).body.data.length > 0;
  }),

  hasContextPreferences: since319([false, false], [true, false], async (at) => {
    const { ask } = await open(at);
    const path = '/v2/subscribers/u1/preferences';
    await ask(`PATCH ${path}`, { channels: { email: false }, context: { tenant: 'org-acme' } });
    const email = async (query: string) =>
      (await ask(`GET ${path}${query}`)).body.global.channels.email;
    return [await email(''), await email('?contextKeys=tenant:org-acme')];
  }),

  showsTimes: since319(undefined, null, async (at) => {
    const { ask } = await open(at);
    await ask('POST /v2/subscribers', { subscriberId: 'new' });
    return (await ask('GET /v2/subscribers/new')).body.lastOnlineAt;
  }),

  showsStepIds: since319(undefined, 'in-app', async (at) => {
    const { ask } = await run(at, [{ ...inbox, name: 'In App' }]);
    return (await ask('GET /v1/messages?transactionId=a')).body.data[0].stepId;
  }),

  acceptsEmptyWorkflows: since319('no_workflow_steps_defined', 'processed', async (at) => {
    const { ask } = await open(at);
    await ask('POST /v2/workflows', welcome([]));
    const event = { name: 'test', to: 'u1', payload: {} };
    return (await ask('POST /v1/events/trigger', event)).body.status;
  }),

  showsTransactions: since319(undefined, 'own', async (at) => {
    const { trigger } = await open(at);
    const [result] = await trigger({ name: 'nope', to: 'u1', transactionId: 'own' });
    return result.transactionId;
  }),

  skipsWithoutChannel: since319('failed', 'canceled', async (at) => {
    const { activity } = await run(at, [{ name: 'Chat', type: 'chat', controls: { body: 'x' } }], {
      to: 'new',
    });
    return activity?.statuses[0];
  }),

  cancelsWithDetail: since319(0, 1, async (at) => {
    const delay = { name: 'Wait', type: 'delay', controls: { type: 'regular', amount: 'x' } };
    const { activity } = await run(at, [delay, inbox]);
    return activity?.item.jobs[1].executionDetails.length;
  }),

  storesAllOverrides: since319({}, { subject: 'x' }, async (at) => {
    const values = { subject: 'x' };
    const providers = { sendgrid: values, nodemailer: values };
    const { messages } = await run(at, [email], { overrides: { providers } });
    return (await messages('channel=email&transactionId=a'))[0].overrides;
  }),

  replacesLists: since319(['b', 'c'], ['b'], async (at) => {
    const { messages } = await run(
      at,
      [{ name: 'Push', type: 'push', controls: { subject: 'Hi', body: 'x' } }],
      {
        to: 'none',
        overrides: {
          providers: { fcm: { tokens: ['a', 'c'] } },
          steps: { push: { providers: { fcm: { tokens: ['b'] } } } },
        },
      },
    );
    const tokens = (await messages('transactionId=a')).flatMap(
      ({ deviceTokens }: { deviceTokens: string[] }) => deviceTokens,
    );
    return tokens.toSorted();
  }),

  delaysLastTriggered: since319([true, true], [false, true], async (at) => {
    const { ask, trigger, advance } = await open(at);
    const last = async () => {
      await trigger({ name: 'welcome', to: 'u1' });
      return (await ask('GET /v2/workflows/welcome')).body.lastTriggeredAt;
    };
    const first = await last();
    await advance(5);
    const second = await last();
    await advance(1);
    return [first !== second, second !== (await last())];
  }),

  listsAllNames: since319(
    ['a, , b and c', 'a, b, c, d and -1 others', 'a, b and 1 other'],
    ['a, b and c', 'a, b, c and d', 'a, b and 1 other'],
    async (at) => {
      const body =
        '{{payload.three | digest: 3}}|{{payload.four | digest: 5}}|{{payload.three | digest}}';
      const payload = { three: ['a', 'b', 'c'], four: ['a', 'b', 'c', 'd'] };
      const steps = [{ ...inbox, controls: { body } }];
      const { messages } = await run(at, steps, { payload });
      return (await messages('transactionId=a'))[0].body.split('|');
    },
  ),

  replacesRecipients: since319('ada@example.com, x@example.com', 'x@example.com', async (at) => {
    const overrides = { email: { to: ['x@example.com'], replaceToRecipient: true } };
    const { control } = await run(at, [email], { overrides });
    return (await control.messages({ channel: 'email' })).data[0]?.recipient;
  }),

  hidesInactiveChannels: since319(5, 2, async (at) => {
    const { ask } = await open(at);
    const { body } = await ask('GET /v1/subscribers/u1/preferences');
    return Object.keys(body[0].preference.channels).length;
  }),

  hasFullNotifications: since319(undefined, 'u1', async (at) => {
    const { ask } = await open(at, { envelope: true });
    const { body: env } = await ask('GET /v1/environments/me');
    const { body } = await ask('POST /v1/inbox/session', {
      applicationIdentifier: env.data.identifier,
      subscriberId: 'u1',
    });
    const headers = { authorization: `Bearer ${body.data.token}` };
    const { body: list } = await ask('GET /v1/inbox/notifications', undefined, headers);
    const path = `/v1/inbox/notifications/${list.data[0].id}/read`;
    return (await ask(`PATCH ${path}`, undefined, headers)).body.data.to.subscriberId || undefined;
  }),

  hasSessionDetails: since319([true, undefined], [false, 'de-DE'], async (at) => {
    const { ask, store } = await open(at);
    store.sql.run("UPDATE environments SET body = json_set(body, '$.type', 'prod')");
    const { body: own } = await ask('GET /v1/environments/me');
    const { body: session } = await ask('POST /v1/inbox/session', {
      applicationIdentifier: own.identifier,
      subscriber: { subscriberId: 'new', locale: 'de-DE' },
    });
    const { body: subscriber } = await ask('GET /v2/subscribers/new');
    return [session.data.isDevelopmentMode, subscriber.locale];
  }),

  hasDataGroups: since319(400, 200, async (at) => {
    const { ask } = await open(at, { envelope: true });
    const { body: env } = await ask('GET /v1/environments/me');
    const { body } = await ask('POST /v1/inbox/session', {
      applicationIdentifier: env.data.identifier,
      subscriberId: 'u1',
    });
    const headers = { authorization: `Bearer ${body.data.token}` };
    const path = '/v1/inbox/notifications?data={"plan":["free","pro"]}';
    return (await ask(`GET ${path}`, undefined, headers)).status;
  }),

  hasDigestReferences: since319({}, { __payloadRef: true }, async (at) => {
    const digest = { name: 'Digest', type: 'digest', controls: { amount: 5, unit: 'minutes' } };
    const { activity } = await run(at, [digest, inbox]);
    const {
      _jobId: _,
      _notificationId: __,
      time: ___,
      ...event
    } = activity?.item.jobs[0].digest.events[0] ?? {};
    return event;
  }),

  hasShortErrors: since319(true, false, async (at) => {
    const { activity } = await run(at, [{ ...inbox, controls: { body: '{{ x' } }]);
    const details = activity?.item.jobs[0].executionDetails;
    return 'url' in JSON.parse(details.find(({ raw }: { raw?: string }) => raw).raw);
  }),

  dropsEmptyTexts: since319('failed', 'completed', async (at) => {
    const controls = { subject: '{{payload.none}}', body: 'Hello' };
    return (await run(at, [{ ...inbox, controls }])).activity?.statuses[0];
  }),

  findsCritical: since319(true, false, async (at) => {
    const { ask } = await open(at);
    const { body } = await ask('GET /v2/subscribers/u1/preferences?criticality=critical');
    return body.workflows.length > 0;
  }),
} satisfies { [Member in keyof Dialect]?: Row };

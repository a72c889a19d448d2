// Sends the calls of applications with the public client @novu/api, in the oldest version and in the latest one, to a
// sandbox of each version, and compares the outcomes with those of a real server.
import { readFileSync } from 'node:fs';
import { Novu } from '@novu/api';
import { Novu as LatestNovu } from 'novu-api-latest';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type SandboxState, serveSandbox } from '../../../src/sandbox/index.ts';
import type { SandboxVersion } from '../../../src/service/versions.ts';
import { testKey } from '../../support/fixed.ts';
import { type PublicCall, publicCalls, type Version } from './calls.ts';
import { callMethod, describeOutcome, readPath } from './outcome.ts';

const clients = { '3.11.0': Novu, '3.19.1': LatestNovu };

const inbox = { identifier: 'inbox', name: 'Inbox', providerId: 'svc', channel: 'in_app' } as const;

/** Like an organization that was just created, with a workflow for the inbox and an integration for push. */
const seed: SandboxState = {
  version: 1,
  environments: [
    {
      ...{ name: 'Development', type: 'dev' },
      integrations: [
        inbox,
        { identifier: 'fcm', name: 'Push', providerId: 'fcm', channel: 'push' },
        { identifier: 'slack', name: 'Chat', providerId: 'slack', channel: 'chat' },
      ],
      workflows: [
        {
          workflowId: 'hello',
          tags: ['welcome'],
          steps: [{ stepId: 'inbox', type: 'in_app', controlValues: { body: 'Hello' } }],
        },
        {
          workflowId: 'choice',
          tags: ['welcome'],
          steps: [
            {
              stepId: 'inbox',
              type: 'in_app',
              controlValues: { body: 'Come?', primaryAction: { label: 'Yes' } },
            },
          ],
        },
        {
          workflowId: 'reminder',
          steps: [
            { stepId: 'wait', type: 'delay', controlValues: { amount: 1, unit: 'hours' } },
            { stepId: 'inbox', type: 'in_app', controlValues: { body: 'Remember' } },
          ],
        },
      ],
    },
    { name: 'Production', type: 'prod', integrations: [inbox] },
  ],
};

async function openClient(version: Version, service: SandboxVersion) {
  const sandbox = await serveSandbox({
    isBackground: true,
    ...{ host: '127.0.0.1', port: 0, key: testKey, seed, service },
  });
  onTestFinished(() => sandbox.close());
  return new clients[version]({
    secretKey: testKey,
    serverURL: sandbox.baseUrl,
    retryConfig: { strategy: 'none' },
  });
}

async function callAll(
  version: Version,
  service: SandboxVersion,
  calls: readonly PublicCall[],
): Promise<Record<string, string>> {
  const client = await openClient(version, service);
  const results = new Map<string, unknown>();
  const outcomes: Record<string, string> = {};
  for (const { name, arguments: args } of calls) {
    const [method = ''] = name.split(' ');
    const sent =
      typeof args === 'function'
        ? args((call, ...keys) => readPath(results.get(call), ...keys), version)
        : args;
    const outcome = await callMethod(client, method, sent);
    results.set(name, outcome.result);
    outcomes[name] = describeOutcome(outcome);
  }
  return outcomes;
}

const countOk = (outcomes: readonly string[]) =>
  outcomes.filter((outcome) => outcome === 'ok').length;

describe.each([
  ['3.11.0', '3.11', {}],
  ['3.19.1', '3.11', { name: 'Acme' }],
  ['3.11.0', '3.19', {}],
  ['3.19.1', '3.19', { name: 'Acme' }],
] as const)('an application with @novu/api %s and version %s', (version, service, contextData) => {
  const calls = publicCalls.filter(
    ({ only = version, since = service }) => only === version && since === service,
  );
  const real = calls.map(({ fails = 'ok' }) =>
    typeof fails === 'string' ? fails : (fails[`${version} with ${service}`] ?? 'ok'),
  );

  test('gets from the sandbox what it gets from a real server', async () => {
    const outcomes = await callAll(version, service, calls);
    expect(outcomes).toEqual(
      Object.fromEntries(
        calls.map(({ name, inSandbox }, index) => [
          name,
          (service === '3.11' ? inSandbox : undefined) ?? real[index],
        ]),
      ),
    );
    const succeed = countOk(Object.values(outcomes));
    const sentToReal = service === '3.11' ? countOk(real) : 'not sent';
    const documented = readFileSync('docs/compatibility.md', 'utf8')
      .split('\n')
      .filter((line) => line.startsWith(`| ${version} | ${service} |`));
    expect(documented).toEqual([
      `| ${version} | ${service} | ${calls.length} | ${sentToReal} | ${succeed} |`,
    ]);
  });

  test('cannot list the activity of a workflow with a delay', async () => {
    const client = await openClient(version, service);
    await client.trigger({ workflowId: 'reminder', to: 'ada', payload: {} });
    const outcome = await callMethod(client, 'notifications.list', [{}]);
    const rejected = 'response rejected: Result.data.*.jobs.*.providerId: Required';
    expect(describeOutcome(outcome)).toBe(rejected);
  });

  test(`creates and updates contexts with the data ${JSON.stringify(contextData)}`, async () => {
    const client = await openClient(version, service);
    const acme = { type: 'tenant', id: 'acme' };
    const data = { name: 'Acme' };
    const created = await client.contexts.create({ ...acme, data });
    expect(created.result.data).toEqual(contextData);
    const updated = await client.contexts.update({ ...acme, updateContextRequestDto: { data } });
    expect(updated.result.data).toEqual(contextData);
  });
});

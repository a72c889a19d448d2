// Sends the calls of applications with the public client @novu/api, in the version of the service and in the latest one,
// to a sandbox, and compares the outcomes with those of a real server.
import { readFileSync } from 'node:fs';
import { Novu } from '@novu/api';
import { Novu as LatestNovu } from 'novu-api-latest';
import { describe, expect, onTestFinished, test } from 'vitest';
import { testKey } from '../../support/fixed.ts';
import { type SandboxState, serveSandbox } from '../../support/sandbox-311.ts';
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
      ],
      workflows: [
        {
          workflowId: 'hello',
          tags: ['welcome'],
          steps: [{ stepId: 'inbox', type: 'in_app', controlValues: { body: 'Hello' } }],
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

async function openClient(version: Version) {
  const sandbox = await serveSandbox({
    isBackground: true,
    ...{ host: '127.0.0.1', port: 0, key: testKey, seed },
  });
  onTestFinished(() => sandbox.close());
  return new clients[version]({
    secretKey: testKey,
    serverURL: sandbox.baseUrl,
    retryConfig: { strategy: 'none' },
  });
}

async function callAll(version: Version): Promise<Record<string, string>> {
  const client = await openClient(version);
  const results = new Map<string, unknown>();
  const outcomes: Record<string, string> = {};
  for (const { name, arguments: args } of selectCalls(version)) {
    const [method = ''] = name.split(' ');
    const given =
      typeof args === 'function'
        ? args((call, ...keys) => readPath(results.get(call), ...keys), version)
        : args;
    const outcome = await callMethod(client, method, given);
    results.set(name, outcome.result);
    outcomes[name] = describeOutcome(outcome);
  }
  return outcomes;
}

const selectCalls = (version: Version) =>
  publicCalls.filter(({ only = version }) => only === version);

const expectedOutcome = ({ fails, inSandbox }: PublicCall, version: Version): string =>
  inSandbox ?? (typeof fails === 'string' ? fails : fails?.[version]) ?? 'ok';

describe.each([
  ['3.11.0', 59, 65, {}],
  ['3.19.1', 58, 67, { name: 'Acme' }],
] as const)('an application with @novu/api %s', (version, succeed, all, contextData) => {
  test(`gets from the sandbox what it gets from a real server: ${succeed} of ${all} calls succeed`, async () => {
    const outcomes = await callAll(version);
    const expected = selectCalls(version).map((call) => [
      call.name,
      expectedOutcome(call, version),
    ]);
    expect(outcomes).toEqual(Object.fromEntries(expected));
    const ok = Object.values(outcomes).filter((outcome) => outcome === 'ok');
    expect([ok.length, Object.keys(outcomes).length]).toEqual([succeed, all]);
    const page = readFileSync('docs/compatibility.md', 'utf8');
    expect(page).toContain(`| ${version} | ${all} | ${succeed} | ${succeed} |`);
  });

  test('cannot list the activity of a workflow with a delay', async () => {
    const client = await openClient(version);
    await client.trigger({ workflowId: 'reminder', to: 'ada', payload: {} });
    const outcome = await callMethod(client, 'notifications.list', [{}]);
    const rejected = 'response rejected: Result.data.*.jobs.*.providerId: Required';
    expect(describeOutcome(outcome)).toBe(rejected);
  });

  test(`creates and updates contexts with the data ${JSON.stringify(contextData)}`, async () => {
    const client = await openClient(version);
    const acme = { type: 'tenant', id: 'acme' };
    const data = { name: 'Acme' };
    const created = await client.contexts.create({ ...acme, data });
    expect(created.result.data).toEqual(contextData);
    const updated = await client.contexts.update({ ...acme, updateContextRequestDto: { data } });
    expect(updated.result.data).toEqual(contextData);
  });
});

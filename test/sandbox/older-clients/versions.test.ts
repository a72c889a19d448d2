// Sends the calls of applications with the older public client @novu/node, in its last two major versions, to a sandbox,
// and compares the outcomes with those of a real server.
import { Novu } from '@novu/node';
import { Novu as FirstNovu } from 'novu-node-0';
import { describe, expect, onTestFinished, test } from 'vitest';
import { testKey } from '../../support/fixed.ts';
import { type SandboxState, serveSandbox } from '../../support/sandbox-311.ts';
import { readPath } from '../public-client/outcome.ts';
import { olderCalls } from './calls.ts';

const clients = { '2.6.6': Novu, '0.24.2': FirstNovu };
type Version = keyof typeof clients;

/** Like an organization that was just created, with workflows for the inbox and an integration for push. */
const seed: SandboxState = {
  version: 1,
  environments: [
    {
      ...{ name: 'Development', type: 'dev' },
      integrations: [
        { identifier: 'inbox', name: 'Inbox', providerId: 'svc', channel: 'in_app' },
        { identifier: 'fcm', name: 'Push', providerId: 'fcm', channel: 'push' },
      ],
      subscribers: [{ subscriberId: 'u1', email: 'u1@example.com' }],
      workflows: [
        {
          workflowId: 'hello',
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
    { name: 'Production', type: 'prod' },
  ],
};

async function openClient(version: Version) {
  const options = { host: '127.0.0.1', port: 0, key: testKey, seed, queueDelayMs: 0 } as const;
  const sandbox = await serveSandbox({ ...options, isBackground: true });
  onTestFinished(() => sandbox.close());
  return new clients[version](testKey, { backendUrl: sandbox.baseUrl });
}

const selectCalls = (version: Version) =>
  olderCalls.filter(({ only = version }) => only === version);

const listMethods = (client: object): string[] =>
  Object.entries(client).flatMap(([name, member]) => {
    const isResource = typeof member === 'object' && readPath(member, 'http') !== undefined;
    if (!isResource) return [];
    const names = Object.getOwnPropertyNames(Object.getPrototypeOf(member));
    return names.filter((method) => method !== 'constructor').map((method) => `${name}.${method}`);
  });

async function callAll(version: Version): Promise<Record<string, string>> {
  const client = await openClient(version);
  const responses = new Map<string, unknown>();
  const outcomes: Record<string, string> = {};
  for (const { name, arguments: args } of selectCalls(version)) {
    const [path = ''] = name.split(' ');
    const [resource = '', method] = path.split('.');
    const owner = method === undefined ? readPath(client, 'events') : readPath(client, resource);
    const given =
      typeof args === 'function'
        ? args((call, ...keys) => readPath(responses.get(call), ...keys))
        : args;
    const call = readPath(owner, method ?? resource);
    try {
      if (typeof call !== 'function') throw new Error('the client has no such method');
      const response: unknown = await call.apply(owner, given);
      responses.set(name, readPath(response, 'data'));
      outcomes[name] = 'ok';
    } catch (error) {
      outcomes[name] = describeError(error);
    }
  }
  return outcomes;
}

function describeError(error: unknown): string {
  const status = readPath(error, 'response', 'status');
  if (status === undefined) return String(error);
  const body = readPath(error, 'response', 'data');
  const messages = readPath(body, 'errors', 'general', 'messages');
  return `${status} ${Array.isArray(messages) ? messages.join('; ') : readPath(body, 'message')}`;
}

describe.each(Object.keys(clients) as Version[])('an application with @novu/node %s', (version) => {
  test('gets from the sandbox what it gets from a real server', async () => {
    const expected = selectCalls(version).map(({ name, fails = 'ok' }) => [name, fails]);
    expect(await callAll(version)).toEqual(Object.fromEntries(expected));
  });

  test('can call every method of the client', async () => {
    const called = selectCalls(version).map(({ name }) => name.split(' ')[0]);
    const missing = listMethods(await openClient(version)).filter((name) => !called.includes(name));
    expect(missing).toEqual([]);
  });
});

// A week of traffic in a sandbox that stands for the service, and its workflows as files.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { SandboxState } from '../../src/sandbox/state/schema.ts';
import { openRig } from '../support/rig.ts';

type Environment = SandboxState['environments'][number];
type Workflow = NonNullable<Environment['workflows']>[number];

const people = ['ada', 'bo', 'cy', 'dee'];

const workflows: Workflow[] = [
  {
    workflowId: 'order',
    steps: [
      {
        stepId: 'inbox',
        type: 'in_app',
        controlValues: {
          subject: 'Order {{payload.id}}',
          body: 'Thanks, {{subscriber.firstName}}',
        },
      },
      {
        stepId: 'mail',
        type: 'email',
        controlValues: {
          subject: 'Your order {{payload.id}}',
          body: '<p>Total: {{payload.total}}</p>',
          editorType: 'html',
          layoutId: 'plain',
          skip: { '>': [{ var: 'payload.total' }, 10] },
        },
      },
    ],
  },
  {
    workflowId: 'comments',
    steps: [
      {
        stepId: 'collect',
        type: 'digest',
        controlValues: { type: 'regular', amount: 1, unit: 'hours' },
      },
      {
        stepId: 'inbox',
        type: 'in_app',
        controlValues: { subject: '{{steps.collect.eventCount}} comments', body: 'New comments' },
      },
    ],
  },
  {
    workflowId: 'trial',
    steps: [
      {
        stepId: 'wait',
        type: 'delay',
        controlValues: { type: 'regular', amount: 1, unit: 'days' },
      },
      {
        stepId: 'mail',
        type: 'email',
        controlValues: { subject: 'Your trial ends', body: '<p>Soon</p>', editorType: 'html' },
      },
    ],
  },
  {
    workflowId: 'alert',
    steps: [
      {
        stepId: 'limit',
        type: 'throttle',
        controlValues: { type: 'fixed', amount: 1, unit: 'hours', threshold: 1 },
      },
      {
        stepId: 'push',
        type: 'in_app',
        controlValues: { subject: 'Alert', body: '{{payload.text}}' },
      },
    ],
  },
];

const events: Environment['events'] = [
  ...people.map((to, index) => ({
    ...{ name: 'order', to, ago: `${150 - index}h`, transactionId: `order-${index + 1}` },
    payload: { id: index + 1, total: 5 * (index + 1) },
  })),
  ...[10, 20, 90].map((minutes, index) => ({
    ...{ name: 'comments', to: 'ada', ago: `${100 * 60 - minutes}m`, payload: {} },
    transactionId: `comment-${index + 1}`,
  })),
  { name: 'trial', to: 'bo', ago: '72h', payload: {}, transactionId: 'trial-1' },
  ...[0, 5, 70].map((minutes, index) => ({
    ...{ name: 'alert', to: 'cy', ago: `${50 * 60 - minutes}m`, payload: { text: 'Hot' } },
    transactionId: `alert-${index + 1}`,
  })),
];

/** People: `dee` turned off in-app messages of orders, and `cy` has no address. */
export const week: SandboxState = {
  version: 1,
  service: '3.11',
  environments: [
    {
      name: 'Development',
      layouts: [
        {
          layoutId: 'plain',
          editorType: 'html',
          body: '<main>{{content}}</main>',
          isDefault: true,
        },
      ],
      workflows,
      subscribers: people.map((subscriberId) => ({
        subscriberId,
        firstName: subscriberId.toUpperCase(),
        ...(subscriberId === 'cy' ? {} : { email: `${subscriberId}@example.com` }),
        ...(subscriberId === 'dee'
          ? { preferences: { workflows: { order: { channels: { in_app: false } } } } }
          : {}),
      })),
      events,
    },
  ],
};

/** A rig whose sandbox has had the week, with its workflows in the folder `workflows`. */
export async function openWeek(seed: SandboxState = week) {
  const rig = await openRig({ seed });
  const { code, stderr } = await rig.svc(['workflows', 'pull']);
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  const file = (name: string) => path.join(rig.folder, 'workflows', name);
  return {
    ...rig,
    /** Changes a file of the folder. */
    edit(name: string, from: string | RegExp, to: string) {
      const text = readFileSync(file(name), 'utf8');
      const changed = text.replace(from, to);
      if (changed === text) throw new Error(`${name} has no ${from}:\n${text}`);
      writeFileSync(file(name), changed);
    },
    async replay(options: readonly string[] = []) {
      const line = ['workflows', 'replay', 'workflows', '--since', '8d', ...options];
      const { stdout, ...ran } = await rig.svc([...line, '-o', 'json']);
      return { ...ran, report: stdout === '' ? undefined : JSON.parse(stdout) };
    },
  };
}

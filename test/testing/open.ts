// A sandbox of `svc-cli/testing` that stops when the test finishes, and requests to it as an application sends them.
import { onTestFinished } from 'vitest';
import type { Sandbox, SandboxOptions, SandboxState } from '../../src/testing/types.ts';
import { startSandbox } from '../support/sandbox-311.ts';

export async function openTestSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await startSandbox({ listen: false, ...options });
  onTestFinished(() => sandbox.stop());
  return sandbox;
}

export const authorized = ({ key }: Pick<Sandbox, 'key'>) => ({ authorization: `ApiKey ${key}` });

/** Triggers a workflow; returns the transaction id. */
export async function trigger(
  sandbox: Sandbox,
  workflow: string,
  to: string | object,
  payload: object = {},
): Promise<string> {
  const response = await sandbox.fetch('/v1/events/trigger', {
    method: 'POST',
    headers: { ...authorized(sandbox), 'content-type': 'application/json' },
    body: JSON.stringify({ name: workflow, to, payload }),
  });
  const { data, ...plain } = (await response.json()) as {
    data?: { transactionId: string };
    transactionId: string;
  };
  return data?.transactionId ?? plain.transactionId;
}

/** One workflow that sends an e-mail after ten minutes, one that sends one at once, and a subscriber with an address. */
export const state: SandboxState = {
  version: 1,
  environments: [
    {
      name: 'Development',
      integrations: [
        {
          ...{ identifier: 'email', name: 'E-mail', providerId: 'sendgrid', channel: 'email' },
          credentials: { apiKey: 'none', from: 'hello@example.com', senderName: 'Example' },
          primary: true,
        },
      ],
      workflows: [
        {
          workflowId: 'sign-up',
          steps: [
            email('Confirm', '<a href="https://example.com/confirm?t=1&amp;u=2">Confirm</a>'),
          ],
        },
        {
          workflowId: 'reminder',
          steps: [
            {
              stepId: 'wait',
              type: 'delay',
              controlValues: { type: 'regular', amount: 10, unit: 'minutes' },
            },
            email('Reminder', 'Still there?'),
          ],
        },
      ],
      subscribers: [{ subscriberId: 'u1', email: 'ada@example.com' }],
    },
  ],
};

function email(subject: string, body: string) {
  return { stepId: 'email', type: 'email' as const, controlValues: { subject, body } };
}

// Missing variables of templates: listed with a message, or with `strictVariables` a failure of its step.
import { expect, it } from 'vitest';
import { openTestSandbox, trigger } from './open.ts';

const email = (subject: string) => ({
  ...{ stepId: 'email', type: 'email' as const },
  controlValues: { subject, body: "<p>{{payload.total | default: '0'}}</p>", editorType: 'html' },
});

const seed = {
  version: 1 as const,
  environments: [
    {
      name: 'Development',
      workflows: [
        {
          workflowId: 'order',
          steps: [
            email('Order of {{payload.name}}'),
            { stepId: 'sms', type: 'sms' as const, controlValues: { body: 'Ordered' } },
          ],
        },
      ],
      subscribers: [{ subscriberId: 'u1', email: 'ada@example.com', phone: '+15550001' }],
    },
  ],
};

const missing = 'missing: payload.name (subject)';

it('lists the missing variables; one with a default is not missing', async () => {
  const lines: string[] = [];
  const sandbox = await openTestSandbox({ seed, log: (line) => lines.push(line) });
  await trigger(sandbox, 'order', 'u1', {});
  const [message] = await sandbox.messages({ channel: 'email' });
  expect(message).toMatchObject({
    status: 'sent',
    missingVariables: [{ template: 'subject', variable: 'payload.name' }],
  });
  expect(lines.some((line) => line.includes(missing))).toBe(true);
});

it('strictVariables fails the step, and only that one', async () => {
  const sandbox = await openTestSandbox({ seed, strictVariables: true });
  await trigger(sandbox, 'order', 'u1', {});
  expect((await sandbox.messages()).map(({ channel }) => channel)).toEqual(['sms']);
  expect(await sandbox.activity()).toMatchObject([
    {
      steps: [
        { channel: 'email', verdict: 'failed' },
        { channel: 'sms', verdict: 'delivered' },
      ],
    },
  ]);
  const error = await sandbox.waitForMessages({ channel: 'email', timeout: 1 }).catch(String);
  expect(error).toContain('payload.name (subject)');
  await trigger(sandbox, 'order', 'u1', { name: 'Ada' });
  expect(await sandbox.messages({ channel: 'email' })).toMatchObject([{ subject: 'Order of Ada' }]);
});

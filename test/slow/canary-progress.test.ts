// The log of a canary that waits, with real time.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openHome } from '../support/built.ts';

it('a canary reports every few seconds what it waits for', async () => {
  const home = openHome();
  await home.sandbox();
  // svc does not know how long a delay takes whose end is in the payload.
  const wait = { type: 'dynamic', dynamicKey: 'payload.until' };
  const steps = [
    { name: 'Wait', type: 'delay', controlValues: wait },
    { name: 'Mail', type: 'email', controlValues: { subject: 'News', body: 'News' } },
  ];
  const workflow = JSON.stringify({ name: 'Later', workflowId: 'later', steps });
  expect((await home.svc(['api', 'POST', '/v2/workflows', '--body', workflow])).code).toBe(0);
  const file = path.join(home.folder, 'users.csv');
  writeFileSync(file, 'subscriberId,email\nu1,u1@example.com\nu2,u2@example.com\n');
  const { code, stdout, stderr } = await home.svc([
    ...['events', 'trigger', 'later', '--recipients', file, '--update-subscribers', '--yes'],
    ...['-f', `until=${new Date(Date.now() + 3_600_000).toISOString()}`],
    ...['--canary', '1', '--canary-timeout', '8s', '--output', 'table'],
  ]);
  expect({ code, stdout }).toEqual({ code: 9, stdout: expect.stringContaining('1 waiting') });
  expect(stderr).toMatch(
    /Canary: 0 of 1 event finished, \ds left; 1 × email waiting: The event waits in a delay until \S+Z\.\n/,
  );
});

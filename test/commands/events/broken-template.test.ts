import { expect, it } from 'vitest';
import { openRig, parsed, writeInput } from '../../support/rig.ts';
import { words } from '../../support/words.ts';

it('a broken template stops after the canary, and no one else is reached', async () => {
  const rig = await openRig();
  const workflow = {
    name: 'Broken',
    workflowId: 'broken',
    steps: [{ name: 'Mail', type: 'email', controlValues: { subject: '{% if %}', body: 'Hello' } }],
  };
  const body = writeInput(rig, 'workflow.json', JSON.stringify(workflow));
  const created = await rig.svc(['api', 'POST', '/v2/workflows', '--body', `@${body}`]);
  expect(created.stderr).toBe('');
  const recipients = Array.from(
    { length: 50 },
    (_unused, index) => `b${index},b${index}@example.com`,
  );
  const file = writeInput(rig, 'users.csv', `subscriberId,email\n${recipients.join('\n')}\n`);
  const { code, stdout, stderr } = await rig.svc(words`
    events trigger broken --recipients ${file} --update-subscribers --canary 10% --yes --json
  `);
  expect(code).toBe(9);
  expect(parsed(stdout)).toMatchObject({
    triggered: 5,
    canary: { sent: 5, delivered: 0, failed: 5, rate: 0 },
    stopped: { reason: 'canary' },
  });
  expect(stderr).toContain('svc runs resume');
  const activity = await rig.svc(['activity', 'list', '--all', '--workflow', 'broken', '--json']);
  expect(JSON.parse(activity.stdout)).toHaveLength(5);
});

it('a failed delay ends the canary at once, although the later steps stay pending', async () => {
  const rig = await openRig();
  const delay = { type: 'dynamic', dynamicKey: 'payload.until' };
  const workflow = {
    name: 'Later',
    workflowId: 'later',
    steps: [
      { name: 'Wait', type: 'delay', controlValues: delay },
      { name: 'Mail', type: 'email', controlValues: { subject: 'Hello', body: 'Hello' } },
    ],
  };
  const body = writeInput(rig, 'workflow.json', JSON.stringify(workflow));
  expect((await rig.svc(['api', 'POST', '/v2/workflows', '--body', `@${body}`])).stderr).toBe('');
  const file = writeInput(rig, 'users.csv', 'subscriberId\nu1\nu2\nu3\n');
  const { code, stdout, stderr, requests } = await rig.svc(
    words`events trigger later --recipients ${file} --canary 1 --canary-timeout 60s --yes`,
  );
  expect(code).toBe(9);
  expect(stdout).toContain('canary');
  expect(stderr).toMatch(/Canary: 0 delivered, 1 failed, 0 skipped, 0 waiting/);
  expect(stderr).toMatch(/\n {2}email {2}1 skipped\n/);
  expect(requests.filter(({ line }) => line.includes('/v1/notifications'))).toHaveLength(1);
});

// Recorded causes and values in `svc activity explain`, and the settings of now beside them.
import { describe, expect, it } from 'vitest';
import { explain, explainOne, open, trigger } from './explain-rig.ts';

describe('svc activity explain finds', () => {
  it('an integration that was disabled or enabled since: the recorded cause, and the state of now', async () => {
    const rig = await open({ mail: { active: false } });
    await trigger(rig, 'news', '--to', 'u1');
    await rig.svc(['sandbox', 'clock', 'advance', '1h', '--yes']);
    const ids = await rig.svc([
      ...['integrations', 'list', '--jq', '.[] | select(.channel == "email")._id'],
    ]);
    const change = async (verb: string) => {
      expect(await rig.svc(['integrations', verb, ids.stdout.trim(), '--yes'])).toMatchObject({
        code: 0,
      });
      return explainOne(rig, 'u1', '--workflow', 'news');
    };
    const enabled = await change('enable');
    expect(enabled).toMatchObject({ cause: 'no_active_integration', code: 9 });
    expect(enabled.message).toMatch(/^No active integration could deliver e-mail/);
    expect(enabled.evidence).toContain('now: integration sendgrid-email is active');
    const disabled = await change('disable');
    expect(disabled).toMatchObject({ cause: 'no_active_integration', code: 9 });
    expect(disabled.evidence).toContain('now: integration sendgrid-email is inactive');
  });

  it('condition: the values of the payload that it saw, and those of the subscriber of now', async () => {
    const rig = await open();
    const condition = {
      and: [
        { '==': [{ var: 'payload.plan' }, 'pro'] },
        { '!=': [{ var: ['payload.city.name', ''] }, 'Rome'] },
        { '==': [{ var: 'subscriber.email' }, 'other@example.com'] },
      ],
    };
    const { stdout } = await rig.svc(['workflows', 'get', 'conditional', '--json']);
    const workflow = JSON.parse(stdout) as { steps: { controls: { values: object } }[] };
    const steps = workflow.steps.map((step) => ({
      ...step,
      controlValues: { ...step.controls.values, skip: condition },
    }));
    const body = JSON.stringify({ ...workflow, steps });
    await rig.svc(['api', 'PUT', '/v2/workflows/conditional', '--body', body, '--yes']);
    await trigger(rig, 'conditional', '--to', 'u1', '-f', `plan=free ${'x'.repeat(200)}`);
    const { evidence } = await explainOne(rig, 'u1');
    expect(evidence).toEqual(
      expect.arrayContaining([
        // A long value is cut after 160 characters.
        `payload.plan was "free ${'x'.repeat(154)}…`,
        'payload.city.name was missing',
        expect.stringMatching(/^now: subscriber\.email is "ada@/),
      ]),
    );
    expect(evidence).not.toContain('now: the workflow is inactive');
    await rig.svc(['workflows', 'disable', 'conditional', '--yes']);
    const later = await explainOne(rig, 'u1');
    expect(later.evidence).toContain('now: the workflow is inactive');
  });

  it('no event: names the inactive workflows, whose events the service does not run', async () => {
    const rig = await open();
    const none = await explain(rig, 'u2');
    expect(none).toMatchObject({ cause: 'no_event', code: 5 });
    const { stdout } = await rig.svc(['workflows', 'list', '--status', 'INACTIVE', '-o', 'ids']);
    const before = stdout.trim().split('\n').filter(Boolean);
    for (const name of before) expect(none.message).toContain(name);
    expect(await rig.svc(['workflows', 'disable', 'news', '--yes'])).toMatchObject({ code: 0 });
    const inactive = await explain(rig, 'u2');
    expect(inactive).toMatchObject({ cause: 'no_event', channels: [], code: 5 });
    expect(inactive.message).toContain('does not run events of inactive workflows: ');
    expect(inactive.message).toContain('news');
    const named = await explain(rig, 'u2', '--workflow', 'news');
    expect(named).toMatchObject({ cause: 'workflow_inactive', code: 9 });
  });
});

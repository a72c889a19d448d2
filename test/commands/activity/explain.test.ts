// The causes that `svc activity explain` finds.
import { describe, expect, it } from 'vitest';
import type { Rig } from '../../support/rig.ts';
import {
  answerCannot,
  beyondSpecification,
  explain,
  explainOne,
  loseThePrimary,
  open,
  trigger,
} from './explain-rig.ts';

describe('svc activity explain finds', () => {
  it.each([
    [
      'workflow preference off',
      'news',
      'no-news',
      'workflow_preference',
      'turned off e-mail for this workflow',
      'now: e-mail for this workflow is off',
    ],
    [
      'global preference off',
      'news',
      'no-mail',
      'global_preference',
      'turned off e-mail for all workflows',
      'now: e-mail for all workflows is off',
    ],
    [
      'workflow default off',
      'quiet',
      'u1',
      'workflow_default',
      'The workflow had e-mail turned off',
      'now: the workflow has e-mail off',
    ],
    [
      'outside the schedule',
      'news',
      'weekend',
      'schedule',
      "outside the subscriber's schedule: sat 09:00 AM-05:00 PM (Europe/Berlin)",
      'now: the schedule is sat 09:00 AM-05:00 PM',
    ],
    [
      'condition false',
      'conditional',
      'u1',
      'condition',
      'conditions of the step skipped it',
      'now: step mail has the condition {"==',
    ],
    [
      'missing e-mail',
      'news',
      'bare',
      'missing_email',
      'had no e-mail address',
      'now: the subscriber has no e-mail address',
    ],
    [
      'missing phone',
      'texts',
      'u2',
      'missing_phone',
      'had no phone number',
      'now: the subscriber has no phone number',
    ],
  ])('%s: skipped', async (_name, workflow, subscriber, cause, message, now) => {
    const rig = await open();
    await trigger(rig, workflow, '--to', subscriber);
    const explained = await explainOne(rig, subscriber);
    expect(explained).toMatchObject({ verdict: 'skipped', cause, code: 9 });
    expect(explained.message).toContain(message);
    expect(explained.evidence.join('\n')).toContain(now);
    expect(explained.evidence[0]).toMatch(/^2026-01-15T12:00:00.000Z /);
    expect(explained.next[0]).toMatch(/^svc /);
  });

  it('critical: delivered, although the subscriber turned the channel off', async () => {
    const rig = await open();
    await trigger(rig, 'critical', '--to', 'no-mail');
    const explained = await explainOne(rig, 'no-mail');
    expect(explained).toMatchObject({ verdict: 'delivered', cause: null, code: 0 });
    expect(explained.evidence.join('\n')).toContain('critical: this workflow ignores preferences');
  });

  it.each([
    ['no integration', null, 'no_integration', 'no integration exists for e-mail'],
    [
      'inactive integration',
      { active: false },
      'inactive_integration',
      'integration sendgrid-email is inactive',
    ],
    ['no primary', {}, 'no_primary_integration', 'integration sendgrid-email is active'],
  ] as const)('%s: failed, with the integrations of today', async (_name, mail, cause, now) => {
    const rig = await open({ mail });
    if (cause === 'no_primary_integration') await loseThePrimary(rig);
    await trigger(rig, 'news', '--to', 'u1');
    const explained = await explainOne(rig, 'u1', '--workflow', 'news');
    expect(explained).toMatchObject({ verdict: 'failed', cause, code: 9 });
    expect(explained.evidence).toEqual([
      '2026-01-15T12:00:00.000Z Subscriber does not have an active integration',
      `now: ${now}`,
    ]);
  });

  it('no primary: the next step is the command that makes an active integration primary', async () => {
    const rig = await open();
    await loseThePrimary(rig);
    await trigger(rig, 'news', '--to', 'u1');
    const { next } = await explainOne(rig, 'u1', '--workflow', 'news');
    expect(next).toHaveLength(1);
    expect(next[0]).toMatch(/^svc integrations set-primary [0-9a-f]{24}$/);
    expect((await rig.svc((next[0] ?? '').split(' ').slice(1))).code).toBe(0);
    const { stdout } = await rig.svc([
      ...['integrations', 'list', '--jq', '.[] | select(.primary and .channel == "email")._id'],
    ]);
    expect(stdout).toBe(`${next[0]?.split(' ').at(-1)}\n`);
  });

  it('an integration that is primary again: failed, because none was active at that time', async () => {
    const rig = await open();
    await loseThePrimary(rig);
    await trigger(rig, 'news', '--to', 'u1');
    const { stdout } = await rig.svc(['integrations', 'list', '--json']);
    const all = JSON.parse(stdout) as { _id: string; identifier: string }[];
    const { _id = '' } = all.find(({ identifier }) => identifier === 'sendgrid-email') ?? {};
    expect((await rig.svc(['integrations', 'set-primary', _id, '--yes'])).code).toBe(0);
    const explained = await explainOne(rig, 'u1', '--workflow', 'news');
    expect(explained).toMatchObject({ verdict: 'failed', cause: 'no_active_integration', code: 9 });
    expect(explained.evidence).toContain('now: integration sendgrid-email is active and primary');
  });

  it('no integration, on a server that cannot list integrations: no active integration', async () => {
    const rig = await open({ mail: null });
    await trigger(rig, 'news', '--to', 'u1');
    answerCannot(rig, ['/v1/integrations']);
    const explained = await explainOne(rig, 'u1');
    expect(explained).toMatchObject({ verdict: 'failed', cause: 'no_active_integration', code: 9 });
  });

  it('provider error: failed, with the reason of the provider', async () => {
    const rig = await open();
    await trigger(rig, 'news', '--to', 'bounces');
    const explained = await explainOne(rig, 'bounces');
    expect(explained).toMatchObject({ verdict: 'failed', cause: 'provider_error', code: 9 });
    expect(explained.message).toBe('The provider returned an error: Host not found: mail.invalid.');
  });

  it('no device token: failed', async () => {
    const rig = await open();
    await trigger(rig, 'alert', '--to', 'u1');
    const explained = await explainOne(rig, 'u1');
    expect(explained).toMatchObject({ verdict: 'failed', cause: 'missing_channel', code: 9 });
    expect(explained.message).toBe('The subscriber had no device token for push.');
  });

  it('digest waiting: waiting until the digest ends', async () => {
    const rig = await open();
    await trigger(rig, 'digest', '--to', 'u1');
    const explained = await explainOne(rig, 'u1');
    expect(explained).toMatchObject({ verdict: 'waiting', cause: 'digest_waiting', code: 9 });
    expect(explained.message).toBe('The event waits in a digest until 2026-01-15T12:10:00.000Z.');
  });

  describe("merged into another's digest", () => {
    const at = '2026-01-15T12:00:00.000Z';
    const openMerged = async () => {
      const rig = await open();
      await trigger(rig, 'digest', '--to', 'u1', '--transaction-id', 'first');
      await trigger(rig, 'digest', '--to', 'u1', '--transaction-id', 'second');
      return rig;
    };
    const explainSecond = (rig: Rig) => explainOne(rig, 'u1', '--transaction', 'second');

    it('waiting while that digest waits, with the other transaction', async () => {
      expect(await explainSecond(await openMerged())).toMatchObject({
        verdict: 'waiting',
        cause: 'digest_waiting',
        message: `In the digest of ${at}, waiting until 2026-01-15T12:10:00.000Z.`,
        next: ['svc activity explain u1 --transaction first'],
        code: 9,
      });
    });

    it('delivered when that digest is', async () => {
      const rig = await openMerged();
      await rig.svc(['sandbox', 'clock', 'advance', '10m']);
      expect(await explainSecond(rig)).toMatchObject({
        verdict: 'delivered',
        cause: null,
        message: `In the digest of ${at}, delivered.`,
        next: [],
        code: 0,
      });
    });

    it('skipped if that digest is', async () => {
      const rig = await openMerged();
      await rig.svc(['subscribers', 'preferences', 'update', 'u1', '--email', 'off']);
      await rig.svc(['sandbox', 'clock', 'advance', '10m']);
      expect(await explainSecond(rig)).toMatchObject({
        verdict: 'skipped',
        cause: 'global_preference',
        message: `In the digest of ${at}, skipped. The subscriber turned off e-mail for all workflows.`,
        evidence: expect.arrayContaining(['now: e-mail for all workflows is off']),
        next: ['svc activity explain u1 --transaction first'],
        code: 9,
      });
    });

    it('skipped if the server does not show that digest', async () => {
      const rig = await openMerged();
      rig.answerBy(({ url }) =>
        url.searchParams.has('before')
          ? { status: 200, body: { data: [], page: 0, pageSize: 50, hasMore: false } }
          : undefined,
      );
      expect(await explainSecond(rig)).toMatchObject({
        verdict: 'skipped',
        cause: 'digest_merged',
        message: 'The event was merged into the digest of an earlier event.',
        next: ['svc activity get second'],
        code: 9,
      });
    });
  });

  it('delayed until: waiting until the delay ends', async () => {
    const rig = await open();
    await trigger(rig, 'delay', '--to', 'u1');
    const explained = await explainOne(rig, 'u1');
    expect(explained).toMatchObject({ verdict: 'waiting', cause: 'delayed_until', code: 9 });
    expect(explained.message).toBe('The event waits in a delay until 2026-01-18T12:00:00.000Z.');
  });

  it('canceled: skipped', async () => {
    const rig = await open();
    await trigger(rig, 'delay', '--to', 'u1', '--transaction-id', 'oops');
    expect((await rig.svc(['events', 'cancel', 'oops', '--yes'])).code).toBe(0);
    const explained = await explainOne(rig, 'u1');
    expect(explained).toMatchObject({ verdict: 'skipped', cause: 'canceled', code: 9 });
  });

  it('throttled: skipped until the window ends', async () => {
    const rig = await open();
    await trigger(rig, 'throttle', '--to', 'u1', '--transaction-id', 'first');
    await trigger(rig, 'throttle', '--to', 'u1', '--transaction-id', 'second');
    const explained = await explainOne(rig, 'u1', '--transaction', 'second');
    expect(explained).toMatchObject({ verdict: 'skipped', cause: 'throttled', code: 9 });
    expect(explained.message).toContain('no more events pass until 2026-01-15T13:00:00.000Z');
    expect(await explainOne(rig, 'u1', '--transaction', 'first')).toMatchObject({ code: 0 });
  });

  it('halted by an earlier step: skipped, with the reason of that step', async () => {
    const rig = await open();
    await trigger(rig, 'stops', '--to', 'u1');
    const explained = await explainOne(rig, 'u1', '--channel', 'email');
    expect(explained).toMatchObject({ verdict: 'skipped', cause: 'halted', code: 9 });
    expect(explained.message).toMatch(/^An earlier step failed and stopped the workflow: sms: /);
    const line = ['activity', 'explain', 'u1', '--workflow', 'stops'];
    const { stdout } = await rig.svc(line, { tty: true, columns: 300 });
    // The text of the step is in the answer and in the row, but not repeated as evidence.
    expect(stdout.match(/email .*\n {2,}(.*)\n/)?.[1]).toBe('12:00:00');
  });

  it('a template that cannot be rendered: failed', async () => {
    const rig = await open();
    await trigger(rig, 'unfinished-template', '--to', 'u1');
    const explained = await explainOne(rig, 'u1');
    expect(explained).toMatchObject({ verdict: 'failed', cause: 'template_error', code: 9 });
  });

  it('delivered but unread: delivered, and unread is evidence', async () => {
    const rig = await open();
    await trigger(rig, 'inbox', '--to', 'u1');
    const explained = await explainOne(rig, 'u1');
    expect(explained).toMatchObject({ verdict: 'delivered', cause: null, next: [], code: 0 });
    expect(explained.evidence.at(-1)).toBe('now: unread');
    const marked = await rig.svc(['inbox', 'mark', 'u1', 'read', '--all', '--yes']);
    expect(marked.code).toBe(0);
    expect((await explainOne(rig, 'u1')).evidence.at(-1)).toBe('now: read');
  });

  it.each([
    ['workflow inactive', ['u1', '--workflow', 'inactive'], 'workflow_inactive', 9],
    ['workflow unknown', ['u1', '--workflow', 'newz'], 'workflow_unknown', 9],
    ['subscriber unknown', ['unknown-user'], 'subscriber_unknown', 9],
    ['no event', ['u2', '--workflow', 'news'], 'no_event', 5],
  ])('%s: no event', async (_name, line, cause, code) => {
    const rig = await open();
    expect(await explain(rig, ...line)).toMatchObject({ cause, code, at: null, channels: [] });
  });

  it('transaction id reused: no event for the second recipient', async () => {
    const rig = await open();
    await trigger(rig, 'news', '--to', 'u1', '--transaction-id', 'same');
    await trigger(rig, 'news', '--to', 'u2', '--transaction-id', 'same');
    const explained = await explain(rig, 'u2', '--transaction', 'same');
    expect(explained).toMatchObject({ cause: 'transaction_reused', channels: [], code: 9 });
    expect(explained.message).toContain('Transaction same belongs to an event of news for u1');
    expect(await explain(rig, 'u1', '--transaction', 'same', '--workflow', 'texts')).toMatchObject({
      cause: 'transaction_reused',
      code: 9,
    });
  });

  it('topic without the subscriber: not subscribed', async () => {
    const rig = await open();
    await trigger(rig, 'news', '--to-topic', 'announcements', '--transaction-id', 'to-topic');
    for (const line of [
      ['--topic', 'announcements'],
      ['--transaction', 'to-topic'],
      ['--workflow', 'news', '--topic', 'announcements', '--transaction', 'to-topic'],
    ]) {
      const explained = await explain(rig, 'u2', ...line);
      expect(explained).toMatchObject({ cause: 'not_subscribed', channels: [], code: 9 });
      expect(explained.message).toContain('topic `announcements` had no recipient `u2`');
    }
    expect(await explainOne(rig, 'u1', '--topic', 'announcements')).toMatchObject({ code: 0 });
    const neverUsed = await explain(rig, 'u2', '--topic', 'unused');
    expect(neverUsed).toMatchObject({ cause: 'not_subscribed', code: 9 });
    expect(neverUsed.message).toBe('Subscriber `u2` is not subscribed to topic `unused`.');
    const unknown = await explain(rig, 'u2', '--topic', 'announcement');
    expect(unknown).toMatchObject({ cause: 'not_subscribed', code: 9 });
    expect(unknown.message).toContain('Did you mean `announcements`?');
  });

  it('keeps its verdict when the settings change after the event', async () => {
    const rig = await open();
    await trigger(rig, 'news', '--to', 'no-news');
    const line = ['subscribers', 'preferences', 'update', 'no-news', '--workflow', 'news'];
    expect((await rig.svc([...line, '--email', 'on', '--yes'])).code).toBe(0);
    const explained = await explainOne(rig, 'no-news');
    expect(explained).toMatchObject({ verdict: 'skipped', cause: 'workflow_preference', code: 9 });
    expect(explained.evidence).toContain('now: e-mail for this workflow is on');
  });

  it('reaches the same verdict on a server with only the operations of the specification', async () => {
    const rig = await open();
    await trigger(rig, 'news', '--to', 'bare');
    answerCannot(rig, beyondSpecification);
    const explained = await explainOne(rig, 'bare');
    expect(explained).toMatchObject({ verdict: 'skipped', cause: 'missing_email', code: 9 });
    expect(explained.evidence).toContain('now: the subscriber has no e-mail address');
    await trigger(rig, 'news', '--to-topic', 'announcements', '--transaction-id', 'to-topic');
    expect(await explain(rig, 'bare', '--topic', 'announcements')).toMatchObject({
      cause: 'not_subscribed',
      code: 9,
    });
  });
});

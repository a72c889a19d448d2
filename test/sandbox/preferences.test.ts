import { describe, expect, test } from 'vitest';
import { seedId } from '../../src/sandbox/seed/ids.ts';
import { slugOf } from '../../src/sandbox/slugs.ts';
import { type Ask, openSandbox } from './open.ts';

const patch = (ask: Ask, body: unknown, subscriberId = 'u1') =>
  ask(`PATCH /v2/subscribers/${subscriberId}/preferences`, body);

interface Listed {
  workflow: { identifier: string };
}

const of = (body: { workflows: Listed[] }, identifier: string) =>
  body.workflows.find(({ workflow }) => workflow.identifier === identifier);

const allOn = { email: true, sms: true, in_app: true, chat: true, push: true };

describe('preferences', () => {
  test('list all five channels for every workflow that is not critical', async () => {
    const { ask } = await openSandbox();
    const { body } = await ask('GET /v2/subscribers/u1/preferences');
    expect(body.global).toEqual({ enabled: true, channels: allOn });
    expect(body.workflows).toHaveLength(11);
    expect(of(body, 'welcome')).toEqual({
      enabled: true,
      channels: allOn,
      overrides: [],
      workflow: {
        slug: slugOf('Welcome', 'wf', seedId('workflow:welcome')),
        identifier: 'welcome',
        name: 'Welcome',
        updatedAt: '2025-01-06T09:00:00.000Z',
      },
    });
  });

  test.each([
    ['critical', 1],
    ['nonCritical', 11],
    ['all', 12],
  ])('of criticality %s are %i', async (criticality, count) => {
    const { ask } = await openSandbox();
    const { body } = await ask(`GET /v2/subscribers/u1/preferences?criticality=${criticality}`);
    expect(body.workflows).toHaveLength(count);
  });

  test('merge by level: the workflow over the global choice', async () => {
    const { ask } = await openSandbox();
    await patch(ask, { channels: { email: false } });
    const { body } = await patch(ask, {
      workflowId: 'welcome',
      channels: { email: true, sms: false },
    });
    expect(body.global.channels).toEqual({ ...allOn, email: false });
    expect(of(body, 'welcome')).toMatchObject({
      channels: { ...allOn, sms: false },
      overrides: [
        { channel: 'email', source: 'subscriber' },
        { channel: 'sms', source: 'subscriber' },
      ],
    });
    expect(of(body, 'order-update')).toMatchObject({ channels: { ...allOn, email: false } });
  });

  test('chosen globally end what was chosen for workflows about the same channels', async () => {
    const { ask } = await openSandbox();
    await patch(ask, { workflowId: 'welcome', channels: { email: false, sms: false } });
    const { body } = await patch(ask, { channels: { email: true } });
    expect(of(body, 'welcome')).toMatchObject({ channels: { ...allOn, sms: false } });
  });

  test('are those of one subscriber', async () => {
    const { ask } = await openSandbox();
    await patch(ask, { channels: { email: false } });
    expect((await ask('GET /v2/subscribers/u2/preferences')).body.global.channels).toEqual(allOn);
  });

  test('of a critical workflow cannot be changed, and ignore the global choice', async () => {
    const { ask } = await openSandbox();
    const { status, body } = await patch(ask, {
      workflowId: 'one-time-code',
      channels: { sms: false },
    });
    expect(status).toBe(400);
    expect(body.message).toBe('Critical workflow with id: one-time-code can not be updated');
    await patch(ask, { channels: { sms: false } });
    const critical = await ask('GET /v2/subscribers/u1/preferences?criticality=critical');
    expect(critical.body.workflows[0]).toMatchObject({ channels: allOn, overrides: [] });
  });

  test.each([
    ['the identifier', 'welcome'],
    ['the internal id', seedId('workflow:welcome')],
    ['the slug', slugOf('Welcome', 'wf', seedId('workflow:welcome'))],
  ])('are changed by %s of a workflow', async (_, workflowId) => {
    const { ask } = await openSandbox();
    const { body } = await patch(ask, { workflowId, channels: { push: false } });
    expect(of(body, 'welcome')).toMatchObject({ channels: { ...allOn, push: false } });
  });

  test.each([
    ['GET', 'nobody', undefined, 'Subscriber nobody not found'],
    ['PATCH', 'nobody', {}, 'Subscriber with id: nobody is not found'],
    ['PATCH', 'u1', { workflowId: 'nope', channels: {} }, 'Workflow cannot be found'],
  ])('%s of %s with %j is not found', async (method, subscriberId, body, message) => {
    const { ask } = await openSandbox();
    const answer = await ask(`${method} /v2/subscribers/${subscriberId}/preferences`, body);
    expect({ status: answer.status, message: answer.body.message }).toEqual({
      status: 404,
      message,
    });
  });
});

describe('a schedule', () => {
  const hours = (start: string, end: string) => ({
    isEnabled: true,
    weeklySchedule: { monday: { isEnabled: true, hours: [{ start, end }] } },
  });

  test('is replaced whole, and may go past midnight', async () => {
    const { ask } = await openSandbox();
    const { body } = await patch(ask, { schedule: hours('10:00 PM', '6:30 AM') }, 'u4');
    expect(body.global.schedule).toEqual(hours('10:00 PM', '6:30 AM'));
    const off = await patch(ask, { schedule: { isEnabled: false } }, 'u4');
    expect(off.body.global.schedule).toEqual({ isEnabled: false });
  });

  test('stays when channels alone are changed, and with a workflow it is passed over', async () => {
    const { ask } = await openSandbox();
    const before = (await patch(ask, { channels: { sms: false } }, 'u4')).body.global.schedule;
    expect(before.weeklySchedule.friday.hours).toEqual([{ start: '09:00 AM', end: '05:00 PM' }]);
    const { body } = await patch(
      ask,
      { workflowId: 'welcome', schedule: { isEnabled: false } },
      'u4',
    );
    expect(body.global.schedule).toEqual(before);
  });

  test.each([
    [hours('22:00', '06:00')],
    [hours('13:00 PM', '02:00 PM')],
    [{ isEnabled: true, weeklySchedule: {} }],
    [{ isEnabled: true, weeklySchedule: { someday: { isEnabled: true } } }],
    [{ weeklySchedule: {} }],
  ])('like %j is refused', async (schedule) => {
    const { ask } = await openSandbox();
    const { status, body } = await patch(ask, { schedule });
    expect(status).toBe(422);
    expect(Object.keys(body.errors)[0]).toMatch(/^schedule/);
  });
});

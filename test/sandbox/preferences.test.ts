import { describe, expect, test } from 'vitest';
import { seedId } from '../../src/sandbox/store/ids.ts';
import { createSlug } from '../../src/sandbox/store/slugs.ts';
import { type Ask, openSandbox } from './open.ts';

const patch = (ask: Ask, body: unknown, subscriberId = 'u1') =>
  ask(`PATCH /v2/subscribers/${subscriberId}/preferences`, body);

interface WorkflowPreference {
  workflow: { identifier: string };
  channels: Record<string, boolean>;
}

const forWorkflow = (body: { workflows: WorkflowPreference[] }, identifier: string) =>
  body.workflows.find(({ workflow }) => workflow.identifier === identifier);
const findChannels = (body: { workflows: WorkflowPreference[] }, identifier: string) =>
  forWorkflow(body, identifier)?.channels;

/** The channels of the steps of welcome. */
const bothOn = { email: true, in_app: true };
const allOn = { email: true, sms: true, in_app: true, chat: true, push: true };

describe('preferences', () => {
  test('contain the channels of each active workflow that is not critical', async () => {
    const { ask } = await openSandbox();
    const { body } = await ask('GET /v2/subscribers/u1/preferences');
    expect(body.global).toEqual({ enabled: true, channels: allOn });
    expect(body.workflows).toHaveLength(10);
    expect(forWorkflow(body, 'welcome')).toEqual({
      enabled: true,
      channels: bothOn,
      overrides: [
        { channel: 'in_app', source: 'subscriber' },
        { channel: 'email', source: 'subscriber' },
      ],
      workflow: {
        slug: createSlug('Welcome', 'wf', seedId('workflow:welcome')),
        identifier: 'welcome',
        name: 'Welcome',
        updatedAt: '2025-01-15T09:00:00.000Z',
      },
    });
  });

  test.each([
    ['critical', 1],
    ['nonCritical', 10],
    ['all', 11],
  ])('of criticality %s contain %i workflows', async (criticality, count) => {
    const { ask } = await openSandbox();
    const { body } = await ask(`GET /v2/subscribers/u1/preferences?criticality=${criticality}`);
    expect(body.workflows).toHaveLength(count);
  });

  test('for a workflow override the global preferences', async () => {
    const { ask } = await openSandbox();
    await patch(ask, { channels: { email: false } });
    const { body } = await patch(ask, {
      workflowId: 'welcome',
      channels: { email: true, in_app: false },
    });
    expect(body.global.channels).toEqual({ ...allOn, email: false });
    expect(findChannels(body, 'welcome')).toEqual({ email: true, in_app: false });
    expect(findChannels(body, 'comment-digest')).toEqual({ ...bothOn, email: false });
  });

  test('that are set globally remove those of workflows for the same channels', async () => {
    const { ask } = await openSandbox();
    await patch(ask, { workflowId: 'welcome', channels: { email: false, in_app: false } });
    const { body } = await patch(ask, { channels: { email: true } });
    expect(findChannels(body, 'welcome')).toEqual({ email: true, in_app: false });
  });

  test.each(['3.11', '3.19'] as const)('show a channel that is null in %s', async (service) => {
    const { ask } = await openSandbox({ service });
    await patch(ask, { workflowId: 'welcome', channels: { email: true } });
    const global = await patch(ask, { channels: { email: null } });
    expect(global.body.global.channels.email).toBeNull();
    expect(findChannels(global.body, 'welcome')).toEqual({ email: null, in_app: true });
    const own = await patch(ask, {
      workflowId: 'welcome',
      channels: { email: true, in_app: null },
    });
    expect(findChannels(own.body, 'welcome')).toEqual({ email: true, in_app: null });
  });

  test('are separate for each subscriber', async () => {
    const { ask } = await openSandbox();
    await patch(ask, { channels: { email: false } });
    expect((await ask('GET /v2/subscribers/u2/preferences')).body.global.channels).toEqual(allOn);
  });

  test('of a critical workflow can be set, but have no effect, like the global preferences', async () => {
    const { ask } = await openSandbox();
    const { status } = await patch(ask, { workflowId: 'one-time-code', channels: { sms: false } });
    expect(status).toBe(200);
    await patch(ask, { channels: { sms: false } });
    const critical = await ask('GET /v2/subscribers/u1/preferences?criticality=critical');
    expect(findChannels(critical.body, 'one-time-code')).toEqual({ email: true, sms: true });
  });

  test.each([
    ['the identifier', 'welcome'],
    ['the internal id', seedId('workflow:welcome')],
    ['the slug', createSlug('Welcome', 'wf', seedId('workflow:welcome'))],
  ])('can be changed by %s of a workflow', async (_, workflowId) => {
    const { ask } = await openSandbox();
    const { body } = await patch(ask, { workflowId, channels: { email: false } });
    expect(findChannels(body, 'welcome')).toEqual({ ...bothOn, email: false });
  });

  test.each([
    ['GET', 'unknown', undefined, 'Subscriber unknown not found'],
    ['PATCH', 'unknown', {}, 'Subscriber with id: unknown is not found'],
    ['PATCH', 'u1', { workflowId: 'nope', channels: {} }, 'Workflow cannot be found'],
  ])('%s of %s with %j returns 404', async (method, subscriberId, body, message) => {
    const { ask } = await openSandbox();
    const response = await ask(`${method} /v2/subscribers/${subscriberId}/preferences`, body);
    expect({ status: response.status, message: response.body.message }).toEqual({
      status: 404,
      message,
    });
  });
});

describe('a subscriber schedule', () => {
  const hours = (start: string, end: string) => ({
    isEnabled: true,
    weeklySchedule: { monday: { isEnabled: true, hours: [{ start, end }] } },
  });

  test('is replaced as a whole and can extend past midnight', async () => {
    const { ask } = await openSandbox();
    const { body } = await patch(ask, { schedule: hours('10:00 PM', '6:30 AM') }, 'u4');
    expect(body.global.schedule).toEqual(hours('10:00 PM', '6:30 AM'));
    const off = await patch(ask, { schedule: { isEnabled: false } }, 'u4');
    expect(off.body.global.schedule).toEqual({ isEnabled: false });
  });

  test.each(['3.11', '3.19'] as const)('is removed with null in %s', async (service) => {
    const { ask } = await openSandbox({ service });
    const removed = await patch(ask, { schedule: null }, 'u4');
    expect(removed.body.global.schedule).toBeNull();
    const { body } = await patch(ask, { channels: { sms: false } }, 'u4');
    expect(body.global.schedule).toBeNull();
    const other = await patch(ask, { channels: { sms: false } }, 'u1');
    expect(other.body.global).not.toHaveProperty('schedule');
  });

  test('does not change when only channels change, and is ignored in an update for a workflow', async () => {
    const { ask } = await openSandbox();
    const initial = (await patch(ask, { channels: { sms: false } }, 'u4')).body.global.schedule;
    expect(initial.weeklySchedule.friday.hours).toEqual([{ start: '09:00 AM', end: '05:00 PM' }]);
    const { body } = await patch(
      ask,
      { workflowId: 'welcome', schedule: { isEnabled: false } },
      'u4',
    );
    expect(body.global.schedule).toEqual(initial);
  });

  test.each([
    [
      hours('22:00', '06:00'),
      'monday.hours.0.start must be in 12-hour format (e.g., 09:00 AM or 9:00 AM)',
    ],
    [
      hours('13:00 PM', '02:00 PM'),
      'monday.hours.0.start must be in 12-hour format (e.g., 09:00 AM or 9:00 AM)',
    ],
    [{ isEnabled: true, weeklySchedule: {} }, 'must contain at least one day configuration'],
    [
      { isEnabled: true, weeklySchedule: { someday: { isEnabled: true } } },
      'contains invalid day names: someday',
    ],
    [{ weeklySchedule: {} }, 'schedule.isEnabled must be a boolean value'],
  ])('%j is rejected', async (schedule, message) => {
    const { ask } = await openSandbox();
    const { status, body } = await patch(ask, { schedule });
    expect(status).toBe(422);
    expect(body.errors.general.messages[0]).toContain(message);
  });
});

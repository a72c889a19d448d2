// The messages for values of a wrong type, length or form.
import { describe, expect, test } from 'vitest';
import { hours, shareSandbox, workflow } from './shared-sandbox.ts';

const ask = shareSandbox();

const subscriber = { subscriberId: 'x' };
const week = (weeklySchedule: unknown) => ({ schedule: { isEnabled: true, weeklySchedule } });
const event = (fields: object) => ({ name: 'welcome', to: 'u1', payload: {}, ...fields });
const noContext =
  'Invalid context payload structure. Expected object with context types as keys and string IDs or {id, data} objects as values';
const twelveHours = 'must be in 12-hour format (e.g., 09:00 AM or 9:00 AM)';
const bulk = '/v1/subscribers/bulk';
const preferences = '/v2/subscribers/u1/preferences';
const trigger = '/v1/events/trigger';

describe('a body is rejected with one list of messages', () => {
  test.each<[string, unknown, string[]]>([
    [
      `POST ${bulk}`,
      { subscribers: {} },
      [
        'subscribers.subscriberId should not be null or undefined',
        'subscribers.SubscriberId is required',
        'subscribers.subscriberId must be a string',
      ],
    ],
    [
      `POST ${bulk}`,
      { subscribers: 5 },
      [
        'subscribers should not be empty',
        'subscribers must be an array',
        'each value in nested property subscribers must be either object or array',
      ],
    ],
    [
      `POST ${bulk}`,
      { subscribers: [null] },
      ['subscribers.each value in nested property subscribers must be either object or array'],
    ],
    [
      `POST ${bulk}`,
      { subscribers: [{ ...subscriber, channels: [{ credentials: 'x' }] }] },
      ['subscribers.0.channels.0.nested property credentials must be either object or array'],
    ],
    [
      `POST ${bulk}`,
      { subscribers: [{ ...subscriber, channels: [{ credentials: { deviceTokens: 5 } }] }] },
      ['subscribers.0.channels.0.credentials.deviceTokens must be an array'],
    ],
    [
      `PATCH ${preferences}`,
      { schedule: 'always' },
      ['nested property schedule must be either object or array'],
    ],
    [
      `PATCH ${preferences}`,
      week(5),
      [
        'schedule.weeklySchedule must contain at least one day configuration when isEnabled is true',
        'schedule.nested property weeklySchedule must be either object or array',
      ],
    ],
    [
      `PATCH ${preferences}`,
      hours([{ start: '25:00', end: '05:00 PM' }]),
      [`schedule.weeklySchedule.monday.hours.0.start ${twelveHours}`],
    ],
    [
      `PATCH ${preferences}`,
      hours([5]),
      ['schedule.weeklySchedule.monday.hours.nested property hours must be either object or array'],
    ],
    [
      `PATCH ${preferences}/bulk`,
      { preferences: null },
      [
        'preferences should not be null or undefined',
        'preferences must contain no more than 100 elements',
        'preferences must be an array',
        'each value in nested property preferences must be either object or array',
      ],
    ],
    [
      'POST /v1/integrations',
      { providerId: 'sendgrid', channel: 'email', credentials: 'x' },
      ['nested property credentials must be either object or array'],
    ],
    [
      'POST /v1/integrations',
      { providerId: 'sendgrid', channel: 'email', conditions: [5] },
      ['conditions.each value in nested property conditions must be either object or array'],
    ],
    [
      'PATCH /v1/subscribers/u1/credentials',
      { providerId: 'fcm', credentials: 'x' },
      ['credentials must be an object'],
    ],
    [
      'POST /v2/topics',
      { key: 5 },
      [
        'key must be longer than or equal to 1 and shorter than or equal to 100 characters',
        'key must be a string',
      ],
    ],
    [
      `POST ${trigger}`,
      event({ actor: 5 }),
      ['nested property actor must be either object or array'],
    ],
    [
      `POST ${trigger}`,
      event({ actor: {} }),
      [
        'actor.subscriberId should not be null or undefined',
        'actor.SubscriberId is required',
        'actor.subscriberId must be a string',
      ],
    ],
    [
      `POST ${trigger}`,
      event({ actor: { subscriberId: 'a', email: 'x' } }),
      ['actor.email must be an email'],
    ],
    [
      `POST ${trigger}`,
      event({ tenant: { identifier: 5 } }),
      ['tenant.identifier must be a string'],
    ],
    [`POST ${trigger}`, event({ context: {} }), [noContext]],
    [`POST ${trigger}`, event({ context: { tenant: 'a:b' } }), [noContext]],
    [`POST ${trigger}`, event({ context: { tenant: { id: 'a', data: 5 } } }), [noContext]],
    [
      `POST ${trigger}`,
      event({ context: { a: 'a', b: 'b', c: 'c', d: 'd', e: 'e', f: 'f' } }),
      ['Too many contexts: 6 provided, maximum allowed is 5'],
    ],
    [
      `POST ${trigger}`,
      event({ context: { a: { id: 'a', data: { text: 'x'.repeat(70_000) } } } }),
      ["Context 'a' Data is too large: 68KB exceeds 64KB limit"],
    ],
    [
      'POST /v2/workflows',
      workflow({ steps: ['x'] }),
      ['steps.each value in nested property steps must be either object or array'],
    ],
    [
      'POST /v2/workflows',
      workflow({ steps: [{ name: 'T', type: 'throttle', controlValues: 5 }] }),
      ['steps.0.controlValues must be an object'],
    ],
    [
      'PUT /v2/workflows/welcome',
      workflow({ preferences: null }),
      ['nested property preferences must be either object or array'],
    ],
    [
      'PUT /v2/workflows/welcome',
      workflow({ preferences: { user: { all: { enabled: 'x' }, channels: {} } } }),
      ['preferences.user.all.enabled must be a boolean value'],
    ],
    ['POST /v2/layouts/any/preview', { controlValues: 'x' }, ['controlValues must be an object']],
  ])('%s %j', async (line, sent, messages) => {
    const { status, body } = await ask(line, sent);
    expect({ status, message: body.message, errors: body.errors }).toEqual({
      status: 422,
      message: 'Validation Error',
      errors: { general: { messages, value: 'No Value Recorded' } },
    });
  });
});

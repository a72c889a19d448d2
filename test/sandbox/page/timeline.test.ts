// The timeline names the day, the state and the reason of every step.
import { describe, expect, test } from 'vitest';
import type { OpenOptions } from '../open.ts';
import { openPage, textOf } from './open-page.ts';

async function openTimelines(options: OpenOptions = {}) {
  const page = await openPage({ frozen: true, ...options });
  const read = async (id: string) => textOf((await page.get(`/page/activity/${id}`)).text);
  const createWorkflow = async (workflowId: string, steps: object[]) => {
    const { status } = await page.ask('POST /v2/workflows', {
      name: workflowId,
      workflowId,
      steps,
    });
    expect(status).toBe(201);
  };
  return { ...page, read, createWorkflow };
}

describe('the time of a step', () => {
  test('has its date if it ran on another day than the event', async () => {
    const { read, trigger, control } = await openTimelines();
    await trigger('trial-ending', 'u1', { plan: 'pro' }, 'trial');
    await control.advanceClock(3 * 86_400_000);
    const text = await read('trial');
    expect(text).toContain('Done 18 Jan 2026, 12:00:00 The delay is over.');
    expect(text).toContain('12:00:00 Step delayed');
    expect(text).toContain('18 Jan 2026, 12:00:00 Delay is finished');
  });

  test('is absent while the step waits', async () => {
    const { read, trigger } = await openTimelines();
    await trigger('trial-ending', 'u1', { plan: 'pro' }, 'trial');
    const text = await read('trial');
    expect(text).toContain('Waiting Waits until 18 Jan 2026, 12:00:00.');
    expect(text).toContain('Waiting The event waits in a delay until 18 Jan 2026, 12:00:00.');
  });
});

test('an event that was canceled during a delay or a digest says so', async () => {
  const { read, trigger, ask } = await openTimelines();
  const payload = { post: { id: 'p', title: 'T' }, author: 'A', comment: 'C' };
  await trigger('trial-ending', 'u1', { plan: 'pro' }, 'trial');
  await trigger('comment-digest', 'u3', payload, 'digest');
  for (const id of ['trial', 'digest']) await ask(`DELETE /v1/events/trigger/${id}`);
  expect(await read('trial')).toMatch(/Canceled [\d:]+ The event was canceled during the delay\./);
  expect(await read('trial')).toMatch(
    /Canceled [\d:]+ The event was canceled before this step ran/,
  );
  expect(await read('digest')).toContain('The event was canceled during the digest.');
});

test('the list of events and the timeline use the same word for a merged step', async () => {
  const { get, trigger } = await openTimelines();
  const payload = { post: { id: 'p', title: 'T' }, author: 'A', comment: 'C' };
  await trigger('comment-digest', 'u3', payload, 'one');
  await trigger('comment-digest', 'u3', payload, 'two');
  const [list = '', detail = ''] = (await get('/page/activity/two')).text.split('id="detail"');
  expect(textOf(list)).toContain('Digest merged');
  expect(textOf(detail)).toContain('Digest Merged');
  expect(textOf(list + detail)).not.toMatch(/Digest skipped/i);
});

describe('a note of the sandbox', () => {
  const skip = { '==': [{ var: 'payload.plan' }, 'free'] };
  const steps = (more: object) => [{ name: 'SMS', type: 'sms', controlValues: { ...more } }];

  test.each([
    ['specification', 'free', 'This condition was true: {"==":[{"var":"payload.plan"},"free"]}'],
    ['novu', 'pro', 'This condition was false: {"==":[{"var":"payload.plan"},"free"]}'],
  ] as const)(
    'shows the condition that skipped a step in the mode %s',
    async (mode, plan, note) => {
      const { read, trigger, createWorkflow } = await openTimelines({ mode });
      await createWorkflow('conditional', steps({ body: 'Text', skip }));
      await trigger('conditional', 'u1', { plan }, 'skipped');
      expect(await read('skipped')).toContain(`The conditions of the step skipped it. ${note}`);
    },
  );

  test('shows the mistake in a template, which responses do not contain', async () => {
    const { read, trigger, createWorkflow, ask } = await openTimelines();
    await createWorkflow('broken', [
      {
        ...{ name: 'Mail', type: 'email' },
        controlValues: { subject: 'Hi', body: '<p>{% if payload.x %}Text</p>', editorType: 'html' },
      },
    ]);
    await trigger('broken', 'u1', {}, 'broken');
    expect(await read('broken')).toContain('body: tag {% if payload.x %} not closed');
    const { body } = await ask('GET /v1/notifications?transactionId=broken');
    const details = JSON.stringify(body.data[0].jobs[0].executionDetails);
    expect(details).toContain('has invalid controls syntax');
    expect(details).not.toContain('not closed');
  });
});

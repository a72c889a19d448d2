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
    expect(text).toContain('Done 18 Jan 2026, 12:00:00');
    expect(text).toContain('12:00:00 3 d 18 Jan 2026, 12:00:00 The delay is over.');
    expect(text).toContain('12:00:00 Step delayed');
    expect(text).toContain('18 Jan 2026, 12:00:00 Delay is finished');
  });

  test('is absent while the step waits', async () => {
    const { read, trigger } = await openTimelines();
    await trigger('trial-ending', 'u1', { plan: 'pro' }, 'trial');
    const text = await read('trial');
    expect(text).toContain('Waiting 12:00:00 3 d 18 Jan 2026, 12:00:00 Waits until');
    expect(text).toContain('Waits until 18 Jan 2026, 12:00:00.');
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
  expect(await read('trial')).toMatch(/Skipped [\d:]+ The event was canceled before this step ran/);
  expect(await read('digest')).toContain('The event was canceled during the digest.');
});

describe('a step that was merged into a digest', () => {
  const payload = (comment: string) => ({ post: { id: 'p', title: 'T' }, author: 'A', comment });

  test('has the outcome of the digest, in the list of events and in the timeline', async () => {
    const { get, trigger, control } = await openTimelines();
    await trigger('comment-digest', 'u3', payload('First'), 'one');
    await trigger('welcome', 'u1', { product: 'x' }, 'between');
    await trigger('comment-digest', 'u3', payload('Second'), 'two');
    const read = async () => {
      const { text } = await get('/page/activity/two');
      const [list = '', detail = ''] = text.split('id="detail"');
      return { row: textOf(list.split('id="e-two"')[1] ?? ''), detail: textOf(detail) };
    };
    const waiting = await read();
    expect(waiting.detail).toContain(
      'In the digest of 12:00, waiting until 15 Jan 2026, 12:10:00.',
    );
    expect(waiting.row).toMatch(/In-app waiting E-mail waiting/);
    await control.advanceClock(600_000);
    const delivered = await read();
    expect(delivered.detail).toContain('In the digest of 12:00, delivered.');
    expect(delivered.row).toMatch(/In-app delivered E-mail delivered/);
  });

  test('is one row of the list with the other events of the digest', async () => {
    const { get, trigger } = await openTimelines();
    for (const [index, comment] of ['First', 'Second', 'Third'].entries())
      await trigger('comment-digest', 'u3', payload(comment), `digest-${index}`);
    const { text } = await get('/page/activity');
    expect(text.match(/id="e-digest-\d"/g)).toEqual(['id="e-digest-0"']);
    const row = textOf(text.split('id="e-digest-0"')[1]?.split('</li>')[0] ?? '');
    expect(row).toContain('3 events in one digest');
    for (const comment of ['First', 'Second', 'Third'])
      expect(row).toContain(`author: A · comment: ${comment}`);
    const detail = textOf(
      (await get('/page/activity/digest-0')).text.split('id="detail"')[1] ?? '',
    );
    expect(detail).toContain('3 events author: A · comment: First');
    expect(detail).toContain('Run until here');
  });
});

test('a waiting step is run to the end of its wait', async () => {
  const { get, post, token, trigger, read, control } = await openTimelines();
  await trigger('trial-ending', 'u1', { plan: 'pro' }, 'trial');
  await trigger('comment-digest', 'u3', { post: { id: 'p' }, author: 'A' }, 'earlier');
  const { text } = await get('/page/activity/trial');
  const until = /name="advance" value="(2026-[^"]+)">Run until here/.exec(text)?.[1] ?? '';
  expect(until).toBe('2026-01-18T12:00:00.000Z');
  await post('/page/clock', { token, advance: until, back: '/page/activity/trial' });
  expect(await read('trial')).toContain('Moved to 12:00:00 on 18 Jan 2026.');
  expect((await control.clock()).now).toBe(until);
  const again = await post('/page/clock', { token, advance: until, back: '/' });
  expect(again.status).toBe(303);
  expect(textOf((await get('/')).text)).toContain('That time is over.');
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

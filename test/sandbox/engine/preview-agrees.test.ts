// A preview and the engine agree on each step of any workflow, for any person: skipped, failed, or with which content.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { PreviewedStep } from '../../../src/sandbox/engine/preview.ts';
import { previewWorkflow } from '../../../src/sandbox/page/workflow-preview.ts';
import { insertLayout } from '../../../src/sandbox/store/layouts.ts';
import { findSubscriber } from '../../../src/sandbox/store/subscribers.ts';
import { findWorkflow } from '../../../src/sandbox/store/workflows.ts';
import { detailTexts } from '../../../src/service/job-outcomes.ts';
import { openEngine, setPreferences, type TestStep } from './engine-fixture.ts';

const text = fc.constantFrom(
  '',
  'Hello',
  'Hello {{subscriber.firstName}}',
  '{{payload.name}}',
  '{{payload.missing}}',
  '{{payload.name',
  '<script>x</script><b>bold</b>',
  '{% if payload.vip %}VIP{% endif %}',
  '{{steps.wait.eventCount}}',
);
const url = fc.constantFrom('https://example.com/a', '/orders/1', 'nonsense', '', 'mailto:a@b.c');
const condition = { '==': [{ var: 'payload.name' }, 'Ada'] };
const skip = fc.constantFrom(undefined, undefined, condition, { '!': [condition] });

const inApp = fc.record({
  ...{ subject: fc.option(text, { nil: undefined }), body: text, skip },
  redirect: fc.option(fc.record({ url }), { nil: undefined }),
  avatar: fc.constantFrom(undefined, 'https://example.com/a.png', 'not a url'),
  data: fc.constantFrom(undefined, { html: '<script>x</script>' }),
});
const email = fc.record({
  ...{ subject: text, body: text, skip },
  layoutId: fc.constantFrom(undefined, null, 'plain', 'missing'),
  disableOutputSanitization: fc.constantFrom(undefined, true),
});
const sms = fc.record({ body: text, skip });
const push = fc.record({ subject: text, body: text, skip });
const wait = fc.record(
  {
    type: fc.constantFrom('regular', 'dynamic'),
    amount: fc.constantFrom(1, 5, 0, 100_000),
    unit: fc.constantFrom('minutes', 'days', 'fortnights'),
    dynamicKey: fc.constantFrom('payload.until', 'payload.missing'),
    skip,
  },
  { requiredKeys: [] },
);

/** Without members that are undefined, which are not JSON. */
const toJson = <T>(value: T): T => JSON.parse(JSON.stringify(value));

const step = (name: string): fc.Arbitrary<TestStep> =>
  fc.oneof(
    ...(
      [
        ['in_app', inApp],
        ['email', email],
        ['sms', sms],
        ['push', push],
        ['delay', wait],
        ['digest', wait],
      ] as const
    ).map(([type, controls]) =>
      (controls as fc.Arbitrary<object>).map((given) => ({
        ...{ name, type, controls: toJson(given) as Record<string, unknown> },
      })),
    ),
  );

const world = fc.record({
  steps: fc.tuple(step('First'), step('Wait'), step('Last')),
  payload: fc.record({
    name: fc.constantFrom('Ada', '', 'Дмитрий'),
    vip: fc.boolean(),
    until: fc.constantFrom('2026-01-16T12:00:00.000Z', '2020-01-01T00:00:00.000Z', 'soon'),
  }),
  subscriberId: fc.constantFrom('u1', 'u2', 'u4'),
  preferences: fc.constantFrom(
    undefined,
    { channels: { email: false } },
    { channels: { in_app: false } },
  ),
  mode: fc.constantFrom('novu' as const, 'specification' as const),
});

type World = typeof world extends fc.Arbitrary<infer T> ? T : never;

const mainText = (message: { body?: string; content?: string } | undefined) =>
  message?.body ?? message?.content;

async function compare({ steps, payload, subscriberId, preferences, mode }: World) {
  const engine = await openEngine({ mode });
  const scope = engine.store.scope(engine.store.environmentId);
  insertLayout(scope, {
    ...{ id: scope.ids.objectId(), layoutId: 'plain', name: 'Plain', isDefault: true },
    ...{ createdAt: scope.now, updatedAt: scope.now, editorType: 'html' },
    body: '<html><body>{{content}}</body></html>',
  });
  engine.defineWorkflow({ steps });
  if (preferences) await setPreferences(engine, preferences, subscriberId);
  const workflow = findWorkflow(scope, 'identifier', 'test');
  if (!workflow) throw new Error('the workflow was not stored');
  const input = {
    payload,
    payloadText: '',
    subscriberId,
    subscriber: findSubscriber(scope, subscriberId),
  };
  const previews = previewWorkflow(scope, workflow, input, new Map());
  await engine.trigger({ name: 'test', to: subscriberId, payload, transactionId: 'a' });
  const { item } = await engine.getActivity('a');
  const messages = await engine.messages('transactionId=a');
  for (const [index, job] of item.jobs.entries()) {
    const preview = previews[index] as PreviewedStep;
    expect({
      step: preview.stepId,
      result: preview.result,
      reason: preview.reason,
      type: preview.type,
    }).toMatchObject({ result: expectedResult(job) });
    const message = messages.find((one) => one.channel === job.type);
    if (
      preview.result === 'shown' &&
      message &&
      steps.filter(({ type }) => type === job.type).length === 1
    )
      expect(mainText(message)).toBe(preview.content?.body ?? '');
    // Later steps wait, or are canceled because this one failed.
    const isAction = job.type === 'delay' || job.type === 'digest';
    if (isAction && job.status !== 'skipped') return;
  }
}

/** A message that is skipped is canceled, or failed if the person has no device or chat channel. A delay that starts waits. */
function expectedResult({ status, executionDetails }: ActivityJob): PreviewedStep['result'] {
  const hasNoChannel = executionDetails.some(({ detail }) => detail === detailTexts.noChannel);
  if (status === 'failed' && !hasNoChannel) return 'failed';
  return status === 'completed' || status === 'delayed' ? 'shown' : 'skipped';
}

interface ActivityJob {
  status: string;
  executionDetails: { detail: string }[];
}

it('a preview and the engine agree on every step', async () => {
  await fc.assert(fc.asyncProperty(world, compare), { numRuns: 80 });
}, 120_000);

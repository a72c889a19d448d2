// A preview and the engine agree on each step of any workflow, for any person: skipped, failed, or with which content.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { PreviewedStep } from '../../../src/sandbox/engine/preview.ts';
import { previewWorkflow } from '../../../src/sandbox/page/workflow-preview.ts';
import { insertLayout } from '../../../src/sandbox/store/layouts.ts';
import { findSubscriber } from '../../../src/sandbox/store/subscribers.ts';
import { findWorkflow } from '../../../src/sandbox/store/workflows.ts';
import { detailTexts } from '../../../src/service/job-outcomes.ts';
import { modes } from '../../../src/service/mode.ts';
import { inWorlds, worldsTimeout } from '../../support/worlds.ts';
import { anyPayload, previewableStep } from '../../support/worlds-steps.ts';
import { openEngine, setPreferences, type TestStep } from './engine-fixture.ts';

const step = (name: string) =>
  previewableStep.map(
    ({ type, controlValues }): TestStep => ({ ...{ name, type, controls: controlValues ?? {} } }),
  );

const world = fc.record({
  steps: fc.tuple(step('First'), step('Wait'), step('Last')),
  payload: anyPayload,
  subscriberId: fc.constantFrom('u1', 'u2', 'u4'),
  preferences: fc.constantFrom(
    undefined,
    { channels: { email: false } },
    { channels: { in_app: false } },
  ),
  mode: fc.constantFrom(...modes),
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

it(
  'a preview and the engine agree on every step',
  () => inWorlds(25, world, compare),
  worldsTimeout(25),
);

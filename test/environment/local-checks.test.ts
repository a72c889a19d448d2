// Checks of workflows before they are sent.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findWorkflowErrors } from '../../src/environment/mistakes.ts';
import { type NormalWorkflow, toNormalWorkflow } from '../../src/environment/normal-form.ts';
import { createWorkflowBody } from '../../src/service/schemas/workflow-writes.ts';
import { anyWorkflow } from './any-workflow.ts';

const body = ({ preferences, ...workflow }: NormalWorkflow) => ({
  ...workflow,
  preferences: { user: preferences.user, workflow: preferences.default },
});

it('a workflow without errors is a valid request', () => {
  fc.assert(
    fc.property(anyWorkflow, (workflow) => {
      fc.pre(findWorkflowErrors(workflow).length === 0);
      expect(createWorkflowBody.safeParse(body(workflow)).error).toBeUndefined();
    }),
  );
});

const step = { stepId: 'a', name: 'A', type: 'sms', controlValues: {} };

it.each([
  [{ name: 'x'.repeat(129) }, 'name is longer than 128 characters'],
  [{ name: ' ' }, 'name is empty'],
  [{ description: 'x'.repeat(257) }, 'description is longer than 256 characters'],
  [{ tags: Array.from({ length: 17 }, (_unused, index) => `t${index}`) }, 'more than 16 tags'],
  [{ tags: ['a', 'a'] }, 'a tag occurs twice'],
  [{ tags: [''] }, 'a tag is empty or longer than 64 characters'],
  [
    { steps: Array.from({ length: 21 }, (_unused, index) => ({ ...step, stepId: `s${index}` })) },
    'more than 20 steps',
  ],
  [{ steps: [{ ...step, stepId: 'A b' }] }, 'step A b: stepId must consist of'],
  [
    { steps: [{ ...step, type: 'digest', controlValues: { cron: 'zzz' } }] },
    '`zzz` is not a cron expression',
  ],
])('%j is refused', (change, message) => {
  const errors = findWorkflowErrors(toNormalWorkflow({ workflowId: 'w', ...change }));
  expect(errors.join('\n')).toContain(message);
});

it.each(['*/5 * * * *', '0 9 * * MON-FRI', '0 0 9 1,15 * ?'])('%s is a cron expression', (cron) => {
  const steps = [{ ...step, type: 'digest', controlValues: { cron } }];
  expect(findWorkflowErrors(toNormalWorkflow({ workflowId: 'w', steps }))).toEqual([]);
});

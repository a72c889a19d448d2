// A seed whose `skip` conditions do not name their mode.
import { afterEach, expect, it, vi } from 'vitest';
import type { SandboxState } from '../../src/testing/types.ts';
import { openTestSandbox } from './open.ts';

const seed = (workflowId: string, compat?: 'novu'): SandboxState => ({
  version: 1,
  ...(compat === undefined ? {} : { compat }),
  environments: [
    {
      name: 'Development',
      workflows: [
        {
          workflowId,
          steps: [
            {
              stepId: 'sms',
              type: 'sms',
              controlValues: { body: 'Hello', skip: { '==': [{ var: 'payload.plan' }, 'pro'] } },
            },
          ],
        },
      ],
    },
  ],
});

afterEach(() => void vi.restoreAllMocks());

it('is reported once', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  await openTestSandbox({ seed: seed('billing') });
  await openTestSandbox({ seed: seed('billing') });
  expect(warn.mock.calls).toEqual([
    [
      'The option seed does not name the mode of the skip conditions of these workflows: billing. In this sandbox, a true condition runs the step. Mark it with `compat: novu` if that is right, else with `compat: specification`.',
    ],
  ]);
  await openTestSandbox({ seed: seed('other') });
  expect(warn).toHaveBeenCalledTimes(2);
});

it('is not reported if the seed or the option compat names the mode', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  await openTestSandbox({ seed: seed('marked', 'novu') });
  await openTestSandbox({ seed: seed('given'), compat: 'specification' });
  expect(warn).not.toHaveBeenCalled();
});

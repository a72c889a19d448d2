// Issues of workflows on newer servers, and the conditions that they understand.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { isConditionMet } from '../../../src/sandbox/engine/conditions.ts';
import { openNewerService } from '../../support/newer-service.ts';

const step = (severity?: string) => ({
  ...{ stepId: 'text', name: 'Text', type: 'sms', controlValues: { body: 'Hello' } },
  issues: {
    controls: {
      body: [{ issueType: 'INVALID_URL', message: 'is odd', ...(severity ? { severity } : {}) }],
    },
  },
});

const open = (severity?: string, status = 'ACTIVE') =>
  openNewerService({
    workflows: {
      development: [{ workflowId: 'w', name: 'W', active: false, steps: [step(severity)] }],
    },
    others: ({ method, target }) =>
      method === 'PATCH' && target === '/v2/workflows/w'
        ? {
            status: 200,
            body: {
              data: { workflowId: 'w', name: 'W', status, active: true, steps: [step(severity)] },
            },
          }
        : undefined,
  });

it('a warning is shown as a warning, an error without it', async () => {
  for (const [severity, text] of [
    ['warning', 'warning: is odd'],
    ['error', /[^:] is odd/],
    [undefined, /[^:] is odd/],
  ] as const) {
    const { svc } = await open(severity);
    const { stdout } = await svc(['workflows', 'get', 'w'], { tty: true });
    expect(stdout).toMatch(text);
  }
});

it('a push of a workflow with warnings succeeds and prints them', async () => {
  const { svc, folder } = await open('warning');
  await svc(['workflows', 'pull']);
  const file = path.join(folder, 'workflows', 'w.yaml');
  writeFileSync(file, readFileSync(file, 'utf8').replace('Hello', 'Bye'));
  const pushed = await svc(['workflows', 'push', '--yes'], { tty: true });
  expect(pushed.code).toBe(0);
  expect(pushed.stdout).toContain('step text, body: warning: is odd');
});

it('an activation that ends in ERROR says so', async () => {
  const { svc } = await open('error', 'ERROR');
  const { code, stderr } = await svc(['workflows', 'enable', 'w']);
  expect(code).toBe(0);
  expect(stderr).toContain('workflow `w` is active, but its status is ERROR');
  const { svc: other } = await open('warning');
  expect((await other(['workflows', 'enable', 'w'])).stderr).not.toContain('ERROR');
});

it.each([
  ['containsAny', ['a', 'x'], true],
  ['containsAny', ['x'], false],
  ['containsAny', 'a', false],
  ['doesNotContainAny', ['x'], true],
  ['doesNotContainAny', ['a'], false],
])('the operator %s with %j is %s', (operator, list, expected) => {
  const variables = { payload: { tags: ['a', 'b'] } };
  const condition = { [operator]: [{ var: 'payload.tags' }, list] };
  expect(isConditionMet(condition, variables, 0)).toBe(expected);
});

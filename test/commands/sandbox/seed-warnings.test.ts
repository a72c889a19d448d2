// Warnings of `svc sandbox seed` for workflows with errors, and seeds that are workflow files.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { writeInput } from '../../support/rig.ts';
import { openSandboxRig } from './sandbox-rig.ts';

const workflow = (id: string, body: string) =>
  `# svc workflow, format 1\nworkflowId: ${id}\nname: ${id}\nsteps:\n  - { stepId: text, name: Text, type: sms, controlValues: { body: "${body}" } }\n`;

it('svc sandbox seed warns of errors in the steps of workflows, and loads them', async () => {
  const rig = await openSandboxRig();
  mkdirSync(path.join(rig.folder, 'workflows'));
  writeInput(rig, 'workflows/good.yaml', workflow('good', 'Hello'));
  writeInput(rig, 'workflows/bad.yaml', workflow('bad', 'Hello {{subscriber.fistName}}'));
  const folder = await rig.svc(['sandbox', 'seed', 'workflows', '--yes']);
  expect(folder).toMatchObject({
    code: 0,
    stderr:
      'Warning: workflows/bad.yaml: workflow bad, step text, body: Variable "subscriber.fistName" is not supported\n',
  });
  const list = await rig.svc(['workflows', 'list', '-o', 'ids']);
  expect(list.stdout.split('\n').sort()).toEqual(['', 'bad', 'good']);
  const file = await rig.svc(['sandbox', 'seed', 'workflows/good.yaml', '--yes']);
  expect(file).toMatchObject({ code: 0, stderr: '' });
  expect((await rig.svc(['workflows', 'list', '-o', 'ids'])).stdout).toBe('good\n');
});

it('svc sandbox seed prints the warnings also with --json, and fails with --strict', async () => {
  const rig = await openSandboxRig();
  writeInput(rig, 'bad.yaml', workflow('bad', 'Hello {{subscriber.fistName}}'));
  const line = ['sandbox', 'seed', 'bad.yaml', '--yes'];
  const problem = 'bad.yaml: workflow bad, step text, body: Variable "subscriber.fistName"';
  const strict = await rig.svc([...line, '--strict']);
  expect(strict).toMatchObject({ code: 2, stdout: '', requests: [] });
  expect(strict.stderr).toContain(
    `Error: The seed has workflows with errors. Fix these steps:\n  ${problem} is not supported\n`,
  );
  const json = await rig.svc([...line, '--json']);
  expect(json).toMatchObject({ code: 0, stderr: `Warning: ${problem} is not supported\n` });
  expect((await rig.svc([...line, '--quiet'])).stderr).toBe('');
});

it('svc sandbox seed names the state file in warnings', async () => {
  const rig = await openSandboxRig();
  const steps = '[{ stepId: text, type: sms, controlValues: { body: "{{subscriber.x}}" } }]';
  writeInput(
    rig,
    'state.yaml',
    `version: 1\nenvironments:\n  - name: Development\n    workflows: [{ workflowId: code, steps: ${steps} }]\n`,
  );
  expect((await rig.svc(['sandbox', 'seed', 'state.yaml', '--yes'])).stderr).toBe(
    'Warning: state.yaml: workflow code, step text, body: Variable "subscriber.x" is not supported\n',
  );
});

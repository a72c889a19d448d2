// Errors in the workflows of a seed, seeds of one workflow file, and states without integrations.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { SandboxState, StepState } from '../../src/testing/types.ts';
import { startSandbox } from '../support/sandbox-311.ts';
import { openTestSandbox, state, trigger } from './open.ts';

function openFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-testing-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const workflowFile = (id: string, subject: string) =>
  [
    '# svc workflow, format 1',
    `workflowId: ${id}`,
    `name: ${id}`,
    'steps:',
    '  - stepId: mail',
    '    name: Mail',
    '    type: email',
    '    controlValues:',
    `      subject: "${subject}"`,
    '      body: <p>Hello</p>',
    '      editorType: html',
    '',
  ].join('\n');

const broken = 'Hello {{ subscriber.firstName';
const brokenMessage =
  'step mail, subject: Variable "{{}}" output "{{ subscriber.firstName" not closed';

describe('a seed with an error in a step', () => {
  it('is rejected, with file, workflow and step', async () => {
    const folder = openFolder();
    writeFileSync(path.join(folder, 'bad.yaml'), workflowFile('bad', broken));
    writeFileSync(path.join(folder, 'good.yaml'), workflowFile('good', 'Hello'));
    await expect(startSandbox({ seed: folder })).rejects.toThrow(
      [
        'The seed has workflows with errors. Fix these steps:',
        `  ${folder}/bad.yaml: workflow bad, ${brokenMessage}`,
      ].join('\n'),
    );
  });

  it('is rejected with the file that contains the text', async () => {
    const folder = openFolder();
    const text = workflowFile('bad', 'Hello').replace('<p>Hello</p>', '{ $file: bad.mail.html }');
    writeFileSync(path.join(folder, 'bad.yaml'), text);
    writeFileSync(path.join(folder, 'bad.mail.html'), '<p>{{ payload.name | foo }}</p>');
    const error = await startSandbox({ seed: folder }).catch((thrown: Error) => thrown);
    expect(String(error).split('\n').slice(1)).toEqual([
      expect.stringMatching(
        /^ {2}\S+\/bad\.mail\.html: workflow bad, step mail, body: .* undefined filter: foo$/,
      ),
    ]);
  });

  it.each([
    [
      'digest',
      { amount: 1, unit: 'hour' },
      ['unit: must be one of: seconds, minutes, hours, days, weeks, months'],
    ],
    ['digest', { type: 'cron', cron: '* * * * *' }, ['type: must be one of: regular, timed']],
    [
      'digest',
      { type: 'timed', amount: 1, unit: 'hours' },
      [
        'cron: Cron is required',
        'amount: unknown control. The controls are: skip, type, cron, digestKey, extendToSchedule.',
        'unit: unknown control. The controls are: skip, type, cron, digestKey, extendToSchedule.',
      ],
    ],
    ['digest', {}, ['amount: Amount is required', 'unit: Unit is required']],
    ['delay', { type: 'regular', amount: 1, units: 'days' }, ['unit: Unit is required']],
    [
      'throttle',
      { type: 'fixed', amount: 1, unit: 'hours', limit: 2 },
      [
        'limit: unknown control. The controls are: skip, type, amount, unit, dynamicKey, threshold, throttleKey.',
      ],
    ],
  ] as const)('is rejected in a %s with %j', async (type, controlValues, errors) => {
    const steps: StepState[] = [{ stepId: 'wait', type, controlValues }];
    const environments = [{ name: 'Development', workflows: [{ workflowId: 'bad', steps }] }];
    const error = await startSandbox({ seed: { version: 1, environments } }).catch(
      (thrown: Error) => thrown,
    );
    const prefix = '  The option seed: workflow bad, step wait, ';
    expect(String(error).split('\n').slice(1)).toEqual(errors.map((text) => `${prefix}${text}`));
  });

  it('is rejected as an object', async () => {
    const steps: StepState[] = [
      { stepId: 'sms', type: 'sms', controlValues: { body: 'Hi {{subscriber.fistName}}' } },
    ];
    const environments = [{ name: 'Development', workflows: [{ workflowId: 'bad', steps }] }];
    await expect(startSandbox({ seed: { version: 1, environments } })).rejects.toThrow(
      'The option seed: workflow bad, step sms, body: Variable "subscriber.fistName" is not supported',
    );
  });

  it('is accepted in a workflow that is inactive', async () => {
    const steps: StepState[] = [{ stepId: 'sms', type: 'sms' }];
    const workflows = [{ workflowId: 'bad', active: false, steps }];
    const sandbox = await openTestSandbox({
      seed: { version: 1, environments: [{ name: 'Development', workflows }] },
    });
    expect(await sandbox.messages({ workflow: 'bad' })).toEqual([]);
  });

  it('is accepted if the step says that it has issues', async () => {
    const issues = { controls: { body: [{ message: 'Body is required' }] } };
    const steps: StepState[] = [{ stepId: 'sms', type: 'sms', issues }];
    const environments = [{ name: 'Development', workflows: [{ workflowId: 'bad', steps }] }];
    const sandbox = await openTestSandbox({ seed: { version: 1, environments } });
    expect(await sandbox.messages({ workflow: 'bad' })).toEqual([]);
  });
});

describe('a seed that is one workflow file', () => {
  it('loads this workflow and the layouts', async () => {
    const folder = openFolder();
    writeFileSync(path.join(folder, 'one.yaml'), workflowFile('one', 'Hello'));
    writeFileSync(path.join(folder, 'bad.yaml'), workflowFile('bad', broken));
    mkdirSync(path.join(folder, 'layouts'));
    writeFileSync(
      path.join(folder, 'layouts', 'plain.yaml'),
      '# svc layout, format 1\nlayoutId: plain\nname: Plain\n',
    );
    const sandbox = await openTestSandbox({ seed: path.join(folder, 'one.yaml') });
    const [environment] = (await sandbox.export()).environments;
    expect(environment?.workflows?.map(({ workflowId }) => workflowId)).toEqual(['one']);
    expect(environment?.layouts).toMatchObject([{ layoutId: 'plain' }]);
    await trigger(sandbox, 'one', 'u1');
    expect(await sandbox.activity()).toMatchObject([{ steps: [{ cause: 'missing_email' }] }]);
    await expect(startSandbox({ seed: path.join(folder, 'layouts/plain.yaml') })).rejects.toThrow(
      'plain.yaml is a layout file.\nName a folder of workflow files, a workflow file or a state file.',
    );
  });

  it('needs its first line', async () => {
    const file = path.join(openFolder(), 'one.yaml');
    writeFileSync(file, 'workflowId: one\nname: One\n');
    await expect(startSandbox({ seed: file })).rejects.toThrow(
      `${file} looks like a workflow file, but lacks its first line.\nThe first line of a workflow file must be: # svc workflow, format 1`,
    );
  });
});

describe('a state without integrations', () => {
  const [environment] = state.environments;
  const withIntegrations = (integrations?: []): SandboxState => ({
    ...state,
    environments: [{ ...environment, name: 'Development', integrations }, { name: 'Production' }],
  });

  it('has one for each channel in Development', async () => {
    const sandbox = await openTestSandbox({ seed: withIntegrations() });
    await trigger(sandbox, 'sign-up', 'u1');
    expect(await sandbox.messages()).toMatchObject([{ recipient: 'ada@example.com' }]);
    const { environments } = await sandbox.export();
    expect(
      environments.map(({ integrations = [] }) => integrations.map(({ channel }) => channel)),
    ).toEqual([['in_app', 'email', 'sms', 'chat', 'push'], []]);
  });

  it('has none if the list is empty', async () => {
    const sandbox = await openTestSandbox({ seed: withIntegrations([]) });
    await trigger(sandbox, 'sign-up', 'u1');
    expect(await sandbox.messages()).toEqual([]);
    expect(await sandbox.activity()).toMatchObject([
      { steps: [{ cause: 'no_active_integration' }] },
    ]);
  });
});

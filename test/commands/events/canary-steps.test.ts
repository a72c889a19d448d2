// The steps of a workflow that a canary judges: those before the first digest or delay that takes longer than it waits.
import { describe, expect, it } from 'vitest';
import { printedError } from '../../support/printed-error.ts';
import { parsed } from '../../support/rig.ts';
import {
  addWorkflow,
  answerJobs,
  digest,
  email,
  eventsPerRequest,
  inApp,
  openRecipients,
  trigger,
} from './canary-rig.ts';

const campaign = (line: string[]) => line.map((word) => (word === 'welcome' ? 'campaign' : word));
const delay = (amount: number) => ({
  ...{ name: 'Delay', stepId: `delay-${amount}`, type: 'delay' },
  controlValues: { type: 'regular', amount, unit: 'minutes' },
});

describe('a canary', () => {
  it('judges the steps before a digest that takes too long, and renders the later ones', async () => {
    const { rig, file } = await openRecipients();
    await addWorkflow(rig, [inApp, digest, email('Hello {{subscriber.firstName}}')]);
    const line = trigger(file, '10', '--canary-timeout', '5m');
    line[2] = 'campaign';
    const { code, stdout, requests, stderr } = await rig.svc(line, { tty: 'stderr', columns: 400 });
    expect(code).toBe(0);
    expect(eventsPerRequest(requests)).toEqual([10, 20]);
    expect(parsed(stdout)).toMatchObject({ canary: { delivered: 10, waiting: 0 } });
    expect(stderr).toContain(
      'The canary judges in_app. email comes after a digest of 10m, longer than --canary-timeout 5m: its content was only rendered here, without errors.',
    );
  });

  it('judges the same steps when the run is resumed', async () => {
    const { rig, file } = await openRecipients();
    await addWorkflow(rig, [inApp, digest, email('Hello')]);
    const line = trigger(file, '10', '--canary-timeout', '1s');
    line[2] = 'campaign';
    answerJobs(rig, { in_app: 'failed' }, 'digest');
    expect((await rig.svc(line)).code).toBe(9);
    answerJobs(rig, { in_app: 'completed' }, 'digest');
    const { code, requests } = await rig.svc(['runs', 'resume', 'last', '--json']);
    expect(code).toBe(0);
    expect(eventsPerRequest(requests)).toEqual([20]);
  });

  it.each([
    ['waits for delays of exactly --canary-timeout', '6m', 'completed', 9],
    ['does not wait for delays that together take longer', '359s', 'completed', 0],
    ['judges what comes between such delays', '359s', 'failed', 9],
  ])('%s', async (_name, timeout, sent, code) => {
    const { rig, file } = await openRecipients();
    const delay = (amount: number) => ({
      ...{ name: 'Delay', stepId: `delay-${amount}`, type: 'delay' },
      controlValues: { type: 'regular', amount, unit: 'minutes' },
    });
    await addWorkflow(rig, [inApp, delay(2), email('Hello'), delay(4)]);
    answerJobs(rig, { in_app: 'completed', delay: 'completed', email: sent }, 'delay');
    const line = trigger(file, '10', '--canary-timeout', timeout);
    line[2] = 'campaign';
    expect((await rig.svc(line)).code).toBe(code);
  });

  it('is refused before anything is sent if a later step cannot be rendered', async () => {
    const { rig, file } = await openRecipients();
    await addWorkflow(rig, [
      inApp,
      digest,
      email('Hello {{ subscriber.firstName | json: }} {% if %}'),
    ]);
    const line = trigger(file, '10');
    line[2] = 'campaign';
    const { code, requests, stderr } = await rig.svc(line);
    expect({ code, sent: eventsPerRequest(requests) }).toEqual({ code: 2, sent: [] });
    expect(printedError(stderr)).toMatchObject({
      message: 'The canary cannot check the later steps, and they cannot be rendered.',
      hint: 'Nothing was sent. Fix the steps, then run the command again.',
      details: [{ field: 'step mail', message: expect.stringMatching(/\S/) }],
    });
  });

  it.each([
    [
      'a delay of 3d',
      { type: 'delay', controlValues: { type: 'regular', amount: 3, unit: 'days' } },
    ],
    [
      'a digest with a schedule',
      {
        type: 'digest',
        controlValues: { type: 'timed', cron: '0 9 * * 1', amount: 1, unit: 'minutes' },
      },
    ],
  ])('is refused if every message comes after %s', async (wait, step) => {
    const { rig, file } = await openRecipients();
    await addWorkflow(rig, [{ name: 'Wait', stepId: 'wait', ...step }, email('Hello')]);
    const line = trigger(file, '10');
    line[2] = 'campaign';
    const { code, requests, stderr } = await rig.svc(line);
    expect({ code, sent: eventsPerRequest(requests) }).toEqual({ code: 2, sent: [] });
    const error = printedError(stderr);
    expect(error.message).toBe(
      `A canary cannot work here: every message of workflow campaign comes after ${wait}, longer than --canary-timeout 5m.`,
    );
    const longer = wait.endsWith('3d') ? 'set a --canary-timeout longer than 3d, ' : '';
    expect(error.hint).toBe(
      `Nothing was sent. Check workflow and rows with --validate-only, ${longer}or trigger one recipient first.`,
    );
    expect(error.next).toEqual([
      `svc events trigger campaign --recipients ${file} --validate-only`,
      'svc events trigger campaign --to <subscriber-id>',
    ]);
    expect((await rig.svc(['runs', 'list', '-o', 'ids'])).stdout).toBe('');
  });

  it('names the channels before and after the wait, and no other steps', async () => {
    const { rig, file } = await openRecipients();
    const untyped = { ...digest, controlValues: { amount: 10, unit: 'minutes' } };
    await addWorkflow(rig, [delay(1), inApp, untyped, email('Hello')]);
    answerJobs(rig, { delay: 'completed', in_app: 'completed' }, 'digest');
    const line = campaign(trigger(file, '10'));
    const { stderr } = await rig.svc(line, { tty: 'stderr', columns: 400 });
    expect(stderr).toContain(
      'The canary judges in_app. email comes after a digest of 11m, longer than --canary-timeout 5m: ',
    );
  });

  it('counts the waits up to the one that takes too long', async () => {
    const { rig, file } = await openRecipients();
    await addWorkflow(rig, [inApp, digest, email('Hello'), { ...digest, stepId: 'second' }]);
    answerJobs(rig, { in_app: 'completed' }, 'digest');
    const { code } = await rig.svc(campaign(trigger(file, '10', '--canary-timeout', '10s')));
    expect(code).toBe(0);
  });

  it('says nothing of later steps that send nothing', async () => {
    const { rig, file } = await openRecipients();
    await addWorkflow(rig, [inApp, digest]);
    answerJobs(rig, { in_app: 'completed' }, 'digest');
    const line = campaign(trigger(file, '10'));
    const { code, stderr } = await rig.svc(line, { tty: 'stderr', columns: 400 });
    expect(code).toBe(0);
    expect(stderr).not.toContain('The canary judges');
  });

  it('waits for a delay whose length is in the payload', async () => {
    const { rig, file } = await openRecipients();
    const wait = { type: 'dynamic', dynamicKey: 'payload.until' };
    await addWorkflow(rig, [
      { name: 'Wait', stepId: 'wait', type: 'delay', controlValues: wait },
      email('Hello'),
    ]);
    answerJobs(rig, { delay: 'completed' }, 'email');
    const line = campaign(trigger(file, '10', '--canary-timeout', '10s'));
    const { code, stdout } = await rig.svc(line);
    expect({ code, canary: parsed(stdout).canary }).toMatchObject({
      code: 9,
      canary: { waiting: 10 },
    });
  });
});

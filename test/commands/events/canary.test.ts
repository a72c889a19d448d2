import { describe, expect, it } from 'vitest';
import { printedError } from '../../support/printed-error.ts';
import { parsed, writeInput } from '../../support/rig.ts';
import {
  answerActivity,
  eventsPerRequest,
  openRecipients,
  recipients,
  setEmail,
  trigger,
} from './canary-rig.ts';

describe('--canary', () => {
  it('sends the other rows after the first ones were delivered', async () => {
    const { rig, file } = await openRecipients();
    const { code, stdout, requests } = await rig.svc(trigger(file, '10'));
    expect(code).toBe(0);
    expect(eventsPerRequest(requests)).toEqual([10, 20]);
    expect(parsed(stdout)).toMatchObject({
      triggered: 30,
      canary: { sent: 10, delivered: 10, failed: 0, skipped: 0, waiting: 0, rate: 1, reasons: [] },
      stopped: null,
    });
  });

  it('stops with exit code 9 when a step fails, and reaches no one else', async () => {
    const { rig, file } = await openRecipients();
    await setEmail(rig, 'disable');
    const { code, stdout, stderr, requests } = await rig.svc(trigger(file, '10'));
    expect(code).toBe(9);
    expect(eventsPerRequest(requests)).toEqual([10]);
    expect(parsed(stdout)).toMatchObject({
      triggered: 10,
      canary: { sent: 10, delivered: 0, failed: 10, skipped: 0, waiting: 0, rate: 0 },
      stopped: { reason: 'canary' },
    });
    expect(parsed(stderr)).toMatchObject({ error: { code: 9 } });
    const runId = (parsed(stdout) as { runId: string }).runId;
    expect(parsed(stderr)).toMatchObject({
      error: { next: [`svc runs resume ${runId}`, `svc runs resume ${runId} --skip-canary`] },
    });
    expect(stderr).toContain('Canary: 0 delivered, 10 failed');
    const resumed = await rig.svc(['runs', 'resume', 'last', '--json']);
    expect(resumed.code).toBe(9);
    expect(eventsPerRequest(resumed.requests)).toEqual([]);
  });

  it('shows channels and reasons', async () => {
    const { rig, file } = await openRecipients();
    answerActivity(rig, () => 'failed');
    const line = trigger(file, '10').filter((word) => word !== '--json');
    const { stderr, stdout } = await rig.svc(line, { tty: 'stdout', columns: 300 });
    expect(stdout).toMatch(
      /^Stopped early because the canary did not pass after line 11: triggered 10 of 10 rows .*\nCanary: .*\.\nResume: svc runs resume (\S+)\nSend the other rows anyway: svc runs resume \1 --skip-canary\n$/,
    );
    const piped = await rig.svc(['runs', 'resume', 'last']);
    expect(piped.stderr).toMatch(
      /\n {2}svc runs resume (\S+)\n {2}svc runs resume \1 --skip-canary\n$/,
    );
    const resumed = await rig.svc(['runs', 'resume', 'last'], { tty: 'stdout', columns: 300 });
    expect(resumed.stdout).toContain('did not pass: triggered 10 of 10 rows');
    expect(stderr).toContain('Canary: 10 events sent. Waiting up to 5m until they are finished.\n');
    expect(stderr).toContain(
      'Canary: 0 delivered, 10 failed, 0 skipped, 0 waiting (0% delivered); at least 95% required.\n  email  10 failed\n  10 × email failed: The content could not be rendered: Template is broken.\n',
    );
  });

  it('reports as JSON why messages were not delivered: failed, skipped and waiting ones', async () => {
    const { rig, file } = await openRecipients();
    const statuses = [
      'failed',
      ...Array(4).fill('skipped'),
      ...Array(2).fill('canceled'),
      'queued',
    ];
    const known = new Map<string, string | undefined>();
    answerActivity(rig, (id) => {
      if (!known.has(id)) known.set(id, statuses[known.size]);
      return known.get(id);
    });
    const { code, stdout, stderr } = await rig.svc(trigger(file, '10', '--canary-timeout', '10s'));
    expect(code).toBe(9);
    expect(parsed(stdout).canary).toEqual({
      ...{ sent: 10, delivered: 0, failed: 1, skipped: 6, waiting: 3, rate: 0 },
      reasons: [
        { cause: 'global_preference', count: 4 },
        // Two events are not in the activity.
        { cause: 'queued', count: 3 },
        { cause: 'missing_email', count: 2 },
        { cause: 'template_error', count: 1 },
      ],
    });
    const error = printedError(stderr);
    expect(error.details.map(({ field, message }) => `${field}: ${message}`)).toEqual([
      'canary: 4 × The subscriber turned off the channel for all workflows.',
      'canary: 3 × The step has not run yet.',
      'canary: 2 × The subscriber had no e-mail address.',
      'canary: 1 × The content could not be rendered.',
    ]);
    const resumed = await rig.svc(['runs', 'resume', 'last'], { tty: 'stderr', columns: 300 });
    expect(resumed.stderr).toContain(
      '  4  email skipped: The subscriber turned off e-mail for all workflows.',
    );
    expect(resumed.stderr).toContain('  2  email skipped: The subscriber had no e-mail address.');
    expect(resumed.stderr).toContain('  2  the event is not in the activity yet');
  });

  it('reads the deliveries again when the run is resumed, and then sends the other rows', async () => {
    const { rig, file } = await openRecipients();
    answerActivity(rig, () => 'failed');
    expect((await rig.svc(trigger(file, '10'))).code).toBe(9);
    answerActivity(rig, () => 'completed');
    const { code, stdout, requests } = await rig.svc(['runs', 'resume', 'last', '--json']);
    expect(code).toBe(0);
    expect(eventsPerRequest(requests)).toEqual([20]);
    expect(requests[0]?.line).toMatch(/^GET \/v1\/notifications/);
    expect(parsed(stdout)).toMatchObject({ triggered: 30, canary: { delivered: 10, rate: 1 } });
  });

  it('asks about --skip-canary before it sends the rest of the canary', async () => {
    const { rig, file } = await openRecipients();
    rig.answerWrites({ status: 401, body: { message: 'no' } });
    expect((await rig.svc(trigger(file, '10'))).code).toBe(4);
    const { code, stderr, requests } = await rig.svc(['runs', 'resume', 'last', '--skip-canary']);
    expect({ code, sent: eventsPerRequest(requests) }).toEqual({ code: 2, sent: [] });
    expect(stderr).toContain('to send the other rows even if the canary does not pass');
  });

  it('says that the last run has no canary, and names the run that has one', async () => {
    const { rig, file } = await openRecipients();
    answerActivity(rig, () => 'failed');
    const { code: stopped, stdout } = await rig.svc(trigger(file, '10'));
    expect(stopped).toBe(9);
    const { runId } = parsed(stdout) as { runId: string };
    await rig.svc(['events', 'cancel', '--run', runId, '--yes']);
    const { code, stderr } = await rig.svc(['runs', 'resume', 'last', '--skip-canary', '--json']);
    expect(code).toBe(2);
    expect(printedError(stderr)).toMatchObject({
      message: expect.stringMatching(/^Run \S+ has no canary, so --skip-canary does not apply\.$/),
      next: [`svc runs resume ${runId} --skip-canary`],
    });
  });

  it('with a percentage of standard input is refused and leaves no run', async () => {
    const { rig } = await openRecipients();
    const line = ['events', 'trigger', 'welcome', '--recipients', '-', '--canary', '5%', '--yes'];
    const { code, stderr, requests } = await rig.svc(line, { stdin: 'subscriberId\nu1\n' });
    expect({ code, sent: eventsPerRequest(requests) }).toEqual({ code: 2, sent: [] });
    expect(stderr).toContain('the percentage `5%` needs a file');
    expect((await rig.svc(['runs', 'list', '--json'])).stdout).toBe('[]\n');
  });

  it('continues regardless with --skip-canary, after a confirmation', async () => {
    const { rig, file } = await openRecipients();
    answerActivity(rig, () => 'failed');
    expect((await rig.svc(trigger(file, '10'))).code).toBe(9);
    const resume = ['runs', 'resume', 'last', '--skip-canary', '--json'];
    const unconfirmed = await rig.svc(resume);
    expect(unconfirmed.code).toBe(2);
    expect(eventsPerRequest(unconfirmed.requests)).toEqual([]);
    const { code, stdout, requests } = await rig.svc([...resume, '--yes']);
    expect(code).toBe(0);
    expect(eventsPerRequest(requests)).toEqual([20]);
    expect(parsed(stdout)).toMatchObject({ canary: { failed: 10, rate: 0 }, stopped: null });
  });

  it.each<[string, string[], Record<string, number>, boolean]>([
    ['a rate below 95%', [], { failed: 1, completed: 9 }, false],
    ['a rate of --canary-rate', ['--canary-rate', '90%'], { failed: 1, completed: 9 }, true],
    ['a rate without a percent sign', ['--canary-rate', '90'], { failed: 1, completed: 9 }, true],
    ['skipped deliveries', [], { skipped: 5, completed: 5 }, true],
    ['only skipped deliveries', [], { skipped: 10 }, false],
    ['waiting deliveries', ['--canary-timeout', '10s'], { delayed: 1, completed: 9 }, false],
    ['events without activity', ['--canary-timeout', '10s'], { completed: 9 }, false],
  ])('decides by the rule: %s', async (_name, options, counts, isPassed) => {
    const { rig, file } = await openRecipients();
    const statuses = Object.entries(counts).flatMap(([status, count]) =>
      Array<string>(count).fill(status),
    );
    const known = new Map<string, string | undefined>();
    answerActivity(rig, (id) => {
      if (!known.has(id)) known.set(id, statuses[known.size]);
      return known.get(id);
    });
    const { code, requests, slept } = await rig.svc(trigger(file, '10', ...options));
    expect(code).toBe(isPassed ? 0 : 9);
    expect(eventsPerRequest(requests)).toEqual(isPassed ? [10, 20] : [10]);
    expect(slept).toBeLessThanOrEqual(10_000);
  });

  it('waits until deliveries are finished', async () => {
    const { rig, file } = await openRecipients();
    let polls = 0;
    answerActivity(rig, () => {
      polls += 1;
      return polls > 40 ? 'completed' : 'queued';
    });
    const { code, slept } = await rig.svc(trigger(file, '10'));
    expect(code).toBe(0);
    expect(slept).toBeGreaterThan(1_000);
  });

  it('counts events that the service rejects as failed', async () => {
    const { rig, file } = await openRecipients();
    const line = trigger(file, '5', '--canary-timeout', '5s');
    line[2] = 'legacy-newsletter';
    const { code, stdout } = await rig.svc(line);
    expect(code).toBe(9);
    expect(parsed(stdout)).toMatchObject({
      failed: 5,
      canary: { sent: 5, delivered: 0, failed: 5, waiting: 0, rate: 0 },
    });
    expect(parsed(stdout).canary).toMatchObject({ reasons: [{ cause: 'rejected', count: 5 }] });
  });

  it('does not count invalid rows', async () => {
    const { rig } = await openRecipients();
    const file = writeInput(rig, 'bad.csv', `subscriberId\n,x\n${recipients.join('\n')}\n`);
    const { requests, stdout } = await rig.svc(
      trigger(file, '10').filter((word) => !word.includes('update')),
    );
    expect(eventsPerRequest(requests)).toEqual([10, 20]);
    expect(parsed(stdout)).toMatchObject({ invalid: 1, canary: { sent: 10, delivered: 10 } });
  });

  it('takes a percentage of the rows of a file', async () => {
    const { rig, file } = await openRecipients();
    expect(eventsPerRequest((await rig.svc(trigger(file, '5%'))).requests)).toEqual([2, 28]);
    const { requests } = await rig.svc(trigger(file, '20%'));
    expect(eventsPerRequest(requests)).toEqual([6, 24]);
  });

  it('checks the first rows of a shard', async () => {
    const { rig, file } = await openRecipients();
    const { requests, stdout } = await rig.svc(trigger(file, '3', '--shard', '0/2'));
    const [first, rest = 0] = eventsPerRequest(requests);
    expect(first).toBe(3);
    expect(rest).toBeLessThan(27);
    expect(parsed(stdout)).toMatchObject({ triggered: 3 + rest, canary: { sent: 3 } });
  });

  it('continues a canary that was interrupted', async () => {
    const { rig, file } = await openRecipients();
    rig.answerWrites({ status: 401, body: { message: 'no' } });
    expect((await rig.svc(trigger(file, '10'))).code).toBe(4);
    const { code, requests } = await rig.svc(['runs', 'resume', 'last', '--json']);
    expect(code).toBe(0);
    expect(eventsPerRequest(requests)).toEqual([10, 20]);
  });

  it('is not checked again after it has passed', async () => {
    const { rig, file } = await openRecipients();
    rig.answerWrites('sandbox', { status: 401, body: { message: 'no' } });
    expect((await rig.svc(trigger(file, '10'))).code).toBe(4);
    answerActivity(rig, () => 'failed');
    const { code, requests } = await rig.svc(['runs', 'resume', 'last', '--json']);
    expect({ code, sent: eventsPerRequest(requests) }).toEqual({ code: 0, sent: [20] });
  });

  it('checks a file that is smaller than the canary', async () => {
    const { rig, file } = await openRecipients();
    answerActivity(rig, () => 'failed');
    const { code, stdout } = await rig.svc(trigger(file, '100'));
    expect(code).toBe(9);
    expect(parsed(stdout)).toMatchObject({ triggered: 30, canary: { sent: 30, failed: 30 } });
  });

  it('is not part of a dry run or a validation', async () => {
    const { rig, file } = await openRecipients();
    for (const option of ['--dry-run', '--validate-only']) {
      const { code, requests } = await rig.svc(trigger(file, '10', option));
      expect({ code, sent: eventsPerRequest(requests) }).toEqual({ code: 0, sent: [] });
    }
  });

  it.each<[string[], string]>([
    [['0'], '--canary: `0` must be a number of rows'],
    [['101%'], '--canary: `101%` must be'],
    [['x'], '--canary: `x` must be'],
    [['5', '--canary-rate', '101%'], '--canary-rate: `101%` must be a percentage'],
  ])('rejects %j', async (options, expected) => {
    const { rig, file } = await openRecipients();
    const { code, stderr, requests } = await rig.svc(trigger(file, ...options));
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain(expected);
  });

  it.each([
    ['--canary', '5'],
    ['--shard', '0/2'],
  ])('applies only to --recipients, like %s', async (...options) => {
    const { rig } = await openRecipients();
    for (const target of [
      ['welcome', '--to', 'u1'],
      ['--file', '-', '--yes'],
    ]) {
      const { code, stderr } = await rig.svc(['events', 'trigger', ...target, ...options], {
        stdin: '',
      });
      expect(code).toBe(2);
      expect(stderr).toContain(`${options[0]} applies only to --recipients`);
    }
  });
});

// The words of a canary while it waits and at its end, and what the run remembers of it.
import { describe, expect, it } from 'vitest';
import { printedError } from '../../support/printed-error.ts';
import { parsed, type Rig, writeInput } from '../../support/rig.ts';
import { unauthorized } from '../../support/runs.ts';
import {
  answerActivity,
  eventsPerRequest,
  openRecipients,
  readActivity,
  trigger,
} from './canary-rig.ts';

const asText = (line: string[]) => line.filter((word) => word !== '--json');

/** Answers with these statuses for the events in the order in which they are read. */
function answerStatuses(rig: Rig, statuses: readonly string[]) {
  const known: string[] = [];
  answerActivity(rig, (id) => {
    if (!known.includes(id)) known.push(id);
    return statuses[known.indexOf(id)];
  });
}

it('says every few seconds what it waits for', async () => {
  const { rig, file } = await openRecipients();
  answerStatuses(rig, [...Array(7).fill('failed'), 'completed', 'queued']);
  const line = asText(trigger(file, '10', '--canary-timeout', '10s'));
  const { code, stderr } = await rig.svc(line, { hasTimers: true });
  expect(code).toBe(9);
  // One event is not in the activity.
  const waiting = '1 × email waiting: The step has not run yet (queued).';
  expect(stderr).toContain(`Canary: 8 of 10 events finished, 10s left; ${waiting}\n`);
  expect(stderr.match(/(?<=finished, )\S+/g)).toEqual(['10s', '10s', '9s', '8s', '7s', '5s', '2s']);
});

it('reads only the events again that are not finished', async () => {
  const { rig, file } = await openRecipients();
  answerStatuses(rig, [...Array(9).fill('completed'), 'queued']);
  const { code, requests } = await rig.svc(trigger(file, '10', '--canary-timeout', '1s'));
  expect(code).toBe(9);
  const read = requests.filter(({ line }) => line.startsWith('GET /v1/notifications'));
  expect(read.map(({ line }) => line.split('transactionId=').length - 1).slice(0, 2)).toEqual([
    10, 1,
  ]);
});

it('reads no page more than it needs', async () => {
  const { rig, file } = await openRecipients();
  rig.answerBy(({ method, url }) => {
    if (method !== 'GET' || url.pathname !== '/v1/notifications') return undefined;
    const { body } = readActivity(() => 'completed')(url);
    return { status: 200, body: { ...body, hasMore: true } };
  });
  const { requests } = await rig.svc(trigger(file, '10'));
  expect(requests.filter(({ line }) => line.startsWith('GET /v1/notifications'))).toHaveLength(1);
});

it('ends with the error of a later read', async () => {
  const { rig, file } = await openRecipients();
  let reads = 0;
  rig.answerBy(({ method, url }) => {
    if (method !== 'GET' || url.pathname !== '/v1/notifications') return undefined;
    reads += 1;
    return reads === 1 ? readActivity(() => 'queued')(url) : unauthorized;
  });
  const { code, stderr } = await rig.svc(trigger(file, '10'));
  expect(code).toBe(4);
  expect(printedError(stderr).message).not.toContain('canary');
});

it('shows the progress of the other rows after it', async () => {
  const { rig, file } = await openRecipients();
  let reads = 0;
  answerActivity(rig, () => {
    reads += 1;
    return reads > 10 ? 'completed' : 'queued';
  });
  rig.answerWrites('sandbox', { status: 429, headers: { 'retry-after': '6' } });
  const { stderr } = await rig.svc(asText(trigger(file, '10')), { hasTimers: true });
  const [before = '', after = ''] = stderr.split('at least 95% required.\n');
  expect(before).toContain('Canary: 0 of 10 events finished');
  expect(after).toContain('Triggering at http');
  expect(after).not.toContain('finished, ');
});

it('names the five most frequent reasons', async () => {
  const { rig, file } = await openRecipients();
  const known: string[] = [];
  rig.answerBy(({ method, url }) => {
    if (method !== 'GET' || url.pathname !== '/v1/notifications') return undefined;
    const data = url.searchParams.getAll('transactionId').map((transactionId) => {
      if (!known.includes(transactionId)) known.push(transactionId);
      const detail = `Reason ${known.indexOf(transactionId) % 7}`;
      const executionDetails = [{ _id: 'd', status: 'Failed', detail, raw: null }];
      const jobs = [{ _id: 'j', type: 'email', status: 'failed', executionDetails }];
      return { _id: transactionId, transactionId, _subscriberId: 's', jobs };
    });
    return { status: 200, body: { page: 0, pageSize: 50, hasMore: false, data } };
  });
  const { stderr } = await rig.svc(asText(trigger(file, '10')));
  const reasons = [2, 2, 2, 1, 1].map(
    (count, index) =>
      `  ${count} × email failed: The content could not be rendered: Reason ${index}.\n`,
  );
  expect(stderr).toContain(`${reasons.join('')}  2 × other reasons\n`);
});

it('has no rate if all messages were skipped', async () => {
  const { rig, file } = await openRecipients();
  answerActivity(rig, () => 'skipped');
  const { stderr } = await rig.svc(asText(trigger(file, '10')));
  expect(stderr).toContain(
    'Canary: 0 delivered, 0 failed, 10 skipped, 0 waiting; at least 95% required.\n  email  10 skipped\n  10 × email skipped: The subscriber turned off e-mail for all workflows.\nError: ',
  );
});

describe('an interrupted canary', () => {
  it('ends with the error, and its rest is sent before the check', async () => {
    const { rig } = await openRecipients();
    const rows = Array.from({ length: 300 }, (_unused, index) => `r${index}\n`).join('');
    // Two rows of the canary are not sent: one is invalid, one is empty.
    const file = writeInput(
      rig,
      'many.csv',
      `subscriberId,email\n,x@example.com\n,\n${rows.replaceAll('\n', ',\n')}`,
    );
    rig.answerWrites('sandbox', unauthorized);
    const ended = await rig.svc(asText(trigger(file, '150')));
    expect(ended.code).toBe(4);
    expect(ended.stderr).toContain('Error: ');
    expect(ended.stdout).not.toContain('not sent.');
    const { code, requests } = await rig.svc(['runs', 'resume', 'last', '--json']);
    expect({ code, sent: eventsPerRequest(requests) }).toEqual({ code: 3, sent: [50, 100, 50] });
    const order = requests.map(({ line }) => line.split(' ')[0]);
    expect([order[0], order[1], order.at(-2), order.at(-1)]).toEqual([
      ...['POST', 'GET', 'POST', 'POST'],
    ]);
  });

  it('is checked although all of its rows were sent before', async () => {
    const { rig, file } = await openRecipients();
    answerActivity(rig, () => 'failed');
    expect((await rig.svc(trigger(file, '100'))).code).toBe(9);
    const { code, requests, stdout } = await rig.svc(['runs', 'resume', 'last', '--json']);
    expect({ code, sent: eventsPerRequest(requests) }).toEqual({ code: 9, sent: [] });
    expect(parsed(stdout).canary).toMatchObject({ sent: 30, failed: 30 });
  });

  it('is in the report of the run after it has passed', async () => {
    const { rig, file } = await openRecipients();
    rig.answerWrites('sandbox', unauthorized);
    expect((await rig.svc(trigger(file, '10'))).code).toBe(4);
    const { stdout } = await rig.svc(['runs', 'resume', 'last', '--json']);
    expect(parsed(stdout)).toMatchObject({ triggered: 30, canary: { sent: 10, delivered: 10 } });
  });
});

it('is not checked if no row was sent', async () => {
  const { rig } = await openRecipients();
  const file = writeInput(rig, 'bad.csv', 'subscriberId,email\n,x\n,y\n');
  const { code, requests, stdout } = await rig.svc(trigger(file, '10'));
  expect({ code, summary: parsed(stdout) }).toMatchObject({ code: 2, summary: { invalid: 2 } });
  expect(requests.filter(({ line }) => line.startsWith('GET /v1/notifications'))).toEqual([]);
  expect(parsed(stdout)).not.toHaveProperty('canary');
});

it('--skip-canary waits for nothing and says so of nothing', async () => {
  const { rig, file } = await openRecipients();
  answerActivity(rig, () => 'queued');
  expect((await rig.svc(trigger(file, '10', '--canary-timeout', '1s'))).code).toBe(9);
  const line = ['runs', 'resume', 'last', '--skip-canary', '--yes'];
  const { code, stderr, slept } = await rig.svc(line);
  expect({ code, slept }).toEqual({ code: 0, slept: 0 });
  expect(stderr).not.toContain('Waiting up to');
});

it('a rate may have blanks around it', async () => {
  const { rig, file } = await openRecipients();
  answerStatuses(rig, ['failed', ...Array(9).fill('completed')]);
  expect((await rig.svc(trigger(file, '10', '--canary-rate', ' 90% '))).code).toBe(0);
});

it('a percentage of standard input says what to do instead', async () => {
  const { rig } = await openRecipients();
  const line = ['events', 'trigger', 'welcome', '--recipients', '-', '--canary', '5%', '--yes'];
  const { stderr } = await rig.svc([...line, '--json'], { stdin: 'subscriberId\nu1\n' });
  expect(printedError(stderr).hint).toBe(
    'The number of rows of standard input is not known before its end. Give a number of rows, or use --spool.',
  );
});

it('without any delivery is not passed, whatever the rate', async () => {
  const { rig, file } = await openRecipients();
  answerActivity(rig, () => 'skipped');
  expect((await rig.svc(trigger(file, '10', '--canary-rate', '0%'))).code).toBe(9);
});

it('a trigger without a canary waits for nothing', async () => {
  const { rig, file } = await openRecipients();
  const line = trigger(file).filter((word) => word !== '--canary');
  const { code, stdout, requests } = await rig.svc(line);
  expect({ code, sent: eventsPerRequest(requests) }).toEqual({ code: 0, sent: [30] });
  expect(parsed(stdout)).not.toHaveProperty('canary');
});

it.each(['--canary-rate', '--canary-timeout'])(
  '%s without --canary sends nothing',
  async (option) => {
    const { rig, file } = await openRecipients();
    const line = trigger(file, option === '--canary-rate' ? '99%' : '10s');
    line[line.indexOf('--canary')] = option;
    const { code, stderr, requests } = await rig.svc(line);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(printedError(stderr)).toMatchObject({
      message: `${option} applies only to --canary.`,
      hint: 'Nothing was sent. Add --canary, or remove the option.',
    });
  },
);

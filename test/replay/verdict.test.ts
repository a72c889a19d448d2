// The verdict of `svc workflows replay`, its formats, and events from files.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { words } from '../support/words.ts';
import { openWeek, week } from './week.ts';

const line = ['workflows', 'replay', 'workflows', '--since', '8d'];

describe('the exit code', () => {
  it.each([
    { options: [], code: 0 },
    { options: ['--check'], code: 10 },
    { options: ['--max-lost', '4'], code: 0 },
    { options: ['--max-lost', '3'], code: 10 },
    { options: ['--max-lost', '50%'], code: 0 },
    { options: ['--max-lost', '5%'], code: 10 },
    { options: ['--check', '--max-changed', '0'], code: 0 },
    { options: ['--check', '--max-lost', '0', '--max-changed', '0'], code: 10 },
  ])('is $code with $options, when four messages are lost', async ({ options, code }) => {
    const { svc, edit } = await openWeek();
    edit('order.yaml', 'active: true', 'active: false');
    const ran = await svc([...line, ...options]);
    expect({ code: ran.code, lost: ran.stdout.split('\n')[2] }).toEqual({
      code,
      lost: 'order\temail\t4\t3\t0\t0\t1\t0',
    });
  });

  it.each([
    [['--max-lost', 'x'], '--max-lost: `x` is not a number or a percentage, such as 20 or 5%.'],
    [['--max-changed', '200%'], '--max-changed: `200%` is not a number or a percentage'],
    [['--to', 'other'], 'Name the workflows to compare: a folder or file, or --to <profile>.'],
    [['--events', 'none.ndjson'], '--since cannot be combined with --events'],
  ])('is 2 for %j', async (options, message) => {
    const { svc } = await openWeek();
    const { code, stderr, requests } = await svc([...line, ...options]);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain(message);
  });

  it('is 9 if the emulator reproduces too little, and the report says why', async () => {
    const { svc } = await openWeek();
    await svc(['subscribers', 'preferences', 'update', 'ada', '--in-app', 'off', '-y']);
    const { code, stdout, stderr } = await svc([...line, '-o', 'json']);
    expect(code).toBe(9);
    expect(stderr).toContain('The emulator reproduced only');
    expect(JSON.parse(stdout).confidence.reasons[0].reason).toContain('preferences');
    for (const least of ['50', '50%'])
      expect((await svc([...line, '--min-confidence', least])).code).toBe(0);
  });
});

describe('--max-events', () => {
  it.each([
    { more: ['--max-events', '11'], warns: false },
    { more: ['--max-events', '10'], warns: true },
    // The events that are left out count, too.
    { more: ['--max-events', '10'], warns: true, isExternal: true },
  ])('warns: $warns with $more', async ({ more, warns, isExternal = false }) => {
    const { svc, answerBy } = await openWeek();
    const { stdout } = await svc(['activity', 'list', '--since', '8d', '--all', '--json']);
    const items = JSON.parse(stdout);
    if (isExternal) items[0].template.origin = 'external';
    answerBy(({ url: { pathname, searchParams } }) => {
      if (pathname !== '/v1/notifications') return undefined;
      const data = Number(searchParams.get('page') ?? 0) === 0 ? items : [];
      return { status: 200, body: { data, page: 0, pageSize: 100, hasMore: false } };
    });
    const { stderr } = await svc([...line, ...more]);
    expect(stderr.includes('Only the newest 10 events are read')).toBe(warns);
  });
});

describe('formats', () => {
  it('are a table with the kinds of change, Markdown, and one object for each difference', async () => {
    const { svc, edit } = await openWeek();
    edit('trial.yaml', 'Your trial ends', 'Your trial is over');
    const shown = await svc([...line, '--show-content'], { tty: true, columns: 80 });
    expect(shown.stdout).toMatchInlineSnapshot(`
      "EVENTS      11 for 4 recipients, from 9 Jan 06:00 to 13 Jan 11:10
      BEFORE      the workflows of http://sandbox.localhost
      AFTER       workflows
      CONFIDENCE  the emulator reproduced 15 of 15 steps (100.0%)

      Messages
      WORKFLOW  CHANNEL  EVENTS  SAME  CHANGED  GAINED  LOST  MOVED
      alert     in_app        3     3        0       0     0      0
      comments  in_app        3     3        0       0     0      0
      order     email         4     4        0       0     0      0
      order     in_app        4     4        0       0     0      0
      trial     email         1     0        1       0     0      0

      Changes, the most frequent first
      STEPS  RESULT   WORKFLOW  STEP  CAUSE
          1  changed  trial     mail  template of step mail: subject

      trial, mail: changed
      transaction trial-1 to bo, 2026-01-12T12:00:00.000Z: differs in subject
        ~ subject: "Your trial ends" → "Your trial is over"
      "
    `);
    const markdown = await svc([...line, '-o', 'markdown']);
    expect(markdown.stdout).toContain('| trial | email | 1 | 0 | 1 | 0 | 0 | 0 |\n');
    expect(markdown.stdout).not.toContain('Your trial');
    const { stdout } = await svc([...line, '-o', 'ndjson']);
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ workflow: 'trial', step: 'mail', result: 'changed', parts: ['subject'] },
      ...{ transactionId: 'trial-1', subscriberId: 'bo', cause: 'template of step mail: subject' },
    });
  });

  it('show no personal data with --anonymous', async () => {
    const { svc, edit } = await openWeek();
    edit('order.yaml', 'Thanks, ', 'Thank you, ');
    const { code, stdout } = await svc([...line, '--anonymous', '--show-content', '-o', 'json']);
    expect(code).toBe(0);
    expect(stdout).toContain('Thank you, ');
    expect(stdout).not.toMatch(/ADA|BO\b|@example\.com/);
  });
});

describe('events from files', () => {
  it('are those of `activity export --with people`, and need no request', async () => {
    const { svc, edit, folder } = await openWeek();
    const exported = await svc(['activity', 'export', 'week.ndjson', '--with', 'payloads,people']);
    expect(exported.code).toBe(0);
    expect(exported.stdout).toContain('people\t4\npeopleFile\tweek.state.yaml\n');
    for (const name of ['week.ndjson', 'week.state.yaml'])
      expect(statSync(path.join(folder, name)).mode & 0o777).toBe(0o600);
    edit('order.yaml', 'active: true', 'active: false');
    const offline = ['workflows', 'replay', 'workflows', '--events', 'week.ndjson', '-o', 'json'];
    const { code, stdout, requests } = await svc(offline);
    expect({ code, requests }).toEqual({ code: 0, requests: [] });
    expect(JSON.parse(stdout)).toMatchObject({ events: 11, totals: { lost: 4 } });
    const sample = await svc([...offline, '--sample', '2']);
    expect(JSON.parse(sample.stdout).events).toBeGreaterThanOrEqual(2);
    expect(JSON.parse(sample.stdout).events).toBeLessThan(11);
  });

  it('that cannot run are left out and counted; failures of providers do not count as differences', async () => {
    const { svc, folder } = await openWeek();
    await svc(['activity', 'export', 'week.ndjson', '--with', 'people']);
    const file = path.join(folder, 'week.ndjson');
    const items = readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text));
    for (const item of items) {
      if (item.transactionId === 'trial-1') {
        item.jobs[1].status = 'failed';
        item.jobs[1].executionDetails.push({
          status: 'Failed',
          detail: 'Unexpected provider error',
        });
      }
      if (item.transactionId === 'alert-1') item.template.origin = 'external';
      if (item.transactionId === 'alert-2') item.template.triggers[0].identifier = 'gone';
      if (item.transactionId === 'order-1') delete item.payload;
      if (item.transactionId === 'order-1') for (const job of item.jobs) delete job.payload;
      if (item.transactionId === 'order-2') delete item.createdAt;
    }
    writeFileSync(file, items.map((item) => `${JSON.stringify(item)}\n`).join(''));
    const { stdout } = await svc(words`workflows replay workflows --events week.ndjson -o json`);
    const report = JSON.parse(stdout);
    expect(report.leftOut).toEqual({ code: 1, workflow: 1, payload: 1, time: 1 });
    const piped = await svc(words`workflows replay workflows --events week.ndjson`);
    expect(piped.stdout).not.toContain('Left out');
    expect(piped.stderr).toMatch(/Left out: 1 event: .+\. 1 event: /);
    expect(report.confidence.reasons).toEqual([
      { reason: 'a provider failed, which it does not in a replay', steps: 1 },
    ]);
  });

  it('have no verdict if all are left out, and an error if the file lacks the workflow', async () => {
    const { svc, folder } = await openWeek();
    await svc(['activity', 'export', 'week.ndjson', '--with', 'people']);
    const file = path.join(folder, 'week.ndjson');
    const items = readFileSync(file, 'utf8').replaceAll('"createdAt":"2026', '"createdAt":"x');
    writeFileSync(file, items);
    const replay = words`workflows replay workflows --events week.ndjson`;
    const { code, stderr } = await svc([...replay, '--check']);
    expect(code).toBe(9);
    expect(stderr).toContain('No event could be replayed, all are left out: no verdict.');
    const unknown = await svc([...replay, '--workflow', 'ordr']);
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain(
      'week.state.yaml has no workflow `ordr`. Did you mean `order`?',
    );
  });

  it.each([
    ['{"a":1}\n', 'week.ndjson, line 1: not an item of the activity.'],
    ['no json\n', 'week.ndjson, line 1: '],
  ])('of another kind are refused: %j', async (text, message) => {
    const { svc, folder } = await openWeek();
    await svc(['activity', 'export', 'week.ndjson', '--with', 'people']);
    writeFileSync(path.join(folder, 'week.ndjson'), text);
    const { code, stderr } = await svc(words`workflows replay workflows --events week.ndjson`);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});

it('an environment without events has no differences', async () => {
  const [environment] = week.environments;
  const { svc } = await openWeek({
    ...week,
    environments: [{ ...environment, name: 'Development', events: [] }],
  });
  const { code, stdout, stderr } = await svc([...line, '--check', '-o', 'json']);
  expect(code).toBe(0);
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toMatchObject({ events: 0, changes: [], confidence: { rate: 1 } });
});

import { describe, expect, it } from 'vitest';
import { modes } from '../../../src/service/mode.ts';
import { filterWrites } from '../../support/requests.ts';
import { openRig } from '../../support/rig.ts';
import { words } from '../../support/words.ts';

const line = ['subscribers', 'preferences'];

describe('svc subscribers preferences get', () => {
  it('prints what differs from all workflows, with the source of each setting', async () => {
    const { svc } = await openRig();
    await svc([...line, 'update', 'u2', '--workflow', 'welcome', '--email', 'off']);
    const { stdout, code } = await svc([...line, 'get', 'u2'], { tty: true });
    expect({ stdout, code }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stdout": "SUBSCRIBER  u2
      OTHERS      9 workflows with the settings of (all); --all shows them

      Channels
      WORKFLOW  IN-APP  EMAIL             SMS  CHAT  PUSH
      (all)     on      on                on   on    on
      welcome   on      off (subscriber)
      ",
      }
    `);
  });

  it('prints the whole matrix with --all', async () => {
    const { svc } = await openRig();
    await svc([...line, 'update', 'u2', '--workflow', 'welcome', '--email', 'off']);
    const { stdout, code } = await svc([...line, 'get', 'u2', '--all'], { tty: true });
    expect({ stdout, code }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stdout": "SUBSCRIBER  u2

      Channels
      WORKFLOW        IN-APP  EMAIL             SMS  CHAT  PUSH
      (all)           on      on                on   on    on
      welcome         on      off (subscriber)
      comment-digest  on      on
      trial-ending            on
      weekly-report           on
      partner-sync    on
      price-alert                                          on
      order-update                              on   on    on
      invoice-paid    on      on
      broken-invoice          on                     on
      draft
      ",
      }
    `);
  });

  it('--criticality filters the workflows of the response', async () => {
    const { svc } = await openRig();
    const { stdout, requests } = await svc(words`${line} get u1 --criticality critical --json`);
    expect(JSON.parse(stdout)).toMatchObject({
      global: { enabled: true },
      workflows: [{ workflow: { identifier: 'one-time-code' } }],
    });
    expect(requests[0]?.line).toBe('GET /v2/subscribers/u1/preferences?criticality=critical');
    expect((await svc([...line, 'get', 'u1'])).stdout).toContain('global\t{');
  });

  it('rejects an unknown criticality before sending a request, and exits with 5 for an unknown subscriber', async () => {
    const { svc } = await openRig();
    expect(await svc([...line, 'get', 'u1', '--criticality', 'most'])).toMatchObject({
      code: 2,
      requests: [],
    });
    expect((await svc([...line, 'get', 'ghost'])).code).toBe(5);
  });
});

describe('svc subscribers preferences update', () => {
  it('prints the workflow settings that a global change removes', async () => {
    const { svc } = await openRig();
    await svc([...line, 'update', 'u2', '--workflow', 'welcome', '--email', 'on']);
    const { stdout } = await svc([...line, 'update', 'u2', '--email', 'off'], { tty: true });
    expect(stdout).toContain('(all)  email: on → off\n');
    expect(stdout).toContain('welcome  email: on → off\n');
  });

  it('reads the schedule, changes the given days and sends the whole schedule', async () => {
    const { svc } = await openRig();
    await svc([...line, 'update', 'u2', '--hours', 'mon=09:00 AM-12:00 PM,01:00 PM-05:00 PM']);
    const { requests, stdout } = await svc(words`${line} update u2 --hours sat-sun=off --json`);
    expect(requests.find(({ line: sent }) => sent.startsWith('PATCH'))?.body).toEqual({
      schedule: {
        isEnabled: true,
        weeklySchedule: {
          monday: {
            isEnabled: true,
            hours: [
              { start: '09:00 AM', end: '12:00 PM' },
              { start: '01:00 PM', end: '05:00 PM' },
            ],
          },
          saturday: { isEnabled: false },
          sunday: { isEnabled: false },
        },
      },
    });
    expect(JSON.parse(stdout)).toMatchObject({ global: { schedule: { isEnabled: true } } });
    expect((await svc([...line, 'update', 'u2', '--schedule', 'off'])).stdout).toContain(
      'schedule: on → off',
    );
  });

  it('accepts 24-hour times and prints the changed days', async () => {
    const { svc } = await openRig();
    await svc([...line, 'update', 'u2', '--hours', 'mon=off']);
    const hours = ['--hours', 'mon=0:30-9:00,12:00-17:05'];
    const { stdout } = await svc([...line, 'update', 'u2', ...hours, '--schedule', 'off'], {
      tty: true,
    });
    expect(stdout.split('\n')).toEqual([
      'Updated the preferences of u2 at http://sandbox.localhost.',
      'schedule: on → off',
      'schedule  monday: off → 12:30 AM-09:00 AM,12:00 PM-05:05 PM',
      '',
    ]);
  });

  it.each([
    [['--workflow', 'welcome', '--schedule', 'on'], 'A schedule is global'],
    [['--hours', 'mon=9-5'], 'must be off, or a range'],
    [['--hours', 'xyz=off'], 'is not a day of the week'],
    [['--email', 'maybe'], 'Must be one of: on, off'],
    [[], 'No changes were given'],
  ])('rejects %j before any write', async (options, message) => {
    const { svc } = await openRig();
    const { code, stderr, requests } = await svc([...line, 'update', 'u1', ...options]);
    expect({ code, writes: filterWrites(requests) }).toEqual({ code: 2, writes: [] });
    expect(stderr).toContain(message);
  });

  it.each(modes)(
    'reports a critical workflow, which the service does not change, as unchanged (%s)',
    async (mode) => {
      const { svc } = await openRig({ mode });
      const warning =
        'Warning: The service ignores the changes for critical workflows. Unchanged: one-time-code.\n';
      const { _id } = JSON.parse(
        (await svc(['workflows', 'get', 'one-time-code', '--json'])).stdout,
      ) as { _id: string };
      for (const id of ['one-time-code', _id]) {
        const argv = [...line, 'update', 'u1', '--workflow', id, '--email', 'off'];
        const text = await svc([...argv, '-o', 'table']);
        expect(text).toMatchObject({
          code: 0,
          stdout: 'The preferences of u1 are unchanged at http://sandbox.localhost.\n',
          stderr: warning,
        });
        const { stdout, stderr } = await svc([...argv, '--json']);
        expect({ stderr, unchanged: JSON.parse(stdout).unchanged }).toEqual({
          stderr: warning,
          unchanged: ['one-time-code'],
        });
      }
      const other = await svc(words`${line} update u1 --workflow welcome --email off --json`);
      expect(other.stderr).toBe('');
      expect(JSON.parse(other.stdout)).not.toHaveProperty('unchanged');
    },
  );

  it('exits with 5 for an unknown workflow', async () => {
    const { svc } = await openRig();
    const unknown = await svc([...line, 'update', 'u1', '--workflow', 'welcom', '--email', 'off']);
    expect(unknown.code).toBe(5);
    expect(unknown.stderr).toContain('Workflow `welcom` does not exist. Did you mean `welcome`?');
  });
});

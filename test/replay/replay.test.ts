// `svc workflows replay`
import { describe, expect, it } from 'vitest';
import { openWeek } from './week.ts';

interface Group {
  workflow: string;
  step: string;
  result: string;
  cause: string;
  steps: number;
}

const groupsIn = (report: { changes: Group[] }) =>
  report.changes.map(
    ({ workflow, step, result, cause, steps }) =>
      `${steps} ${result}: ${workflow}, ${step}: ${cause}`,
  );

const plainMail = `  - stepId: second
    name: Second
    type: in_app
    controlValues:
      subject: Second
      body: Message
`;

describe('a change of a workflow', () => {
  type Edit = [file: string, from: string | RegExp, to: string];
  it.each<{ change: string; edit: Edit; groups: string[] }>([
    {
      change: 'the subject of an in-app message',
      edit: ['order.yaml', 'subject: Order {{payload.id}}', 'subject: Got order {{payload.id}}'],
      groups: ['3 changed: order, inbox: template of step inbox: subject'],
    },
    {
      change: 'the body of an e-mail',
      edit: ['order.mail.body.html', 'Total:', 'Sum:'],
      groups: ['1 changed: order, mail: template of step mail: body'],
    },
    {
      change: 'a condition that more events meet',
      edit: ['order.yaml', /- 10$/m, '- 4'],
      groups: ['2 gained: order, mail: condition of step mail'],
    },
    {
      change: 'a condition that fewer events meet',
      edit: ['order.yaml', /- 10$/m, '- 100'],
      groups: ['1 lost: order, mail: condition of step mail'],
    },
    {
      change: 'a new step',
      edit: ['trial.yaml', /$/, plainMail],
      groups: ['1 gained: trial, second: step second added'],
    },
    {
      change: 'a step less',
      edit: ['alert.yaml', / {2}- stepId: push[\s\S]*/, ''],
      groups: ['2 lost: alert, push: step push removed'],
    },
    {
      change: 'a longer digest',
      edit: ['comments.yaml', 'amount: 1', 'amount: 4'],
      groups: [
        '2 moved: comments, inbox: digest collect: amount',
        '1 changed: comments, inbox: digest collect: amount',
      ],
    },
    {
      change: 'a shorter delay',
      edit: ['trial.yaml', 'unit: days', 'unit: hours'],
      groups: ['1 moved: trial, mail: delay wait: unit'],
    },
    {
      change: 'a throttle that lets more through',
      edit: ['alert.yaml', 'threshold: 1', 'threshold: 2'],
      groups: ['1 gained: alert, push: throttle limit: threshold'],
    },
    {
      change: 'an inactive workflow',
      edit: ['order.yaml', 'active: true', 'active: false'],
      groups: [
        '3 lost: order, inbox: workflow made inactive',
        '1 lost: order, mail: workflow made inactive',
      ],
    },
    {
      change: 'a channel that the workflow turns off',
      edit: ['trial.yaml', /email:\n {8}enabled: true/, 'email:\n        enabled: false'],
      groups: ['1 lost: trial, mail: settings of the workflow'],
    },
    {
      change: 'a layout',
      edit: ['layouts/plain.email.body.html', '<main>', '<main class="wide">'],
      groups: ['1 changed: order, mail: layout plain'],
    },
  ])('results in exactly its difference: $change', async ({ edit, groups }) => {
    const { replay, ...week } = await openWeek();
    week.edit(...edit);
    const { code, stderr, report } = await replay(['--quiet']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(groupsIn(report)).toEqual(groups);
    expect(report.confidence).toMatchObject({ rate: 1, reasons: [] });
  });

  it('in no file changes nothing, and the emulator reproduces the service', async () => {
    const { replay } = await openWeek();
    const { code, report, requests } = await replay();
    expect(code).toBe(0);
    expect(report).toMatchObject({
      events: 11,
      recipients: 4,
      totals: { changed: 0, gained: 0, lost: 0, moved: 0 },
      changes: [],
      confidence: { rate: 1, steps: 15, reproduced: 15, unfinished: 0 },
    });
    expect(requests.filter(({ line }) => !line.startsWith('GET '))).toEqual([]);
  });
});

// Messages about invalid input are plain sentences, never the texts of the validation library.
import { describe, expect, it } from 'vitest';
import { openRig, writeInput } from '../support/rig.ts';

const integration = '677485809bebc841f620134a';
const raw = /Invalid (input|option|type)|Too (small|big)|Unrecognized key|expected \w+, received/;

describe('invalid request bodies', () => {
  it.each([
    [['integrations', 'update', integration, '--body', '{"nme":"x"}'], 'unknown field "nme".'],
    [
      ['integrations', 'update', integration, '--body', '{"active":"y"}'],
      '`active` must be true or false.',
    ],
    [
      ['integrations', 'update', integration, '--conditions', '[{"isNegated":true}]'],
      '`conditions.0.type` is required.',
    ],
    [
      ['integrations', 'update', integration, '--conditions', '{}'],
      '`conditions` must be an array.',
    ],
    [['environments', 'create', 'x', '--color', 'red'], '`color` is not a hex color'],
    [['topics', 'rename', 'announcements', ''], '`name` is empty.'],
    [
      ['events', 'trigger', 'welcome', '--to-data', '{"subscriberId":"x","email":3}'],
      '0.email must be a string.',
    ],
  ])('svc %j reports: %s', async (line, text) => {
    const { svc } = await openRig();
    const { code, stderr, requests } = await svc([...line, '--yes']);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain(`The request is not valid: `);
    expect(stderr).toContain(text);
    expect(stderr).not.toMatch(raw);
  });
});

describe('a subscriber that does not exist', () => {
  it.each([
    'subscribers topics ID',
    'subscribers get ID',
    'subscribers delete ID',
    'subscribers update ID --first-name A',
    'subscribers preferences get ID',
    'inbox count ID',
    'inbox list ID',
  ])('is named by svc %s, with the command that lists the others', async (line) => {
    const { svc } = await openRig();
    const id = 'no one/ü';
    const words = line.split(' ').map((word) => (word === 'ID' ? id : word));
    const { code, stderr } = await svc([...words, '--yes']);
    expect(code).toBe(5);
    expect(stderr).toContain(`Subscriber \`${id}\` does not exist`);
    expect(stderr).toContain('\n  svc subscribers list');
  });
});

describe('invalid rows', () => {
  it.each([
    [
      ['subscribers', 'bulk-import'],
      ['{"subscriberId":"a","firstName":1}', '{"subscriberId":"b","plan":"pro"}'],
      ['firstName: must be a string', 'unknown field "plan"'],
    ],
    [
      ['events', 'trigger', '--file'],
      ['{"to":"u1"}', '{"name":"welcome","to":"u1","payload":{},"zz":1}'],
      ['name: is required', 'unknown field "zz"'],
    ],
  ])('svc %j reports a plain reason for each', async (line, rows, reasons) => {
    const rig = await openRig();
    const file = writeInput(rig, 'rows.ndjson', rows.join('\n'));
    const { stderr } = await rig.svc([...line, file, '--yes']);
    for (const reason of reasons) expect(stderr).toContain(reason);
    expect(stderr).not.toMatch(raw);
  });
});

describe('responses of another shape', () => {
  it('are reported with the field that is wrong', async () => {
    const { svc, answer } = await openRig();
    answer({ status: 200, body: { data: 3, page: 0, pageSize: 50, hasMore: false } });
    const { code, stderr } = await svc(['activity', 'list']);
    expect(code).toBe(7);
    expect(stderr).not.toMatch(raw);
  });

  it('never show the texts of the validation library for a fault that is out of range', async () => {
    const { svc } = await openRig();
    const { stderr } = await svc(['api', 'POST', '/__sandbox/faults', '-F', 'latency:="x"']);
    expect(stderr).toContain('latency must be a number');
    expect(stderr).not.toMatch(raw);
  });
});

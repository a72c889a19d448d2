// Numbers that a double cannot represent keep all their digits, in responses and in requests.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { futureField, openFutureService } from '../support/future-api.ts';
import { openNetworkRig } from '../support/network-rig.ts';
import { json, openService, type Seen } from '../support/service.ts';

const { big, huge, exact, vast, less } = futureField;

describe('a long number in a response', () => {
  const all = `{"big":${big},"huge":${huge},"exact":${exact},"vast":${vast},"less":${less},"text":"x"}`;

  it.each([
    ['tsv', `${all}\n`],
    ['csv', `"${all.replaceAll('"', '""')}"\n`],
    ['ndjson', `{"futureField":${all}}\n`],
    [
      'yaml',
      `- futureField:\n    big: ${big}\n    huge: ${huge}\n    exact: ${exact}\n    vast: ${vast}\n    less: ${less}\n    text: x\n`,
    ],
  ])('keeps its digits as %s', async (format, expected) => {
    const home = openNetworkRig();
    const { env } = await openFutureService('enums');
    const line = ['topics', 'list', '--fields', 'futureField', '--no-header', '-o', format];
    const { stdout } = await home.svc(line, { env });
    expect(stdout.slice(0, expected.length)).toBe(expected);
  });

  it('keeps its digits with --jq, `svc api` and --debug=body', async () => {
    const home = openNetworkRig();
    const { env } = await openFutureService('enums');
    const [jq, api, debug] = await Promise.all([
      home.svc(['topics', 'get', 'announcements', '--jq', '.futureField.huge'], { env }),
      home.svc(['api', 'GET', '/v2/topics/announcements', '--jq', '.futureField.big'], { env }),
      home.svc(['topics', 'get', 'announcements', '-o', 'ids', '--debug=body'], { env }),
    ]);
    expect([jq.stdout, api.stdout]).toEqual([`${huge}\n`, `${big}\n`]);
    expect(debug.stderr).toContain(all);
  });
});

/** Accepts every row and every event. */
function acceptAll({ method, target, body }: Seen, response: Parameters<typeof json>[0]) {
  if (method === 'GET') return json(response, 200, {});
  if (target.endsWith('/subscribers/bulk')) {
    const { subscribers } = JSON.parse(body) as { subscribers: { subscriberId: string }[] };
    return json(response, 201, { created: subscribers, updated: [], failed: [] });
  }
  const { events = [] } = JSON.parse(body) as { events?: unknown[] };
  json(
    response,
    201,
    events.map(() => ({ acknowledged: true, status: 'processed' })),
  );
}

describe('a long number in a request', () => {
  const inner = `{"big":${big},"list":[${huge},${vast}],"deep":{"small":0.1234567890123456789}}`;
  const files: Record<string, string> = {
    'rows.ndjson': `{"subscriberId":"a"}\n{"subscriberId":"b","data":${inner}}\n`,
    'rows.json': `[{"subscriberId":"a"},\n {"subscriberId":"b","data":${inner}}]`,
    'rest.ndjson': `{"subscriberId":"b","mine":${inner}}\n`,
    'events.ndjson': `{"name":"w","to":{"subscriberId":"u1"},"payload":${inner}}\n`,
    'to.ndjson': `{"subscriberId":"u1","payload":${inner}}\n`,
    'to.csv': 'subscriberId\nu1\n',
    'payload.json': inner,
  };
  const trigger = ['events', 'trigger', 'w', '--to', 'u1'];

  it.each<[string, string, string[]]>([
    ['data of NDJSON rows', `"data":${inner}`, ['subscribers', 'bulk-import', 'rows.ndjson']],
    ['data of a JSON array', `"data":${inner}`, ['subscribers', 'bulk-import', 'rows.json']],
    [
      'keys of --data-rest',
      `"data":{"mine":${inner}}`,
      ['subscribers', 'bulk-import', 'rest.ndjson', '--data-rest'],
    ],
    ['--data', `"data":${inner}`, ['subscribers', 'create', 'b', '--data', inner]],
    ['--payload', `"payload":${inner}`, [...trigger, '--payload', '@payload.json']],
    ['-F', `"payload":{"x":${big}}`, [...trigger, '-F', `x:=${big}`]],
    ['--overrides', `"overrides":${inner}`, [...trigger, '--overrides', inner]],
    [
      'events of --file',
      `"payload":${inner}`,
      ['events', 'trigger', '--file', 'events.ndjson', '-y'],
    ],
    [
      'rows of --recipients',
      `"payload":${inner}`,
      ['events', 'trigger', 'w', '--recipients', 'to.ndjson', '-y'],
    ],
    [
      'the payload for all rows of --recipients',
      `"payload":${inner}`,
      ['events', 'trigger', 'w', '--recipients', 'to.csv', '--payload', inner, '-y'],
    ],
    [
      '-F with --recipients',
      `"payload":{"x":${big}}`,
      ['events', 'trigger', 'w', '--recipients', 'to.csv', '-F', `x:=${big}`, '-y'],
    ],
    ['--body', `{"events":[${inner}]}`, ['api', 'POST', '/x', '--body', `{"events":[${inner}]}`]],
  ])('keeps its digits in %s', async (_where, expected, line) => {
    const home = openNetworkRig();
    for (const [name, text] of Object.entries(files))
      writeFileSync(path.join(home.folder, name), text);
    const { env, seen } = await openService(acceptAll);
    const argv = line.map((word) => word.replace(/^@/, `@${home.folder}/`));
    const [sent, shown] = await Promise.all([
      home.svc(argv, { env }),
      home.svc([...argv, '--dry-run=curl'], { env }),
    ]);
    expect(sent.code, sent.stderr).toBe(0);
    expect(seen.map(({ body }) => body).join('\n')).toContain(expected);
    expect(shown.stdout).toContain(expected);
  });

  it('keeps its digits in a rejected row', async () => {
    const home = openNetworkRig();
    const row = `{"subscriberId":"a","email":"nonsense","data":${inner}}`;
    writeFileSync(path.join(home.folder, 'rows.ndjson'), `${row}\n`);
    const { env } = await openService(acceptAll);
    const line = ['subscribers', 'bulk-import', 'rows.ndjson', '--rejects', 'bad.ndjson'];
    expect((await home.svc(line, { env })).code).toBe(2);
    const rejects = readFileSync(path.join(home.folder, 'bad.ndjson'), 'utf8');
    expect(rejects).toContain(`${row.slice(0, -1)},"_line":1,`);
  });

  it('is rejected in a text field', async () => {
    const home = openNetworkRig();
    const { env, seen } = await openService(acceptAll);
    const { code, stdout } = await home.svc(
      ['subscribers', 'bulk-import', '-', '--format', 'ndjson', '--json'],
      { env, stdin: `{"subscriberId":${big}}\n{"subscriberId":"a","firstName":${huge}}\n` },
    );
    expect({ code, sent: seen.length }).toEqual({ code: 2, sent: 0 });
    expect(JSON.parse(stdout)).toMatchObject({ rows: 2, invalid: 2 });
  });
});

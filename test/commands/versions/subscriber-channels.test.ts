// `svc subscribers channels`: connections and endpoints of a subscriber, on servers since 3.12.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openChannels319 } from '../../support/channels-319.ts';
import { openRig, parsed, writeInput } from '../../support/rig.ts';

async function openChannels() {
  const rig = await openRig();
  const stored = openChannels319(rig);
  const svc = (line: string, options = {}) =>
    rig.svc(['subscribers', 'channels', ...line.split(' ')], options);
  return { rig, stored, svc };
}

it('list shows connections and endpoints of the subscriber, with masked tokens', async () => {
  const { svc } = await openChannels();
  const table = await svc('list u1', { tty: true });
  expect(table.stdout).toMatch(/conn-1 +connection .*slack-1 +Team/);
  expect(table.stdout).toMatch(/end-1 +endpoint .*hooks +tool_webhook/);
  const json = await svc('list u1 --json');
  expect(parsed(json.stdout)).toMatchObject([
    { kind: 'connection', identifier: 'conn-1', auth: '********' },
    { kind: 'endpoint', identifier: 'end-1', endpoint: { url: '********', method: 'POST' } },
  ]);
  expect((await svc('list u1 -o ids --kind endpoint')).stdout).toBe('end-1\n');
  for (const { stdout } of [table, json, await svc('get u1 conn-1'), await svc('get u1 end-1')])
    expect(stdout).not.toContain('xoxb-');
});

it('get shows one of the subscriber, and names similar ones', async () => {
  const { svc } = await openChannels();
  const { stdout } = await svc('get u1 conn-1 --jq .auth.accessToken --reveal');
  expect(stdout).toBe('xoxb-secret\n');
  for (const other of ['conn-2', 'shared', 'con-1']) {
    const { code, stderr } = await svc(`get u1 ${other}`);
    expect(code).toBe(5);
    expect(stderr).toContain(`Subscriber u1 has no connection or endpoint \`${other}\`.`);
  }
  expect((await svc('get u1 con-1')).stderr).toContain('conn-1');
});

it('set creates a connection with a token from a variable, which is not printed', async () => {
  const { svc, stored } = await openChannels();
  const line =
    'set u1 --integration slack-1 --identifier new --workspace T2 --auth accessToken=env:T';
  for (const more of [' --dry-run', ' --debug=body', ' --json']) {
    const { code, stdout, stderr, requests } = await svc(line + more, { env: { T: 'xoxb-new' } });
    expect({ code, leaks: `${stdout}${stderr}`.includes('xoxb-new') }).toEqual({
      code: 0,
      leaks: false,
    });
    if (more === ' --debug=body')
      expect(requests.at(-1)?.body).toEqual({
        identifier: 'new',
        integrationIdentifier: 'slack-1',
        workspace: { id: 'T2' },
        auth: { accessToken: 'xoxb-new' },
        subscriberId: 'u1',
      });
  }
  expect(stored()).toContain('new');
});

it('set changes a connection, and keeps what is not given', async () => {
  const { svc } = await openChannels();
  const renamed = await svc('set u1 --identifier conn-1 --workspace-name New');
  expect(renamed.requests.at(-1)).toMatchObject({
    line: 'PATCH /v1/channel-connections/conn-1',
    body: { workspace: { id: 'T1', name: 'New' }, auth: { accessToken: 'xoxb-secret' } },
  });
  const { code, requests } = await svc(
    'set u1 --identifier end-1 --endpoint url=https://a.example',
  );
  expect({ code, body: requests.at(-1)?.body }).toEqual({
    code: 0,
    body: { endpoint: { url: 'https://a.example' } },
  });
});

it('set creates an endpoint, also from a whole body', async () => {
  const { svc } = await openChannels();
  const line =
    'set u1 --integration slack-1 --type slack_user --endpoint userId=U1 --connection conn-1';
  const { requests, stdout } = await svc(`${line} --json`);
  expect(requests.at(-1)).toMatchObject({
    line: 'POST /v1/channel-endpoints',
    body: { type: 'slack_user', endpoint: { userId: 'U1' }, connectionIdentifier: 'conn-1' },
  });
  expect(parsed(stdout)).toMatchObject({ kind: 'endpoint', identifier: 'ch_1' });
  const body = { integrationIdentifier: 'x', type: 'phone', endpoint: { phoneNumber: '+1' } };
  const piped = await svc('set u2 --body -', { stdin: JSON.stringify(body) });
  expect(piped.requests.at(-1)?.body).toEqual({ ...body, subscriberId: 'u2' });
});

it.each([
  ['set u1 --integration slack-1', 'Neither a connection nor an endpoint is given.'],
  ['set u1 --workspace T1', 'A new connection needs --integration and --auth accessToken=…'],
  ['set u1 --type phone', 'A new endpoint needs --integration and --endpoint.'],
  ['set u1 --identifier conn-2 --workspace T1', 'The connection conn-2 belongs to subscriber u2.'],
  ['set u1 --identifier shared --workspace T1', 'The connection shared belongs to several'],
  [
    'set u1 --identifier end-1 --type phone',
    'The type of endpoint end-1 cannot change from tool_webhook to phone.',
  ],
  [
    'set u1 --identifier end-1 --endpoint url=https://a.example --context tenant:acme',
    'The contexts of endpoint end-1 cannot change from none to tenant:acme.',
  ],
])('svc subscribers channels %s is refused', async (line, message) => {
  const { svc } = await openChannels();
  const { code, stderr, requests } = await svc(line);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
  expect(requests.filter((one) => !one.line.startsWith('GET'))).toEqual([]);
});

it('delete removes endpoints before their connections, and nothing of others', async () => {
  const { svc, stored } = await openChannels();
  expect((await svc('delete u1 conn-1 conn-2 --yes')).code).toBe(5);
  const { code, requests, stdout } = await svc('delete u1 conn-1 end-1 --yes --json');
  expect({ code, value: parsed(stdout) }).toEqual({
    code: 0,
    value: [
      { identifier: 'end-1', deleted: true },
      { identifier: 'conn-1', deleted: true },
    ],
  });
  expect(requests.slice(-2).map(({ line }) => line)).toEqual([
    'DELETE /v1/channel-endpoints/end-1',
    'DELETE /v1/channel-connections/conn-1',
  ]);
  expect(stored()).toEqual(['shared', 'conn-2']);
});

it('an older server does not have them', async () => {
  const rig = await openRig();
  const { code, stderr } = await rig.svc(['subscribers', 'channels', 'list', 'u1']);
  expect(code).toBe(5);
  expect(stderr).toContain('This server does not offer GET /v1/channel-connections');
});

const exportLine = ['subscribers', 'export', 'people.ndjson', '--with', 'channels', '--reveal'];

it('an export of channels restores connections and endpoints', async () => {
  const { rig, svc, stored } = await openChannels();
  expect((await rig.svc(exportLine.slice(0, -1))).code).toBe(2);
  expect((await rig.svc(exportLine)).code).toBe(0);
  const file = path.join(rig.folder, 'people.channels.csv');
  expect(readFileSync(file, 'utf8').split('\n')).toEqual([
    'subscriberId,kind,identifier,integration,connection,type,contextKeys,workspace,auth,endpoint',
    'u1,connection,conn-1,slack-1,,,,"{""id"":""T1"",""name"":""Team""}","{""accessToken"":""xoxb-secret""}",',
    'u2,connection,conn-2,slack-1,,,,"{""id"":""T1"",""name"":""Team""}","{""accessToken"":""xoxb-two""}",',
    'u1,endpoint,end-1,hooks,,tool_webhook,,,,"{""url"":""https://hooks.example.com/xoxb-path"",""method"":""POST""}"',
    '',
  ]);
  await svc('delete u1 conn-1 end-1 --yes');
  const { code, stdout, requests } = await svc('import people.channels.csv --json');
  expect({ code, summary: parsed(stdout) }).toMatchObject({
    code: 0,
    summary: { rows: 3, created: 2, updated: 1 },
  });
  expect(requests.filter(({ line }) => !line.startsWith('GET')).map(({ body }) => body)).toEqual([
    {
      ...{ subscriberId: 'u1', identifier: 'conn-1', integrationIdentifier: 'slack-1' },
      ...{ workspace: { id: 'T1', name: 'Team' }, auth: { accessToken: 'xoxb-secret' } },
    },
    { workspace: { id: 'T1', name: 'Team' }, auth: { accessToken: 'xoxb-two' } },
    {
      ...{ subscriberId: 'u1', identifier: 'end-1', integrationIdentifier: 'hooks' },
      type: 'tool_webhook',
      endpoint: { url: 'https://hooks.example.com/xoxb-path', method: 'POST' },
    },
  ]);
  expect([...stored()].sort()).toEqual(['conn-1', 'conn-2', 'end-1', 'shared']);
});

it('an import rejects rows of other subscribers, and rows without an address', async () => {
  const { rig, svc } = await openChannels();
  const rows = [
    'subscriberId,kind,identifier,integration,type,workspace,auth,endpoint',
    'u1,connection,conn-2,slack-1,,"{""id"":""T1""}","{""accessToken"":""x""}",',
    'u1,endpoint,new,hooks,phone,,,',
    'u1,endpoint,,hooks,phone,,,{}',
  ];
  writeInput(rig, 'rows.csv', `${rows.join('\n')}\n`);
  const { code, stderr } = await svc('import rows.csv');
  expect(code).not.toBe(0);
  expect(stderr).toContain('the identifier belongs to another subscriber');
  expect(stderr).toContain('endpoint: not a JSON object');
  expect(stderr).toContain('identifier: is required');
});

it('an export from an older server has no channels', async () => {
  const rig = await openRig();
  const { code, stderr } = await rig.svc(exportLine);
  expect(code).toBe(0);
  expect(stderr).toContain('This server has no connections and endpoints, so their file is empty.');
});

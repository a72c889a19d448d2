// The files that the tools of `svc mcp` may use: those in its folder, and no values of variables.
import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  openAssistant,
  openSandboxAssistant,
  profileOfRig,
  storeProfiles,
} from '../support/assistant.ts';
import { openRig, writeInput } from '../support/rig.ts';

const u1 = { subscriberId: 'u1' };
const slack = { integration: 'slack-1' };
const slackIntegration = { provider: 'slack', channel: 'chat', identifier: 'slack-1' };
const smtp = { provider: 'nodemailer', channel: 'email' };
const sendgrid = { provider: 'sendgrid', channel: 'email' };
const first = { integrationId: '6'.repeat(24) };

describe('files', () => {
  it('must be in the folder of the server, with links resolved', async () => {
    const rig = await openRig({ bare: true });
    storeProfiles(rig, { sandbox: { ...profileOfRig, sandbox: true } });
    const outside = await openRig({ bare: true });
    writeInput(outside, 'ids.txt', 'u1\nu2\n');
    writeInput(rig, 'ids.txt', 'u1\nu2\n');
    const inside = (name: string) => path.join(rig.folder, name);
    symlinkSync(outside.folder, inside('linked'));
    symlinkSync(path.join(outside.folder, 'ids.txt'), inside('link.txt'));
    symlinkSync(path.join(outside.folder, 'missing.txt'), inside('dangling.txt'));
    symlinkSync(inside('ids.txt'), inside('own.txt'));
    symlinkSync(outside.folder, inside('workflows'));
    const { call, end } = await openAssistant(rig);
    const subscribe = (file: string) =>
      call('topics_subscribe', { topicKey: 'empty-topic', file, confirm: 'Development' });
    for (const file of [
      path.join(outside.folder, 'ids.txt'),
      `../${path.basename(outside.folder)}/ids.txt`,
      'link.txt',
      'linked/ids.txt',
      'dangling.txt',
      'config/config.json',
      '-',
    ]) {
      const { error } = await subscribe(file);
      expect({ file, code: error.code }).toEqual({ file, code: 2 });
    }
    // The default folder, a folder with a link in it, and a file to write.
    expect((await call('workflows_pull')).error.message).toContain('is not available');
    expect((await call('workflows_push', { folderOrFiles: ['.'] })).error.code).toBe(2);
    expect((await call('activity_export', { file: 'linked/new.ndjson' })).error.code).toBe(2);
    expect((await call('diff', { dir: 'linked' })).error.code).toBe(2);
    for (const file of ['ids.txt', 'own.txt', './ids.txt', inside('ids.txt')])
      expect(await subscribe(file)).toMatchObject({ isError: false, item: { rows: 2 } });
    const { requests } = await end();
    // Those of the four files in the folder.
    expect(requests).toHaveLength(8);
  });

  it('that a plan names must be in the folder, too', async () => {
    const { rig, call, end } = await openSandboxAssistant();
    for (const [command, options] of [
      ['environments push', { folder: '../outside' }],
      ['environments push', { folder: path.join(path.dirname(rig.folder), 'outside') }],
      ['workflows push', { paths: ['../outside/workflows/welcome.yaml'] }],
    ] as const) {
      const head = { format: 1, command, origin: '', environment: { id: '', name: '' } };
      writeInput(rig, 'plan.json', JSON.stringify({ ...head, options, resources: [] }));
      const tool = command.replace(' ', '_');
      const { error } = await call(tool, { plan: 'plan.json', confirm: 'Development' });
      expect(error.message).toContain('is not available to this server');
    }
    await end();
  });

  it('in a folder with more than 20,000 entries are not searched for links', async () => {
    const { rig, call, end } = await openSandboxAssistant();
    mkdirSync(path.join(rig.folder, 'many', 'more'), { recursive: true });
    for (let n = 1; n < 20_000; n += 1) writeInput(rig, `many/more/${n}`, '');
    const pull = async () => (await call('workflows_pull', { dir: 'many' })).error.message;
    const error = expect.stringContaining('many has more than 20000 files, too many to check.');
    expect(await pull()).not.toEqual(error);
    writeInput(rig, 'many/more/20000', '');
    expect(await pull()).toEqual(error);
    await end();
  });

  it('are not confused with ids, where a tool takes both', async () => {
    const { rig, call, end } = await openSandboxAssistant();
    const outside = await openRig({ bare: true });
    symlinkSync(outside.folder, path.join(rig.folder, 'welcome'));
    const preview = (workflowId: string) => call('workflows_preview', { workflowId });
    expect(await preview('welcome')).toMatchObject({ isError: false, items: expect.any(Array) });
    for (const file of ['../welcome.yaml', 'welcome/x.yaml', '/etc/passwd'])
      expect((await preview(file)).error.message).toContain('is not available to this server');
    await end();
  });

  it('in the folders of svc itself are not available', async () => {
    const { call, end } = await openSandboxAssistant();
    for (const file of ['config/config.json', 'state/runs/x/manifest.json', 'cache/x.csv']) {
      const { error } = await call('subscribers_export', { file });
      expect({ file, message: error.message }).toEqual({
        file,
        message: expect.stringContaining('is not available to this server'),
      });
    }
    await end();
  });

  it('with a name that no file can have are a usage error', async () => {
    const { call, end } = await openSandboxAssistant();
    for (const file of ['x'.repeat(5_000), 'a/'.repeat(5_000)])
      expect((await call('activity_export', { file })).error.code).toBe(2);
    await end();
  });

  it('that refer to variables get no value, unless a file in the folder has it', async () => {
    const { rig, call, end } = await openSandboxAssistant([], { env: { SECRET: 'from-variable' } });
    expect(
      await call('environments_pull', { folder: 'env', only: ['integrations'] }),
    ).toMatchObject({ isError: false });
    writeInput(
      rig,
      'env/integrations.yaml',
      [
        '# svc integrations, format 1',
        '- identifier: leak',
        '  channel: email',
        '  providerId: nodemailer',
        '  name: Leak',
        '  active: false',
        '  credentials: { host: { $env: SECRET } }',
      ].join('\n'),
    );
    const push = (more = {}) =>
      call('environments_push', { folder: 'env', confirm: 'Development', ...more });
    expect((await push()).error).toMatchObject({
      code: 2,
      message: expect.stringContaining('no value'),
    });
    writeInput(rig, 'values.env', 'SECRET=from-file');
    expect(await push({ envFile: 'values.env' })).toMatchObject({ isError: false });
    const { requests, stdout } = await end();
    expect(stdout + JSON.stringify(requests)).not.toContain('from-variable');
    expect(JSON.stringify(requests)).toContain('from-file');
  });

  it.each([
    ['subscribers_credentials_set', (value) => ({ ...u1, provider: 'slack', webhookUrl: value })],
    [
      'subscribers_channels_set',
      (value) => ({ ...u1, ...slack, type: 'slack_user', endpoint: [`userId=${value}`] }),
    ],
    [
      'subscribers_channels_set',
      (value) => ({ ...u1, ...slack, workspace: 'T1', auth: [`accessToken=${value}`] }),
    ],
    ['environments_variables_set', (value) => ({ key: 'TOKEN', secret: true, value })],
    ['integrations_create', (value) => ({ ...smtp, credential: [`password=${value}`] })],
    ['integrations_create', (value) => ({ ...smtp, configuration: [`x=${value}`] })],
    ['integrations_update', (value) => ({ ...first, credential: [`password=${value}`] })],
    // A literal text.
    ['integrations_create', (value) => ({ ...smtp, credential: [`tlsOptions==${value}`] }), 'JSON'],
  ] satisfies [tool: string, args: (value: string) => object, reason?: string][])(
    'and variables are not read for the values of %s',
    async (tool, args, reason = 'not available') => {
      const { rig, call, end } = await openSandboxAssistant(
        [],
        { env: { SECRET: '{"host":"from-variable"}' } },
        { service: '3.19' },
      );
      const outside = await openRig({ bare: true });
      for (const folder of [rig, outside])
        writeInput(folder, 'secret.json', '{"host":"from-file"}');
      const results: unknown[] = [];
      for (const value of [
        ...['@secret.json', `@${path.join(outside.folder, 'secret.json')}`, '@/dev/stdin'],
        'env:SECRET',
      ]) {
        const result = await call(tool, { ...args(value), confirm: 'Development' });
        expect(result.error).toMatchObject({ code: 2, message: expect.stringContaining(reason) });
        results.push(result);
      }
      const { requests, stderr } = await end();
      expect(requests.filter(({ line }) => !line.startsWith('GET'))).toEqual([]);
      expect(JSON.stringify([results, requests]) + stderr).not.toMatch(/from-(file|variable)/);
    },
  );

  it.each([
    ['environments_variables_set', { key: 'TOKEN', secret: true, value: 'env-like-SECRET' }],
    [
      'integrations_create',
      { ...sendgrid, credential: ['apiKey=env-like-SECRET', 'from=a@example.com'] },
    ],
    [
      'subscribers_channels_set',
      { ...u1, ...slack, workspace: 'T1', auth: ['accessToken=env-like-SECRET'] },
    ],
  ])(
    'are not needed for secrets: %s sends the text itself, and masks it in its result',
    async (...input) => {
      const [tool, args] = input;
      const { call, end } = await openSandboxAssistant([], {}, { service: '3.19' });
      if (tool === 'subscribers_channels_set')
        await call('integrations_create', { ...slackIntegration, confirm: 'Development' });
      const result = await call(tool, { ...args, confirm: 'Development' });
      const { requests } = await end();
      expect(result).toMatchObject({ isError: false });
      expect(JSON.stringify(requests)).toContain('env-like-SECRET');
      expect(JSON.stringify(result)).not.toContain('env-like-SECRET');
    },
  );

  it('are not read for data', async () => {
    const { call, end } = await openSandboxAssistant();
    const { error } = await call('subscribers_update', { subscriberId: 'u1', data: '@x' });
    expect(error.message).toBe('data must be a JSON object.');
    await end();
  });
});

// The tools that a server of `svc mcp` offers: none that writes, unless it was started so and the profile allows it.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandTree } from '../../src/commands/index.ts';
import { loadTools } from '../../src/mcp/tools.ts';
import { openAssistant, profileOfRig, storeProfiles } from '../support/assistant.ts';
import { baseUrl, testKey } from '../support/fixed.ts';
import { openRig } from '../support/rig.ts';

const tools = await loadTools(commandTree);
const namesWhere = (isWanted: (tool: (typeof tools)[number]) => boolean) =>
  tools.filter(isWanted).map(({ name }) => name);
/** The tools that only read, and with `--tools all` more. Listed here, so that a command that declares too little is noticed. */
const reading = [
  ...['subscribers_list', 'subscribers_get', 'subscribers_topics'],
  ...['subscribers_story', 'subscribers_report'],
  ...['subscribers_channels_list', 'subscribers_channels_get'],
  ...['subscribers_preferences_get', 'inbox_list', 'inbox_count', 'messages_list'],
  ...['topics_list', 'topics_get', 'topics_subscribers'],
  ...['workflows_list', 'workflows_get', 'workflows_step', 'workflows_preview'],
  ...['workflows_validate', 'layouts_list', 'layouts_get', 'diff'],
  ...['activity_list', 'activity_get', 'activity_explain', 'activity_stats'],
  ...['contexts_list', 'contexts_get', 'integrations_list', 'integrations_get'],
  ...['environments_list', 'environments_variables_list', 'runs_list', 'runs_show', 'runs_watch'],
  'whoami',
];
const rare = [
  ...['topics_subscriptions_get', 'workflows_replay', 'environments_variables_get'],
  ...['environments_variables_usage', 'schema', 'commands', 'doctor', 'upgrade_check'],
];
const others = namesWhere(({ name }) => ![...reading, ...rare].includes(name));
const ofService = namesWhere(({ needsSandbox }) => !needsSandbox);

/** A profile named `dev`, and a server for it. */
async function openServer(profile: object, argv: readonly string[] = []) {
  const rig = await openRig({ bare: true });
  storeProfiles(rig, { dev: { ...profileOfRig, ...profile } });
  return { rig, ...(await openAssistant(rig, argv)) };
}

describe('a server without --allow-writes', () => {
  it('lists only the tools that read, and refuses every other one without a request', async () => {
    const { names, call, end } = await openServer({});
    expect(await names()).toEqual(reading);
    expect(others.length).toBeGreaterThan(40);
    for (const name of others) {
      const { error, isError } = await call(name, { confirm: 'Development' });
      expect({ name, isError, code: error.code }).toEqual({ name, isError: true, code: 2 });
    }
    const { error } = await call('topics_delete');
    expect(error).toMatchObject({
      message: 'topics_delete changes data: svc mcp was started without --allow-writes.',
      hint: 'A person can start it with --allow-writes.',
    });
    const { requests, code } = await end();
    expect({ requests, code }).toEqual({ requests: [], code: 0 });
  });

  it('also refuses a tool for the sandbox, whatever the service says about itself', async () => {
    const { rig, names, call, end } = await openServer({}, ['--allow-writes']);
    rig.answerBy(() => ({ status: 200, body: { data: { sandbox: true } } }));
    expect(await names()).toEqual(ofService);
    expect((await call('sandbox_clock_advance', { duration: '1d' })).error.message).toBe(
      'sandbox_clock_advance needs a server for a sandbox: the profile that `svc sandbox start` stored.',
    );
    const { requests } = await end();
    expect(requests).toEqual([]);
  });
});

describe('a server with --allow-writes', () => {
  it('offers no tool that writes for a read-only profile, also one that becomes so later', async () => {
    const { rig, names, call, end } = await openServer({}, ['--allow-writes']);
    storeProfiles(rig, { dev: { ...profileOfRig, readOnly: true } });
    expect(await names()).toEqual(reading);
    const { error } = await call('topics_create', { topicKey: 'new' });
    expect(error).toMatchObject({
      code: 2,
      message: 'topics_create changes data: profile dev is read-only.',
      hint: 'A person can allow writes with `svc profiles read-only dev --off`.',
    });
    expect((await end()).requests).toEqual([]);
  });

  it('asks for the name of the environment where the command asks a person', async () => {
    const { names, call, end } = await openServer({ environment: 'Staging' }, ['--allow-writes']);
    expect(await names()).toEqual(ofService);
    const topicKey = 'empty-topic';
    expect(await call('topics_create', { topicKey: 'new' })).toMatchObject({ isError: false });
    expect((await call('topics_delete', { topicKey })).error).toMatchObject({
      code: 2,
      message: expect.stringMatching(/^Confirmation is required to delete topic empty-topic/),
      hint: 'Confirm with confirm: "Staging".',
    });
    for (const confirm of ['staging', 'Production', 'yes', true]) {
      const { error } = await call('topics_delete', { topicKey, confirm });
      expect({ confirm, message: error.message }).toEqual({
        confirm,
        message: 'confirm must be the name of the environment, `Staging`. Nothing was done.',
      });
    }
    const dry = await call('topics_delete', { topicKey, dryRun: true });
    expect(dry.items).toMatchObject([{ method: 'DELETE' }]);
    const removed = await call('topics_delete', { topicKey, confirm: 'Staging' });
    expect(removed.item).toEqual({ deleted: true, key: topicKey });
    const { requests } = await end();
    expect(requests.filter(({ line }) => line.startsWith('DELETE'))).toHaveLength(1);
  });

  it.each([
    ['a protected profile', { protected: true }, 'is protected'],
    ['Production', { environment: 'Production' }, 'is protected'],
    ['a protected sandbox', { protected: true, sandbox: true }, 'is protected'],
  ])('never writes to %s', async (_name, profile, why) => {
    const { names, call, end } = await openServer(profile, ['--allow-writes']);
    expect(await names()).not.toEqual(expect.arrayContaining(['topics_create']));
    for (const name of ['topics_create', 'events_trigger', 'runs_delete', 'workflows_pull']) {
      const { error } = await call(name, { topicKey: 'x', confirm: 'dev' });
      expect(error).toMatchObject({ code: 2, message: expect.stringContaining(why) });
    }
    const { requests } = await end();
    expect(requests).toEqual([]);
  });

  it('never writes with the address and key of a protected profile in variables', async () => {
    const rig = await openRig({ bare: true });
    storeProfiles(rig, { other: { ...profileOfRig, key: 'f'.repeat(32) }, live: profileOfRig });
    const env = { SVC_BASE_URL: baseUrl, SVC_API_KEY: testKey };
    const { names, call, end } = await openAssistant(rig, ['--allow-writes'], { env });
    expect(await call('topics_create', { topicKey: 'a' })).toMatchObject({ isError: false });
    storeProfiles(rig, {});
    expect(await call('topics_create', { topicKey: 'c' })).toMatchObject({ isError: false });
    storeProfiles(rig, { live: { ...profileOfRig, protected: true } });
    expect(await names()).toEqual(reading);
    expect((await call('topics_create', { topicKey: 'b' })).error).toMatchObject({
      code: 2,
      message:
        'topics_create changes data: profile live is protected, so svc mcp never writes to it.',
      hint: 'A person can run the command in a terminal.',
    });
    const { requests } = await end();
    expect(requests.filter(({ line }) => line.startsWith('POST'))).toHaveLength(2);
  });

  it('stops writing when the profile is protected, and stops altogether when it has another address', async () => {
    const { rig, names, call, end } = await openServer({}, ['--allow-writes']);
    expect(await call('topics_create', { topicKey: 'a' })).toMatchObject({ isError: false });
    storeProfiles(rig, { dev: { ...profileOfRig, protected: true } });
    expect(await names()).toEqual(reading);
    expect((await call('topics_create', { topicKey: 'b' })).error.code).toBe(2);
    storeProfiles(rig, {
      other: profileOfRig,
      dev: { ...profileOfRig, baseUrl: 'https://x.test' },
    });
    expect((await call('topics_list')).error.message).toContain('dev has changed');
    storeProfiles(rig, { other: profileOfRig });
    expect((await call('topics_list')).error.message).toContain('dev has changed');
    const { requests } = await end();
    expect(requests.filter(({ line }) => line.startsWith('POST'))).toHaveLength(1);
  });

  it('stops when its profile has another environment, but not when it has a new key for the same one', async () => {
    const { rig, call, end } = await openServer({ environmentId: 'e1' });
    const store = (more: object) => storeProfiles(rig, { dev: { ...profileOfRig, ...more } });
    store({ environmentId: 'e1', key: 'f'.repeat(32) });
    // The service does not have the key.
    expect((await call('topics_list')).error.code).toBe(4);
    for (const more of [{ environmentId: 'e2' }, {}]) {
      store(more);
      expect((await call('topics_list')).error.message).toContain('dev has changed');
    }
    const { requests } = await end();
    expect(requests.map(({ headers }) => headers.authorization)).toEqual([
      `ApiKey ${'f'.repeat(32)}`,
    ]);
  });

  it('stays with its profile when another one is selected', async () => {
    const { rig, call, end } = await openServer({});
    const other = { ...profileOfRig, key: 'f'.repeat(32), environment: 'Other' };
    const profiles = { other, dev: profileOfRig };
    storeProfiles(rig, profiles);
    expect((await call('whoami')).item).toMatchObject({ profile: 'dev' });
    const { requests } = await end();
    expect(requests[0]?.headers.authorization).toBe(`ApiKey ${testKey}`);
  });

  it('does not override the setting readOnly', async () => {
    const rig = await openRig({ bare: true });
    storeProfiles(rig, { dev: profileOfRig });
    const { names, call, end } = await openAssistant(rig, ['--allow-writes'], {
      env: { SVC_READ_ONLY: '1' },
    });
    expect(await names()).toEqual(reading);
    expect((await call('topics_create', { topicKey: 'x' })).error).toMatchObject({
      message: 'topics_create changes data: the setting readOnly does not allow it.',
      hint: 'A person can turn it off with `svc config unset readOnly`.',
    });
    await end();
  });
});

describe('a server for a sandbox', () => {
  it('offers all tools, also those for the clock, messages and faults', async () => {
    const { names, call, end } = await openServer({ sandbox: true });
    expect(await names()).toEqual(tools.map(({ name }) => name));
    expect(await call('sandbox_clock_advance', { duration: '1d' })).toMatchObject({
      isError: false,
    });
    await call('sandbox_faults_set', { failNext: 1, status: 503 });
    expect((await call('sandbox_faults_show')).item).toMatchObject({ failNext: 1 });
    await end();
  });

  it('is not one for the address and key of variables, whichever profile they name', async () => {
    const rig = await openRig({ bare: true });
    storeProfiles(rig, { sandbox: { ...profileOfRig, sandbox: true } });
    const env = { SVC_PROFILE: 'sandbox', SVC_BASE_URL: baseUrl, SVC_API_KEY: 'f'.repeat(32) };
    const { names, call, end } = await openAssistant(rig, [], { env });
    expect(await names()).toEqual(reading);
    expect((await call('sandbox_reset')).error.code).toBe(2);
    const { requests } = await end();
    expect(requests).toEqual([]);
  });

  it('is one only on this machine', async () => {
    const profile = { sandbox: true, baseUrl: 'https://sandbox.example.com' };
    const { names, end } = await openServer(profile);
    expect(await names()).toEqual(reading);
    await end();
  });
});

it.each([
  [{}, [], 'Only tools that read are offered: svc mcp was started without --allow-writes.'],
  [{}, ['--allow-writes'], 'confirm: "Development". Use dryRun first to see the requests.'],
  [{ sandbox: true }, [], 'It is a local sandbox: messages are captured, not delivered'],
])('the instructions say what the server for %j with %j does', async (profile, argv, text) => {
  const { rig, client, end } = await openServer(profile, argv);
  const lines = client.getInstructions()?.split('\n') ?? [];
  expect(lines[0]).toContain('here Development (profile dev).');
  expect(lines.slice(1, -3).join('\n')).toContain(text);
  expect(lines).toHaveLength('sandbox' in profile ? 6 : 5);
  expect(lines.at(-1)).toBe(`Files must be in ${rig.folder}.`);
  await end();
});

it('the instructions name the address of a profile without an environment', async () => {
  const rig = await openRig({ bare: true });
  const { environment: _environment, ...profile } = profileOfRig;
  storeProfiles(rig, { 'plug-in dev': profile });
  const { client, end } = await openAssistant(rig);
  expect(client.getInstructions()).toContain(`, here at ${baseUrl} (profile plug-in dev).\n`);
  await end();
});

describe('the options of svc mcp', () => {
  it('--tools all also lists the tools that assistants seldom need', async () => {
    const { names, end } = await openServer({}, ['--tools', 'all']);
    expect((await names()).sort()).toEqual([...reading, ...rare].sort());
    await end();
  });

  it('without it, the list fits into the context of an assistant', async () => {
    const { client, end } = await openServer({});
    const listed = await client.listTools();
    expect(listed.tools.length).toBeLessThanOrEqual(40);
    expect(Buffer.byteLength(JSON.stringify(listed))).toBeLessThanOrEqual(60_000);
    await end();
  });

  it('a tool that is seldom needed can be called although it is not listed', async () => {
    const { call, end } = await openServer({});
    expect((await call('commands')).isError).toBe(false);
    await end();
  });

  it('--tools offers only these groups and tools', async () => {
    const { names, call, end } = await openServer({}, ['--tools', 'topics,activity list']);
    expect(await names()).toEqual([
      'topics_list',
      'topics_get',
      'topics_subscribers',
      'topics_subscriptions_get',
      'activity_list',
    ]);
    expect((await call('whoami')).error.message).toBe('Unknown tool `whoami`.');
    await end();
  });

  it.each([
    [
      ['--tools', 'topcs'],
      '--tools: unknown tool or group `topcs`.\nDid you mean topics?\n  svc commands\n',
    ],
    [
      ['--tools', 'whoami,topics-lst'],
      '--tools: unknown tool or group `topics_lst`.\nDid you mean topics_list?\n  svc commands\n',
    ],
    [
      ['--tools', 'x'],
      '--tools: unknown tool or group `x`.\nA group is the first word of its commands, such as topics; a tool is a whole command, such as topics_list.\n  svc commands\n',
    ],
    [['--root', 'missing'], '--root: folder missing does not exist.\n'],
    [
      ['--base-url', baseUrl, '--api-key-file', '-'],
      '--api-key-file - cannot be used here: standard input is for the client.\n',
    ],
    [['-p', 'none'], 'Unknown profile `none` (from --profile).\n  svc profiles list\n'],
  ])('are checked: %j', async (argv, message) => {
    const rig = await openRig({ bare: true });
    storeProfiles(rig, { dev: profileOfRig });
    const ran = await rig.svc(['mcp', ...argv]);
    expect(ran).toMatchObject({ code: 2, stdout: '', stderr: `Error: ${message}` });
  });

  it('without a service, the server does not start', async () => {
    const rig = await openRig({ bare: true });
    expect(await rig.svc(['mcp'])).toMatchObject({ code: 4, stdout: '' });
  });

  it('select the service for every call, also with variables and files', async () => {
    const rig = await openRig({ bare: true });
    writeFileSync(path.join(rig.folder, 'key.txt'), testKey, { mode: 0o600 });
    mkdirSync(path.join(rig.folder, 'files'));
    const service = ['--base-url', baseUrl, '--api-key-file', 'key.txt', '--timeout', '5s'];
    const { call, end } = await openAssistant(
      rig,
      [...service, '--allow-writes', '--root', 'files'],
      { env: { SVC_CONFIG_DIR: 'own-config' } },
    );
    const host = new URL(baseUrl).host;
    const topic = await call('topics_delete', { topicKey: 'empty-topic', confirm: host });
    expect(topic.item).toMatchObject({ deleted: true });
    await end();
  });
});

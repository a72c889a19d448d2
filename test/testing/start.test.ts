// Starting and stopping a sandbox with `svc-cli/testing`.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { SandboxOptions } from '../../src/testing/types.ts';
import { startSandbox } from '../support/sandbox-311.ts';
import { authorized, openTestSandbox, state, trigger } from './open.ts';

function openFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-testing-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const requestTopics = async ({ url, key }: { url: string; key: string }) => {
  const response = await fetch(`${url}/v2/topics`, { headers: authorized({ key }) });
  return { status: response.status, body: await response.json() };
};

describe('startSandbox', () => {
  it('names the files of a folder that lack the first line of a workflow file', async () => {
    const folder = openFolder();
    writeFileSync(path.join(folder, 'welcome.yaml'), 'workflowId: welcome\n');
    await expect(startSandbox({ seed: folder })).rejects.toThrow(
      `${folder} contains no workflow files. Ignored: welcome.yaml.`,
    );
  });

  it('listens on a port of its own until it is stopped', async () => {
    const sandbox = await startSandbox();
    expect(sandbox.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(sandbox.key).toMatch(/^[0-9a-f]{32}$/);
    expect(await requestTopics(sandbox)).toMatchObject({ status: 200, body: { totalCount: 3 } });
    expect((await requestTopics({ ...sandbox, key: 'wrong' })).status).toBe(401);
    await Promise.all([sandbox.stop(), sandbox.stop()]);
    await expect(requestTopics(sandbox)).rejects.toThrow('fetch failed');
    await expect(sandbox.messages()).rejects.toThrow('The sandbox has stopped.');
    await expect(sandbox.fetch('/v2/topics')).rejects.toThrow('The sandbox has stopped.');
  });

  it('has the given key', async () => {
    const key = '0123456789abcdef0123456789abcdef';
    const sandbox = await openTestSandbox({ key });
    expect(sandbox.key).toBe(key);
    const { status } = await sandbox.fetch('/v2/topics', { headers: authorized({ key }) });
    expect(status).toBe(200);
  });

  it('opens no port with listen: false', async () => {
    const sandbox = await openTestSandbox();
    expect(sandbox.url).toBe('http://sandbox.invalid');
    const response = await sandbox.fetch(`${sandbox.url}/v2/topics`, {
      headers: authorized(sandbox),
    });
    expect(await response.json()).toMatchObject({ totalCount: 3 });
  });

  it('starts with the example data and no messages', async () => {
    const sandbox = await openTestSandbox();
    expect(await sandbox.messages()).toEqual([]);
    await trigger(sandbox, 'welcome', 'u1', { product: 'Svc' });
    expect(await sandbox.messages({ channel: 'email' })).toMatchObject([
      { subscriberId: 'u1', subject: 'Welcome to Svc', recipient: 'ada@example.com' },
    ]);
  });

  it('keeps the data of eight sandboxes apart', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => startSandbox({ seed: state })));
    onTestFinished(async () => void (await Promise.all(all.map(({ stop }) => stop()))));
    expect(new Set(all.map(({ url }) => url)).size).toBe(8);
    expect(new Set(all.map(({ key }) => key)).size).toBe(8);
    await Promise.all(
      all.map(async (sandbox, index) => {
        for (let count = 0; count <= index; count += 1) await trigger(sandbox, 'sign-up', 'u1');
      }),
    );
    const counts = await Promise.all(all.map(async ({ messages }) => (await messages()).length));
    expect(counts).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it.each([
    ['the service', {}, 'novu'],
    ['the mode of its seed', { seed: { ...state, compat: 'specification' } }, 'specification'],
    ['the given mode', { seed: { ...state, compat: 'specification' }, compat: 'novu' }, 'novu'],
    ['the given mode', { compat: 'specification' }, 'specification'],
  ] as const)('behaves like %s', async (_mode, options, expected) => {
    const { fetch } = await openTestSandbox(options);
    expect((await fetch('/v2/topics')).headers.get('svc-sandbox')).toBe(expected);
  });

  it('creates the jobs of an event before the response', async () => {
    const sandbox = await openTestSandbox({ seed: state });
    await trigger(sandbox, 'sign-up', 'u1');
    expect(await sandbox.messages()).toHaveLength(1);
  });

  it('loads a state file and a folder of workflow files, by path or URL', async () => {
    const folder = openFolder();
    const file = path.join(folder, 'state.yaml');
    writeFileSync(
      file,
      'version: 1\nenvironments:\n  - name: Development\n    topics: [{key: a}]\n',
    );
    for (const seed of [file, pathToFileURL(file)]) {
      const [environment] = (await (await openTestSandbox({ seed })).export()).environments;
      expect(environment?.topics).toMatchObject([{ key: 'a' }]);
    }
    const workflows = path.join(folder, 'workflows');
    mkdirSync(workflows);
    writeFileSync(
      path.join(workflows, 'hello.yaml'),
      '# svc workflow, format 1\nworkflowId: hello\nname: Hello\n',
    );
    const [environment] = (await (await openTestSandbox({ seed: workflows })).export())
      .environments;
    expect(environment?.workflows?.map(({ workflowId }) => workflowId)).toEqual(['hello']);
  });

  it('reads no variables, profiles or state, and writes no files', async () => {
    const folder = openFolder();
    for (const name of ['SVC_CONFIG_DIR', 'SVC_STATE_DIR', 'SVC_CACHE_DIR', 'HOME'])
      vi.stubEnv(name, folder);
    vi.stubEnv('SVC_BASE_URL', 'http://127.0.0.1:1');
    vi.stubEnv('SVC_API_KEY', 'other');
    vi.stubEnv('SVC_SANDBOX_COMPAT', 'specification');
    onTestFinished(() => void vi.unstubAllEnvs());
    writeFileSync(path.join(folder, 'config.json'), 'not JSON');
    const sandbox = await openTestSandbox();
    expect(sandbox.key).not.toBe('other');
    expect((await sandbox.fetch('/v2/topics')).headers.get('svc-sandbox')).toBe('novu');
    expect(readdirSync(folder)).toEqual(['config.json']);
  });
});

describe('an option that is not valid', () => {
  it.each<[string, object, string]>([
    [
      'unknown name',
      { sed: 'state.yaml' },
      'Unknown option of startSandbox: sed. The options are: compat, service, seed, time, frozen, key, log, listen, onUnhandled, bridge, allowBridge, allowHttp, faults, strictVariables.',
    ],
    [
      'compat',
      { compat: 'none' },
      `The option compat must be 'novu' or 'specification', not "none".`,
    ],
    ['key', { key: 'ABC' }, 'The option key must have 32 lowercase hexadecimal digits.'],
    ['listen', { listen: 'no' }, 'The option listen must be true or false.'],
    ['time', { time: 'noon' }, '`noon` is not an ISO time such as 2026-01-15T12:00:00Z.'],
    [
      'seed file',
      { seed: '/missing/state.yaml' },
      `The seed /missing/state.yaml does not exist. Relative paths start in ${process.cwd()}.`,
    ],
    [
      'state',
      { seed: { version: 1, environments: [{ name: 'Development', topics: [{ keey: 'a' }] }] } },
      [
        'The option seed is not a valid state.',
        '  environments[0].topics[0].key is required',
        '  environments[0].topics[0].keey is an unknown field',
      ].join('\n'),
    ],
  ])('%s', async (_name, options, message) => {
    await expect(startSandbox(options as SandboxOptions)).rejects.toThrow(new Error(message));
  });

  it('is an error without a cause that repeats its message', async () => {
    const error = await startSandbox({ time: 'noon' }).catch((thrown: Error) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toHaveProperty('cause');
  });

  it('reports the line of an error in a state file', async () => {
    const file = path.join(openFolder(), 'state.yaml');
    writeFileSync(file, 'version: 1\nenvironments:\n  - nam: Development\n');
    await expect(startSandbox({ seed: file })).rejects.toThrow(`${file}:3:5: environments[0].nam`);
  });
});

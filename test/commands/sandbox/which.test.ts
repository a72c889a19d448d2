// Tests which sandbox a command selects.
import { describe, expect, it } from 'vitest';
import { baseUrl, testKey } from '../../support/fixed.ts';
import { openRig } from '../../support/rig.ts';
import type { ProcessOptions } from '../../support/rig-host.ts';
import { openSandboxRig } from './sandbox-rig.ts';

const production = { baseUrl: 'https://prod.example.com', key: 'f'.repeat(32), keySource: 'file' };

describe('the sandbox that a command uses', () => {
  it('is the current profile, also after a rename', async () => {
    const { svc } = await openSandboxRig();
    await svc(['profiles', 'rename', 'sandbox', 'main']);
    const { code, stdout } = await svc(['sandbox', 'status', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ profile: 'main', running: true });
    const stopped = await svc(['sandbox', 'stop'], { tty: true });
    expect(stopped.stdout).toContain('The sandbox of profile main at ');
    expect((await svc(['sandbox', 'faults', 'show', '--json'])).code).toBe(0);
  });

  it('is the profile `sandbox` if the current profile is not a sandbox, with a note', async () => {
    const { svc } = await openSandboxRig({ current: 'prod', prod: production });
    for (const args of [['messages', 'list'], ['export']]) {
      const { code, stderr } = await svc(['sandbox', ...args]);
      expect({ code, stderr }).toEqual({
        code: 0,
        stderr:
          'Using the sandbox of profile sandbox: the current profile, prod, is not a sandbox.\n',
      });
    }
    const reset = await svc(['sandbox', 'reset', '--yes', '--json']);
    expect(JSON.parse(reset.stdout)).toEqual({ reset: true, profile: 'sandbox' });
  });

  it('is not chosen automatically if the only one has another name', async () => {
    const { svc } = await openSandboxRig({ current: 'prod', prod: production });
    await svc(['profiles', 'rename', 'sandbox', 'main']);
    const { code, stderr, requests } = await svc(['sandbox', 'stop']);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain('No sandbox is selected. Sandboxes: main.');
    expect((await svc(['sandbox', 'status', '-p', 'main'])).code).toBe(0);
  });

  /** Stops a sandbox with this status on a machine where process 4242 runs. */
  async function stop(status: object, machine: ProcessOptions = {}) {
    const rig = await openSandboxRig();
    rig.answer(
      { status: 200, body: { name: 'svc-sandbox', ...status } },
      { status: 200, body: { stopping: true } },
    );
    return rig.svc(['sandbox', 'stop'], { ...machine, tty: true, columns: 200 });
  }

  /** Process 4242 has start b1.7. */
  const linux = {
    identity: { host: 'here', start: 'b1.99' },
    isAlive: (pid: number, start = 'b1.7') => pid === 4242 && start === 'b1.7',
  };

  it.each<[string, object, ProcessOptions]>([
    ['Linux', { pid: 4242, processStart: 'b1.7' }, linux],
    ['a system without start times', { pid: 4242 }, {}],
  ])('is not reported as stopped while its process runs on %s', async (_name, status, machine) => {
    const { code, stdout, stderr } = await stop(status, machine);
    expect({ code, stdout }).toEqual({ code: 8, stdout: '' });
    expect(stderr).toContain('The sandbox of profile sandbox has not stopped within 8s.');
    expect(stderr).toContain('kill -9 4242');
  });

  it('is stopped when its process was once seen to be gone', async () => {
    const seen = [true, false, true];
    const isAlive = () => seen.shift() ?? true;
    const { code } = await stop({ pid: 4242, processStart: 'b1.7' }, { ...linux, isAlive });
    expect({ code, seen }).toEqual({ code: 0, seen: [true] });
  });

  it.each<[string, object, ProcessOptions]>([
    ['on another Linux machine', { pid: 4242, processStart: 'b2.7' }, linux],
    ['in a container of this machine', { pid: 4242, processStart: 'b1.8' }, linux],
    ['in a container, seen from another system', { pid: 4242, processStart: 'b2.7' }, {}],
    ['on another system, seen from Linux', { pid: 4242 }, linux],
    ['of a test, which has no process of its own', {}, linux],
  ])(
    '%s is stopped without waiting for a process that has its id here',
    async (_name, ...given) => {
      const { code, stdout, stderr, slept } = await stop(...given);
      expect({ code, stderr, slept }).toEqual({ code: 0, stderr: '', slept: 0 });
      expect(stdout).toMatch(/^The sandbox of profile sandbox at \S+ has stopped\.$/m);
    },
  );

  it('is not stopped with a read-only profile', async () => {
    const { svc } = await openSandboxRig();
    await svc(['profiles', 'read-only', 'sandbox']);
    const { code, stderr, requests } = await svc(['sandbox', 'stop', '--yes']);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain('changes data, and profile sandbox is read-only.');
    expect((await svc(['sandbox', 'stop', '--read-only'])).code).toBe(2);
  });

  it('is stopped without a question if it is in memory and has a profile here', async () => {
    const { svc } = await openSandboxRig();
    expect((await svc(['sandbox', 'stop'])).code).toBe(0);
    const env = { SVC_BASE_URL: baseUrl, SVC_API_KEY: testKey };
    expect((await svc(['sandbox', 'stop'], { env })).code).toBe(0);
  });

  it('is stopped after a question if it is in memory and has no profile here', async () => {
    const { svc } = await openRig({ bare: true });
    const env = { SVC_BASE_URL: baseUrl, SVC_API_KEY: testKey };
    const { code, stderr, requests } = await svc(['sandbox', 'stop'], { env });
    expect(code).toBe(2);
    expect(stderr).toContain(`stop the sandbox at ${baseUrl} and delete its data`);
    expect(requests.map(({ line }) => line)).not.toContain('POST /__sandbox/stop');
    const confirmed = await svc(['sandbox', 'stop', '--yes'], { env });
    expect(confirmed).toMatchObject({ code: 0 });
  });

  const commands: string[][] = [
    ['stop', '--yes'],
    ['status'],
    ['reset', '--yes'],
    ['clock', 'show'],
    ['clock', 'advance', '1h'],
    ['clock', 'set', 'now'],
    ['faults', 'set', '--fail', '5%'],
    ['faults', 'show'],
    ['faults', 'clear'],
    ['messages', 'list'],
    ['messages', 'get', 'm1'],
    ['export'],
  ];

  it.each(commands)(
    'is never a profile for another service: svc sandbox %s %s refuses it',
    async (...args) => {
      const { svc } = await openSandboxRig({ prod: production });
      const line = ['sandbox', ...args];
      const byOption = await svc([...line, '-p', 'prod']);
      const byVariable = await svc(line, { env: { SVC_PROFILE: 'prod' } });
      for (const { code, requests, stderr } of [byOption, byVariable]) {
        expect({ code, requests }).toEqual({ code: 2, requests: [] });
        expect(stderr).toContain('which is not a sandbox. Sandboxes: sandbox.');
      }
      const unknown = await svc(line, { env: { SVC_PROFILE: 'prdo' } });
      expect(unknown).toMatchObject({ code: 2, requests: [] });
    },
  );

  const address = { SVC_BASE_URL: baseUrl, SVC_API_KEY: testKey };

  it.each(commands.filter(([name]) => name !== 'messages'))(
    'can be given by address and key: svc sandbox %s %s',
    async (...args) => {
      const { svc } = await openRig({ bare: true });
      const { code, requests } = await svc(['sandbox', ...args], { env: address });
      expect(code).toBe(0);
      expect(requests[0]?.line).toBe('GET /__sandbox/status');
    },
  );

  it('is the one of the address and key even if SVC_PROFILE names no profile', async () => {
    const { svc } = await openSandboxRig();
    const env = { ...address, SVC_PROFILE: 'gone' };
    for (const line of [
      ['sandbox', 'messages', 'list'],
      ['events', 'trigger', 'welcome', '--to', 'u1', '-f', 'product=Svc'],
      ['sandbox', 'reset', '--yes'],
      ['sandbox', 'stop'],
    ])
      expect(await svc(line, { env })).toMatchObject({ code: 0, stderr: '' });
    const others = [
      { SVC_PROFILE: 'gone' },
      { SVC_PROFILE: 'gone', SVC_BASE_URL: baseUrl },
      { ...env, SVC_BASE_URL: 'https://prod.example.com' },
    ];
    for (const other of others)
      expect(await svc(['topics', 'list'], { env: other })).toMatchObject({
        code: 2,
        requests: [],
        stderr: expect.stringContaining('Unknown profile `gone` (from SVC_PROFILE).'),
      });
    expect((await svc(['sandbox', 'stop', '-p', 'gone'], { env: address })).code).toBe(2);
  });

  it('is shown by its profile, or by its address without a profile', async () => {
    const bare = await openRig({ bare: true });
    const stopped = await bare.svc(['sandbox', 'stop', '--yes'], { env: address, tty: true });
    expect(stopped.stdout).toBe(`The sandbox at ${baseUrl} has stopped.\n`);
    const { svc } = await openSandboxRig();
    await svc(['profiles', 'rename', 'sandbox', 'main']);
    const status = await svc(['sandbox', 'status', '--jq', '.profile'], { env: address });
    expect(status.stdout).toBe('main\n');
  });

  it('is never a real service: the status is checked before any write', async () => {
    const { svc, answer } = await openRig({ bare: true });
    answer({ status: 404, body: { message: 'Cannot GET /__sandbox/status' } });
    const { code, stderr, requests } = await svc(['sandbox', 'reset', '--yes'], { env: address });
    expect(code).toBe(2);
    expect(requests.map(({ line }) => line)).not.toContain('POST /__sandbox/stop');
    expect(stderr).toContain(`${baseUrl} (from SVC_BASE_URL) is not a sandbox.`);
  });

  it('is the one of --profile even if SVC_BASE_URL is set to another service', async () => {
    const { svc } = await openSandboxRig();
    const env = { SVC_BASE_URL: 'https://prod.example.com', SVC_API_KEY: 'f'.repeat(32) };
    const { code, stdout } = await svc(['sandbox', 'status', '-p', 'sandbox', '--json'], { env });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ profile: 'sandbox', baseUrl, running: true });
  });

  it('must be given if several exist and none is current or has the name sandbox', async () => {
    const other = { baseUrl: 'http://127.0.0.1:9', key: 'a', keySource: 'file', sandbox: true };
    const { svc } = await openSandboxRig({ current: 'prod', prod: production, other });
    expect((await svc(['sandbox', 'status', '--jq', '.profile'])).stdout).toBe('sandbox\n');
    await svc(['profiles', 'rename', 'sandbox', 'main']);
    const { code, stderr } = await svc(['sandbox', 'status']);
    expect(code).toBe(2);
    expect(stderr).toContain('No sandbox is selected. Sandboxes: other, main.');
  });

  it('is described on a terminal by what people ask for; -o wide has the rest', async () => {
    const { svc } = await openSandboxRig();
    const { stdout } = await svc(['sandbox', 'status'], { tty: true });
    expect(stdout.replace(/(FOLDER +).*/, '$1…')).toMatchInlineSnapshot(`
      "PROFILE       sandbox
      RUNNING       yes
      ADDRESS       http://sandbox.localhost
      PAGE          svc sandbox open
      VERSION       3.11
      TIME          15 Jan 2026 12:00:00
      DATA          9 subscribers, 3 topics, 12 workflows, 15 events, 2 environments
      FOLDER        …
      PENDING       1 job, the next at 16 Jan 12:00
      "
    `);
    const wide = await svc(['sandbox', 'status', '-o', 'wide'], { tty: true });
    expect(wide.stdout).toMatch(/^SUBSCRIBERS +9\n/m);
    expect(wide.stdout).toMatch(/^ENVELOPE +true\n/m);
  });

  it('is reported as not running after one attempt, with the command to start it', async () => {
    const { svc, answer } = await openSandboxRig();
    answer(new Error('connect ECONNREFUSED'));
    const { code, stdout, stderr, requests } = await svc(['sandbox', 'status'], { tty: true });
    expect({ code, requests: requests.length }).toEqual({ code: 0, requests: 1 });
    expect(stdout).toMatch(/^RUNNING +no$/m);
    expect(stderr).toBe('Start it with `svc sandbox start --detach`.\n');
    answer(new Error('connect ECONNREFUSED'));
    const stopped = await svc(['sandbox', 'stop'], { tty: true });
    expect(stopped.code).toBe(0);
    answer(new Error('connect ECONNREFUSED'));
    const asData = await svc(['sandbox', 'stop', '--json']);
    expect(JSON.parse(asData.stdout)).toEqual({ stopped: false, profile: 'sandbox', baseUrl });
    expect(stopped.stdout).toMatch(/^The sandbox of profile sandbox at \S+ is not running\.$/m);
  });

  it('cannot lose its profile while it runs', async () => {
    const { svc, answer } = await openSandboxRig();
    const rejected = await svc(['profiles', 'delete', 'sandbox', '--yes']);
    expect(rejected.code).toBe(2);
    expect(rejected.stderr).toContain('svc sandbox stop --profile sandbox');
    answer(new Error('connect ECONNREFUSED'));
    const { stdout } = await svc(['profiles', 'delete', 'sandbox', '--yes'], { tty: true });
    expect(stdout).toContain('It was the current profile: choose another with `svc profiles use`.');
  });
});

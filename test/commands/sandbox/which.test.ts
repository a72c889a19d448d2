// Which sandbox a command means, by the profile that holds and the marks of profiles.
import { describe, expect, it } from 'vitest';
import { openSandboxRig } from './sandbox-rig.ts';

const elsewhere = { baseUrl: 'https://prod.example.com', key: 'f'.repeat(32), keySource: 'file' };

describe('the sandbox that is meant', () => {
  it('is the current profile, also after it got another name', async () => {
    const { svc } = await openSandboxRig();
    await svc(['profiles', 'rename', 'sandbox', 'main']);
    const { code, stdout } = await svc(['sandbox', 'status', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ profile: 'main', running: true });
    const stopped = await svc(['sandbox', 'stop'], { tty: true });
    expect(stopped.stdout).toContain('The sandbox of profile main at ');
    expect((await svc(['sandbox', 'faults', 'show', '--json'])).code).toBe(0);
  });

  it('is the only sandbox there is when the current profile is none, and that is said', async () => {
    const { svc } = await openSandboxRig({ current: 'prod', prod: elsewhere });
    await svc(['profiles', 'rename', 'sandbox', 'main']);
    for (const words of [['messages', 'list'], ['export']]) {
      const { code, stderr } = await svc(['sandbox', ...words]);
      expect({ code, stderr }).toEqual({
        code: 0,
        stderr: 'This is the sandbox of profile main; profile prod is no sandbox.\n',
      });
    }
    const reset = await svc(['sandbox', 'reset', '--yes', '--json']);
    expect(JSON.parse(reset.stdout)).toEqual({ reset: true, profile: 'main' });
  });

  it('is never a profile that --profile names and that is no sandbox', async () => {
    const { svc } = await openSandboxRig({ prod: elsewhere });
    const { code, stderr, requests } = await svc(['sandbox', 'reset', '--yes', '-p', 'prod']);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain('which is no sandbox. Sandboxes: sandbox.');
    const variable = await svc(['sandbox', 'reset', '--yes'], { env: { SVC_PROFILE: 'prdo' } });
    expect(variable).toMatchObject({ code: 2, requests: [] });
  });

  it('is asked for when there are several and none is current or named sandbox', async () => {
    const other = { baseUrl: 'http://127.0.0.1:9', key: 'a', keySource: 'file', sandbox: true };
    const { svc } = await openSandboxRig({ current: 'prod', prod: elsewhere, other });
    expect((await svc(['sandbox', 'status', '--jq', '.profile'])).stdout).toBe('sandbox\n');
    await svc(['profiles', 'rename', 'sandbox', 'main']);
    const { code, stderr } = await svc(['sandbox', 'status']);
    expect(code).toBe(2);
    expect(stderr).toContain('Profile `sandbox` does not exist. Sandboxes: other, main.');
    expect((await svc(['sandbox', 'status', '-p', 'main'])).code).toBe(0);
  });

  it('is told to be stopped without another try, and the start is named', async () => {
    const { svc, answer } = await openSandboxRig();
    answer(new Error('connect ECONNREFUSED'));
    const { code, stdout, stderr, requests } = await svc(['sandbox', 'status'], { tty: true });
    expect({ code, requests: requests.length }).toEqual({ code: 0, requests: 1 });
    expect(stdout).toMatch(/^running +no$/m);
    expect(stderr).toBe('Start it with `svc sandbox start --detach`.\n');
    answer(new Error('connect ECONNREFUSED'));
    const stopped = await svc(['sandbox', 'stop'], { tty: true });
    expect(stopped.code).toBe(0);
    expect(stopped.stdout).toMatch(/^The sandbox of profile sandbox at \S+ is not running\.$/m);
  });

  it('keeps its profile while it runs', async () => {
    const { svc, answer } = await openSandboxRig();
    const refused = await svc(['profiles', 'delete', 'sandbox', '--yes']);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('svc sandbox stop --profile sandbox');
    answer(new Error('connect ECONNREFUSED'));
    const { stdout } = await svc(['profiles', 'delete', 'sandbox', '--yes'], { tty: true });
    expect(stdout).toContain('It was the current one: choose another with `svc profiles use`.');
  });
});

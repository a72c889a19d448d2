import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { testKey } from '../../support/fixed.ts';
import { openRig } from '../../support/rig.ts';
import { unauthorized } from '../../support/runs.ts';
import { openSandboxRig } from '../sandbox/sandbox-rig.ts';

const statusesIn = (stdout: string) =>
  Object.fromEntries(
    (JSON.parse(stdout) as { name: string; status: string }[]).map(({ name, status }) => [
      name,
      status,
    ]),
  );

describe('svc doctor', () => {
  it('prints one line per check', async () => {
    const { svc, folder } = await openRig();
    const { code, stdout, stderr } = await svc(['doctor'], { tty: true, columns: 120 });
    expect({ code, stderr, stdout: stdout.replaceAll(folder, '/home') }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "✓ ok       versions       svc 0.0.0-test, Node v20.20.2, linux
      ✓ ok       configuration  /home/config/config.json (does not exist yet): 0 profiles, none is current
      ✓ ok       permissions    no file is stored yet
      ✓ ok       folders        state /home/state, cache /home/cache
      ✓ ok       settings       all at their defaults
      ✓ ok       sandbox        can be started on this machine
      ✓ ok       address        http://sandbox.localhost (SVC_BASE_URL)
      ✓ ok       key            found (SVC_API_KEY)
      ✓ ok       proxy          none
      ✓ ok       service        responds in 0 ms and accepts the key
      ✓ ok       encryption     not needed on this machine
      ✓ ok       clock          0s ahead of the service
      ✓ ok       server         version 3.11.0; does not offer: named topic subscriptions with conditions, inbox routes to
                                archive, snooze and delete notifications, environment variables, channel connections and
                                endpoints, the channel \`tool\`
      ✓ ok       environment    Development, one of 2 environments
      ✓ No problems found.
      ",
      }
    `);
  });

  it('prints findings as {name, status, message, fix} in JSON', async () => {
    const { svc } = await openRig({ bare: true });
    const findings = JSON.parse((await svc(['doctor', '--json'])).stdout);
    for (const finding of findings)
      expect(Object.keys(finding)).toEqual(['name', 'status', 'message', 'fix']);
    expect(findings).toContainEqual({
      name: 'address',
      status: 'problem',
      message: expect.stringContaining('No service selected'),
      fix: 'svc login or svc sandbox start',
    });
    expect(findings).toContainEqual({
      name: 'service',
      status: 'skipped',
      message: 'not checked because of the problem with address',
      fix: null,
    });
    const csv = (await svc(['doctor', '-o', 'csv'])).stdout;
    expect(csv.split('\n')[0]).toBe('name,status,message,fix');
  });

  it('accepts a moved clock of the sandbox', async () => {
    const { svc } = await openSandboxRig();
    await svc(['sandbox', 'clock', 'advance', '30d']);
    const { stdout } = await svc(['doctor', '--json']);
    expect(JSON.parse(stdout)).toContainEqual({
      name: 'clock',
      status: 'ok',
      message: expect.stringMatching(/behind the service: the sandbox has its own clock/),
      fix: null,
    });
  });

  it('wraps messages within their column and puts suggested commands on their own lines', async () => {
    const { svc, folder } = await openRig({ bare: true });
    const config = path.join(folder, 'config');
    mkdirSync(config, { mode: 0o700 });
    const stored = { current: 'a', profiles: { a: { baseUrl: 'http://127.0.0.1:4400' } } };
    writeFileSync(path.join(config, 'config.json'), JSON.stringify(stored), { mode: 0o600 });
    const { stdout } = await svc(['doctor'], { tty: true, columns: 60 });
    expect(stdout).toMatch(/\s1 profile, a is current/);
    const lines = stdout.split('\n').filter((line) => !line.includes(folder));
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(60);
    expect(stdout).toContain('→ svc login --profile a\n');
    await svc(['profiles', 'delete', 'a', '--yes']);
    const none = await svc(['doctor'], { tty: true, columns: 60 });
    expect(none.stdout).toContain(
      [
        '✗ problem  address        No service selected: no base URL',
        '                          and no profile.',
        '                          → svc login or svc sandbox start',
      ].join('\n'),
    );
  });

  it('exits with 4 and suggests `svc login` when no service is chosen', async () => {
    const { svc } = await openRig({ bare: true });
    const { code, stdout, requests } = await svc(['doctor', '--json']);
    expect(code).toBe(4);
    expect(statusesIn(stdout)).toMatchObject({ address: 'problem', service: 'skipped' });
    expect(stdout).toContain('svc login');
    expect(requests).toEqual([]);
  });

  it('uses the exit code of a rejected key, a service that is down and a wrong address', async () => {
    const { svc, answer } = await openRig();
    answer(unauthorized);
    expect((await svc(['doctor'])).code).toBe(4);
    answer(new Error('connect ECONNREFUSED'));
    expect((await svc(['doctor', '--retries', '0'])).code).toBe(7);
    answer({ status: 404, body: { statusCode: 404, message: 'Cannot GET /v1/environments' } });
    expect((await svc(['doctor'])).code).toBe(8);
  });

  it('warns about a file that others can read and a wrong clock', async () => {
    const { svc, folder, answer } = await openRig();
    const config = path.join(folder, 'config');
    mkdirSync(config, { mode: 0o700 });
    writeFileSync(path.join(config, 'config.json'), '{"profiles":{},"settings":{}}');
    chmodSync(path.join(config, 'config.json'), 0o644);
    answer({ status: 200, body: [], headers: { date: 'Thu, 15 Jan 2026 11:00:00 GMT' } });
    const { code, stdout } = await svc(['doctor', '--json']);
    expect(code).toBe(0);
    expect(statusesIn(stdout)).toMatchObject({ permissions: 'warning', clock: 'warning' });
    expect(stdout).toContain('chmod 600');
    const table = await svc(['doctor', '--no-unicode'], { tty: true });
    expect(table.stdout).toMatch(/^! warning {2}permissions .*\n.*\n +→ chmod 600 /m);
    expect(table.stdout).toMatch(/\n\+ No problems found\. Warning found: permissions\.\n$/);
  });

  it('reports a broken configuration instead of failing', async () => {
    const { svc, folder } = await openRig();
    mkdirSync(path.join(folder, 'config'), { mode: 0o700 });
    writeFileSync(path.join(folder, 'config', 'config.json'), '{"profiles":', { mode: 0o600 });
    const { code, stdout } = await svc(['doctor', '--json']);
    expect(code).toBe(8);
    expect(statusesIn(stdout)).toMatchObject({ configuration: 'problem', service: 'skipped' });
    const table = await svc(['doctor'], { tty: true });
    expect(table.stdout).toMatch(/\n– skipped {2}service /);
    expect(table.stdout).toMatch(/\n✗ Problems? found: configuration\b.*\.\n$/);
  });

  it('never prints the key or the password of a proxy', async () => {
    const { svc } = await openRig();
    const env = {
      SVC_BASE_URL: 'https://notifications.example.com',
      HTTPS_PROXY: 'http://me:s3cret@proxy.example.com:8080',
    };
    const { stdout } = await svc(['doctor'], { env });
    expect(stdout).toContain('http://proxy.example.com:8080');
    expect(stdout).not.toContain('s3cret');
    expect(stdout).not.toContain(testKey);
  });

  it('reports a wrong address once', async () => {
    const { svc } = await openRig();
    const { code, stdout } = await svc(['doctor', '--base-url', 'ftp://example.com', '--json']);
    expect(code).toBe(2);
    expect(stdout.match(/must begin with https/g)).toHaveLength(1);
    expect(statusesIn(stdout)).toMatchObject({ address: 'problem', key: 'skipped' });
  });

  it('rejects an unknown option before it checks anything', async () => {
    const { svc } = await openRig();
    const { code, requests } = await svc(['doctor', '--fix']);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
  });
});

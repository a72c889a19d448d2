import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { testKey } from '../../support/fixed.ts';
import { openRig } from '../../support/rig.ts';

const statesOf = (stdout: string) =>
  Object.fromEntries(
    (JSON.parse(stdout) as { check: string; state: string }[]).map(({ check, state }) => [
      check,
      state,
    ]),
  );

describe('svc doctor', () => {
  it('says of each thing how it is', async () => {
    const { svc, folder } = await openRig();
    const { code, stdout, stderr } = await svc(['doctor'], { tty: true, columns: 120 });
    expect({ code, stderr, stdout: stdout.replaceAll(folder, '/home') }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "ok        versions       svc 0.0.0-test, Node v20.20.2, linux
      ok        configuration  /home/config/config.json (not there yet): 0 profiles, none is current
      ok        permissions    nothing is stored yet
      ok        folders        state /home/state, cache /home/cache
      ok        settings       all at their defaults
      ok        sandbox        can be started on this machine
      ok        address        http://sandbox.localhost (SVC_BASE_URL)
      ok        key            there is one (SVC_API_KEY)
      ok        proxy          none
      ok        service        answers in 0 ms and takes the key
      ok        encryption     not needed on this machine
      ok        clock          the service does not tell its time
      ok        environment    Development, one of 2 environments
      ",
      }
    `);
  });

  it('wraps at blanks below its column, and names commands apart', async () => {
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
        'problem   address        No service selected: no base URL',
        '                         and no profile.',
        '                         → svc login or svc sandbox start',
      ].join('\n'),
    );
  });

  it('ends as a command would when no service is chosen, and names the way out', async () => {
    const { svc } = await openRig({ bare: true });
    const { code, stdout, requests } = await svc(['doctor', '--json']);
    expect(code).toBe(4);
    expect(statesOf(stdout)).toMatchObject({ address: 'problem', service: 'skipped' });
    expect(stdout).toContain('svc login');
    expect(requests).toEqual([]);
  });

  it('names a refused key, a service that is down and one that is another', async () => {
    const { svc, answer } = await openRig();
    answer({ status: 401, body: { statusCode: 401, message: 'API Key not found' } });
    expect((await svc(['doctor'])).code).toBe(4);
    answer(new Error('connect ECONNREFUSED'));
    expect((await svc(['doctor', '--retries', '0'])).code).toBe(7);
    answer({ status: 404, body: { statusCode: 404, message: 'Cannot GET /v1/environments' } });
    expect((await svc(['doctor'])).code).toBe(8);
  });

  it('warns of a file that others can read and of a clock that is wrong', async () => {
    const { svc, folder, answer } = await openRig();
    const config = path.join(folder, 'config');
    mkdirSync(config, { mode: 0o700 });
    writeFileSync(path.join(config, 'config.json'), '{"profiles":{},"settings":{}}');
    chmodSync(path.join(config, 'config.json'), 0o644);
    answer({ status: 200, body: [], headers: { date: 'Thu, 15 Jan 2026 11:00:00 GMT' } });
    const { code, stdout } = await svc(['doctor', '--json']);
    expect(code).toBe(0);
    expect(statesOf(stdout)).toMatchObject({ permissions: 'warning', clock: 'warning' });
    expect(stdout).toContain('chmod 600');
  });

  it('reports a broken configuration instead of failing', async () => {
    const { svc, folder } = await openRig();
    mkdirSync(path.join(folder, 'config'), { mode: 0o700 });
    writeFileSync(path.join(folder, 'config', 'config.json'), '{"profiles":', { mode: 0o600 });
    const { code, stdout } = await svc(['doctor', '--json']);
    expect(code).toBe(8);
    expect(statesOf(stdout)).toMatchObject({ configuration: 'problem', service: 'skipped' });
  });

  it('never shows the key, nor the password of a proxy', async () => {
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

  it('is refused with an unknown option before anything is looked at', async () => {
    const { svc } = await openRig();
    const { code, requests } = await svc(['doctor', '--fix']);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
  });
});

// The sandbox as a process: in the background, stopped, started again, in the way of itself.
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openHome } from '../support/built.ts';

describe('sandbox start', () => {
  it('says in either form that another profile is still current, and says nothing where none is', async () => {
    const home = openHome();
    const line = ['sandbox', 'start', '--in-memory', '--port', '0'];
    const start = [...line, '--detach', '-o', 'table', '--profile-name', 'prod'];
    const first = await home.svc(start);
    expect(first).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining('The sandbox runs in the background at http://127.0.0.1:'),
    });
    const said =
      'Profile prod is still current: use --profile sandbox, or svc profiles use sandbox\n';
    expect(await home.svc([...line, '--detach'])).toMatchObject({ code: 0, stderr: said });
    await home.svc(['sandbox', 'stop', '--profile', 'sandbox']);
    const foreground = home.start([...line, '--profile-name', 'third']);
    await foreground.says('third');
    foreground.process.kill('SIGINT');
    expect((await foreground.ended).stderr).toContain(said.replaceAll('sandbox', 'third'));
    const named = await home.svc([...line, '--detach', '--profile-name', 'fourth'], {
      env: { SVC_PROFILE: 'prod' },
    });
    expect(named.stderr).toContain('SVC_PROFILE still names profile prod: use --profile fourth');
    for (const name of ['prod', 'fourth']) await home.svc(['sandbox', 'stop', '--profile', name]);
  });

  it("--time and --frozen give a time of one's own, which the clock moves", async () => {
    const home = openHome();
    const line = ['sandbox', 'start', '--detach', '--in-memory', '--port', '0', '--json'];
    const time = '2030-01-07T08:00:00.000Z';
    expect(await home.svc([...line, '--time', time, '--frozen'])).toMatchObject({ code: 0 });
    const clock = async (...words: string[]) =>
      JSON.parse((await home.svc(['sandbox', 'clock', ...words, '--json'])).stdout);
    expect(await clock('show')).toMatchObject({ now: time, frozen: true });
    await home.svc(['events', 'trigger', 'weekly-report', '--to', 'u7', '--yes']);
    expect(await clock('advance', '1h')).toMatchObject({
      now: '2030-01-07T09:00:00.000Z',
      ran: 1,
    });
    const messages = await home.svc(['sandbox', 'messages', 'list', '--limit', '1', '--json']);
    expect(JSON.parse(messages.stdout)).toMatchObject([
      { subject: 'Your week in numbers', createdAt: '2030-01-07T09:00:00.000Z' },
    ]);
    await home.svc(['sandbox', 'stop']);
  });

  it('--detach returns when it accepts connections; status sees it, stop ends it, data stays', async () => {
    const home = openHome();
    const started = await home.svc(['sandbox', 'start', '--detach', '--port', '0', '--json']);
    expect(started).toMatchObject({ code: 0, stderr: '' });
    const { baseUrl, key, profile, pid } = JSON.parse(started.stdout) as Record<string, string>;
    expect({ baseUrl, key, profile, pid }).toEqual({
      baseUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      key: expect.stringMatching(/^[0-9a-f]{32}$/),
      profile: 'sandbox',
      pid: expect.any(Number),
    });
    expect((await home.svc(['topics', 'rename', 'announcements', 'News'])).code).toBe(0);
    expect(JSON.parse((await home.svc(['sandbox', 'status', '--json'])).stdout)).toMatchObject({
      profile: 'sandbox',
      running: true,
      pid,
    });
    expect((await home.svc(['sandbox', 'stop'])).code).toBe(0);
    await expect
      .poll(async () => (await home.svc(['sandbox', 'status', '--json'])).stdout)
      .toContain('"running": false');
    expect(await home.svc(['sandbox', 'status'])).toMatchObject({
      code: 0,
      stdout: `profile\tsandbox\nbaseUrl\t${baseUrl}\nrunning\tfalse\n`,
      stderr: 'Start it with `svc sandbox start --detach`.\n',
    });
    expect((await home.svc(['sandbox', 'start', '--detach', '--port', '0', '--json'])).code).toBe(
      0,
    );
    expect((await home.svc(['topics', 'get', 'announcements', '--jq', '.name'])).stdout).toBe(
      'News\n',
    );
    expect((await home.svc(['sandbox', 'reset', '--yes'])).code).toBe(0);
    expect((await home.svc(['topics', 'get', 'announcements', '--jq', '.name'])).stdout).not.toBe(
      'News\n',
    );
    await home.svc(['sandbox', 'stop']);
  });

  it('is refused on data that another one holds, and on a port that is taken', async () => {
    const home = openHome();
    const data = path.join(home.folder, 'data');
    const { baseUrl } = await home.sandbox(['--data', data]);
    const line = ['sandbox', 'start', '--port', '0', '--data', data, '--profile-name', 'other'];
    const twice = await home.svc(line);
    expect(twice.code).toBe(8);
    expect(twice.stderr).toContain(data);
    const port = new URL(baseUrl).port;
    const taken = await home.svc([
      'sandbox',
      'start',
      '--port',
      port,
      '--in-memory',
      '--profile-name',
      'other',
    ]);
    expect(taken.code).toBe(8);
    expect(taken.stderr).toContain('--port');
  });

  it('--reuse gives a profile its lost key back', async () => {
    const home = openHome();
    const start = ['sandbox', 'start', '--detach', '--port', '0'];
    const { baseUrl, key, pid } = JSON.parse((await home.svc([...start, '--json'])).stdout);
    await home.svc(['logout']);
    const topics = await home.svc(['topics', 'list']);
    expect(topics).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('svc sandbox start --reuse'),
    });
    const stopped = await home.svc(['sandbox', 'stop']);
    expect(stopped.stderr).toContain('  svc sandbox start --reuse\n');
    const reused = await home.svc([...start, '--reuse', '--json']);
    expect(JSON.parse(reused.stdout)).toEqual({ baseUrl, key, profile: 'sandbox', pid });
    expect((await home.svc(['topics', 'list'])).code).toBe(0);
    await home.svc(['logout']);
    const login = ['login', '--profile', 'sandbox', '--with-key'];
    expect((await home.svc(login, { stdin: key })).code).toBe(0);
    expect((await home.svc(['sandbox', 'stop'])).code).toBe(0);
  });

  it('is the remedy of a command, and of doctor, when the sandbox of the profile does not run', async () => {
    const home = openHome();
    await home.svc(['sandbox', 'start', '--detach', '--in-memory', '--port', '0']);
    await home.svc(['sandbox', 'stop']);
    const remedy = 'Start the sandbox with `svc sandbox start --detach`.';
    const { code, stderr } = await home.svc(['topics', 'list', '--retries', '0']);
    expect(code).toBe(7);
    expect(stderr).toContain(`the connection was refused\n  (/v2/topics)\n${remedy}\n`);
    await home.svc(['profiles', 'rename', 'sandbox', 'main']);
    const line = ['topics', 'list', '--retries', '0'];
    expect((await home.svc(line)).stderr).toContain('start --detach --profile-name main`');
    await home.svc(['profiles', 'rename', 'main', 'sandbox']);
    const doctor = await home.svc(['doctor', '--retries', '0', '-o', 'table']);
    expect(doctor.stdout.replaceAll(/\s+/g, ' ')).toContain(`→ ${remedy}`);
  });

  it('keeps its data and key to its owner', async () => {
    const home = openHome();
    const data = path.join(home.folder, 'data');
    await home.sandbox(['--data', data]);
    expect((statSync(data).mode & 0o777).toString(8)).toBe('700');
    expect(existsSync(path.join(home.folder, '.config', 'svc', 'config.json'))).toBe(true);
  });
});

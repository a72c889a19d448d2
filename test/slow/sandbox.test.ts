// The sandbox as a process: in the background, stopped, restarted, and conflicts with another sandbox.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openHome } from '../support/built.ts';
import { fileMode } from '../support/file-mode.ts';
import { openStore } from '../support/sandbox-311.ts';
import { words } from '../support/words.ts';

describe('svc sandbox start', () => {
  it('prints a note if another profile is current, in the foreground and in the background', async () => {
    const home = openHome();
    const line = ['sandbox', 'start', '--in-memory', '--port', '0'];
    const start = [...line, '--detach', '-o', 'table', '--profile-name', 'prod'];
    const first = await home.svc(start);
    expect(first).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining('The sandbox runs in the background at http://127.0.0.1:'),
    });
    const note =
      'Profile prod is still current: use --profile sandbox, or `svc profiles use sandbox`\n';
    expect(await home.svc([...line, '--detach'])).toMatchObject({ code: 0, stderr: note });
    await home.svc(['sandbox', 'stop', '--profile', 'sandbox']);
    const foreground = home.start([...line, '--profile-name', 'third']);
    await foreground.says('third');
    foreground.process.kill('SIGINT');
    expect((await foreground.ended).stderr).toContain(note.replaceAll('sandbox', 'third'));
    const named = await home.svc([...line, '--detach', '--profile-name', 'fourth'], {
      env: { SVC_PROFILE: 'prod' },
    });
    expect(named.stderr).toContain('SVC_PROFILE is set to prod: use --profile fourth');
    for (const name of ['prod', 'fourth']) await home.svc(['sandbox', 'stop', '--profile', name]);
  });

  it('--time --frozen starts the clock at this time, and only `svc sandbox clock` moves it', async () => {
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
      jobsRun: 1,
    });
    const messages = await home.svc(['sandbox', 'messages', 'list', '--limit', '1', '--json']);
    expect(JSON.parse(messages.stdout)).toMatchObject([
      { subject: 'Your week in numbers', createdAt: '2030-01-07T09:00:00.000Z' },
    ]);
    await home.svc(['sandbox', 'stop']);
  });

  it('--detach returns when the sandbox accepts connections; status and stop work, and the data is kept', async () => {
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

  it('makes the data folder accessible only to its owner, and fails if the folder or the port is in use', async () => {
    const home = openHome();
    const data = path.join(home.folder, 'data');
    const { baseUrl } = await home.sandbox(['--data', data]);
    expect(fileMode(data)).toBe('700');
    expect(existsSync(path.join(home.folder, '.config', 'svc', 'config.json'))).toBe(true);
    const line = ['sandbox', 'start', '--port', '0', '--data', data, '--profile-name', 'other'];
    const sameData = await home.svc(line);
    expect(sameData.code).toBe(8);
    expect(sameData.stderr).toContain(data);
    const port = new URL(baseUrl).port;
    const samePort = await home.svc(
      words`sandbox start --port ${port} --in-memory --profile-name other`,
    );
    expect(samePort.code).toBe(8);
    expect(samePort.stderr).toContain('--port');
  });

  it('--reuse restores the key of a profile after logout', async () => {
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
    expect(JSON.parse(reused.stdout)).toEqual({
      baseUrl,
      key,
      profile: 'sandbox',
      pid,
      compat: 'novu',
      service: '3.11',
      page: baseUrl,
    });
    const other = await home.svc([...start, '--reuse', '--compat', 'specification']);
    expect(other.code).toBe(2);
    expect(other.stderr).toContain('with a mode other than --compat specification');
    expect((await home.svc(['topics', 'list'])).code).toBe(0);
    await home.svc(['logout']);
    const login = ['login', '--profile', 'sandbox', '--with-key'];
    expect((await home.svc(login, { stdin: key })).code).toBe(0);
    expect((await home.svc(['sandbox', 'stop'])).code).toBe(0);
  });
});

it('prints the cause of a response with status 500 on standard error, and with --log beside the request', async () => {
  const home = openHome();
  const data = path.join(home.folder, 'data');
  const store = await openStore({ directory: data, clock: { now: Date.now } });
  store.sql.run("UPDATE workflows SET body = '{'");
  store.close();
  const { baseUrl, key, process, ended } = await home.sandbox(['--data', data, '--log']);
  const response = await fetch(`${baseUrl}/v2/workflows`, {
    headers: { authorization: `ApiKey ${key}` },
  });
  const { errorId } = (await response.json()) as { errorId: string };
  process.kill('SIGINT');
  const { stderr } = await ended;
  const cause = `SyntaxError: .* \\(errorId ${errorId}\\)\n`;
  expect(stderr).toMatch(
    new RegExp(`Warning: The sandbox responded with 500 to GET /v2/workflows: ${cause}`),
  );
  expect(stderr).toMatch(new RegExp(`GET /v2/workflows  500  \\d+ ms  ${cause}`));
});

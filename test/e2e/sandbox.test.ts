// The sandbox as a process: in the background, stopped, started again, in the way of itself.
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openHome } from '../support/built.ts';

describe('sandbox start', () => {
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
      pid,
    });
    expect((await home.svc(['sandbox', 'stop'])).code).toBe(0);
    await expect
      .poll(async () => (await home.svc(['sandbox', 'status', '--retries', '0'])).code)
      .toBe(7);
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
    const twice = await home.svc(['sandbox', 'start', '--port', '0', '--data', data]);
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

  it('keeps its data and key to its owner', async () => {
    const home = openHome();
    const data = path.join(home.folder, 'data');
    await home.sandbox(['--data', data]);
    expect((statSync(data).mode & 0o777).toString(8)).toBe('700');
    expect(existsSync(path.join(home.folder, '.config', 'svc', 'config.json'))).toBe(true);
  });
});

// A limit on open files, and endless files: both cause a clear error, and the run can be resumed.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openHome } from '../support/built.ts';
import { printedError } from '../support/printed-error.ts';
import { json, openService } from '../support/service.ts';

describe('a limit on open files', () => {
  it('stops a run with 8 and a hint, and the run can be resumed', async () => {
    const { env, seen } = await openService(({ body }, response) => {
      const { subscribers } = JSON.parse(body) as { subscribers: { subscriberId: string }[] };
      setTimeout(() => json(response, 201, { created: subscribers, updated: [], failed: [] }), 100);
    });
    const home = openHome();
    const rows = Array.from({ length: 10_000 }, (_, index) => `u${index}`);
    writeFileSync(path.join(home.folder, 'users.csv'), `subscriberId\n${rows.join('\n')}\n`);
    const line = 'cd "$HOME"; ulimit -n 28; svc subscribers bulk-import users.csv --json';
    const { code, stdout, stderr } = await home.shell(line, env);
    const error = printedError(stderr);
    expect({ code, message: error.message }).toEqual({ code: 8, message: 'Too many open files.' });
    expect(error.hint).toContain('ulimit -n');
    const { runId, created } = JSON.parse(stdout) as { runId: string; created: number };
    expect(error.next).toEqual([`svc runs resume ${runId}`]);
    const resumed = await home.svc(['runs', 'resume', runId, '--json'], { env });
    expect({ code: resumed.code, stdout: JSON.parse(resumed.stdout) }).toMatchObject({
      code: 0,
      stdout: { created: rows.length, resumed: true },
    });
    expect(created).toBeLessThan(rows.length);
    expect(seen.length).toBeGreaterThan(0);
  });
});

describe('an endless file', () => {
  it.each([
    ['--ca-file', 'topics list --ca-file /dev/zero'],
    ['--api-key-file', 'topics list --api-key-file /dev/zero'],
  ])('is rejected as %s', async (option, line) => {
    const home = openHome();
    const env = {
      SVC_BASE_URL: 'https://svc.test',
      SVC_API_KEY: option === '--ca-file' ? 'k' : '',
    };
    const { code, stderr } = await home.svc(line.split(' '), { env });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `Error: ${option}: /dev/zero is larger than 1 MB.\nCheck the path: the file may be too large, or a device such as /dev/zero.\n`,
    });
  });
});

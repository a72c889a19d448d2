// The system clock is set back repeatedly while svc runs.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openHome } from '../support/built.ts';
import { useSandbox } from '../support/served-sandbox.ts';

/** Every call of Date.now() returns a time one hour earlier. */
const patchedClock = 'let date = Date.now(); Date.now = () => (date -= 3_600_000);';

async function openHomeWithPatchedClock() {
  const home = openHome();
  const { baseUrl, key } = await useSandbox(home);
  const patch = path.join(home.folder, 'patch.mjs');
  writeFileSync(patch, patchedClock);
  Object.assign(home.env, {
    SVC_BASE_URL: baseUrl,
    SVC_API_KEY: key,
    NODE_OPTIONS: `--import=${patch}`,
  });
  return home;
}

describe('a system clock that is set back', () => {
  it('does not stall --rate and does not make the duration of a run negative', async () => {
    const home = await openHomeWithPatchedClock();
    const rows = Array.from({ length: 600 }, (_unused, index) => `c${index}`);
    const { code, stdout } = await home.svc(
      ['subscribers', 'bulk-import', '-', '--format', 'lines', '--rate', '1000', '--json'],
      { stdin: `${rows.join('\n')}\n` },
    );
    expect(code).toBe(0);
    const { created, seconds } = JSON.parse(stdout) as Record<string, number>;
    expect(created).toBe(600);
    // The second request waits half a second after the 500 rows of the first.
    expect(seconds).toBeGreaterThan(0.4);
    expect(seconds).toBeLessThan(15);
  });

  it('does not prevent --wait from timing out', async () => {
    const home = await openHomeWithPatchedClock();
    const line = ['events', 'trigger', 'comment-digest', '--to', 'u1', '-F', 'post:={"id":1}'];
    const { code, stdout } = await home.svc([...line, '--wait', '--wait-timeout', '1s']);
    expect({ code, stdout }).toEqual({
      code: 9,
      stdout: expect.stringContaining('u1\tunfinished'),
    });
  });
});

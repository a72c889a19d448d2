// The date of the machine is set back, again and again, while svc runs.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openHome } from '../support/built.ts';

/** Each look at the date finds it an hour earlier. */
const setBack = 'let date = Date.now(); Date.now = () => (date -= 3_600_000);';

async function opened() {
  const home = openHome();
  const { baseUrl, key } = await home.sandbox();
  const early = path.join(home.folder, 'early.mjs');
  writeFileSync(early, setBack);
  Object.assign(home.env, {
    SVC_BASE_URL: baseUrl,
    SVC_API_KEY: key,
    NODE_OPTIONS: `--import=${early}`,
  });
  return home;
}

describe('a clock that is set back', () => {
  it('neither stalls --rate nor makes a run take less than no time', async () => {
    const home = await opened();
    const rows = Array.from({ length: 600 }, (_unused, index) => `c${index}`);
    const { code, stdout } = await home.svc(
      ['subscribers', 'bulk-import', '-', '--format', 'lines', '--rate', '1000', '--json'],
      { stdin: `${rows.join('\n')}\n` },
    );
    expect(code).toBe(0);
    const { created, seconds } = JSON.parse(stdout) as Record<string, number>;
    expect(created).toBe(600);
    // The second request waits until the 500 rows of the first are half a second old.
    expect(seconds).toBeGreaterThan(0.4);
    expect(seconds).toBeLessThan(15);
  });

  it('does not keep --wait from its end', async () => {
    const home = await opened();
    const line = ['events', 'trigger', 'comment-digest', '--to', 'u1', '-F', 'post:={"id":1}'];
    const { code, stdout } = await home.svc([...line, '--wait', '--wait-timeout', '1s']);
    expect({ code, stdout }).toEqual({
      code: 9,
      stdout: expect.stringContaining('u1\tunfinished'),
    });
  });
});

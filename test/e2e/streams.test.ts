// The built program among pipes, files and signals.
import { describe, expect, it } from 'vitest';
import { openHome } from '../support/built.ts';

describe('the built program', () => {
  it('prints its version and its help', async () => {
    const home = openHome();
    expect(await home.svc(['--version'])).toMatchObject({ code: 0, stderr: '' });
    const help = await home.svc(['--help']);
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toContain('svc <noun> <verb>');
  });

  it('writes tab-separated lines into a pipe, and JSON that parses', async () => {
    const home = openHome();
    await home.sandbox();
    const piped = await home.shell('svc topics list --order asc | cat');
    expect(piped).toMatchObject({ code: 0, stderr: '' });
    expect(piped.stdout.split('\n')[0]?.split('\t')).toHaveLength(5);
    const json = await home.shell('svc topics list --json 2>/dev/null');
    expect(JSON.parse(json.stdout)).toHaveLength(3);
  });

  it('ends quietly with 0 when its reader has gone', async () => {
    const home = openHome();
    await home.sandbox();
    await home.shell(
      `seq 1 3000 | sed 's/^/{"subscriberId":"u/;s/$/"}/' | svc subscribers bulk-import - --format ndjson --quiet >/dev/null`,
    );
    const gone = await home.shell('svc workflows list --page-size 1 -o ndjson | head -1');
    expect(gone).toMatchObject({ code: 0, stderr: '' });
    expect(gone.stdout.trim().split('\n')).toHaveLength(1);
  });

  it('fails when the disk is full', async () => {
    const home = openHome();
    await home.sandbox();
    const full = await home.shell('svc topics list > /dev/full');
    expect(full.code).toBe(8);
    expect(full.stderr).toContain('standard output cannot be written');
  });
});

// The output of the built program in a pipe. pipes.test.ts covers slow, broken and closed pipes.
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

  it('writes tab-separated lines to a pipe, and valid JSON with --json', async () => {
    const home = openHome();
    await home.sandbox();
    const piped = await home.shell('svc topics list --order asc | cat');
    expect(piped).toMatchObject({ code: 0, stderr: '' });
    expect(piped.stdout.split('\n')[0]?.split('\t')).toHaveLength(5);
    const json = await home.shell('svc topics list --json 2>/dev/null');
    expect(JSON.parse(json.stdout)).toHaveLength(3);
  });
});

// The built program in a pipe: what it prints, and how it ends. Slow, broken and closed pipes: pipes.test.ts.
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

  it('names what is wrong, with the code of the table', async () => {
    const home = openHome();
    const { baseUrl } = await home.sandbox();
    const codes = {
      'topics get nope': await home.svc(['topics', 'get', 'nope']),
      'wrong key': await home.svc(['topics', 'list'], {
        env: { SVC_BASE_URL: baseUrl, SVC_API_KEY: 'f'.repeat(32) },
      }),
      down: await home.svc(['topics', 'list', '--retries', '0'], {
        env: { SVC_BASE_URL: 'http://127.0.0.1:9', SVC_API_KEY: 'f'.repeat(32) },
      }),
      option: await home.svc(['topics', 'list', '--limt', '3']),
    };
    expect(
      Object.fromEntries(Object.entries(codes).map(([name, { code }]) => [name, code])),
    ).toEqual({ 'topics get nope': 5, 'wrong key': 4, down: 7, option: 2 });
    expect(codes['topics get nope'].stderr).toContain('announcements');
    expect(codes.option.stderr).toContain('--limit');
  });

  it('asks nobody without a terminal: what needs a yes ends with 2 and names --yes', async () => {
    const home = openHome();
    await home.sandbox();
    for (const line of [
      ['sandbox', 'reset'],
      ['profiles', 'delete', 'sandbox'],
      ['config', 'reset'],
    ]) {
      const { code, stderr } = await home.svc(line);
      expect({ line, code, named: stderr.includes('--yes') }).toEqual({
        line,
        code: 2,
        named: true,
      });
    }
  });
});

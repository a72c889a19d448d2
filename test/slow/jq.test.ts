// `--jq` with the built program: invalid, failing and endless jq programs, and large input.
import { describe, expect, it, vi } from 'vitest';
import { openHome } from '../support/built.ts';
import { json, openService } from '../support/service.ts';

const topic = { _id: '0'.repeat(24), key: 'news', name: 'News' };

/** Opens a service with one topic, and a home that uses it. */
async function openTopic() {
  const home = openHome();
  const { env, seen } = await openService(({ method }, response) => {
    if (method === 'GET') json(response, 200, { data: [topic], next: null, previous: null });
    else json(response, 200, topic);
  });
  Object.assign(home.env, env);
  return { home, seen };
}

describe('a jq program', () => {
  it('that does not compile is rejected before any request is sent', async () => {
    const { home, seen } = await openTopic();
    const result = await home.svc(['topics', 'rename', 'news', 'New', '--jq', '.[']);
    expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 2, stdout: '' });
    expect(result.stderr).toContain('--jq: syntax error');
    expect(seen).toEqual([]);
  });

  it('that fails after it has printed something makes the command exit with 2', async () => {
    const { home } = await openTopic();
    const result = await home.svc(['topics', 'list', '--jq', '.[0].key, error("no more")']);
    expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 2, stdout: '' });
    expect(result.stderr).toMatch(/--jq: .*no more/);
  });

  it('that fails on the result of a write makes the command exit with 8 and report the write', async () => {
    const { home, seen } = await openTopic();
    const result = await home.svc(['topics', 'rename', 'news', 'New', '--jq', '.name.x']);
    expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 8, stdout: '' });
    expect(result.stderr).toContain('The command succeeded; only its result could not be printed.');
    expect(seen.map(({ method }) => method)).toEqual(['PATCH']);
  });

  it('can begin with a dash, which does not make it an option of jq', async () => {
    const { home } = await openTopic();
    const results = [];
    for (const program of ['-1', '-(.[0].key | length)', '-n', '--version']) {
      const { code, stdout } = await home.svc(['topics', 'list', '--jq', program]);
      results.push({ program, code, stdout });
    }
    expect(results).toEqual([
      { program: '-1', code: 0, stdout: '-1\n' },
      { program: '-(.[0].key | length)', code: 0, stdout: '-4\n' },
      { program: '-n', code: 2, stdout: '' },
      { program: '--version', code: 2, stdout: '' },
    ]);
  });

  it('that prints nothing succeeds', async () => {
    const { home } = await openTopic();
    const result = await home.svc(['topics', 'list', '--jq', 'empty']);
    expect(result).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});

describe('an endless jq program', () => {
  const endless = { loop: 'def f: f; f', memory: '[limit(1e9; repeat(1))]' };

  it.each(Object.entries(endless))('(%s) is stopped by the first signal', async (_name, loop) => {
    const home = openHome();
    const { env } = await openService((_seen, response) => {
      const data = ['a', 'b'].map((key) => ({ ...topic, key }));
      json(response, 200, { data, next: null, previous: null });
    });
    Object.assign(home.env, env);
    const program = `if .key == "b" then ${loop} else .key end`;
    for (const [signal, code] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
    ] as const) {
      const run = home.start(['topics', 'list', '-o', 'ndjson', '--jq', program]);
      await run.says('a\n');
      run.process.kill(signal);
      expect(await run.ended).toEqual({ code, stdout: 'a\n', stderr: '' });
    }
  });

  it('is also stopped by a signal after a write', async () => {
    const { home, seen } = await openTopic();
    const run = home.start(['topics', 'rename', 'news', 'New', '--jq', `stderr | ${endless.loop}`]);
    await vi.waitUntil(() => seen.length > 0, { timeout: 10_000 });
    run.process.kill('SIGINT');
    expect((await run.ended).code).toBe(130);
  });
});

describe('large input for jq', () => {
  it('is processed completely, with large output', async () => {
    const home = openHome();
    const data = Array.from({ length: 30_000 }, (_unused, index) => ({
      ...topic,
      key: `topic-${index}`,
      name: 'Ünïcödé 本 '.repeat(5),
    }));
    const { env } = await openService((_seen, response) =>
      json(response, 200, { data, next: null, previous: null }),
    );
    Object.assign(home.env, env);
    const { code, stdout } = await home.svc(['topics', 'list', '--all', '--jq', '.[]']);
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(data.length);
    expect(JSON.parse(lines.at(-1) ?? '')).toEqual(data.at(-1));
  });
});

// --jq on the built program: when its program is refused, and what a failing one costs.
import { describe, expect, it, vi } from 'vitest';
import { openHome } from '../support/built.ts';
import { json, openService } from '../support/service.ts';

const topic = { _id: '0'.repeat(24), key: 'news', name: 'News' };

/** A service with one topic, and a home that means it. */
async function openTopic() {
  const home = openHome();
  const { env, seen } = await openService(({ method }, response) => {
    if (method === 'GET') json(response, 200, { data: [topic], next: null, previous: null });
    else json(response, 200, topic);
  });
  Object.assign(home.env, env);
  return { home, seen };
}

describe('a program of jq', () => {
  it('that does not compile is refused before anything is sent', async () => {
    const { home, seen } = await openTopic();
    const ended = await home.svc(['topics', 'rename', 'news', 'New', '--jq', '.[']);
    expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: 2, stdout: '' });
    expect(ended.stderr).toContain('--jq: syntax error');
    expect(seen).toEqual([]);
  });

  it('that fails after it has printed something has failed', async () => {
    const { home } = await openTopic();
    const ended = await home.svc(['topics', 'list', '--jq', '.[0].key, error("no more")']);
    expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: 2, stdout: '' });
    expect(ended.stderr).toMatch(/--jq: .*no more/);
  });

  it('that fails at the result of a write does not say that nothing was written', async () => {
    const { home, seen } = await openTopic();
    const ended = await home.svc(['topics', 'rename', 'news', 'New', '--jq', '.name.x']);
    expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: 8, stdout: '' });
    expect(ended.stderr).toContain('The command succeeded; only its result could not be printed.');
    expect(seen.map(({ method }) => method)).toEqual(['PATCH']);
  });

  it('that prints nothing has not failed', async () => {
    const { home } = await openTopic();
    const ended = await home.svc(['topics', 'list', '--jq', 'empty']);
    expect(ended).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});

describe('a program of jq that does not end', () => {
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

  it('is stopped after a write too, which has happened', async () => {
    const { home, seen } = await openTopic();
    const run = home.start(['topics', 'rename', 'news', 'New', '--jq', `stderr | ${endless.loop}`]);
    await vi.waitUntil(() => seen.length > 0, { timeout: 10_000 });
    run.process.kill('SIGINT');
    expect((await run.ended).code).toBe(130);
  });
});

describe('much input for jq', () => {
  it('arrives whole, and so does much output', async () => {
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

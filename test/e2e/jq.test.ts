// --jq on the built program: when its program is refused, and what a failing one costs.
import { describe, expect, it } from 'vitest';
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
    expect(ended.stderr).toContain('The command has run; only its result is not shown.');
    expect(seen.map(({ method }) => method)).toEqual(['PATCH']);
  });

  it('that prints nothing has not failed', async () => {
    const { home } = await openTopic();
    const ended = await home.svc(['topics', 'list', '--jq', 'empty']);
    expect(ended).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});

// Produces every exit code. The code must not depend on the output format or on --quiet.
import { describe, expect, it } from 'vitest';
import { openHome } from '../support/built.ts';
import { json, openService } from '../support/service.ts';
import { type ExitCodeCase, exitCodeCases } from './exit-code-cases.ts';

async function run(
  { line, responses, env = {}, before, stdin = '' }: ExitCodeCase,
  options: readonly string[],
) {
  const home = openHome();
  const service = await openService((_seen, response, requests) => {
    const canned = responses?.[Math.min(requests, responses.length) - 1];
    if (!canned || canned.status === 0) return;
    if (canned.text === undefined) return json(response, canned.status, canned.body);
    response.writeHead(canned.status, { 'content-type': 'application/json' }).end(canned.text);
  });
  before?.(home);
  const result = await home.svc([...line.split(' '), ...options], {
    stdin,
    env: { ...service.env, ...env },
  });
  return { ...result, requests: service.seen.length };
}

const cases = Object.entries(exitCodeCases).flatMap(([code, list]) =>
  list.map((one) => ({ code: Number(code), ...one })),
);

describe('the exit code', () => {
  it.each(cases)('is $code when $when', async ({ code, ...one }) => {
    const variants = [[], ['--json'], ['--quiet'], ['-o', 'ndjson']];
    const results = await Promise.all(variants.map((options) => run(one, options)));
    expect(
      results.map((result) => result.code),
      results[0]?.stderr,
    ).toEqual(variants.map(() => code));
    const hasRequests = results.map(({ requests }) => requests > 0);
    expect(hasRequests).toEqual(variants.map(() => one.responses !== undefined));
  });

  it('is always one that `svc help exit-codes` lists, and the page lists no other', async () => {
    const { stdout } = await openHome().svc(['help', 'exit-codes']);
    const listed = [...stdout.matchAll(/^ +(\d+) {2}\w/gm)].map(([, code]) => Number(code));
    expect(listed).toEqual([...Object.keys(exitCodeCases).map(Number), 129, 130, 143]);
  });

  it('for a defect comes with a hint, and with a stack trace only with --debug', async () => {
    const [defect] = exitCodeCases[1] ?? [];
    if (!defect) throw new Error('no case for exit code 1');
    const { stderr } = await run(defect, []);
    expect(stderr).toContain('--debug');
    expect(stderr).not.toMatch(/^ +at /m);
    expect((await run(defect, ['--debug'])).stderr).toMatch(/^ +at /m);
  });

  it.each([
    ['SIGHUP', 129],
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('after %s is %i', async (signal, code) => {
    const home = openHome();
    let onRequest = () => undefined as unknown;
    const service = await openService(() => onRequest());
    const requested = new Promise<void>((resolve) => {
      onRequest = resolve;
    });
    const run = home.start(['topics', 'list'], { env: { ...home.env, ...service.env } });
    await requested;
    run.process.kill(signal);
    expect(await run.ended).toMatchObject({ code, stdout: '' });
  });
});

// Every ending of the table, produced: the code is the same as text, as JSON, with --quiet and in a pipe.
import { describe, expect, it } from 'vitest';
import { openHome } from '../support/built.ts';
import { json, openService } from '../support/service.ts';
import { type Trial, trials } from './exit-code-cases.ts';

async function run(
  { line, answers, env = {}, before, stdin = '' }: Trial,
  more: readonly string[],
) {
  const home = openHome();
  const service = await openService((_seen, response, requests) => {
    const answer = answers?.[Math.min(requests, answers.length) - 1];
    if (!answer || answer.status === 0) return;
    if (answer.text === undefined) return json(response, answer.status, answer.body);
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.text);
  });
  before?.(home);
  const ended = await home.svc([...line.split(' '), ...more], {
    stdin,
    env: { ...service.env, ...env },
  });
  return { ...ended, requests: service.seen.length };
}

const cases = Object.entries(trials).flatMap(([code, some]) =>
  some.map((trial) => ({ code: Number(code), ...trial })),
);

describe('the exit code', () => {
  it.each(cases)('is $code when $when', async ({ code, ...trial }) => {
    const forms = [[], ['--json'], ['--quiet'], ['-o', 'ndjson']];
    const ended = await Promise.all(forms.map((form) => run(trial, form)));
    expect(
      ended.map((one) => one.code),
      ended[0]?.stderr,
    ).toEqual(forms.map(() => code));
    const asked = ended.map(({ requests }) => requests > 0);
    expect(asked).toEqual(forms.map(() => trial.answers !== undefined));
  });

  it('is the one of the help page, and the page has no other', async () => {
    const { stdout } = await openHome().svc(['help', 'exit-codes']);
    const listed = [...stdout.matchAll(/^ +(\d+) {2}\w/gm)].map(([, code]) => Number(code));
    expect(listed).toEqual([...Object.keys(trials).map(Number), 129, 130, 143]);
  });

  it('of a defect comes with what to do, and the stack only with --debug', async () => {
    const [trial] = trials[1] ?? [];
    if (!trial) throw new Error('no trial of a defect');
    const { stderr } = await run(trial, []);
    expect(stderr).toContain('--debug');
    expect(stderr).not.toMatch(/^ +at /m);
    expect((await run(trial, ['--debug'])).stderr).toMatch(/^ +at /m);
  });

  it.each([
    ['SIGHUP', 129],
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('after %s is %i', async (signal, code) => {
    const home = openHome();
    let arrived = () => undefined as unknown;
    const service = await openService(() => arrived());
    const waiting = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const started = home.start(['topics', 'list'], { env: { ...home.env, ...service.env } });
    await waiting;
    started.process.kill(signal);
    expect(await started.ended).toMatchObject({ code, stdout: '' });
  });
});

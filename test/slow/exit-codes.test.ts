// The exit codes of the process: one case of each, a defect, and signals. test/cli/exit-codes.test.ts has all cases.
import { describe, expect, it } from 'vitest';
import { openHome } from '../support/built.ts';
import { exitCodeCases, runCase } from '../support/exit-code-cases.ts';
import { runParallel } from '../support/parallel.ts';
import { openService } from '../support/service.ts';

describe('the exit code of the process', () => {
  it('is that of each case', async () => {
    const codes = Object.keys(exitCodeCases).map(Number);
    const results = await runParallel(codes, (code) =>
      runCase(openHome(), exitCodeCases[code]?.[0] ?? { when: '', line: '' }),
    );
    expect(results.map(({ code }) => code)).toEqual(codes);
  });

  it('for a defect does not depend on the format, and --debug adds a stack trace to the hint', async () => {
    const [defect] = exitCodeCases[1] ?? [];
    if (!defect) throw new Error('no case for exit code 1');
    const variants = [[], ['--json'], ['--quiet'], ['-o', 'ndjson'], ['--debug']];
    const results = await runParallel(variants, (options) => runCase(openHome(), defect, options));
    expect(results.map(({ code, requests }) => ({ code, requests }))).toEqual(
      variants.map(() => ({ code: 1, requests: 1 })),
    );
    const [plain, , , , debug] = results;
    expect(plain?.stderr).toContain('--debug');
    expect(plain?.stderr).not.toMatch(/^ +at /m);
    expect(debug?.stderr).toMatch(/^ +at /m);
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

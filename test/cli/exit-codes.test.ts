// Produces every exit code. The code must not depend on the output format or on --quiet.
import { describe, expect, it } from 'vitest';
import { exitCodeCases, runCase } from '../support/exit-code-cases.ts';
import { openNetworkRig } from '../support/network-rig.ts';

const cases = Object.entries(exitCodeCases).flatMap(([code, list]) =>
  list.map((entry) => ({ code: Number(code), ...entry })),
);

describe('the exit code', () => {
  it.each(cases.filter(({ needsProcess }) => !needsProcess))(
    'is $code when $when',
    async ({ code, ...entry }) => {
      const variants = [[], ['--json'], ['--quiet'], ['-o', 'ndjson']];
      const results = await Promise.all(
        variants.map((options) => runCase(openNetworkRig(), entry, options)),
      );
      expect(
        results.map((result) => result.code),
        results[0]?.stderr,
      ).toEqual(variants.map(() => code));
      const hasRequests = results.map(({ requests }) => requests > 0);
      expect(hasRequests).toEqual(variants.map(() => entry.responses !== undefined));
    },
  );

  it('is always one that `svc help exit-codes` lists, and the page lists no other', async () => {
    const { stdout } = await openNetworkRig().svc(['help', 'exit-codes']);
    const listed = [...stdout.matchAll(/^ +(\d+) {2}\w/gm)].map(([, code]) => Number(code));
    expect(listed).toEqual([...Object.keys(exitCodeCases).map(Number), 129, 130, 143]);
  });
});

// Colors by option, environment variable, stored setting and type of stream. test/slow/color.test.ts has the same on
// terminals.
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parseColorCase } from '../support/color-cases.ts';
import { openNetworkRig } from '../support/network-rig.ts';

const always = { terminal: true, pipe: true };
const never = { terminal: false, pipe: false };
const auto = { terminal: true, pipe: false };

type Case = [given: string, expected: typeof always];

/** Variables and options as in a shell; `stored x` is a setting in the configuration. */
const cases: readonly Case[] = [
  ['', auto],
  ['NO_COLOR=1', never],
  ['NO_COLOR=0', never],
  ['NO_COLOR=', auto],
  ['FORCE_COLOR=0', never],
  ['FORCE_COLOR=false', never],
  ['FORCE_COLOR=1', always],
  ['FORCE_COLOR=2', always],
  ['FORCE_COLOR=3', always],
  ['FORCE_COLOR=', auto],
  ['CLICOLOR=0', never],
  ['CLICOLOR=1', auto],
  ['CLICOLOR=', auto],
  ['CLICOLOR_FORCE=1', always],
  ['CLICOLOR_FORCE=0', auto],
  ['CLICOLOR_FORCE=', auto],
  ['TERM=dumb', never],
  ['SVC_COLOR=always', always],
  ['SVC_COLOR=never', never],
  ['SVC_COLOR=', auto],
  ['--color always', always],
  ['--color=never', never],
  ['--color auto', auto],
  ['--no-color', never],
  ['stored always', always],
  ['stored never', never],
  ['NO_COLOR=1 FORCE_COLOR=1', never],
  ['NO_COLOR=1 CLICOLOR_FORCE=1', never],
  ['NO_COLOR= FORCE_COLOR=1', always],
  ['FORCE_COLOR=0 CLICOLOR_FORCE=1', never],
  ['CLICOLOR=0 CLICOLOR_FORCE=1', always],
  ['CLICOLOR=0 FORCE_COLOR=1', always],
  ['TERM=dumb FORCE_COLOR=1', always],
  ['NO_COLOR=1 --color always', always],
  ['NO_COLOR=1 --color auto', never],
  ['FORCE_COLOR=1 --no-color', never],
  ['NO_COLOR=1 SVC_COLOR=always', always],
  ['SVC_COLOR=always --color never', never],
  ['SVC_COLOR=never --color always', always],
  ['--color always --no-color', never],
  ['stored always NO_COLOR=1', never],
  ['stored never FORCE_COLOR=1', always],
  ['stored always --no-color', never],
  ['stored always TERM=dumb', always],
];

describe('colors', () => {
  it.each(cases)(
    'depend on option, variable, setting and terminal: %j',
    async (given, expected) => {
      const { stored, env, options } = parseColorCase(given);
      const rig = openNetworkRig();
      if (stored !== undefined) await rig.svc(['config', 'set', 'color', stored]);
      Object.assign(rig.env, env);
      // Each command writes to one stream: first that stream is the only terminal, then the other one.
      const table = ['config', 'list', '-o', 'table', ...options];
      const error = ['nope', ...options];
      const [terminal, pipe, errorTerminal, errorPipe] = await Promise.all([
        rig.svc(table, { tty: 'stdout' }),
        rig.svc(table, { tty: 'stderr' }),
        rig.svc(error, { tty: 'stderr' }),
        rig.svc(error, { tty: 'stdout' }),
      ]);
      const isColored = (text = '') => text.includes('\x1b');
      expect({
        stdout: { terminal: isColored(terminal?.stdout), pipe: isColored(pipe?.stdout) },
        stderr: { terminal: isColored(errorTerminal?.stderr), pipe: isColored(errorPipe?.stderr) },
      }).toEqual({ stdout: expected, stderr: expected });
      const plain = [terminal?.stdout, errorTerminal?.stderr, pipe?.stdout, errorPipe?.stderr].map(
        (text = '') => stripVTControlCharacters(text).split('\n')[0]?.trimEnd(),
      );
      const header = expect.stringMatching(/^KEY +VALUE +FROM$/);
      const message = 'Error: Unknown command `nope` for `svc`.';
      expect(plain).toEqual([header, message, header, message]);
    },
  );
});

// Colors on terminals, in pipes and in prompts, with the built program.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { openHome } from '../support/built.ts';
import { parseColorCase } from '../support/color-cases.ts';
import { runParallel } from '../support/parallel.ts';
import { useSandbox } from '../support/served-sandbox.ts';
import { inTerminal } from '../support/terminal.ts';

const always = { terminal: true, pipe: true };
const never = { terminal: false, pipe: false };
const auto = { terminal: true, pipe: false };

/** Cases in which Node or the system has its own rule. test/output/color.test.ts has all combinations. */
const cases: readonly Case[] = [
  ['', auto],
  ['NO_COLOR=1', never],
  ['FORCE_COLOR=0', never],
  ['NO_COLOR=1 FORCE_COLOR=1', never],
  ['NO_COLOR= FORCE_COLOR=1', always],
  ['TERM=dumb', never],
  ['--color always', always],
  ['stored never', never],
];

type Case = [given: string, expected: typeof always];

describe('colors', () => {
  it('depend on option, variable, setting and terminal, separately for each stream', async () => {
    const home = openHome();
    await home.svc(['config', 'set', 'color', 'never'], {
      env: { SVC_CONFIG_DIR: path.join(home.folder, 'never') },
    });
    const results = await runParallel(cases, async ([given]) => {
      const { stored, env, options: words } = parseColorCase(given);
      const options = words.join(' ');
      const file = `case ${cases.findIndex(([name]) => name === given)}`;
      const terminal = inTerminal(
        home,
        [
          // Each command writes to one stream: first with that stream on the terminal and the other one in a pipe,
          // then the other way round.
          `{ svc config list -o table ${options} 3>&2 2>&1 1>&4 | cat >/dev/null; } 4>&1`,
          'printf @',
          `svc nope ${options} | cat`,
          'printf @',
          `svc config list -o table ${options} | cat >'${file} out'`,
          `{ svc nope ${options} 2>&1 1>/dev/tty | cat >'${file} err'; }`,
        ].join('\n'),
        { columns: 120, env: { ...env, SVC_CONFIG_DIR: path.join(home.folder, stored ?? 'none') } },
      );
      const [table = '', error = ''] = (await terminal.ended()).written.split('@');
      const piped = ['out', 'err'].map((end) =>
        readFileSync(path.join(home.folder, `${file} ${end}`), 'utf8'),
      );
      const plain = [table, error, ...piped].map((text) =>
        stripVTControlCharacters(text).replaceAll('\r', '').split('\n')[0]?.trimEnd(),
      );
      return {
        given,
        stdout: { terminal: table.includes('\x1b'), pipe: piped[0]?.includes('\x1b') },
        stderr: { terminal: error.includes('\x1b'), pipe: piped[1]?.includes('\x1b') },
        plain,
      };
    });
    const header = expect.stringMatching(/^KEY +VALUE +FROM$/);
    const error = 'Error: Unknown command `nope` for `svc`.';
    expect(results).toEqual(
      cases.map(([given, expected]) => ({
        given,
        stdout: expected,
        stderr: expected,
        plain: [header, error, header, error],
      })),
    );
  });

  it.each([
    ['', true],
    ['--no-color', false],
    ['--color always', true],
  ])('of a prompt depend on them too: %j', async (options, isColored) => {
    const home = openHome();
    await home.svc(['config', 'set', 'retries', '1']);
    const terminal = inTerminal(home, `svc config reset ${options}`, { columns: 200 });
    await terminal.shows('(y/N)');
    terminal.types('\r');
    const { written, code } = await terminal.ended();
    expect(code).toBe(2);
    expect(/\x1b\[\d+(;\d+)*m/.test(written)).toBe(isColored);
  });

  it('cause no warning from Node if two variables contradict each other', async () => {
    const home = openHome();
    await home.svc(['config', 'set', 'retries', '1']);
    const env = { NO_COLOR: '1', FORCE_COLOR: '1' };
    const terminal = inTerminal(home, 'svc config reset', { env });
    await terminal.shows('(y/N)');
    terminal.types('y\r');
    const { written } = await terminal.ended();
    expect(written).toMatch(/^\? Delete /);
    expect(written).not.toMatch(/warning|\x1b\[\d+m/i);
  });

  it('and other escape sequences are not used on a dumb terminal during a run', async () => {
    const home = openHome();
    await useSandbox(home);
    const rows = `seq 1 400 | sed 's/^/{"subscriberId":"u/;s/$/"}/' >rows.ndjson`;
    const line = `${rows}; svc subscribers bulk-import rows.ndjson --rate 800`;
    const dumb = await inTerminal(home, line, { env: { TERM: 'dumb' } }).ended();
    expect(dumb).toMatchObject({ code: 0, screen: expect.stringContaining('Imported 400') });
    expect(dumb.written).not.toContain('\x1b');
  });
});

// Colours by options, variables, the stored setting and the kind of each stream, on the built program.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { openHome } from '../support/built.ts';
import { runParallel } from '../support/parallel.ts';
import { inTerminal } from '../support/terminal.ts';

/** Many processes, on a machine that may have others to run. */
const many = { timeout: 90_000 };

const on = { terminal: true, pipe: true };
const off = { terminal: false, pipe: false };
const byStream = { terminal: true, pipe: false };

type Case = [said: string, expected: typeof on];

/** `A=1 B= --option` as one would type it; `stored x` is the setting of the configuration. */
const cases: readonly Case[] = [
  ['', byStream],
  ['NO_COLOR=1', off],
  ['NO_COLOR=0', off],
  ['NO_COLOR=', byStream],
  ['FORCE_COLOR=0', off],
  ['FORCE_COLOR=false', off],
  ['FORCE_COLOR=1', on],
  ['FORCE_COLOR=2', on],
  ['FORCE_COLOR=3', on],
  ['FORCE_COLOR=', byStream],
  ['CLICOLOR=0', off],
  ['CLICOLOR=1', byStream],
  ['CLICOLOR=', byStream],
  ['CLICOLOR_FORCE=1', on],
  ['CLICOLOR_FORCE=0', byStream],
  ['CLICOLOR_FORCE=', byStream],
  ['TERM=dumb', off],
  ['SVC_COLOR=always', on],
  ['SVC_COLOR=never', off],
  ['SVC_COLOR=', byStream],
  ['--color always', on],
  ['--color=never', off],
  ['--color auto', byStream],
  ['--no-color', off],
  ['stored always', on],
  ['stored never', off],
  ['NO_COLOR=1 FORCE_COLOR=1', off],
  ['NO_COLOR=1 CLICOLOR_FORCE=1', off],
  ['NO_COLOR= FORCE_COLOR=1', on],
  ['FORCE_COLOR=0 CLICOLOR_FORCE=1', off],
  ['CLICOLOR=0 CLICOLOR_FORCE=1', on],
  ['CLICOLOR=0 FORCE_COLOR=1', on],
  ['TERM=dumb FORCE_COLOR=1', on],
  ['NO_COLOR=1 --color always', on],
  ['NO_COLOR=1 --color auto', off],
  ['FORCE_COLOR=1 --no-color', off],
  ['NO_COLOR=1 SVC_COLOR=always', on],
  ['SVC_COLOR=always --color never', off],
  ['SVC_COLOR=never --color always', on],
  ['--color always --no-color', off],
  ['stored always NO_COLOR=1', off],
  ['stored never FORCE_COLOR=1', on],
  ['stored always --no-color', off],
  ['stored always TERM=dumb', on],
];

/** The variables, options and stored setting of a case. */
function partsOf(said: string) {
  const words = said.split(' ').filter((word) => word !== '');
  const at = words.indexOf('stored');
  const stored = at < 0 ? undefined : words.splice(at, 2)[1];
  const variables = words.filter((word) => /^[A-Z_]+=/.test(word));
  const env = Object.fromEntries(variables.map((word) => word.split('=')));
  return { stored, env, options: words.filter((word) => !variables.includes(word)).join(' ') };
}

describe('colours', () => {
  it('follow option, variable, setting and terminal, for each stream by itself', many, async () => {
    const home = openHome();
    for (const color of ['always', 'never']) {
      await home.svc(['config', 'set', 'color', color], {
        env: { SVC_CONFIG_DIR: path.join(home.folder, color) },
      });
    }
    const seen = await runParallel(cases, async ([said]) => {
      const { stored, env, options } = partsOf(said);
      const file = `case ${cases.findIndex(([one]) => one === said)}`;
      const terminal = inTerminal(
        home,
        [
          // Each writes to one stream: first with that on the terminal and the other in a pipe, then turned round.
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
        said,
        stdout: { terminal: table.includes('\x1b'), pipe: piped[0]?.includes('\x1b') },
        stderr: { terminal: error.includes('\x1b'), pipe: piped[1]?.includes('\x1b') },
        plain,
      };
    });
    const header = expect.stringMatching(/^KEY +VALUE +FROM$/);
    const wrong = 'Error: Unknown command `nope` for `svc`.';
    expect(seen).toEqual(
      cases.map(([said, expected]) => ({
        said,
        stdout: expected,
        stderr: expected,
        plain: [header, wrong, header, wrong],
      })),
    );
  });

  it.each([
    ['', true],
    ['--no-color', false],
    ['--color always', true],
  ])('of a question follow them too: %j', async (options, colored) => {
    const home = openHome();
    await home.svc(['config', 'set', 'retries', '1']);
    const terminal = inTerminal(home, `svc config reset ${options}`, { columns: 200 });
    await terminal.shows('(y/N)');
    terminal.types('\r');
    const { written, code } = await terminal.ended();
    expect(code).toBe(2);
    expect(/\x1b\[\d+(;\d+)*m/.test(written)).toBe(colored);
  });

  it('of two variables that contradict each other bring no warning of Node', async () => {
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

  it('leave a dumb terminal alone while a run goes on', async () => {
    const home = openHome();
    await home.sandbox();
    const rows = `seq 1 400 | sed 's/^/{"subscriberId":"u/;s/$/"}/' >rows.ndjson`;
    const line = `${rows}; svc subscribers bulk-import rows.ndjson --rate 800`;
    const dumb = await inTerminal(home, line, { env: { TERM: 'dumb' } }).ended();
    expect(dumb).toMatchObject({ code: 0, screen: expect.stringContaining('Imported 400') });
    expect(dumb.written).not.toContain('\x1b');
  });
});

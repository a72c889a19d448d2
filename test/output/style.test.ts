import { describe, expect, it } from 'vitest';
import { openStyle, shortTimes, wantsColor } from '../../src/output/style.ts';

describe('colors', () => {
  it.each([
    [{ TERM: 'xterm-256color' }, '\x1b[38;5;136m'],
    [{ TERM: 'xterm', COLORTERM: 'truecolor' }, '\x1b[38;5;136m'],
    [{ TERM: 'xterm' }, '\x1b[33m'],
    [{}, '\x1b[33m'],
  ])('with %j, a warning is dark yellow if the terminal can show it', async (env, start) => {
    expect((await openStyle(true, env)).tone('warn', 'x')).toBe(`${start}x\x1b[39m`);
  });

  interface Inputs {
    isTty?: boolean;
    wanted?: string;
    stored?: boolean;
    env?: Record<string, string>;
  }
  it.each<[string, Inputs, boolean]>([
    ['on a terminal', { isTty: true }, true],
    ['in a pipe', { isTty: false }, false],
    ['NO_COLOR', { isTty: true, env: { NO_COLOR: '1' } }, false],
    ['an empty NO_COLOR', { isTty: true, env: { NO_COLOR: '' } }, true],
    ['FORCE_COLOR in a pipe', { isTty: false, env: { FORCE_COLOR: '1' } }, true],
    ['FORCE_COLOR=0', { isTty: true, env: { FORCE_COLOR: '0' } }, false],
    ['CLICOLOR=0', { isTty: true, env: { CLICOLOR: '0' } }, false],
    ['CLICOLOR_FORCE in a pipe', { isTty: false, env: { CLICOLOR_FORCE: '1' } }, true],
    ['NO_COLOR over FORCE_COLOR', { isTty: true, env: { NO_COLOR: '1', FORCE_COLOR: '1' } }, false],
    [
      '--color always over NO_COLOR',
      { isTty: false, wanted: 'always', env: { NO_COLOR: '1' } },
      true,
    ],
    ['--color never', { isTty: true, wanted: 'never', env: { FORCE_COLOR: '1' } }, false],
    ['TERM=dumb', { isTty: true, env: { TERM: 'dumb' } }, false],
    ['stored always in a pipe', { isTty: false, wanted: 'always', stored: true }, true],
    ['stored never on a terminal', { wanted: 'never', stored: true }, false],
    [
      'NO_COLOR over stored always',
      { wanted: 'always', stored: true, env: { NO_COLOR: '1' } },
      false,
    ],
    [
      'FORCE_COLOR over stored never',
      { wanted: 'never', stored: true, env: { FORCE_COLOR: '1' } },
      true,
    ],
    [
      'stored always over TERM=dumb',
      { wanted: 'always', stored: true, env: { TERM: 'dumb' } },
      true,
    ],
    [
      'FORCE_COLOR=false over CLICOLOR_FORCE',
      { env: { FORCE_COLOR: 'false', CLICOLOR_FORCE: '1' } },
      false,
    ],
    ['CLICOLOR=false', { env: { CLICOLOR: 'false' } }, false],
    ['CLICOLOR=1 in a pipe', { isTty: false, env: { CLICOLOR: '1' } }, false],
    ['CLICOLOR_FORCE=0', { isTty: false, env: { CLICOLOR_FORCE: '0' } }, false],
  ])(
    'depend on: %s',
    (_name, { isTty = true, wanted = 'auto', stored = false, env = {} }, expected) => {
      expect(wantsColor({ isTty, wanted, stored, env })).toBe(expected);
    },
  );
});

describe('times on a terminal', () => {
  const now = Date.parse('2026-01-15T12:00:00Z');
  it.each([
    ['2026-01-15T11:59:18.123Z', '11:59:18'],
    ['2026-01-15T14:00:00+01:00', '13:00:00'],
    ['2026-01-15T11:00Z', '11:00'],
    ['2026-01-12T09:05:00Z', '12 Jan 09:05'],
    ['2026-11-24T16:10:11Z', '24 Nov 16:10'],
    ['2025-11-15T12:00:00Z', '15 Nov 2025'],
    ['waits until 2026-01-15T12:10:00Z, at most', 'waits until 12:10:00, at most'],
    ['2026-13-45T99:00:00Z', '2026-13-45T99:00:00Z'],
    ['soon', 'soon'],
  ])('are short: %s is %s', (iso, shown) => {
    expect(shortTimes(iso, now)).toBe(shown);
  });
});

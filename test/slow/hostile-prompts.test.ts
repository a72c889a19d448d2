// Escape sequences in names of profiles, runs and topics have no effect on a terminal in prompts.
import { describe, expect, it } from 'vitest';
import { openHome } from '../support/built.ts';
import { hostile, hostileWord, openWordProxy, shown, startOn } from '../support/hostile.ts';
import { type Prepare, withProfile, withRun } from '../support/hostile-files.ts';
import { onScreen } from '../support/screen.ts';
import { json } from '../support/service.ts';

describe('a prompt', () => {
  it.each<[name: string, prepare: Prepare, until: string]>([
    ['about a profile', withProfile((text) => ['profiles', 'delete', text]), '(y/N)'],
    ['about a run', withRun(() => ['runs', 'delete', 'run-1']), '(y/N)'],
    ['to select a profile', withProfile(() => ['profiles', 'use']), '❯'],
  ])('%s shows names as text', async (_name, prepare, until) => {
    const screens = [];
    for (const text of [hostileWord, shown(hostileWord)]) {
      const home = openHome();
      const terminal = startOn(home, prepare(home, text));
      await terminal.shows(until);
      terminal.types('\x03');
      const { code, written } = await terminal.ended();
      expect(code).toBe(until === '(y/N)' ? 2 : 130);
      screens.push(
        await onScreen(written.replaceAll(home.folder, '~'), { columns: 120, rows: 40 }),
      );
    }
    const [seen, harmless] = screens;
    expect(seen?.lines.join('')).toContain('begin');
    expect(JSON.stringify(seen)).toBe(JSON.stringify(harmless));
    expect(seen?.effects).toEqual([]);
  });

  it('to select a topic shows the names and the selected name as text', async () => {
    const home = openHome();
    const proxy = await openWordProxy(home);
    const screens = [];
    for (const text of [hostile, shown(hostile)]) {
      proxy.text = text;
      const terminal = startOn(home, ['topics', 'get']);
      await terminal.shows('❯ ');
      terminal.types('\r');
      const { code, written } = await terminal.ended();
      expect(code).toBe(0);
      screens.push(await onScreen(written, { columns: 120, rows: 60 }));
    }
    const [seen, harmless] = screens;
    expect(seen?.lines.join('')).toContain('✔ Topic: announcements  begin');
    expect(JSON.stringify(seen)).toBe(JSON.stringify(harmless));
    expect(seen?.effects).toEqual([]);
  });
});

describe('a prompt to select a topic', () => {
  it('shows the reason of a failed search as text', async () => {
    const home = openHome();
    const proxy = await openWordProxy(home);
    const terminal = startOn(home, ['topics', 'get']);
    await terminal.shows('❯ ');
    proxy.override = (_seen, response) => json(response, 400, { message: hostile });
    terminal.types('x');
    await terminal.shows('> begin');
    terminal.types('\x03');
    const { written } = await terminal.ended();
    const { effects } = await onScreen(written, { columns: 120, rows: 40 });
    expect(effects).toEqual([]);
    expect(written.replaceAll('\r\n', '')).toContain(shown(hostile));
  });
});

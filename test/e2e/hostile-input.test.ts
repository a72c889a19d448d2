// Text of command lines, files and folders: it acts nowhere on a terminal, neither in errors and listings nor in
// questions, the progress of a run and what Tab offers.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Home, openHome } from '../support/built.ts';
import {
  hostile,
  hostileWord,
  isHarmless,
  look,
  openWordProxy,
  shown,
  startOn,
} from '../support/hostile.ts';
import { onScreen } from '../support/screen.ts';
import { json } from '../support/service.ts';

type Prepare = (home: Home, text: string) => readonly string[];

const configure = ({ folder }: Home, profile: string) => {
  mkdirSync(path.join(folder, '.config', 'svc'), { recursive: true });
  writeFileSync(
    path.join(folder, '.config', 'svc', 'config.json'),
    JSON.stringify({
      current: profile,
      profiles: { [profile]: { baseUrl: 'http://127.0.0.1:9', environment: profile, key: 'k' } },
    }),
  );
};

/** The journal of a run whose manifest says such things. */
const journal = ({ folder }: Home, runId: string, text: string) => {
  const run = path.join(folder, '.local', 'state', 'svc', 'runs', runId);
  mkdirSync(run, { recursive: true });
  writeFileSync(
    path.join(run, 'manifest.json'),
    JSON.stringify({
      format: 1,
      runId,
      command: text,
      args: { file: text },
      options: { note: text },
      profile: text,
      service: text,
      file: { path: text, size: 1, mtimeMs: 1, digest: text },
      rejects: text,
      startedAt: '2026-01-15T12:00:00.000Z',
      version: text,
    }),
  );
};

const inFile =
  (line: (text: string) => readonly string[]): Prepare =>
  (home, text) => {
    configure(home, text);
    return line(text);
  };
const inJournal =
  (line: () => readonly string[]): Prepare =>
  (home, text) => {
    journal(home, 'run-1', text);
    return line();
  };

/** Both looks at a command line: with hostile words, and with the harmless ones that these are to look like. */
async function both(prepare: Prepare) {
  const looks = [];
  for (const text of [hostileWord, shown(hostileWord)]) {
    const home = openHome();
    const seen = await look(home, prepare(home, text));
    looks.push({ ...seen, text: seen.text.replaceAll(home.folder, '~') });
  }
  const [{ written = '', ...seen } = {}, { written: _plain, ...harmless } = {}] = looks;
  return { written, seen, harmless };
}

describe('a terminal', () => {
  it.each<[name: string, prepare: Prepare]>([
    ['an unknown command', (_home, text) => [text]],
    ['an unknown command of a noun', (_home, text) => ['topics', text]],
    ['an unknown option', (_home, text) => ['topics', 'list', `--${text}`]],
    ['a choice that is none', (_home, text) => ['topics', 'list', '-o', text]],
    ['a number that is none', (_home, text) => ['topics', 'list', '--limit', text]],
    ['an address that is none', (_home, text) => ['topics', 'list', '--base-url', text]],
    ['an unknown profile', (_home, text) => ['topics', 'list', '--profile', text]],
    ['an unknown setting', (_home, text) => ['config', 'get', text]],
    ['an unknown help topic', (_home, text) => ['help', text]],
    ['an unknown run', (_home, text) => ['runs', 'show', text]],
    [
      'a file that is not there',
      inFile((text) => ['subscribers', 'bulk-import', text.split(' ').slice(0, 7).join(' ')]),
    ],
    ['the profiles of a file', inFile(() => ['profiles', 'list'])],
    ['the current profile', inFile(() => ['profiles', 'show'])],
    ['the environment of a profile', inFile(() => ['doctor', '--retries', '0'])],
    ['the manifests of runs', inJournal(() => ['runs', 'list'])],
    ['all of a manifest', inJournal(() => ['runs', 'show', 'run-1'])],
  ])('shows %s as text', async (_name, prepare) => {
    const { written, seen, harmless } = await both(prepare);
    expect(isHarmless(written), JSON.stringify(written)).toBe(true);
    expect(seen).toEqual(harmless);
    expect(seen).toMatchObject({
      effects: [],
      styled: [],
      text: expect.stringContaining('begin'),
    });
  });
});

describe('a question', () => {
  it.each<[name: string, prepare: Prepare, until: string]>([
    ['about a profile', inFile((text) => ['profiles', 'delete', text]), '(y/N)'],
    ['about a run', inJournal(() => ['runs', 'delete', 'run-1']), '(y/N)'],
    ['about transactions', inFile((text) => ['events', 'cancel', text]), '(y/N)'],
    ['with a picker of profiles', inFile(() => ['profiles', 'use']), '❯'],
  ])('%s shows names as text', async (_name, prepare, until) => {
    const screens = [];
    for (const text of [hostileWord, shown(hostileWord)]) {
      const home = openHome();
      const terminal = startOn(home, prepare(home, text));
      await terminal.shows(until);
      terminal.types('\x03');
      const { code, written } = await terminal.ended();
      expect(code).toBe(130);
      screens.push(
        await onScreen(written.replaceAll(home.folder, '~'), { columns: 120, rows: 40 }),
      );
    }
    const [seen, harmless] = screens;
    expect(seen?.lines.join('')).toContain('begin');
    expect(JSON.stringify(seen)).toBe(JSON.stringify(harmless));
    expect(seen?.effects).toEqual([]);
  });

  it('with a picker of topics shows their names as text, and so the one that was picked', async () => {
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

describe('a picker', () => {
  it('says as text why a search failed', async () => {
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

describe('an import', () => {
  it('of a file with a hostile name, with hostile rows, tells of both as text', async () => {
    const home = openHome();
    await openWordProxy(home);
    const looks = [];
    for (const text of [hostileWord, shown(hostileWord)]) {
      const file = `${text.slice(0, 80)}.csv`;
      const cell = `"${text.replaceAll('"', '""')}"`;
      writeFileSync(
        path.join(home.folder, file),
        `subscriberId,email\nu1,${cell}\n${cell},a@example.com\nu2,b@example.com\n`,
      );
      looks.push(await look(home, ['subscribers', 'bulk-import', file, '--debug=body']));
    }
    const [{ written = '', effects, styled, code } = {}, harmless] = looks;
    // The bar of the run clears its own line, and nothing else does.
    expect(isHarmless(written.replaceAll('\r\x1b[K', ''))).toBe(true);
    expect({ effects, styled, code }).toEqual({ effects: [], styled: [], code: harmless?.code });
    expect(written).toContain('begin');
  });
});

describe('Tab', () => {
  it('is offered no value in which something acts, wherever it comes from', async () => {
    const home = openHome();
    const proxy = await openWordProxy(home);
    proxy.override = undefined;
    proxy.text = hostile;
    await home.svc(['topics', 'list']);
    journal(home, hostileWord.slice(0, 200), 'x');
    journal(home, 'run-1', 'x');
    const topics = await home.svc(['__complete', 'topics']);
    const runs = await home.svc(['__complete', 'runs']);
    configure(home, hostileWord);
    const profiles = await home.svc(['__complete', 'profiles']);
    expect(topics.stdout).toMatch(/^announcements\tbegin /m);
    expect(runs.stdout).toBe('run-1\t\n');
    expect(profiles.stdout).toBe('');
    for (const { stdout, code } of [topics, runs, profiles]) {
      expect(code).toBe(0);
      expect(isHarmless(stdout)).toBe(true);
    }
  });
});
